// Callers of a read: other extensions get what a server lists, unless a rule denies the server, and the person what they
// opened. Anyone may read files of the scheme.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { type EndedInteraction, Interactions } from '../../../../src/core/calls/interactions.js';
import { LiveResources } from '../../../../src/core/resources/liveResources.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { resourceUri } from '../../../../src/editor/documents/resourceUri.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { OpenedByPerson } from '../../../../src/features/resources/openedByPerson.js';
import { ResourceFileSystem } from '../../../../src/features/resources/resourceFileSystem.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { makeMemento } from '../../../support/vscodeDouble.js';

const serverId = 'file:///w/.vscode/mcp.json#vault';
const listed = 'vault://passwords';
const unlisted = 'vault://api-keys?x=what-a-model-was-talked-into';

describe('reads of resources', () => {
	const { own } = leakCheck();
	let isDenied: boolean;
	/** What the server was asked. */
	let asked: string[];
	/** What the history was told. */
	let told: string[];
	let state: EditorState;
	let byPerson: OpenedByPerson;
	let live: LiveResources;
	let files: ResourceFileSystem;
	let changed: Emitter<Server | undefined>;
	let server: { -readonly [K in keyof Server]?: unknown };

	/** The state as after a start of the window. */
	function open(): void {
		byPerson = new OpenedByPerson(state);
		const registry = {
			labelOf: () => 'vault',
			servers: [server],
			serverOf: () => server,
			onDidChange: changed.event,
			configured: Promise.resolve(),
		} as unknown as ServerRegistry;
		const interactions = own(
			new Interactions(
				async () => isDenied,
				() => false,
			),
		);
		own(
			interactions.onDidEnd((it: EndedInteraction) => {
				assert.ok(it.kind === 'resource');
				told.push(`${it.caller.kind} ${it.end.kind} ${it.uri}`);
			}),
		);
		live = own(
			new LiveResources({
				registry,
				interactions,
				callerOf: key => ({ kind: byPerson.has(key) ? 'person' : 'command' }),
				onDidChangeIdentity: () => ({ dispose() {} }),
				isSeen: () => true,
			}),
		);
		files = own(new ResourceFileSystem(registry, live));
	}

	beforeEach(() => {
		isDenied = false;
		asked = [];
		told = [];
		state = new EditorState(makeMemento());
		changed = own(new Emitter());
		const client = {
			forgetResource: () => undefined,
			isSubscribed: () => false,
			onDidUpdateResource: () => ({ dispose() {} }),
			subscribeResource: (uri: string) => {
				asked.push(`subscribe ${uri}`);
				return { dispose() {} };
			},
			readResource: async (uri: string) => {
				asked.push(uri);
				return [{ uri, text: `SECRET OF ${uri}` }];
			},
		};
		server = {
			name: 'vault',
			client,
			use: async () => client,
			options: { messageBytes: 1e6 },
			state: { kind: 'running' },
			definition: { id: serverId },
			catalog: {
				whenLoaded: async () => 'loaded',
				resources: { kind: 'loaded', items: [{ uri: listed, name: 'passwords' }] },
			},
		};
		open();
	});

	/** The text of a resource as any extension reads it, or the error. */
	async function read(uri: string): Promise<string> {
		const file = resourceUri({ serverId, uri }, 'vault');
		// The editor asks for both at the same time.
		return Promise.all([files.readFile(file), files.stat(file)]).then(
			([it]) => new TextDecoder().decode(it),
			(error: vscode.FileSystemError) => `${error.code}: ${error.message}`,
		);
	}

	it('by another extension get what is listed, and are recorded once however often the editor asks', async () => {
		assert.equal(await read(listed), `SECRET OF ${listed}`);
		assert.equal(await read(listed), `SECRET OF ${listed}`);
		assert.deepEqual([asked, told], [[listed], [`command answered ${listed}`]]);
	});

	it('by another extension get nothing from a server that a rule denies', async () => {
		isDenied = true;
		assert.match(
			await read(listed),
			/^NoPermissions: vault: "passwords" can't be read\. A rule denies this server to /,
		);
		assert.deepEqual([asked, told], [[], [`command denied ${listed}`]]);
	});

	it('by another extension get nothing that the server does not list', async () => {
		assert.match(
			await read(unlisted),
			/^NoPermissions: vault: .* can't be read\. Extensions and keybindings can read only listed /,
		);
		assert.deepEqual([asked, told], [[], [`command denied ${unlisted}`]]);
	});

	it('by another extension start no server', async () => {
		server = { ...server, client: undefined, state: { kind: 'stopped' }, use: () => assert.fail() };
		open();
		assert.match(await read(listed), /^Unavailable: Server "vault" isn't running /);
		assert.deepEqual([asked, told], [[], []]);
	});

	it('by the person get what they opened, also if unlisted, denied, or after a reload, and are not recorded', async () => {
		isDenied = true;
		byPerson.add({ serverId, uri: unlisted });
		assert.equal(await read(unlisted), `SECRET OF ${unlisted}`);
		open();
		assert.equal(await read(unlisted), `SECRET OF ${unlisted}`);
		await live.refresh({ serverId, uri: unlisted });
		assert.deepEqual([asked, told], [[unlisted, unlisted, unlisted], []]);
		await state.clearAll();
		open();
		assert.match(await read(unlisted), /^NoPermissions: /);
	});

	it('count as those of the person for the last 200 resources that they opened', () => {
		const opened = [0, 1, 2].map(it => ({ serverId, uri: `x:${it}` }));
		const [first, second, third] = opened;
		assert.ok(first && second && third);
		opened.forEach(it => byPerson.add(it));
		byPerson.add(first);
		Array.from({ length: 198 }, (_, index) => byPerson.add({ serverId, uri: `y:${index}` }));
		assert.deepEqual(
			[first, second, third].map(it => byPerson.has(it)),
			[true, false, true],
		);
	});

	it('of an open tab subscribe to a resource of the person at once, and to others after an allowed read', async () => {
		for (const uri of [listed, unlisted]) {
			own(live.follow({ serverId, uri }));
		}
		await read(unlisted);
		assert.deepEqual(asked, []);
		await read(listed);
		assert.deepEqual(asked, [listed, `subscribe ${listed}`]);
		byPerson.add({ serverId, uri: 'vault://own' });
		own(live.follow({ serverId, uri: 'vault://own' }));
		await settled();
		assert.deepEqual(asked.slice(2), ['subscribe vault://own']);
	});
});
