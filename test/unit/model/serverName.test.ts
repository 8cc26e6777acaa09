import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkServerName, nameOf, uniqueName } from '../../../src/model/serverName.js';

describe('names of servers', () => {
	it('are checked', () => {
		const taken = new Set(['a']);
		const table = [
			['b', undefined],
			['My Server/1', undefined],
			['', 'empty'],
			['  ', 'empty'],
			['a', 'taken'],
			[' b', 'unprintable'],
			['a\nb', 'unprintable'],
			['a\u202Eb', 'unprintable'],
			['a\u200Db', 'unprintable'],
			['a\u200C', 'unprintable'],
			['\u{1F469}\u200D\u{1F52C}', undefined],
			['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', undefined],
			['x'.repeat(101), 'tooLong'],
		] as const;
		for (const [name, problem] of table) {
			assert.equal(checkServerName(name, taken), problem, name);
		}
	});

	it('are made unique and valid, whatever they were made from', () => {
		assert.equal(uniqueName('a', new Set(['a', 'a-2'])), 'a-3');
		assert.equal(uniqueName('a\u200Db \u{1F469}\u200D\u{1F52C}', new Set()), 'a b \u{1F469}\u200D\u{1F52C}');
		const joined = fc.constantFrom('\u200D', '\u{1F469}', '\u{1F3FD}', '\u0628', 'a');
		const anyName = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 200 }),
			fc.string({ unit: joined, minLength: 40, maxLength: 90 }),
		);
		fc.assert(
			fc.property(anyName, fc.array(fc.string()), (name, others) => {
				const taken = new Set([...others, name]);
				assert.equal(checkServerName(uniqueName(name, taken), taken), undefined);
				const own = nameOf({ type: 'stdio', command: name, args: others });
				assert.equal(checkServerName(own, new Set()), undefined);
			}),
		);
	});
});
