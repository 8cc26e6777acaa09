import * as assert from 'node:assert/strict';
import { formFields } from '../../../../src/mcp/schema/formModel.js';
import { patternCheck } from '../../../../src/mcp/schema/patternCheck.js';
import type { SchemaCheck } from '../../../../src/mcp/schema/validator.js';

describe('patternCheck', () => {
	it('names the fields whose value does not match, and those that cannot be checked', async () => {
		const form = formFields({
			properties: {
				free: { type: 'string' },
				good: { type: 'string', pattern: 'good' },
				bad: { type: 'string', pattern: 'bad' },
				slow: { type: 'string', pattern: 'slow' },
				absent: { type: 'string', pattern: 'bad' },
			},
		});
		const checks: Record<string, SchemaCheck> = {
			good: { kind: 'valid' },
			bad: { kind: 'invalid', problems: [], complete: true },
			slow: { kind: 'unchecked', why: 'tooSlow', detail: '' },
		};
		const schemas = new Set<unknown>();
		const check = patternCheck(form, {
			check: async schema => {
				schemas.add(schema);
				return checks[String(schema['pattern'])] ?? assert.fail();
			},
		});
		for (let time = 0; time < 2; time++) {
			const problems = await check({ free: 'x', good: 'x', bad: 'x', slow: 'x' });
			assert.deepEqual(
				[...problems],
				[
					['bad', { code: 'pattern', pattern: 'bad' }],
					['slow', undefined],
				],
			);
		}
		assert.equal(schemas.size, 3, 'a slow pattern is known again by its schema');
	});
});
