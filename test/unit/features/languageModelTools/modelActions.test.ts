import * as assert from 'node:assert/strict';
import { charsBudget, ContinuationStore } from '../../../../src/features/languageModelTools/untrustedContent.js';
import { ModelActions, type SentModelRequest } from '../../../../src/features/languageModelTools/modelActions.js';
import { McpError, RpcError, type Tool } from '../../../../src/mcp/index.js';
import type { AnsweredCall } from '../../../../src/core/calls/calls.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import { type EndedInteraction, Interactions } from '../../../../src/core/calls/interactions.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';

const options = { disabledTools: [], hiddenFromModels: [] };

function server(name: string, tools: readonly string[] | Error, more: object = {}): Server {
	const items = tools instanceof Error ? [] : tools.map((it): Tool => ({ name: it, inputSchema: {} }));
	const list = tools instanceof Error ? { kind: 'failed', error: tools } : { kind: 'loaded', items };
	const client = {};
	const catalog = {
		currentTools: async () => list,
		whenLoaded: async () => list.kind,
		resources: list,
	};
	return { name, client, options, catalog, use: async () => client, ...more } as unknown as Server;
}

describe('what models do', () => {
	const { own } = leakCheck();
	let interactions: Interactions;
	let told: EndedInteraction[];
	let isDenied: boolean;
	let denied: ReadonlySet<string>;
	let labels: ReadonlyMap<Server, string>;
	const label = (it: Server): string => labels.get(it) ?? it.name;
	let isClosing: boolean;
	let servers: Server[];
	let made: AnsweredCall;
	let seen: string[];
	const request = (input: object): SentModelRequest => ({
		input,
		budget: charsBudget,
		signal: new AbortController().signal,
		takesImages: true,
	});

	const actions = (): ModelActions =>
		new ModelActions({
			registry: {
				get servers() {
					return servers;
				},
				label,
				labelled: (name: string) => servers.find(it => label(it) === name),
				redact: <T>(value: T): T => servers.reduce((it, { redactor }) => redactor?.data(it) ?? it, value),
			} as unknown as ServerRegistry,
			callTool: async () => made,
			interactions,
			activity: {
				during: async (what: string, work: () => Promise<string>) => {
					seen.push(what);
					return work();
				},
			} as never,
			continuations: new ContinuationStore({ maxEntries: 5, maxChars: 1000 }, () => 'h'),
		});

	beforeEach(() => {
		seen = [];
		told = [];
		isDenied = false;
		denied = new Set();
		labels = new Map();
		isClosing = false;
		interactions = own(
			new Interactions(
				async ({ name }) => isDenied || denied.has(name),
				() => isClosing,
			),
		);
		own(interactions.onDidEnd(it => told.push(it)));
	});

	it('find what there is, though one server cannot list it; asked for that one, they are told', async () => {
		servers = [server('good', ['a', 'b']), server('broken', new McpError({ code: 'closed' }))];
		const found = await actions().findTools(request({}));
		assert.match(found, /^MCP tools found: 2;/);
		await assert.rejects(actions().findTools(request({ server: 'broken' })), /"broken" failed: closed\./);
		await assert.rejects(actions().listResources(request({ server: 'broken' })), /"broken" failed: closed\./);
		await assert.rejects(
			actions().readResource(request({ server: 'broken', uri: 'a:b' })),
			/"broken" failed: closed\./,
		);
	});

	it('read what is listed, and nothing else; both are remembered', async () => {
		const contents = [{ uri: 'a:b', text: 'hello' }];
		const client = { readResource: async () => contents };
		const resources = { kind: 'loaded', items: [{ uri: 'a:b', name: 'b' }] };
		const catalog = { whenLoaded: async () => 'loaded', resources };
		const good = server('good', [], { client, catalog, use: async () => client });
		servers = [good];
		const { text } = await actions().readResource(request({ server: 'good', uri: 'a:b' }));
		assert.match(text, /^hello$/m);
		await assert.rejects(actions().readResource(request({ server: 'good', uri: 'a:c' })), /does not list/);
		assert.deepEqual(
			told.map(({ time: _time, durationMs: _durationMs, ...it }) => it),
			[
				{ uri: 'a:b', end: { kind: 'answered', result: contents } },
				{ uri: 'a:c', end: { kind: 'denied' } },
			].map(it => ({ kind: 'resource', caller: { kind: 'model' }, server: good, ...it })),
		);
		isDenied = true;
		await assert.rejects(
			actions().readResource(request({ server: 'good', uri: 'a:b' })),
			/A rule that the person has set keeps everything of "good" from you\. Nothing was sent to the server; do not try/,
		);
		assert.deepEqual(told.at(-1)?.end, { kind: 'denied' });
		isClosing = true;
		await assert.rejects(
			actions().readResource(request({ server: 'good', uri: 'a:b' })),
			/^McpWorkbenchError: The editor window is closing, and with it the MCP server "good"\./,
		);
	});

	it('never read a secret that is known, and are seen while they call', async () => {
		const redactor = new Redactor();
		redactor.hide(['sesame-open']);
		servers = [server('good', ['a'], { redactor })];
		made = {
			tool: { name: 'a', inputSchema: {} },
			arguments: {},
			result: { content: [{ type: 'text', text: 'The key is sesame-open.' }], isError: false },
			schemaCheck: { kind: 'valid' },
			warnings: [],
			durationMs: 1,
		};
		const said = await actions().callTool(request({ server: 'good', tool: 'a' }));
		assert.match(said.text, /^The key is <redacted>\.$/m);
		assert.deepEqual(seen, ['good: a']);
	});

	it('are told of edited arguments without secrets, by schema and of every server', async () => {
		const [own, others] = [new Redactor(), new Redactor()];
		own.hide(['stored-secret-42']);
		others.hide(['secret-of-another']);
		servers = [server('bank', ['login'], { redactor: own }), server('other', [], { redactor: others })];
		const properties = { password: { type: 'string', format: 'password' } };
		const args = { user: 'me', password: 'typed-by-the-person', a: ['stored-secret-42'], b: 'secret-of-another' };
		const text = 'stored-secret-42 and secret-of-another';
		made = {
			tool: { name: 'login', inputSchema: { type: 'object', properties } },
			arguments: args,
			result: { content: [{ type: 'text', text }], isError: false },
			schemaCheck: { kind: 'valid' },
			warnings: [],
			durationMs: 1,
		};
		const said = await actions().callTool(request({ server: 'bank', tool: 'login', arguments: { user: 'you' } }));
		const told = '{"user":"me","password":"<redacted>","a":["<redacted>"],"b":"<redacted>"}';
		assert.ok(said.text.includes(`The person changed the arguments before they were sent: ${told}.`), said.text);
		assert.match(said.text, /^<redacted> and <redacted>$/m);
	});

	it('know nothing of a server that a rule denies, and do not start it', async () => {
		let started = 0;
		const use = async (): Promise<object> => ({ started: ++started });
		const items = [{ uri: 'a:b', name: 'b' }];
		const catalog = {
			currentTools: async () => ({ kind: 'loaded', items: [{ name: 'a', inputSchema: {} }] }),
			whenLoaded: async () => 'loaded',
			resources: { kind: 'loaded', items },
		};
		const stopped = server('stopped', [], { client: undefined, state: { kind: 'stopped' }, use });
		servers = [server('secret', [], { catalog, use }), server('open', [], { catalog }), stopped];
		denied = new Set(['secret', 'stopped']);
		const found = await actions().findTools(request({}));
		assert.match(found, /^MCP tools found: 1;/);
		assert.doesNotMatch(found, /secret|stopped/);
		const listed = await actions().listResources(request({}));
		assert.match(listed, /^MCP resources found: 1;/);
		assert.doesNotMatch(listed, /secret|stopped/);
		for (const name of denied) {
			await assert.rejects(actions().findTools(request({ server: name })), /keeps everything of "/);
			await assert.rejects(actions().listResources(request({ server: name })), /keeps everything of "/);
			for (const uri of ['a:b', 'a:unlisted']) {
				await assert.rejects(actions().readResource(request({ server: name, uri })), /keeps everything of "/);
				assert.deepEqual(told.pop()?.end, { kind: 'denied' });
			}
		}
		assert.equal(started, 0);
		assert.deepEqual(told, []);
	});

	it('find nothing under a rule that was written while the server started', async () => {
		const use = async (): Promise<object> => {
			isDenied = true;
			return {};
		};
		for (const find of ['findTools', 'listResources'] as const) {
			isDenied = false;
			servers = [server('secret', ['a'], { use })];
			await assert.rejects(actions()[find](request({ server: 'secret' })), /keeps everything of "/);
		}
	});

	it('find no tool that is hidden from them, or disabled', async () => {
		const hiding = { disabledTools: ['off'], hiddenFromModels: ['hidden'] };
		servers = [server('good', ['on', 'off', 'hidden'], { options: hiding })];
		const found = await actions().findTools(request({}));
		assert.match(found, /^MCP tools found: 1;/);
		assert.match(found, /"name":"on"/);
	});

	it('never read a known secret in the words of a server that refuses, or lists', async () => {
		const redactor = new Redactor();
		redactor.hide(['sesame-open']);
		const refusing = async (): Promise<never> => {
			throw new RpcError(-32603, 'The key sesame-open is wrong.');
		};
		const items = [{ uri: 'a:sesame-open', name: 'b', description: 'by sesame-open' }];
		const tools = [{ name: 'a', description: 'by sesame-open', inputSchema: {} }];
		const catalog = {
			currentTools: async () => ({ kind: 'loaded', items: tools }),
			whenLoaded: async () => 'loaded',
			resources: { kind: 'loaded', items },
		};
		servers = [server('good', [], { redactor, catalog, use: refusing })];
		const said = [
			...(await Promise.all([actions().findTools(request({})), actions().listResources(request({}))])),
			...(await Promise.all(
				[
					actions().readResource(request({ server: 'good', uri: 'a:b' })),
					actions().findTools(request({ server: 'good' })),
				].map(it =>
					it.then(
						() => assert.fail(),
						(error: Error) => error.message,
					),
				),
			)),
		];
		for (const it of said) {
			assert.match(it, /<redacted>/);
			assert.doesNotMatch(it, /sesame-open/);
		}
	});
});
