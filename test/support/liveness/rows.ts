// The rows of the liveness suite. Classes are listed in `Operations`; what is asynchronous of each, the compiler knows.
import * as assert from 'node:assert/strict';
import type { Sequencer } from '../../../src/base/async.js';
import type { ExtensionApi } from '../../../src/api.js';
import type { Inputs } from '../../../src/editor/workspace/inputs.js';
import type { Authorizer, Client, JsonObject } from '../../../src/mcp/index.js';
import type { Call, Calls } from '../../../src/core/calls/calls.js';
import type { Catalog } from '../../../src/core/servers/catalog.js';
import type { Completions } from '../../../src/core/search/completions.js';
import type { Consents } from '../../../src/core/launch/consents.js';
import type { Interactions, ReadRequest } from '../../../src/core/calls/interactions.js';
import type { LiveResources } from '../../../src/core/resources/liveResources.js';
import type { PendingRequests } from '../../../src/core/requests/pendingRequests.js';
import type { Questions } from '../../../src/core/requests/questions.js';
import type { Server } from '../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../src/core/servers/serverRegistry.js';
import { asking, handshakeMs, local, personal, type Row, starting, type Table } from './row.js';
import { askerOf } from '../modelFixture.js';
import { target, type World } from './world.js';

interface Operations {
	readonly Server: Server;
	readonly ServerRegistry: ServerRegistry;
	readonly Client: Client;
	readonly Catalog: Catalog;
	readonly LiveResources: LiveResources;
	readonly Completions: Completions;
	readonly Calls: Calls;
	readonly Interactions: Interactions;
	readonly Consents: Consents;
	readonly Inputs: Inputs;
	readonly Questions: Questions;
	readonly PendingRequests: PendingRequests;
	readonly Sequencer: Sequencer;
	readonly Authorizer: Authorizer;
	readonly ExtensionApi: ExtensionApi;
}

/** It takes no signal. */
const unsignalled = { cancelled: 'unsignalled' };
const tool = { name: 'free', inputSchema: {} };
const reference = { type: 'ref/prompt', name: 'prompt' } as const;
const argument = { name: 'name', value: 'v' };

/** Of one request to the authorization server, and how many there are at most. */
const signInMs = 15_000 * 10;

const readOf = ({ server }: World): ReadRequest => ({
	kind: 'resource',
	caller: { kind: 'extension', id: 'a.b' },
	server,
	uri: 'x:1',
});
const callOf = ({ server }: World): Call => ({
	caller: { kind: 'command' },
	server,
	tool: tool.name,
	arguments: {},
});
const callByApi = ({ api, options }: World): Promise<unknown> =>
	api.callTool({ server: target.id, tool: 'free', arguments: {}, caller: 'a.b' }, options);
const requestOf = ({ signal }: World) => ({ signal, mayAsk: true, onAsk: () => undefined });
const send =
	({ client, signal }: World) =>
	(args: JsonObject) =>
		client.callTool(tool, args, { signal });

/** A sign-in at a host that does not answer; one that has nothing of what is asked for fails at once. */
function signingIn(run: Row['run'], cells: Partial<Row['cells']> = {}): Row {
	return { ...asking(run, { hung: signInMs, stopped: 'server', ...cells }), mayFail: true };
}

export const rows = {
	Server: {
		start: starting(w => w.server.start(), unsignalled),
		use: starting(w => w.server.use(), unsignalled),
		stop: local(w => w.server.stop(), unsignalled),
		restart: { ...starting(w => w.server.restart(), { ...unsignalled, gone: 0 }), from: 'running' },
	},
	ServerRegistry: {
		stopAll: local(w => w.registry.stopAll(), unsignalled),
	},
	Client: {
		connect: starting(w => w.connect()),
		close: local(w => w.client.close(), unsignalled),
		listTools: asking(w => w.client.listTools(w.signal)),
		listResources: asking(w => w.client.listResources(w.signal)),
		listResourceTemplates: asking(w => w.client.listResourceTemplates(w.signal)),
		listPrompts: asking(w => w.client.listPrompts(w.signal)),
		readResource: asking(w => w.client.readResource('x:1', w.signal)),
		callTool: asking(w => w.client.callTool(tool, {}, { signal: w.signal })),
		resumeTask: asking(w => w.client.resumeTask('task', { signal: w.signal })),
		getPrompt: asking(w => w.client.getPrompt('prompt', {}, w.signal)),
		complete: asking(w => w.client.complete(reference, argument, {}, { signal: w.signal })),
		setLoggingLevel: asking(w => w.client.setLoggingLevel('debug'), unsignalled),
		notifyRootsChanged: local(w => w.client.notifyRootsChanged()),
	},
	Catalog: {
		whenLoaded: local(w => w.catalog.whenLoaded('tools')),
		findPrompt: local(w => w.catalog.findPrompt(() => false)),
		currentTools: asking(w => {
			const current = w.catalog.reload();
			return Promise.all([current, w.catalog.currentTools()]);
		}, unsignalled),
		loadAll: asking(w => w.catalog.loadAll(), unsignalled),
		reload: asking(w => w.catalog.reload(), unsignalled),
	},
	LiveResources: {
		read: asking(w => w.live.read(w.key, { signal: w.signal })),
		refresh: asking(w => w.live.refresh(w.key), unsignalled),
	},
	Completions: {
		complete: asking(
			({ server, completions, signal }) =>
				completions.complete({ server, ref: reference, argument: 'name', values: {} }, 'v', signal),
			{ hung: 10_000 },
		),
	},
	Calls: {
		make: asking(w => w.calls.make(callOf(w), send(w), w.signal)),
		// A server that has ended is started again.
		evaluate: local(w => w.calls.evaluate(callOf(w)), { gone: handshakeMs, cancelled: 'unsignalled' }),
		resume: asking(w => w.calls.resume(callOf(w), 0, tool, () => w.client.resumeTask('task', { signal: w.signal }))),
	},
	Interactions: {
		denies: local(w => w.interactions.denies(w.server)),
		assertAllowed: local(w => w.interactions.assertAllowed(readOf(w))),
		make: asking(w => w.interactions.make(readOf(w), async () => w.client.readResource('x:1', w.signal))),
	},
	Consents: {
		ensure: local(w => w.consents.ensure(target, requestOf(w))),
		allow: local(w => w.consents.allow([target])),
		allowInstead: local(w => w.consents.allowInstead(target, target)),
		forget: local(w => w.consents.forget(target.id)),
	},
	Inputs: {
		resolve: local(w => w.inputs.resolve(target, requestOf(w))),
		change: local(w => w.inputs.change(target, 'unknown')),
		forget: local(w => w.inputs.forget(target.source.uri, 'token')),
	},
	Questions: {
		ask: personal(({ questions, signal }) =>
			questions.ask({
				server: askerOf(target),
				request: { mode: 'form', message: 'Who?', requestedSchema: {} },
				params: {},
				signal,
				automatic: () => ({ kind: 'answered', result: {} }),
			}),
		),
	},
	PendingRequests: {
		review: personal(
			({ pending }) => {
				const closed = (signal: AbortSignal): Promise<'aside'> =>
					new Promise(resolve => {
						signal.addEventListener('abort', () => resolve('aside'), { once: true });
					});
				const request = pending.add(
					{ definition: target, subject: () => ({ kind: 'signIn', need: undefined }), review: closed },
					{ isQuiet: true },
				);
				return pending.review(request);
			},
			{ ...unsignalled, gone: 'server', stopped: 'server' },
		),
	},
	Sequencer: {
		run: personal(({ queue, signal }) => queue.run(() => new Promise(() => undefined), signal), {
			gone: 'server',
			stopped: 'server',
			disposed: 'task',
		}),
	},
	Authorizer: {
		known: local(w => w.authorizer.known()),
		prove: local(w => w.authorizer.prove(w.httpRequest)),
		reviewResponse: signingIn(w =>
			w.authorizer.reviewResponse(w.httpRequest, { status: 401, headers: {} }, { headers: {} }, 0),
		),
		signIn: signingIn(w => w.authorizer.signIn(w.signal)),
		signOut: local(w => w.authorizer.signOut(w.signal)),
		forgetRegistration: local(w => w.authorizer.forgetRegistration('https://as.test')),
	},
	ExtensionApi: {
		callTool: starting(callByApi),
	},
} satisfies { readonly [K in keyof Operations]: Table<Operations[K]> };

/** Operations of the kinds above in other states, and those that give no promise. */
export const more: Readonly<Record<string, Row>> = {
	'Server.start whose files are on a disk that does not answer': starting(
		w => {
			w.isDiskSilent = true;
			return w.server.start();
		},
		{ ...unsignalled, question: 'disk', hung: 'disk', gone: 'disk' },
	),
	'Server.start whose env file is on a disk that does not answer': starting(
		w => {
			w.isEnvFileSilent = true;
			return w.server.start();
		},
		{ ...unsignalled, question: 'disk', hung: 'disk', gone: 'disk' },
	),
	'Authorizer.signIn whose secrets are not given': signingIn(
		w => {
			w.isDiskSilent = true;
			return w.authorizer.signIn(w.signal);
		},
		{ question: 'disk', hung: 'disk', gone: 'disk', disposed: 'disk' },
	),
	'Authorizer.signOut whose secrets are not given': signingIn(
		w => {
			w.isDiskSilent = true;
			return w.authorizer.signOut(w.signal);
		},
		{ question: 'disk', hung: 'disk', gone: 'disk', disposed: 'disk' },
	),
	'Questions.ask after the end': {
		...local(({ questions }) => {
			questions.dispose();
			const { signal } = new AbortController();
			const request = { mode: 'form', message: 'Who?', requestedSchema: {} } as const;
			return questions.ask({ server: askerOf(target), request, params: {}, signal, automatic: () => assert.fail() });
		}),
		mayFail: true,
	},
	'Server.start that waits for consent': starting(
		async w => {
			await w.consents.forget(target.id);
			return w.server.start();
		},
		{ ...unsignalled, question: 'person', hung: 'person', gone: 'person' },
	),
	'Calls.make whose rules are on a disk that does not answer': asking(
		w => {
			w.isDiskSilent = true;
			return w.calls.make({ ...callOf(w), caller: { kind: 'person' } }, send(w), w.signal);
		},
		{ question: 'disk', hung: 'disk', gone: 'disk', stopped: 'disk', disposed: 'disk' },
	),
	'Calls.make that waits for approval': asking(w => w.calls.make({ ...callOf(w), tool: 'asked' }, send(w), w.signal), {
		question: 'person',
		hung: 'person',
		gone: 'person',
		stopped: 'person',
		disposed: 'person',
	}),
	'ExtensionApi.callTool whose server waits for consent': starting(
		async w => {
			await w.consents.forget(target.id);
			return callByApi(w);
		},
		{ question: 'person', hung: 'person', gone: 'person' },
	),
	'Client.subscribeResource': local(w => w.live.follow(w.key).dispose()),
};
