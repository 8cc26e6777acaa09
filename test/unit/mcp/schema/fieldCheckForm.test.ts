// Whole forms: their defaults, and what they send.
import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { checkFields } from '../../../../src/mcp/schema/fieldCheck.js';
import { formFields } from '../../../../src/mcp/schema/formModel.js';

describe('what a form sends', () => {
	const form = formFields({
		type: 'object',
		properties: {
			s: { type: 'string', default: 'John' },
			i: { type: 'integer', default: 30 },
			n: { type: 'number', default: 95.5 },
			e: { type: 'string', enum: ['active', 'inactive'], default: 'active' },
			b: { type: 'boolean', default: false },
			l: { type: 'array', items: { enum: ['x', 'y'] }, default: ['x'] },
			k: { const: 'always' },
			wrong: { type: 'integer', default: 'x' },
			none: { type: 'string' },
			empty: { type: ['string', 'null'], default: null },
			must: { type: ['string', 'null'], default: null },
		},
		required: ['k', 'must'],
	});

	// covers: elicitation.defaults
	it('without typing: the defaults', () => {
		const defaults = form.fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
		assert.deepEqual(Object.fromEntries(defaults), {
			k: 'always',
			s: 'John',
			i: 30,
			n: 95.5,
			e: 'active',
			b: false,
			l: ['x'],
		});
	});

	// covers: elicitation.validated
	it('as the answer of an elicitation: values of the form, or the problems', () => {
		const flat = formFields({
			properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] }, c: { type: 'array' }, d: {} },
			required: ['a'],
		});
		const table: readonly (readonly [values: JsonObject, problems: readonly unknown[]])[] = [
			[{ a: 'x', b: 1, c: ['y'], other: 1 }, []],
			[{ a: 'x', b: null, d: 0.5 }, []],
			[{ a: 'x', b: undefined }, []],
			[{}, [['a', { code: 'required' }]]],
			[
				{ a: 5, b: 1.5 },
				[
					['a', { code: 'notAString' }],
					['b', { code: 'notAnInteger', text: '1.5' }],
				],
			],
		];
		assert.deepEqual(
			table.map(([values]) => Array.from(checkFields(flat, values))),
			table.map(([, problems]) => problems),
		);
	});
});
