import * as assert from 'node:assert/strict';
import { parse, type ParseError } from 'jsonc-parser';
import { removeMember } from '../../../../src/core/config/configEdit.js';

describe('removeMember', () => {
	it('removes an element of a list', () => {
		const text = '[\n  { "a": 1 }, // a\n  { "b": 2 } // b\n]';
		assert.equal(removeMember(text, text.indexOf('{ "a"')), '[\n  { "b": 2 } // b\n]');
		assert.equal(removeMember(text, text.indexOf('{ "b"')), '[\n  { "a": 1 } // a\n]');
	});

	/** Of `"x"`. */
	const removed = (text: string): string | undefined => removeMember(text, text.indexOf('"x"'));

	const table: readonly (readonly [what: string, before: string, after: string])[] = [
		['the only one', '{\n\t"x": {}\n}\n', '{\n}\n'],
		['the only one of a line', '{"x": {}}', '{}'],
		[
			'the first, and not the comment above the next',
			'{\n  "x": 1, // x\n  // b\n  "b": 2\n}',
			'{\n  // b\n  "b": 2\n}',
		],
		['one between others', '{\n  "a": 1,\n  "x": {\n    "y": 1\n  },\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 2\n}'],
		['the last, with the comma before it', '{\r\n\t"a": 1,\r\n\t"x": 2\r\n}\r\n', '{\r\n\t"a": 1\r\n}\r\n'],
		['the last, and not the comment behind the one before', '{\n  "a": 1, // a\n  "x": 2\n}', '{\n  "a": 1 // a\n}'],
		['the last with a comma of its own', '{\n  "a": 1,\n  "x": 2,\n}', '{\n  "a": 1,\n}'],
		['the last of a line', '{ "a": 1, "x": 2 }', '{ "a": 1 }'],
		['one within a line', '{ "a": 1, "x": 2, "b": 3 }', '{ "a": 1,  "b": 3 }'],
		['one that another follows in its line', '{\n  "x": 1, "b": 2\n}', '{\n   "b": 2\n}'],
		['a comma that begins a line', '{\n  "a": 1\n  , "x": 2\n}', '{\n  "a": 1\n  \n}'],
		['a comma within a comment is none', '{\n  "a": 1, // a, b\n  "x": 2 // ,\n}', '{\n  "a": 1 // a, b\n}'],
	];
	for (const [what, before, after] of table) {
		it(`removes ${what}`, () => {
			assert.equal(removed(before), after);
			const errors: ParseError[] = [];
			parse(after, errors, { allowTrailingComma: true });
			assert.deepEqual(errors, []);
		});
	}

	for (const text of ['', '{', '{ "x": 1', '{ "a": "x" }', '{ "a": 1 "x": 2 }']) {
		it(`does not touch ${JSON.stringify(text)}`, () => assert.equal(removed(text), undefined));
	}

	it('removes only what begins there', () => {
		assert.equal(removeMember('{ "x": 1 }', 3), undefined);
		assert.equal(removeMember('{ "x": 1 }', 7), undefined);
	});
});
