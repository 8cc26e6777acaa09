import * as assert from 'node:assert/strict';
import type { Memento, SecretStorage } from 'vscode';
import { InputStore } from '../../../../src/editor/storage/inputStore.js';
import type { InputDefinition } from '../../../../src/core/config/serverDefinition.js';

const plain = { kind: 'promptString', id: 'a', description: undefined, default: undefined, password: false } as const;
const secret: InputDefinition = { ...plain, password: true };
const file = 'file:///w/.vscode/mcp.json';
const user = 'mcpWorkbench.servers';

describe('the store of inputs', () => {
	let state: Map<string, unknown>;
	let userState: Map<string, unknown>;
	let secrets: Map<string, string>;
	let store: InputStore;

	beforeEach(() => {
		state = new Map();
		userState = new Map();
		secrets = new Map();
		store = open(state, '');
	});

	/** The states of a window on the local machine or another one. */
	function open(workspaceState: Map<string, unknown>, machine: string): InputStore {
		const storage: SecretStorage = {
			get: async key => secrets.get(key),
			store: async (key, value) => void secrets.set(key, value),
			delete: async key => void secrets.delete(key),
			onDidChange: () => ({ dispose: () => undefined }),
		};
		return new InputStore(storage, { workspace: memento(workspaceState), user: memento(userState), machine });
	}

	function memento(values: Map<string, unknown>): Memento {
		return {
			keys: () => [...values.keys()],
			get: (key: string): undefined => values.get(key) as undefined,
			update: async (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
		};
	}

	/** Everything that is stored outside secret storage. */
	const written = (): string => JSON.stringify([...state, ...userState]);

	it('keeps values by file and id', async () => {
		await store.set(file, plain, 'one');
		await store.set(file, { ...plain, id: 'b' }, '');
		await store.set('file:///v/.vscode/mcp.json', plain, 'two');
		assert.deepEqual(
			[
				await store.get(file, plain),
				await store.get(file, { ...plain, id: 'b' }),
				await store.get(file, { ...plain, id: 'c' }),
			],
			['one', '', undefined],
		);
		assert.deepEqual(store.list(), [
			{ source: file, id: 'a', value: 'one' },
			{ source: file, id: 'b', value: '' },
			{ source: 'file:///v/.vscode/mcp.json', id: 'a', value: 'two' },
		]);
	});

	it('keeps secrets in secret storage only, and still lists them', async () => {
		await store.set(file, secret, 'hunter2');
		assert.equal(await store.get(file, secret), 'hunter2');
		assert.deepEqual(listed(store), [{ source: file, id: 'a', value: undefined }]);
		assert.deepEqual([...secrets.values()], ['hunter2']);
		assert.ok(!written().includes('hunter2'));
	});

	it('shares no secret with another workspace whose files have the same URIs, as on another remote machine', async () => {
		const other = open(new Map(), 'host-b');
		await other.set(file, secret, 'throw-away');
		await store.set(file, secret, 'hunter2');
		assert.deepEqual([await other.get(file, secret), await store.get(file, secret)], ['throw-away', 'hunter2']);
	});

	it('deletes secrets and other values completely', async () => {
		await store.set(file, secret, 'hunter2');
		await store.set(file, { ...plain, id: 'b' }, 'two');
		await store.forget(file, 'a');
		await store.forget(file, 'b');
		await store.forget(file, 'never there');
		assert.deepEqual([store.list(), state.size, secrets.size], [[], 0, 0]);
	});

	it('rejects a value that was stored as the other kind, and deletes it', async () => {
		await store.set(file, plain, 'readable');
		assert.equal(await store.get(file, secret), undefined);
		assert.deepEqual([state.size, secrets.size], [0, 0]);
		await store.set(file, secret, 'hunter2');
		assert.equal(await store.get(file, plain), undefined);
		assert.deepEqual([state.size, secrets.size], [0, 0]);
	});

	it('asks again for a secret that its storage has lost', async () => {
		await store.set(file, secret, 'hunter2');
		secrets.clear();
		assert.equal(await store.get(file, secret), undefined);
	});

	it('keeps values of the user settings once for all windows, and nothing of a file', async () => {
		await store.set(user, plain, 'one');
		await store.set(user, { ...secret, id: 'b' }, 'hunter2');
		await store.set(file, secret, 'of the file');
		const other = open(new Map(), '');
		assert.deepEqual(
			[await other.get(user, plain), await other.get(user, { ...secret, id: 'b' }), await other.get(file, secret)],
			['one', 'hunter2', undefined],
		);
		assert.ok(!written().includes('hunter2'));
		assert.deepEqual(listed(other), [
			{ source: user, id: 'a', value: 'one' },
			{ source: user, id: 'b', value: undefined },
		]);
		await other.forget(user, 'b');
		assert.equal(await store.get(user, { ...secret, id: 'b' }), undefined);
		assert.deepEqual([...secrets.values()], ['of the file']);
	});

	it("does not use a value that another machine's settings asked for", async () => {
		await store.set(user, secret, 'mine');
		const remote = open(new Map(), 'ssh-remote+far');
		assert.deepEqual([await remote.get(user, secret), remote.list()], [undefined, []]);
		await remote.set(user, secret, 'theirs');
		assert.deepEqual([await store.get(user, secret), await remote.get(user, secret)], ['mine', 'theirs']);
		assert.deepEqual([store.list().length, remote.list().length], [1, 1]);
	});

	it('skips keys that it did not write', async () => {
		state.set('input:x', 'text');
		state.set('other', { source: file, id: 'a', value: 'x' });
		assert.deepEqual(store.list(), []);
	});
});

/** The stored inputs without the keys of secrets, which are random. */
function listed(store: InputStore): object[] {
	return store.list().map(({ source, id, value }) => ({ source, id, value }));
}
