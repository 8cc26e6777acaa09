// The history redacts secrets, but not its own words and ids that have the same text as a secret.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { registerElicitation } from '../../../../src/features/elicitation/register.js';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import type { ApprovalOutcome, Approver, CallRequest } from '../../../../src/core/approvals/approver.js';
import { Calls } from '../../../../src/core/calls/calls.js';
import { Elicitations } from '../../../../src/core/requests/elicitations.js';
import { type EndedInteraction, Interactions } from '../../../../src/core/calls/interactions.js';
import { History } from '../../../../src/core/history/history.js';
import { type ServerQuestion, Questions } from '../../../../src/core/requests/questions.js';
import { Samplings } from '../../../../src/core/requests/samplings.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { until } from '../../../support/waiting.js';

const secret = 'sk-live-0123456789abcdef';

describe('secrets in records', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let registry: ServerRegistry;
	let questions: Questions;
	let elicitations: Elicitations;
	let calls: Calls;
	/** Oldest entries first. */
	let kept: JsonObject[];
	let exchanged: EndedInteraction[];
	/** Decides about a call; allows it unless a test says otherwise. */
	let decide: (request: CallRequest) => Promise<boolean>;
	let inputSchema: JsonObject;

	beforeEach(() => {
		fixture = new ModelFixture(cleanup);
		inputSchema = { type: 'object' };
		const tools = (): Tool[] => ['work', 'delete_repo'].map(name => ({ name, inputSchema }));
		fixture.server = { capabilities: { tools: {} }, methods: { 'tools/list': () => ({ tools: tools() }) } };
		fixture.resolve = async () => ({ secrets: [secret] });
		questions = own(new Questions());
		elicitations = new Elicitations(questions);
		const samplings = new Samplings(questions);
		registry = own(new ServerRegistry({ ...fixture.deps, questions, elicitations, samplings }));
		kept = [];
		exchanged = [];
		decide = async () => true;
		const approve = async (request: CallRequest): Promise<ApprovalOutcome> => {
			const isAllowed = await decide(request);
			const decision = { kind: isAllowed ? 'allow' : 'deny', reason: { kind: 'byDefault' } } as const;
			return { isAllowed, arguments: request.arguments, decision, answer: undefined };
		};
		const approver = { denyUnseen: async () => undefined, approve } as unknown as Approver;
		calls = own(
			new Calls(
				approver,
				() => false,
				async () => undefined,
			),
		);
		const history = own(
			new History({
				journal: {
					append: async (line: string) => void kept.push(JSON.parse(line) as JsonObject),
					files: async () => [],
					read: async () => [],
					clear: async () => undefined,
				},
				isKept: () => true,
				describeError: error => (error as Error).message,
				redact: (value, server) => registry.redact(value, server),
			}),
		);
		own(calls.onDidCall(it => history.record({ kind: 'call', ...it })));
		const interactions = own(
			new Interactions(
				async () => false,
				() => false,
			),
		);
		own(
			interactions.onDidEnd(it => {
				exchanged.push(it);
				history.record(it);
			}),
		);
		const deps = { registry, documents: {}, questions, interactions, validator: {}, elicitations, browser: {} };
		own(registerElicitation(deps as unknown as Parameters<typeof registerElicitation>[0]));
		registry.update([definition('a'), definition('b')]);
	});

	const found = (name: string): Server => registry.find(name) ?? assert.fail(`no ${name}`);
	const isSecretIn = (value: unknown): boolean => JSON.stringify(value).includes(secret);
	const make = (
		server: Server,
		args: JsonObject,
		{
			tool = 'work',
			result = '',
			wait = Promise.resolve(),
		}: Partial<{ tool: string; result: string; wait: Promise<void> }> = {},
	): Promise<unknown> =>
		calls
			.make({ caller: { kind: 'model' }, server, tool, arguments: args }, async () => {
				await wait;
				return { content: [{ type: 'text', text: result }], isError: false };
			})
			.catch((error: unknown) => error);

	const changes: readonly (readonly [name: string, change: () => void])[] = [
		['is removed', () => registry.update([definition('b')])],
		['gets another definition', () => registry.update([definition('a', { args: ['-v'] }), definition('b')])],
		[
			'is removed, and others after it',
			() => {
				registry.update([definition('b'), definition('c')]);
				found('c').log.redactor.hide(['another secret']);
				registry.update([]);
			},
		],
		['goes with the window', () => registry.dispose()],
	];
	for (const [name, change] of changes) {
		it(`is redacted when the server ${name} while a call runs`, async () => {
			const a = found('a');
			await a.start();
			const [sent, wait] = [deferred<void>(), deferred<void>()];
			own(calls.onDidSend(() => sent.resolve()));
			const made = make(a, { header: `Bearer ${secret}` }, { wait: wait.promise, result: `with ${secret}` });
			await sent.promise;
			change();
			wait.resolve();
			await made;
			assert.equal(kept.length, 1);
			assert.ok(!isSecretIn(kept), JSON.stringify(kept));
			assert.deepEqual(kept[0]?.['arguments'], { header: 'Bearer <redacted>' });
		});
	}

	it('is redacted when the server is changed while a call waits for approval', async () => {
		const a = found('a');
		await a.start();
		const [asked, answered] = [deferred<void>(), deferred<boolean>()];
		decide = () => (asked.resolve(), answered.promise);
		const made = make(a, { header: `Bearer ${secret}` });
		await asked.promise;
		registry.update([definition('a', { args: ['-v'] })]);
		answered.resolve(false);
		await made;
		assert.deepEqual([kept.length, isSecretIn(kept)], [1, false]);
	});

	it('is redacted in records of other servers, also if a removed server was the last one to know it', async () => {
		const [a, b] = [found('a'), found('b')];
		await Promise.all([a.start(), b.start()]);
		registry.update([definition('b')]);
		// A request of the sign-in has ended.
		a.log.redactor.hide(['token-of-the-last-moment']);
		await make(b, { note: `${secret} token-of-the-last-moment` });
		assert.deepEqual(kept[0]?.['arguments'], { note: '<redacted> <redacted>' });
	});

	for (const [name, method, params] of [
		[
			'a form',
			'elicitation/create',
			{ message: `With ${secret}`, requestedSchema: { type: 'object', properties: {} } },
		],
		['a page', 'elicitation/create', { mode: 'url', message: `With ${secret}`, url: `https://x.test/?key=${secret}` }],
		[
			'a model request',
			'sampling/createMessage',
			{ messages: [{ role: 'user', content: { type: 'text', text: secret } }], maxTokens: 9 },
		],
	] as const) {
		it(`is redacted in ${name} of a server whose definition is changed meanwhile, and is told of that server`, async () => {
			const a = found('a');
			await a.start();
			let ended: ServerQuestion | undefined;
			own(questions.onDidEnd(it => (ended = it.question)));
			fixture.transport.request(1, method, params);
			await until(questions.onDidChange, () => questions.waiting.length === 1);
			registry.update([definition('a', { args: ['-v'] })]);
			await until(questions.onDidChange, () => questions.waiting.length === 0);
			assert.equal(ended?.server.log, a.log);
			assert.notEqual(ended.server.log, found('a').log);
			if (method === 'elicitation/create') {
				assert.equal(exchanged[0]?.server.log, a.log);
				assert.deepEqual([kept.length, isSecretIn(kept)], [1, false]);
			}
		});
	}

	const words = [
		'delete_repo',
		'acme/prod',
		'allow',
		'call',
		'model',
		'byDefault',
		'file:///',
		'elicitation',
		'accept',
	];

	it('does not include the arguments of a denied call', async () => {
		const [a, b] = [found('a'), found('b')];
		await make(a, { repo: 'acme/prod' }, { tool: 'delete_repo' });
		inputSchema = { type: 'object', properties: { note: { type: 'array', items: { format: 'password' } } } };
		decide = async () => false;
		await make(b, { note: words, also: 'delete_repo' });
		decide = async () => true;
		await make(a, { repo: 'acme/prod' }, { tool: 'delete_repo' });
		await make(b, { repo: 'acme/prod' }, { tool: 'delete_repo' });
		const [before, denied, after, own] = kept;
		assert.deepEqual([after?.['tool'], after?.['arguments']], [before?.['tool'], before?.['arguments']]);
		assert.deepEqual(denied?.['arguments'], { note: words.map(() => '<redacted>'), also: 'delete_repo' });
		assert.deepEqual([own?.['tool'], own?.['arguments']], ['delete_repo', { repo: 'acme/prod' }]);
	});

	it('includes the arguments of an allowed call, in the records of its server only, and never our own text', async () => {
		const [a, b] = [found('a'), found('b')];
		inputSchema = { type: 'object', properties: { note: { type: 'array', items: { format: 'password' } } } };
		await make(b, { note: ['hunter22', ...words] }, { result: 'It is hunter22.' });
		inputSchema = { type: 'object' };
		await make(b, { again: 'hunter22' }, { tool: 'delete_repo' });
		await make(a, { other: 'hunter22' }, { tool: 'delete_repo' });
		assert.match(JSON.stringify(kept[0]?.['end']), /It is <redacted>\./);
		assert.deepEqual(
			kept.slice(1).map(it => it['arguments']),
			[{ again: '<redacted>' }, { other: 'hunter22' }],
		);
		assert.equal(b.log.redactor.text('logs hunter22'), 'logs <redacted>');
		const { caller, tool, decision } = kept[1] ?? {};
		assert.deepEqual(
			[caller, tool, decision],
			[{ kind: 'model' }, 'delete_repo', { isAllowed: true, reason: { kind: 'byDefault' } }],
		);
	});

	it('includes the password of an answer, but not the answer', async () => {
		const a = found('a');
		await a.start();
		const requestedSchema = { type: 'object', properties: { pin: { type: 'string', format: 'password' } } };
		fixture.transport.request(1, 'elicitation/create', { message: 'PIN?', requestedSchema });
		await until(questions.onDidChange, () => questions.waiting.length === 1);
		const [question] = questions.waiting;
		assert.ok(question);
		elicitations.answer(question, { action: 'accept', content: { pin: 'accept' } });
		const { end } = kept[0] as { readonly end?: JsonObject };
		assert.deepEqual(end?.['result'], { action: 'accept', content: { pin: '<redacted>' } });
		assert.equal(a.log.redactor.text('They accept.'), 'They <redacted>.');
		assert.equal(registry.redact('They accept.'), 'They accept.');
	});
});
