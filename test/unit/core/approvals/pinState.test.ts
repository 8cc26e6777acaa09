import * as assert from 'node:assert/strict';
import type { Tool } from '../../../../src/mcp/index.js';
import { type ParsedLock, withPin } from '../../../../src/core/approvals/pins.js';
import { areInstructionsNew, comparePins } from '../../../../src/core/approvals/pinState.js';

const tool: Tool = { name: 'water', title: 'Water', description: 'Waters.', inputSchema: {} };
const part = { server: 'garden', tool, instructions: undefined };
const none: ParsedLock = { kind: 'read', lock: {} };
const broken: ParsedLock = { kind: 'broken', error: undefined };

function pinned(changes: Partial<Tool> = {}, instructions?: string): ParsedLock {
	return { kind: 'read', lock: withPin({}, { server: 'garden', tool: { ...tool, ...changes }, instructions }) };
}

describe('comparePins', () => {
	it('shows what the lock file has, unless only our storage differs or has anything', () => {
		const [a, b] = [pinned({ title: 'A' }), pinned({ description: 'B' })];
		const titleOf = (lock: ParsedLock, seen: ParsedLock): unknown => comparePins({ lock, seen }, part).pinned?.tool;
		const of = (changes: Partial<Tool>): object => ({
			title: 'Water',
			description: 'Waters.',
			inputSchema: {},
			...changes,
		});
		assert.deepEqual(titleOf(a, b), of({ title: 'A' }));
		assert.deepEqual(titleOf(pinned(), b), of({ description: 'B' }));
		assert.deepEqual(titleOf(none, b), of({ description: 'B' }));
		assert.deepEqual(titleOf(a, none), of({ title: 'A' }));
		assert.deepEqual(titleOf(pinned(), none), of({}));
		assert.deepEqual(titleOf(a, pinned()), of({ title: 'A' }));
		assert.equal(titleOf(none, none), undefined);
		assert.equal(titleOf(broken, broken), undefined);
	});

	it('names what differs from either, once', () => {
		const changesOf = (lock: ParsedLock, seen: ParsedLock): unknown => comparePins({ lock, seen }, part).changes;
		assert.deepEqual(changesOf(pinned({ title: 'A' }), pinned({ title: 'B', description: 'B' })), [
			'title',
			'description',
		]);
		assert.deepEqual(changesOf(pinned(), pinned({}, 'Be kind.')), ['instructions']);
		assert.deepEqual(changesOf(pinned(), broken), []);
	});

	it('says how a tool compares with each, and with both: what asks most counts', () => {
		const [same, other] = [pinned(), pinned({ title: 'A' })];
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
			const { state, lock: ofLock, seen: ofSeen, changes } = comparePins({ lock, seen }, part);
			assert.deepEqual([state, ofLock, ofSeen], expected);
			assert.deepEqual(changes, lock === other || seen === other ? ['title'] : []);
		}
	});

	it('says of a tool that cannot be pinned what asks first', () => {
		const large = { ...part, tool: { ...tool, description: 'x'.repeat(2_000_000) } };
		const stateOf = (lock: ParsedLock, seen: ParsedLock): unknown => {
			const { state, lock: ofLock, seen: ofSeen } = comparePins({ lock, seen }, large);
			return [state, ofLock, ofSeen];
		};
		assert.deepEqual(stateOf(none, none), ['notPinned', 'new', 'new']);
		assert.deepEqual(stateOf(pinned(), none), ['changed', 'changed', 'new']);
		assert.deepEqual(stateOf(none, broken), ['unreadable', 'new', 'unreadable']);
	});
});

describe('areInstructionsNew', () => {
	it('says whether they differ from those of either, or nobody can tell', () => {
		const [kind, quick] = [pinned({}, 'Be kind.'), pinned({}, 'Be quick.')];
		const rows: readonly (readonly [lock: ParsedLock, seen: ParsedLock, expected: boolean])[] = [
			[none, none, false],
			[kind, none, false],
			[none, kind, false],
			[kind, kind, false],
			[kind, quick, true],
			[quick, kind, true],
			[pinned(), none, true],
			[broken, kind, true],
			[none, broken, true],
		];
		assert.deepEqual(
			rows.map(([lock, seen]) => areInstructionsNew({ lock, seen }, 'garden', 'Be kind.')),
			rows.map(([, , expected]) => expected),
		);
	});
});
