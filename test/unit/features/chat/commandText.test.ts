import * as assert from 'node:assert/strict';
import { parseArguments, takeNamed } from '../../../../src/features/chat/commandText.js';

describe('what people write behind a command of the chat', () => {
	it('begins with a name, the longest there is, in quotes or not', () => {
		const names = ['a', 'a.b', 'a.b c', 'my server.tool', 'notes://today'];
		const table: readonly (readonly [text: string, found: string | undefined, rest: string])[] = [
			['a.b {"x":1}', 'a.b', '{"x":1}'],
			['a.b{"x":1}', 'a.b', '{"x":1}'],
			['  A.B C d', 'a.b c', 'd'],
			['a.bc', undefined, 'a.bc'],
			['my server.tool x=1', 'my server.tool', 'x=1'],
			['"my server.tool" x=1', 'my server.tool', 'x=1'],
			['"my server.tool"', 'my server.tool', ''],
			['"unknown" x', undefined, '"unknown" x'],
			['notes://today what is there?', 'notes://today', 'what is there?'],
			['', undefined, ''],
		];
		for (const [text, found, rest] of table) {
			assert.deepEqual(
				takeNamed(text, names, it => [it]),
				{ found: found === undefined ? [] : [found], rest },
				text,
			);
		}
	});

	it('gives all that have the name', () => {
		const entries = [
			{ id: 1, names: ['today', 'a.today'] },
			{ id: 2, names: ['today', 'b.today'] },
		];
		const ids = (text: string): number[] => takeNamed(text, entries, it => it.names).found.map(it => it.id);
		assert.deepEqual(ids('today x'), [1, 2]);
		assert.deepEqual(ids('b.today x'), [2]);
	});

	it('is JSON, or names and values that are what the tool expects', () => {
		const properties = {
			text: { type: 'string' },
			count: { type: 'integer' },
			deep: { type: 'object' },
			on: { type: 'boolean' },
		};
		const table: readonly (readonly [text: string, value: object | undefined])[] = [
			['', {}],
			['{"text":"a","more":[1]}', { text: 'a', more: [1] }],
			['{"text":', undefined],
			['text=1 count=2 on=true', { text: '1', count: 2, on: true }],
			['text="two words" deep=\'{"a":1}\'', { text: 'two words', deep: { a: 1 } }],
			['hello 3', { text: 'hello', count: 3 }],
			['count=many other=x', { count: 'many', other: 'x' }],
		];
		for (const [text, value] of table) {
			assert.deepEqual(parseArguments(text, { properties }), value, text);
		}
	});
});
