// State of older versions is read exactly as they wrote it. Unknown entries are ignored, and harm no others.
import * as assert from 'node:assert/strict';
import type { Memento, SecretStorage } from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { LastArguments } from '../../../../src/features/tools/lastArguments.js';
import { type OpenTask, OpenTasks } from '../../../../src/features/tools/openTasks.js';
import { AuthStore } from '../../../../src/editor/storage/authStore.js';
import { WorkspaceConsents } from '../../../../src/features/consent/consentStore.js';
import { callGrants, WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import { VersionedState } from '../../../../src/editor/storage/versionedState.js';
import type { Tool } from '../../../../src/mcp/index.js';
import { parseLock } from '../../../../src/core/approvals/toolLock.js';
import { isSamplingGrant } from '../../../../src/core/requests/samplingGrants.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { leakCheck } from '../../../support/leakCheck.js';

const id = 'file:///home/ada/garden/.vscode/mcp.json#everything';
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const server = { definition: { id } } as Server;
const tool: Tool = { name: 'echo', inputSchema: {} };
const url = 'https://mcp.example/mcp';
const time = 1_780_000_000_000;

/** One kind of entry: as older versions wrote it, how it is read, and how another is written. */
interface Kept {
	readonly key: string;
	readonly entry: unknown;
	/** The part that is read, if it isn't the whole. */
	readonly expected?: unknown;
	readonly read: (state: VersionedState) => unknown;
	readonly write: (state: VersionedState) => PromiseLike<void>;
}

const newer: readonly unknown[] = [{ format: 2 }, null];

describe('what another version has kept', () => {
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
		reviewsAnswer: false,
		lasts: 'workspace',
		time,
	} as const;
	const task = { server: id, tool: 'echo', taskId: 't', arguments: {}, caller: { kind: 'person' }, startedAt: time };
	const samplingGrants = { key: 'samplingGrants' as const, isGrant: isSamplingGrant, isForgettable: () => true };
	const secrets = { store: () => Promise.resolve() } as unknown as SecretStorage;
	/** A session in which the server runs. */
	const follow = (state: VersionedState): { tasks: OpenTasks; followed: readonly OpenTask[] } => {
		const changed = own(new Emitter<Server | undefined>());
		const followed: OpenTask[] = [];
		const wait = (_: Server, it: OpenTask): Promise<void> => {
			followed.push(it);
			return new Promise(() => undefined);
		};
		const tasks = own(new OpenTasks({ servers: [], onDidChange: changed.event }, state, wait));
		changed.fire({ definition: server.definition, client: {} } as Server);
		return { tasks, followed };
	};
	const auth = (state: VersionedState): AuthStore => new AuthStore(secrets, state, '');

	/** As commits 291b201 and fb43eab wrote it, and the approvals between them; the others as version 0.1.0 does. */
	const kinds: readonly Kept[] = [
		{
			key: 'consents',
			entry: [id, { command: hash, 'env:TOKEN': hash }],
			expected: { command: hash, 'env:TOKEN': hash },
			read: state => new WorkspaceConsents(state).get(id),
			write: state => new WorkspaceConsents(state).set('another', {}),
		},
		{
			key: 'grants',
			entry: grant,
			read: state => own(new WorkspaceGrants(state, callGrants)).list()[0],
			write: state => own(new WorkspaceGrants(state, callGrants)).add({ ...grant, id: 'another' }),
		},
		{
			key: 'samplingGrants',
			entry: sampling,
			read: state => own(new WorkspaceGrants(state, samplingGrants)).list()[0],
			write: state => own(new WorkspaceGrants(state, samplingGrants)).add({ ...sampling, id: 'another' }),
		},
		{
			key: 'lastArguments',
			entry: [`${id}/echo`, { message: 'hello' }],
			// Without a mark, their version is unknown.
			expected: { args: { message: 'hello' }, caller: { kind: 'history' } },
			read: state => new LastArguments(state).get(server, tool),
			write: state =>
				new LastArguments(state).keep(
					server,
					{ ...tool, name: 'another' },
					{ args: { a: 1 }, caller: { kind: 'person' } },
				),
		},
		{
			key: 'openTasks',
			entry: task,
			read: state => follow(state).followed[0],
			write: state => follow(state).tasks.opened(server, tool, 'another', {}, { kind: 'person' }),
		},
		{
			key: 'auth.registrations',
			// SHA-256 of the URL.
			entry: {
				key: 'auth:1',
				server: 'b1b747a21dbf8cf489c9454f642df5eb3dd36e8ab0d6b6ffb2d0cdc52513bc80',
				issuer: 'https://as.example',
			},
			expected: ['https://as.example'],
			read: state => auth(state).registrations(url),
			write: state =>
				auth(state).forServer(new Redactor()).set({ kind: 'client', server: url, issuer: 'https://as.example' }, '{}'),
		},
	];

	let held: Map<string, unknown>;

	function stateOf(values: Readonly<Record<string, unknown>>): VersionedState {
		held = new Map(Object.entries(values));
		const memento = {
			keys: () => [...held.keys()],
			get: (key: string) => held.get(key),
			update: async (key: string, value: unknown) => void held.set(key, value),
		} as Memento;
		return new VersionedState(memento);
	}

	for (const { key, entry, expected = entry, read, write } of kinds) {
		describe(`under ${key}`, () => {
			it('is read, also beside entries of another version, which go at the next write', async () => {
				assert.deepEqual(await read(stateOf({ [key]: [entry] })), expected);
				const state = stateOf({ [key]: [newer[0], entry, newer[1]] });
				assert.deepEqual(await read(state), expected);
				await write(state);
				const kept = held.get(key) as unknown[];
				assert.deepEqual([kept[0], kept.length], [entry, 2]);
			});

			it('is replaced where all of it has another form', async () => {
				await write(stateOf({ [key]: { format: 2 } }));
				assert.equal((held.get(key) as unknown[]).length, 1);
			});
		});
	}

	it('of consents, each server has its own, at most 500 of them', async () => {
		const state = stateOf({ consents: [[5, {}]] });
		const consents = new WorkspaceConsents(state);
		for (let count = 0; count <= 501; count++) {
			await consents.set(`server ${count}`, { command: String(count) });
		}
		await consents.set('server 300', { command: 'new' });
		const kept = ['server 0', 'server 1', 'server 2', 'server 300', 'server 501', 'none'].map(it => consents.get(it));
		assert.deepEqual(kept, [undefined, undefined, { command: '2' }, { command: 'new' }, { command: '501' }, undefined]);
		assert.deepEqual((held.get('consents') as unknown[]).length, 500);
		await consents.delete('server 300');
		assert.deepEqual([consents.list().length, consents.get('server 300')], [499, undefined]);
	});

	it('is gone at once from what holds a copy, the answers of the session too', async () => {
		const state = stateOf({ grants: [grant] });
		const grants = own(new WorkspaceGrants(state, callGrants));
		const ofModels = own(new WorkspaceGrants(state, samplingGrants));
		await ofModels.add(sampling);
		await grants.add({ ...grant, id: 'of the session', lasts: 'session' });
		assert.deepEqual([state.count('grants'), grants.list().length, state.count('consents')], [1, 2, 0]);
		let told = 0;
		own(grants.onDidChange(() => told++));
		own(ofModels.onDidChange(() => told++));
		await state.clear('grants');
		await state.clear('samplingGrants');
		assert.deepEqual([grants.list(), ofModels.list(), told], [[], [], 2]);
		assert.deepEqual([...held.values()], [undefined, undefined]);
		await grants.add({ ...grant, id: 'later' });
		assert.deepEqual(held.get('grants'), [{ ...grant, id: 'later' }]);
	});

	it('of a lock, a version to come is told as broken, not taken for an empty one', () => {
		assert.equal(parseLock('{ "version": 1, "servers": {} }').kind, 'read');
		assert.equal(parseLock('{ "version": 2, "servers": {} }').kind, 'broken');
	});
});
