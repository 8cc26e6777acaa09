// State of older versions is read exactly as they wrote it.
import * as assert from 'node:assert/strict';
import type { Memento, SecretStorage } from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { LastArguments } from '../../../../src/features/tools/lastArguments.js';
import { type OpenTask, OpenTasks } from '../../../../src/features/tools/openTasks.js';
import { AuthStore } from '../../../../src/editor/storage/authStore.js';
import { KeptConsents } from '../../../../src/features/consent/createConsents.js';
import type { Grant } from '../../../../src/core/approvals/approval.js';
import { WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import type { Tool } from '../../../../src/mcp/index.js';
import { parseLock } from '../../../../src/core/approvals/toolLock.js';
import type { SamplingGrant } from '../../../../src/core/requests/samplingGrants.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { makeMemento } from '../../../support/vscodeDouble.js';

const id = 'file:///home/ada/garden/.vscode/mcp.json#everything';
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const server = { definition: { id } } as Server;
const tool: Tool = { name: 'echo', inputSchema: {} };
const url = 'https://mcp.example/mcp';
const time = 1_780_000_000_000;

/** One kind of entry: as older versions wrote it, and how it is read. */
interface Kept {
	readonly key: string;
	readonly entry: unknown;
	/** The part that is read, if it isn't the whole. */
	readonly expected?: unknown;
	readonly read: (state: EditorState) => unknown;
}

describe('state that another version has stored', () => {
	const { own } = leakCheck();
	const grant = {
		id: '5d2f',
		decision: 'deny',
		serverId: id,
		tools: { echo: hash },
		lasts: 'workspace',
		time,
	} as const;
	const sampling = {
		id: '6e',
		serverId: id,
		allowsTools: false,
		model: 'v/m',
		maxTokens: 10,
		lasts: 'workspace',
		time,
	} as const;
	const task = { server: id, tool: 'echo', taskId: 't', arguments: {}, caller: { kind: 'person' }, startedAt: time };
	const removed: string[] = [];
	const secrets = {
		store: () => Promise.resolve(),
		delete: (key: string) => Promise.resolve(void removed.push(key)),
	} as unknown as SecretStorage;
	/** A session in which the server runs. */
	const follow = (state: EditorState): readonly OpenTask[] => {
		const changed = own(new Emitter<Server | undefined>());
		const followed: OpenTask[] = [];
		const wait = (_: Server, it: OpenTask): Promise<void> => {
			followed.push(it);
			return new Promise(() => undefined);
		};
		own(new OpenTasks({ servers: [], onDidChange: changed.event }, state, wait));
		changed.fire({ definition: server.definition, client: {} } as Server);
		return followed;
	};
	const auth = (state: EditorState): AuthStore => new AuthStore(secrets, state, '');

	/** As commits 291b201 and fb43eab wrote it, and the approvals between them; the others as version 0.1.0 does. */
	const kinds: readonly Kept[] = [
		{
			key: 'consents',
			entry: [id, { command: hash, 'env:TOKEN': hash }],
			expected: { command: hash, 'env:TOKEN': hash },
			read: state => new KeptConsents(state, new EditorState(makeMemento()), '').get(id, false),
		},
		{
			key: 'grants',
			entry: grant,
			read: state => own(new WorkspaceGrants<Grant>(state, 'grants')).list()[0],
		},
		{
			key: 'samplingGrants',
			entry: sampling,
			read: state => own(new WorkspaceGrants<SamplingGrant>(state, 'samplingGrants')).list()[0],
		},
		{
			key: 'lastArguments',
			// Earlier versions also kept their caller.
			entry: [`${id}/echo`, { message: 'hello' }, 'person'],
			expected: { message: 'hello' },
			read: state => new LastArguments(state).get(server, tool),
		},
		{
			key: 'openTasks',
			entry: task,
			read: state => follow(state)[0],
		},
		{
			key: 'auth.secrets',
			// SHA-256 of the URL.
			entry: {
				name: 'auth:1',
				clientOf: 'b1b747a21dbf8cf489c9454f642df5eb3dd36e8ab0d6b6ffb2d0cdc52513bc80',
			},
			expected: 'auth:1',
			read: async state => {
				removed.length = 0;
				await auth(state).forgetClients(url);
				return removed[0];
			},
		},
	];

	let held: Map<string, unknown>;

	function stateOf(values: Readonly<Record<string, unknown>>): EditorState {
		held = new Map(Object.entries(values));
		const memento = {
			keys: () => [...held.keys()],
			get: (key: string) => held.get(key),
			update: async (key: string, value: unknown) => void held.set(key, value),
		} as Memento;
		return new EditorState(memento);
	}

	for (const { key, entry, expected = entry, read } of kinds) {
		it(`under ${key} is read`, async () => {
			assert.deepEqual(await read(stateOf({ [key]: [entry] })), expected);
		});
	}

	it('includes one consent for each server', async () => {
		const consents = new KeptConsents(stateOf({}), new EditorState(makeMemento()), '');
		for (const command of ['1', '2', 'new']) {
			await consents.set(`server ${command}`, { command }, false);
		}
		await consents.set('server 1', { command: 'new' }, false);
		const kept = ['server 1', 'server 2', 'none'].map(it => consents.get(it, false));
		assert.deepEqual(kept, [{ command: 'new' }, { command: '2' }, undefined]);
		await consents.delete('server 1');
		assert.deepEqual([consents.list().length, consents.get('server 1', false)], [2, undefined]);
	});

	it("includes consents to the person's servers in each workspace on the same machine", async () => {
		const userState = new EditorState(makeMemento());
		const [here, other, remote] = ['', '', 'ssh+far'].map(
			machine => new KeptConsents(new EditorState(makeMemento()), userState, machine),
		);
		assert.ok(here && other && remote);
		await here.set('mine', { command: 'a' }, true);
		await here.set('mine', { command: 'of this workspace' }, false);
		const read = (consents: KeptConsents): unknown[] => [true, false].map(it => consents.get('mine', it)?.['command']);
		assert.deepEqual([here, other, remote].map(read), [
			['a', 'of this workspace'],
			['a', 'a'],
			[undefined, undefined],
		]);
		assert.deepEqual([here.list(), other.list(), remote.list()], [['mine'], ['mine'], []]);
		await here.delete('mine');
		assert.deepEqual([here, other].map(read).flat(), [undefined, undefined, undefined, undefined]);
	});

	it('is removed at once from every copy, including answers for the session', async () => {
		const state = stateOf({ grants: [grant] });
		const grants = own(new WorkspaceGrants<Grant>(state, 'grants'));
		const ofModels = own(new WorkspaceGrants<SamplingGrant>(state, 'samplingGrants'));
		await ofModels.add(sampling);
		await grants.add({ ...grant, id: 'of the session', lasts: 'session' });
		assert.equal(grants.list().length, 2);
		let told = 0;
		own(grants.onDidChange(() => told++));
		own(ofModels.onDidChange(() => told++));
		await state.clearAll();
		assert.deepEqual([grants.list(), ofModels.list(), told], [[], [], 2]);
		assert.ok([...held.values()].every(it => it === undefined));
		await grants.add({ ...grant, id: 'later' });
		assert.deepEqual(held.get('grants'), [{ ...grant, id: 'later' }]);
	});

	it('a lock of a later version counts as broken, not as empty', () => {
		assert.equal(parseLock('{ "version": 1, "servers": {} }').kind, 'read');
		assert.equal(parseLock('{ "version": 2, "servers": {} }').kind, 'broken');
	});
});
