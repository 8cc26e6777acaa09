// The description of a field, and the message for an invalid value.
import * as assert from 'node:assert/strict';
import { describeField, describeFieldProblem } from '../../../../src/editor/l10n/fieldWords.js';
import { checkField, type JsonObject } from '../../../../src/mcp/index.js';
import { formFields } from '../../../../src/mcp/schema/formModel.js';

describe('descriptions of fields', () => {
	const table: readonly (readonly [schema: JsonObject, words: string, problem?: string])[] = [
		[{ type: 'string' }, 'Enter text.'],
		[{ type: 'string', format: 'date' }, 'Enter a date such as 2026-11-24.', 'Value must be a date such as 2026-11-24'],
		[
			{ type: 'string', format: 'date-time' },
			'Enter a date and time such as 2026-11-24T09:00:00Z.',
			'Value must be a date and time such as 2026-11-24T09:00:00Z',
		],
		[{ type: 'string', format: 'email' }, 'Enter an email address.', 'Value must be an email address'],
		[{ type: 'string', format: 'uri' }, 'Enter a URI.', 'Value must be a URI'],
		[{ type: 'number' }, 'Enter a number.'],
		[{ type: 'number', minimum: 0.5, maximum: 2 }, 'Enter a number from 0.5 to 2.'],
		[{ type: 'integer', minimum: 1, maximum: 20 }, 'Enter a whole number from 1 to 20.'],
		[{ type: 'integer', minimum: 1 }, 'Enter a whole number, 1 or higher.'],
		[{ type: 'number', maximum: 1 }, 'Enter a number, 1 or lower.'],
	];
	for (const [schema, words, problem] of table) {
		it(words, () => {
			const [field] = formFields({ type: 'object', properties: { x: schema }, required: ['x'] }).fields;
			assert.ok(field);
			assert.equal(describeField(field), `Required. ${words}`);
			const check = checkField(field, 'x');
			if (problem !== undefined) {
				assert.equal(check && describeFieldProblem(check), problem);
			}
		});
	}
});

describe('descriptions of problems of values', () => {
	it('ask for a value if nothing was typed, and count two characters or more', () => {
		const words = [1, 2].map(limit => describeFieldProblem({ code: 'tooShort', limit }));
		assert.deepEqual(words, ['Enter a value', 'Value must have at least 2 characters']);
	});
});
