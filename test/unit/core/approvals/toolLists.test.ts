import * as assert from 'node:assert/strict';
import { compareLists } from '../../../../src/core/approvals/toolLock.js';
import type { Tool } from '../../../../src/mcp/index.js';

const tool = (name: string, description?: string): Tool => ({
	name,
	inputSchema: { type: 'object' },
	...(description !== undefined && { description }),
});
const none = { changed: [], added: [], removed: [] };

describe('two lists of tools', () => {
	it('differ by changed, new and removed tools, in any order', () => {
		const before = [tool('a'), tool('b'), tool('c')];
		assert.deepEqual(compareLists(before, [tool('d'), tool('c'), tool('a', 'New.')], []), {
			changed: ['a'],
			added: ['d'],
			removed: ['b'],
		});
		assert.deepEqual(compareLists(before, before.toReversed(), []), none);
	});

	it('count a tool that differs from its kept definition as changed, also if it was not in the list', () => {
		assert.deepEqual(compareLists([tool('a')], [tool('a'), tool('b')], ['a', 'b']), { ...none, changed: ['a', 'b'] });
	});

	it('are compared only by the members that a person or a model relies on', () => {
		const decorated = { ...tool('a'), icons: [] };
		assert.deepEqual(compareLists([tool('a')], [decorated], []), none);
	});
});
