import * as assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import type { Grant } from '../../../../src/core/approvals/approval.js';
import { leakCheck } from '../../../support/leakCheck.js';

describe('answers that are kept', () => {
	const { own } = leakCheck();
	let held: Map<string, unknown>;
	let grants: WorkspaceGrants<Grant>;
	let changes: number;

	const grant = (id: string, more: Partial<Grant> = {}): Grant => ({
		id,
		decision: 'allow',
		serverId: 's',
		tools: {},
		lasts: 'workspace',
		time: 1,
		...more,
	});
	const ids = (): string[] => grants.list().map(it => it.id);
	const kept = (): string[] => (held.get('grants') as Grant[]).map(it => it.id);

	beforeEach(() => {
		held = new Map();
		changes = 0;
		const memento = {
			keys: () => [...held.keys()],
			get: (key: string) => held.get(key),
			update: async (key: string, value: unknown) => void held.set(key, value),
		} as Memento;
		grants = own(new WorkspaceGrants<Grant>(new EditorState(memento), 'grants'));
		own(grants.onDidChange(() => changes++));
	});

	it('are listed, those of the session last, and only lasting ones are written', async () => {
		await grants.add(grant('a', { lasts: 'session' }));
		assert.deepEqual([ids(), held.get('grants'), changes], [['a'], undefined, 1]);
		await grants.add(grant('b'));
		await grants.add(grant('c', { decision: 'deny' }));
		assert.deepEqual([ids(), kept(), changes], [['b', 'c', 'a'], ['b', 'c'], 3]);
	});

	it('are gone once they were revoked, of either kind', async () => {
		for (const [id, lasts] of [
			['a', 'session'],
			['b', 'workspace'],
			['c', 'session'],
			['d', 'workspace'],
		] as const) {
			await grants.add(grant(id, { lasts }));
		}
		changes = 0;
		for (const id of ['a', 'b', 'none']) {
			await grants.revoke(id);
		}
		assert.deepEqual([ids(), kept(), changes], [['d', 'c'], ['d'], 3]);
	});

	it('are at most 1000: the oldest that allows goes, and no denial', async () => {
		await grants.add(grant('no', { decision: 'deny' }));
		for (let count = 1; count < 1000; count++) {
			await grants.add(grant(String(count)));
		}
		assert.deepEqual([kept().length, kept().slice(0, 2)], [1000, ['no', '1']]);
		await grants.add(grant('one more'));
		assert.deepEqual([kept().length, kept().slice(0, 2), kept().at(-1)], [1000, ['no', '2'], 'one more']);
	});
});
