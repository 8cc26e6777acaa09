import * as assert from 'node:assert/strict';
import type { Memento, SecretStorage } from 'vscode';
import { InputStore } from '../../../src/host/inputStore.js';
import type { InputDefinition } from '../../../src/model/inputs.js';

const plain = { kind: 'promptString', id: 'a', description: undefined, default: undefined, password: false } as const;
const secret: InputDefinition = { ...plain, password: true };
const file = 'file:///w/.vscode/mcp.json';

describe('the store of inputs', () => {
	let state: Map<string, unknown>;
	let secrets: Map<string, string>;
	let store: InputStore;

	beforeEach(() => {
		state = new Map();
		secrets = new Map();
		const memento: Memento = {
			keys: () => [...state.keys()],
			get: (key: string): undefined => state.get(key) as undefined,
			update: async (key, value) => void (value === undefined ? state.delete(key) : state.set(key, value)),
		};
		const storage: SecretStorage = {
			get: async key => secrets.get(key),
			store: async (key, value) => void secrets.set(key, value),
			delete: async key => void secrets.delete(key),
			onDidChange: () => ({ dispose: () => undefined }),
		};
		store = new InputStore(storage, memento);
	});

	/** Everything that is written down, but for the storage of secrets. */
	const written = (): string => JSON.stringify([...state]);

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

	it('keeps secrets among secrets only, and still lists that there is one', async () => {
		await store.set(file, secret, 'hunter2');
		assert.equal(await store.get(file, secret), 'hunter2');
		assert.deepEqual(store.list(), [{ source: file, id: 'a', value: undefined }]);
		assert.deepEqual([...secrets.values()], ['hunter2']);
		assert.ok(!written().includes('hunter2'));
	});

	it('forgets both kinds without a trace', async () => {
		await store.set(file, secret, 'hunter2');
		await store.set(file, { ...plain, id: 'b' }, 'two');
		await store.forget(file, 'a');
		await store.forget(file, 'b');
		await store.forget(file, 'never there');
		assert.deepEqual([store.list(), state.size, secrets.size], [[], 0, 0]);
	});

	it('takes no value that was given as something else, and does not leave it lying', async () => {
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

	it('passes over what it did not write', async () => {
		state.set('input:x', 'text');
		state.set('other', { source: file, id: 'a', value: 'x' });
		assert.deepEqual(store.list(), []);
	});
});
