// Everything that waits for a server settles within its bound: when the server is silent, ends, or is stopped, when the
// caller cancels, and when the window closes. Time is stopped.
import * as assert from 'node:assert/strict';
import { Completions } from '../../../../src/core/search/completions.js';
import { LiveResources } from '../../../../src/core/resources/liveResources.js';
import type { Catalog } from '../../../../src/core/servers/catalog.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { type Client, type JsonObject, RpcError } from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake, type Method } from '../../../support/memoryTransport.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';
import { settled } from '../../../support/waiting.js';
import { personReads } from '../../../support/personReads.js';

const requestMs = 60_000;
/** A process that is silent is asked in the new era first, then in the old one. */
const handshakeMs = 5000 + requestMs;
const stepMs = 1000;

const answers: Readonly<Record<string, JsonObject>> = {
	initialize: handshake({ completions: {}, logging: {}, prompts: {}, resources: { subscribe: true }, tools: {} }),
	'resources/read': { contents: [{ uri: 'x:1', text: 'text' }] },
	'tools/list': { tools: [{ name: 'tool', inputSchema: { type: 'object' } }] },
};

interface World {
	readonly server: Server;
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly completions: Completions;
	/** Of the run before anything happens to it. */
	readonly client: Client;
	readonly catalog: Catalog;
	readonly signal: AbortSignal;
}

const key = { serverId: definition('target').id, uri: 'x:1' };
const tool = { name: 'tool', inputSchema: {} };
const reference = { type: 'ref/prompt', name: 'prompt' } as const;
const argument = { name: 'name', value: 'v' };

/** Operations that start the server. */
const starting: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
	'Server.start': w => w.server.start(),
	'Server.use': w => w.server.use(),
};

/** Operations that wait for an answer of the running server; those with a signal can be cancelled. */
const asking: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
	'Client.listTools': w => w.client.listTools(w.signal),
	'Client.readResource': w => w.client.readResource('x:1', { signal: w.signal }),
	'Client.callTool': w => w.client.callTool(tool, {}, { signal: w.signal }),
	'Client.resumeTask': w => w.client.resumeTask('task', { signal: w.signal }),
	'Client.getPrompt': w => w.client.getPrompt('prompt', {}, { signal: w.signal }),
	'Client.complete': w => w.client.complete(reference, argument, {}, { signal: w.signal }),
	'LiveResources.read': w => w.live.read(key, { signal: w.signal }),
	'Completions.complete': ({ server, completions, signal }) =>
		completions.complete({ server, ref: reference, argument: 'name', values: {} }, 'v', signal),
};
const askingForGood: typeof asking = {
	'Client.setLoggingLevel': w => w.client.setLoggingLevel('debug'),
	'Catalog.loadAll': w => w.catalog.loadAll(),
	'LiveResources.refresh': w => w.live.refresh(key),
	'Server.restart': w => w.server.restart(),
};

describe('liveness', () => {
	const cleanup = leakCheck();
	let fixture: ModelFixture;
	let isSilent: boolean;
	let ignored: number;
	let caller: AbortController;
	let world: World;

	beforeEach(() => {
		stopTime(1_000_000);
		isSilent = false;
		ignored = 0;
		caller = new AbortController();
	});
	afterEach(() => releaseTime());

	async function make(isRunning: boolean): Promise<void> {
		fixture = new ModelFixture(cleanup);
		const respond =
			(answer: () => JsonObject): Method =>
			() => {
				if (isSilent) {
					ignored++;
					return undefined;
				}
				return answer();
			};
		const unknown = (): JsonObject => {
			throw new RpcError(-32601, 'Method not found');
		};
		const methods = Object.entries(answers).map(([method, answer]) => [method, respond(() => answer)] as const);
		const others = ['logging/setLevel', 'prompts/get', 'prompts/list', 'resources/list', 'resources/templates/list'];
		const silent = [...others, 'completion/complete', 'tools/call', 'tasks/get', 'server/discover'].map(
			it => [it, respond(unknown)] as const,
		);
		fixture.server = { methods: Object.fromEntries([...methods, ...silent]) };
		fixture.requestTimeout = requestMs / 1000;
		const registry = cleanup.own(new ServerRegistry(fixture.deps));
		const target = definition('target');
		registry.update([target]);
		const live = cleanup.own(
			new LiveResources({
				...personReads,
				registry,
				onDidChangeIdentity: () => ({ dispose() {} }),
				isSeen: () => true,
			}),
		);
		const server = registry.serverOf(target) ?? assert.fail('no server');
		if (isRunning) {
			await server.start();
			await live.read(key);
			await server.catalog?.currentTools();
		}
		const { client, catalog } = server;
		world = { server, registry, live, completions: new Completions(), client, catalog, signal: caller.signal } as World;
	}

	/** Begins it while the server is silent; gives whether it has settled, and lets what can happen happen. */
	async function begin(run: (world: World) => Promise<unknown>): Promise<() => boolean> {
		isSilent = true;
		let isSettled = false;
		run(world).then(
			() => (isSettled = true),
			() => (isSettled = true),
		);
		await settled();
		assert.ok(ignored > 0, 'nothing was asked');
		assert.ok(!isSettled, 'it does not wait for the answer');
		return () => isSettled;
	}

	async function passes(ms: number, isSettled: () => boolean): Promise<void> {
		await settled();
		for (let passed = 0; passed < ms && !isSettled(); passed += stepMs) {
			passTime(stepMs);
			await settled();
		}
		// What ends with it takes turns, but none of the stopped time.
		for (let turn = 0; turn < 20 && !isSettled(); turn++) {
			passTime(0);
			await settled();
		}
		assert.ok(isSettled(), `it has not settled within ${ms} ms`);
	}

	const events: Readonly<Record<string, () => unknown>> = {
		'when the server is stopped': () => world.server.stop(),
		'when the window closes': () => world.registry.dispose(),
	};

	for (const [name, run] of Object.entries(starting)) {
		it(`${name}: while the server does not answer`, async () => {
			await make(false);
			await passes(handshakeMs, await begin(run));
		});
		for (const [what, event] of Object.entries(events)) {
			it(`${name}: ${what}`, async () => {
				await make(false);
				const isSettled = await begin(run);
				void event();
				await passes(0, isSettled);
			});
		}
	}

	for (const [name, run] of Object.entries({ ...asking, ...askingForGood })) {
		it(`${name}: while the server does not answer`, async () => {
			await make(true);
			await passes(name === 'Server.restart' ? handshakeMs : requestMs, await begin(run));
		});
		it(`${name}: when the server ends`, async () => {
			await make(true);
			const isSettled = await begin(run);
			isSilent = false;
			fixture.transport.end({ expected: false, exitCode: 1 });
			await passes(name === 'Server.restart' ? handshakeMs : 0, isSettled);
		});
		for (const [what, event] of Object.entries(events)) {
			it(`${name}: ${what}`, async () => {
				await make(true);
				const isSettled = await begin(run);
				void event();
				await passes(0, isSettled);
			});
		}
	}

	for (const [name, run] of Object.entries(asking)) {
		it(`${name}: when the caller cancels it`, async () => {
			await make(true);
			const isSettled = await begin(run);
			caller.abort();
			await passes(0, isSettled);
		});
	}
});
