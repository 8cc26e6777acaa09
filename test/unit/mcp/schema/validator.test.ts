import * as assert from 'node:assert/strict';
import { LazyValidator, type SchemaEngine } from '../../../../src/mcp/schema/validator.js';

describe('LazyValidator', () => {
	const engine: SchemaEngine = { check: () => ({ kind: 'valid' }), matches: () => true };
	/** Only the engine checks patterns. */
	const schema = { pattern: 'a' };

	it('loads once, and not before it is needed', async () => {
		let loads = 0;
		const validator = new LazyValidator({
			load: async () => {
				loads++;
				return { createSchemaEngine: () => engine };
			},
		});
		assert.deepEqual(await validator.check({ type: 'string' }, 'plainly fits'), { kind: 'valid' });
		assert.equal(loads, 0);
		const checks = await Promise.all([validator.check(schema, 1), validator.check(schema, 2), validator.matcher()]);
		assert.deepEqual(checks, [{ kind: 'valid' }, { kind: 'valid' }, engine.matches]);
		assert.equal(loads, 1);
	});

	it('leaves every value that does not plainly fit to the engine', async () => {
		const checked: unknown[] = [];
		const counting: SchemaEngine = {
			...engine,
			check: (_, value) => {
				checked.push(value);
				return { kind: 'invalid', problems: [], complete: true };
			},
		};
		const validator = new LazyValidator({ load: () => Promise.resolve({ createSchemaEngine: () => counting }) });
		const check = async (of: object, value: unknown): Promise<string> =>
			(await validator.check(of as never, value)).kind;
		assert.deepEqual(
			[
				await check({ type: 'string' }, 'fits'),
				await check({ type: 'string' }, 1),
				await check({ format: 'date' }, '2024-02-30'),
				await check({ unknown: 1 }, 2),
			],
			['valid', 'invalid', 'invalid', 'invalid'],
		);
		assert.deepEqual(checked, [1, '2024-02-30', 2]);
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
				await validator.check(schema, 1),
				await validator.check(schema, 1),
				await validator.matcher(),
				await validator.check(schema, 1),
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
