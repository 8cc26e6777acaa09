import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { AuthStore } from '../../../../src/editor/storage/authStore.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import { eventually, settled } from '../../../support/waiting.js';

const server = 'https://mcp.example/mcp?key=hidden';
const issuer = 'https://as.example';

describe('AuthStore', () => {
	let secrets: Map<string, string>;
	let states: Map<string, unknown>;
	/** The editor tells every window of every change. */
	let changed: Emitter<vscode.SecretStorageChangeEvent>;

	/** The key of a secret whose removal fails. */
	let failing: string | undefined;

	beforeEach(() => {
		failing = undefined;
		secrets = new Map();
		states = new Map();
		changed = new Emitter();
	});

	function open(machine = ''): AuthStore {
		const storage = {
			get: (key: string) => Promise.resolve(secrets.get(key)),
			store: (key: string, value: string) => {
				secrets.set(key, value);
				return Promise.resolve(changed.fire({ key }));
			},
			delete: (key: string) => {
				if (key === failing) {
					return Promise.reject(new Error('locked'));
				}
				secrets.delete(key);
				return Promise.resolve(changed.fire({ key }));
			},
			onDidChange: changed.event,
		} as unknown as vscode.SecretStorage;
		const state = {
			get: (key: string) => states.get(key),
			update: (key: string, value: unknown) => Promise.resolve(void states.set(key, value)),
		} as unknown as vscode.Memento;
		return new AuthStore(storage, new EditorState(state), machine);
	}

	it('stores a token for one server and one authorization server, whose names stay hidden', async () => {
		const store = open().forServer(new Redactor());
		await store.set({ kind: 'grant', server }, 'tokens');
		await store.set({ kind: 'client', server, issuer }, 'client');
		assert.equal(await store.get({ kind: 'grant', server }), 'tokens');
		assert.equal(await store.get({ kind: 'client', server, issuer }), 'client');
		assert.equal(await store.get({ kind: 'grant', server: `${server}2` }), undefined);
		assert.equal(await store.get({ kind: 'client', server, issuer: 'https://other.example' }), undefined);
		assert.ok([...secrets.keys()].every(it => /^auth:[0-9a-f]{64}$/.test(it)));
		await store.delete({ kind: 'grant', server });
		assert.equal(await store.get({ kind: 'grant', server }), undefined);
	});

	it('stores the confirmed hosts of an authorization server for one server only', async () => {
		const hosts = { kind: 'hosts', server, issuer } as const;
		await open().forServer(new Redactor()).set(hosts, 'a b');
		const store = open().forServer(new Redactor());
		assert.equal(await store.get(hosts), 'a b');
		assert.equal(await store.get({ ...hosts, issuer: `${issuer}/2` }), undefined);
		assert.equal(await store.get({ ...hosts, server: `${server}2` }), undefined);
		await open().clear();
		assert.equal(secrets.size, 0);
	});

	it('reports tokens of its server that another window writes, and nothing else', async () => {
		const [here, there] = [open(), open()].map(it => it.forServer(new Redactor()));
		let heard = 0;
		const listening = here?.onDidChange({ kind: 'grant', server }, () => heard++);
		await there?.set({ kind: 'client', server, issuer }, 'client');
		await there?.set({ kind: 'grant', server: `${server}2` }, 'tokens');
		await settled();
		assert.equal(heard, 0);
		await there?.set({ kind: 'grant', server }, 'tokens');
		await eventually(() => heard === 1, 'the new tokens');
		await there?.delete({ kind: 'grant', server });
		await eventually(() => heard === 2, 'their end');
		listening?.dispose();
		await there?.set({ kind: 'grant', server }, 'tokens');
		await settled();
		assert.equal(heard, 2);
	});

	// covers: auth.secureStorage
	it('stores secrets in secret storage only', async () => {
		const all = open();
		const store = all.forServer(new Redactor());
		await store.set({ kind: 'grant', server }, JSON.stringify({ accessToken: 'access-1234' }));
		await store.set(
			{ kind: 'client', server, issuer },
			JSON.stringify({ clientId: 'me', clientSecret: 'secret-1234' }),
		);
		await all.setTypedClient(server, { clientId: 'me', clientSecret: 'typed-1234' });
		const outside = JSON.stringify([...states]);
		assert.ok(!/1234|hidden/.test(outside), outside);
		await all.forgetClients(server);
		assert.equal(await all.typedClient(server), undefined);
		assert.equal(await store.get({ kind: 'client', server, issuer }), undefined);
		assert.ok(await store.get({ kind: 'grant', server }), 'tokens stay');
	});

	it('hides every secret in the log of its server when it is read or written', async () => {
		const kept = {
			accessToken: 'access-1234',
			refreshToken: 'refresh-1234',
			client: { clientId: 'public-1234', clientSecret: 'secret-1234' },
			key: { kty: 'EC', d: 'private-1234' },
		};
		const said = 'access-1234 refresh-1234 secret-1234 private-1234 public-1234';
		const written = new Redactor();
		await open().forServer(written).set({ kind: 'grant', server }, JSON.stringify(kept));
		const read = new Redactor();
		await open().forServer(read).get({ kind: 'grant', server });
		for (const redactor of [written, read]) {
			assert.equal(redactor.text(said), '<redacted> <redacted> <redacted> <redacted> public-1234');
		}
	});

	it('distinguishes loopback addresses of different machines, but not other addresses', async () => {
		for (const [url, isSame] of [
			['http://127.0.0.1:3000/mcp', false],
			['http://localhost:3000/mcp', false],
			['http://[::1]:3000/mcp', false],
			[server, true],
		] as const) {
			await open('ssh+there').forServer(new Redactor()).set({ kind: 'grant', server: url }, 'tokens');
			const here = await open().forServer(new Redactor()).get({ kind: 'grant', server: url });
			assert.equal(here === 'tokens', isSame, url);
		}
	});

	it('reads typed clients back, and ignores foreign values', async () => {
		const all = open();
		assert.equal(await all.typedClient(server), undefined);
		await all.setTypedClient(server, { clientId: 'me' });
		assert.deepEqual(await all.typedClient(server), { clientId: 'me' });
		for (const key of secrets.keys()) {
			secrets.set(key, '{not json');
		}
		assert.equal(await all.typedClient(server), undefined);
		await all.setTypedClient(server, undefined);
		assert.equal(secrets.size, 0);
	});

	it('removes the secrets of every server and window', async () => {
		const here = open();
		const store = here.forServer(new Redactor());
		const other = 'https://other.example/mcp';
		await store.set({ kind: 'grant', server }, '{}');
		await store.set({ kind: 'client', server, issuer }, '{}');
		await store.set({ kind: 'grant', server: other }, '{}');
		await here.setTypedClient(other, { clientId: 'typed' });
		await store.delete({ kind: 'grant', server: other });
		secrets.set('input:not ours', 'kept');
		await open().clear();
		assert.deepEqual([...secrets.keys()], ['input:not ours']);
		assert.deepEqual([...states.values()], [undefined]);
	});

	it('removes the rest if one removal fails, and reports the failure', async () => {
		const here = open();
		const store = here.forServer(new Redactor());
		await store.set({ kind: 'grant', server }, '{}');
		await store.set({ kind: 'client', server, issuer }, '{}');
		const [first = ''] = secrets.keys();
		failing = first;
		await assert.rejects(here.clear(), /locked/);
		assert.deepEqual([...secrets.keys()], [first]);
		failing = undefined;
		await here.clear();
		assert.equal(secrets.size, 0);
	});
});
