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
			['x'.repeat(101), 'tooLong'],
		] as const;
		for (const [name, problem] of table) {
			assert.equal(checkServerName(name, taken), problem, name);
		}
	});

	it('are made unique and valid, whatever they were made from', () => {
		assert.equal(uniqueName('a', new Set(['a', 'a-2'])), 'a-3');
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.array(fc.string()), (name, others) => {
				const taken = new Set([...others, name]);
				assert.equal(checkServerName(uniqueName(name, taken), taken), undefined);
				const own = nameOf({ type: 'stdio', command: name, args: others });
				assert.equal(checkServerName(own, new Set()), undefined);
			}),
		);
	});
});
