import * as assert from 'node:assert/strict';
import { LazyValidator, type SchemaEngine } from '../../../../src/mcp/schema/validator.js';

describe('LazyValidator', () => {
	const engine: SchemaEngine = { check: () => ({ kind: 'valid' }), matches: () => true };

	it('loads once, and not before the first schema', async () => {
		let loads = 0;
		const validator = new LazyValidator({
			load: async () => {
				loads++;
				return { createSchemaEngine: () => engine };
			},
		});
		assert.equal(loads, 0);
		const checks = await Promise.all([validator.check({}, 1), validator.check({}, 2), validator.matcher()]);
		assert.deepEqual(checks, [{ kind: 'valid' }, { kind: 'valid' }, engine.matches]);
		assert.equal(loads, 1);
	});

	it('says so where the engine cannot be loaded, and tries again', async () => {
		const loads = [
			() => {
				throw new Error('at once');
			},
			() => Promise.reject(new Error('later')),
			() => Promise.reject(new Error('for the matcher')),
			() => Promise.resolve({ createSchemaEngine: () => engine }),
		];
		const validator = new LazyValidator({ load: () => loads.shift()?.() ?? Promise.reject(new Error('once more')) });
		assert.deepEqual(
			[
				await validator.check({}, 1),
				await validator.check({}, 1),
				await validator.matcher(),
				await validator.check({}, 1),
			],
			[
				{ kind: 'unchecked', why: 'unavailable', detail: 'Error: at once' },
				{ kind: 'unchecked', why: 'unavailable', detail: 'Error: later' },
				undefined,
				{ kind: 'valid' },
			],
		);
	});
});
