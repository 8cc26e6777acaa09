import * as assert from 'node:assert/strict';
import type { Tool } from '../../../../src/mcp/index.js';
import { type ParsedLock, addToLock } from '../../../../src/core/approvals/toolLock.js';
import { compareWithLocks } from '../../../../src/core/approvals/lockState.js';

const tool: Tool = { name: 'water', title: 'Water', description: 'Waters.', inputSchema: {} };
const part = { server: 'garden', tool, instructions: undefined };
const none: ParsedLock = { kind: 'read', lock: {} };
const broken: ParsedLock = { kind: 'broken', error: undefined };

function lockedAs(changes: Partial<Tool> = {}, instructions?: string): ParsedLock {
	return { kind: 'read', lock: addToLock({}, { server: 'garden', tool: { ...tool, ...changes }, instructions }) };
}

describe('compareWithLocks', () => {
	it('shows what the lock file has, unless only our storage differs or has anything', () => {
		const [a, b] = [lockedAs({ title: 'A' }), lockedAs({ description: 'B' })];
		const titleOf = (lock: ParsedLock, seen: ParsedLock): unknown =>
			compareWithLocks({ lock, seen }, part).locked?.tool;
		const of = (changes: Partial<Tool>): object => ({
			title: 'Water',
			description: 'Waters.',
			inputSchema: {},
			...changes,
		});
		assert.deepEqual(titleOf(a, b), of({ title: 'A' }));
		assert.deepEqual(titleOf(lockedAs(), b), of({ description: 'B' }));
		assert.deepEqual(titleOf(none, b), of({ description: 'B' }));
		assert.deepEqual(titleOf(a, none), of({ title: 'A' }));
		assert.deepEqual(titleOf(lockedAs(), none), of({}));
		assert.deepEqual(titleOf(a, lockedAs()), of({ title: 'A' }));
		assert.equal(titleOf(none, none), undefined);
		assert.equal(titleOf(broken, broken), undefined);
	});

	it('names what differs from either, once', () => {
		const changesOf = (lock: ParsedLock, seen: ParsedLock): unknown => compareWithLocks({ lock, seen }, part).changes;
		assert.deepEqual(changesOf(lockedAs({ title: 'A' }), lockedAs({ title: 'B', description: 'B' })), [
			'title',
			'description',
		]);
		assert.deepEqual(changesOf(lockedAs(), lockedAs({}, 'Be kind.')), ['instructions']);
		assert.deepEqual(changesOf(lockedAs(), broken), []);
	});

	it('says how a tool compares with each, and with both: what asks most counts', () => {
		const [same, other] = [lockedAs(), lockedAs({ title: 'A' })];
		for (const [lock, seen, ...expected] of [
			[none, none, 'new', 'new', 'new'],
			[none, same, 'same', 'new', 'same'],
			[same, none, 'same', 'same', 'new'],
			[same, same, 'same', 'same', 'same'],
			[same, other, 'changed', 'same', 'changed'],
			[other, none, 'changed', 'changed', 'new'],
			[other, broken, 'unreadable', 'changed', 'unreadable'],
			[broken, same, 'unreadable', 'unreadable', 'same'],
		] as const) {
			const { state, lock: ofLock, seen: ofSeen, changes } = compareWithLocks({ lock, seen }, part);
			assert.deepEqual([state, ofLock, ofSeen], expected);
			assert.deepEqual(changes, lock === other || seen === other ? ['title'] : []);
		}
	});

	it('says of a tool that cannot be locked what asks first', () => {
		const large = { ...part, tool: { ...tool, description: 'x'.repeat(2_000_000) } };
		const stateOf = (lock: ParsedLock, seen: ParsedLock): unknown => {
			const { state, lock: ofLock, seen: ofSeen } = compareWithLocks({ lock, seen }, large);
			return [state, ofLock, ofSeen];
		};
		assert.deepEqual(stateOf(none, none), ['notLocked', 'new', 'new']);
		assert.deepEqual(stateOf(lockedAs(), none), ['changed', 'changed', 'new']);
		assert.deepEqual(stateOf(none, broken), ['unreadable', 'new', 'unreadable']);
	});
});
