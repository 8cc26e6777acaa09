// Servers that do what they must not, one fault each, as real processes under a whole client. What a transport makes of
// crashes, noise and long lines by itself is in test/unit/node/stdioTransport.test.ts; ends that take signals too.
import * as assert from 'node:assert/strict';
import { Client, type ClientOptions, type McpFailure, type Transport } from '../../../src/mcp/index.js';
import { Server } from '../../../src/model/server.js';
import { type StdioOptions, StdioTransport } from '../../../src/node/stdioTransport.js';
import { Aftermath } from '../../support/faults/aftermath.js';
import { type Outcome, outcomeOf, outcomeWithin } from '../../support/faults/outcome.js';
import { fixtureLaunch } from '../../support/fixtureServer.js';
import { leakCheck } from '../../support/leakCheck.js';
import { definition, ModelFixture } from '../../support/modelFixture.js';
import { SentCheck } from '../../support/sentCheck.js';
import { TestLogger } from '../../support/testLogger.js';
import { eventually } from '../../support/waiting.js';

const right: Outcome = { value: 'right' };
const closed: Outcome = { failure: { code: 'closed' } };
/** Short, where the fault is silence; nothing that works waits for it. */
const patience = 250;
const timedOut = (method: string): Outcome => ({ failure: { code: 'timeout', method, ms: patience } });
const invalid = (why: string): Outcome => ({ failure: { code: 'invalidResult', method: 'tools/call', why } });

interface Fault {
	readonly name: string;
	/** A file of test/fixtures/servers, and its arguments. */
	readonly server: readonly [file: string, ...args: string[]];
	readonly options?: Partial<ClientOptions>;
	/** The first call waits no longer than `patience`. */
	readonly isSilent?: true;
	readonly transport?: Partial<StdioOptions>;
	readonly ask?: (client: Client) => Promise<unknown>;
	/** What comes of connecting, unless that goes well. */
	readonly connecting?: Outcome;
	/** What comes of asking, which is a call unless `ask` says otherwise. */
	readonly asked?: Outcome;
	/** What comes of a second call. */
	readonly again?: Outcome;
	/** Milliseconds in which each of them must have come, far beyond what they take. */
	readonly withinMs?: number;
	/** Looks at anything else. */
	readonly look?: (seen: {
		readonly log: TestLogger;
		readonly logged: number;
		readonly noise: readonly string[];
	}) => void;
}

/** The text of the answer, short. */
async function call(client: Client, signal?: AbortSignal, timeoutMs = 20_000): Promise<unknown> {
	const { content } = await client.callTool('fault', {}, { signal, timeoutMs });
	const [block] = content;
	const text = block?.type === 'text' ? block.text : JSON.stringify(content);
	return text.length > 100 ? text.length : text;
}

const fault = (name: string, ...args: string[]): Fault['server'] => ['faults', name, ...args];
const tooLarge = (limit: number): McpFailure => ({ code: 'tooLarge', limit });

const faults: readonly Fault[] = [
	{ name: 'crash at the start', server: ['crashAtStart'], connecting: closed },
	{ name: 'crash in the middle of the first message', server: ['crashMidMessage'], connecting: closed },
	{ name: 'exit without an answer', server: ['exitInHandshake'], connecting: closed },
	{ name: 'crash in the middle of a message', server: fault('crashMidMessage'), asked: closed, again: closed },
	{
		name: 'silence from the beginning',
		server: ['silent'],
		options: { timeoutMs: patience, probeMs: 50 },
		connecting: timedOut('initialize'),
	},
	{ name: 'silence', server: fault('silence'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'a slow start', server: fault('lateHandshake'), options: { probeMs: 10 }, asked: right },
	{
		name: 'stdout closed, but alive',
		server: fault('closesStdout'),
		isSilent: true,
		asked: timedOut('tools/call'),
		// It ends of what it cannot say any more.
		again: closed,
	},
	{
		name: 'garbage around the answer',
		server: fault('garbage'),
		asked: right,
		look: ({ noise }) => assert.ok(noise.includes('GET / HTTP/1.1') && noise.includes('"'), noise.join()),
	},
	{
		name: 'half a character, and the end',
		server: fault('halfCharacter'),
		asked: right,
		again: closed,
		look: ({ noise }) => assert.deepEqual(noise, ['"\uFFFD']),
	},
	{ name: 'characters in single bytes', server: fault('splitCharacter'), asked: { value: 'ä漢😀' } },
	{
		name: 'a line of 50 MB',
		server: fault('huge'),
		asked: { value: 50 * 1024 * 1024 },
	},
	{
		name: 'a line of 50 MB, past the limit',
		server: fault('huge'),
		transport: { maxMessageBytes: 10 * 1024 * 1024 },
		asked: { failure: tooLarge(10 * 1024 * 1024) },
	},
	{
		name: 'a flood of notifications',
		server: fault('flood', '20000'),
		asked: right,
		look: ({ log, logged }) => {
			// A second more may pass for each second that it takes.
			assert.ok(logged >= 5000 && logged < 20_000, `${logged} let through`);
			assert.match(log.lines.join('\n'), /warn: Dropped \d+ notifications/);
		},
	},
	{
		name: 'a flood of requests, and no answer is read',
		server: fault('asksAndDoesNotRead'),
		asked: right,
		look: ({ log }) => assert.match(log.lines.join('\n'), /warn: Left a request of the server unanswered/),
	},
	{ name: 'wrong ids', server: fault('wrongIds'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'several answers to one request', server: fault('duplicateIds'), asked: right },
	{ name: 'no id', server: fault('missingId'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'a question under our id', server: fault('callsItself'), asked: right },
	{ name: 'result and error together', server: fault('resultAndError'), asked: invalid('both result and error') },
	{ name: 'an answer in a batch, where there are none', server: fault('batch'), asked: invalid('a batch') },
	{ name: 'a result that is none', server: fault('resultOfWrongType'), asked: invalid('result is not an object') },
	{
		name: 'an error that is none',
		server: fault('errorOfWrongType'),
		asked: invalid('error without a numeric code and a message'),
	},
	{
		name: 'cursors in a circle',
		server: fault('cyclicCursors'),
		ask: async client => {
			let sent = 0;
			const counting = client.onDidTransfer(it => (sent += it.kind === 'message' && it.direction === 'sent' ? 1 : 0));
			const outcome = await outcomeOf(client.listTools());
			counting.dispose();
			return [outcome, sent];
		},
		asked: { value: [{ failure: { code: 'endlessPages', method: 'tools/list', limit: 2 } }, 3] },
	},
	...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18'].map(version => ({
		name: `revision ${version}`,
		server: fault(`version=${version}`),
		ask: async (client: Client) => [client.session.protocolVersion, await call(client)],
		asked: { value: [version, 'right'] },
	})),
	...['1999-01-01', '2026-07-28', '', '__proto__'].map(version => ({
		name: `the unknown revision ${JSON.stringify(version)}`,
		server: fault(`version=${version}`),
		connecting: { failure: { code: 'unsupportedVersion', version } } as const,
	})),
	{
		name: 'an end that takes its time',
		server: ['slowExit'],
		ask: async client => client.session.serverInfo.name,
		asked: { value: 'fixture' },
	},
];

describe('faults of servers on stdio', function () {
	this.timeout(30_000);
	const cleanup = leakCheck();
	const { own } = cleanup;
	let after: Aftermath;

	function open([file, ...args]: Fault['server'], options: Partial<StdioOptions> = {}): StdioTransport {
		const launch = fixtureLaunch(file);
		const transport = new StdioTransport(
			{ ...launch, args: [...launch.args, ...args] },
			{ graceMs: 2000, onStderr: () => undefined, ...options },
		);
		const start = transport.start.bind(transport);
		transport.start = async () => {
			await start();
			after.pids.push(transport.pid ?? 0);
		};
		return transport;
	}

	/** The same client for all of them. */
	function connectTo(transport: () => Transport, log: TestLogger, options: Fault['options'] = {}): Client {
		const clientInfo = { name: 'test', version: '1' };
		const client = own(new Client({ clientInfo, open: transport, timeoutMs: 20_000, log, ...options }));
		own(client.onDidTransfer(new SentCheck().follow));
		return client;
	}

	for (const {
		name,
		server,
		options,
		isSilent,
		transport,
		ask,
		connecting,
		asked,
		again = right,
		withinMs = 10_000,
		look,
	} of faults) {
		it(name, async () => {
			after = await Aftermath.begin();
			const log = new TestLogger();
			const client = connectTo(() => open(server, transport), log, options);
			const noise: string[] = [];
			let logged = 0;
			own(client.onDidReceiveNoise(({ text }) => noise.push(text)));
			own(client.onDidLog(() => logged++));
			const { signal } = after.controller;
			const connected = await outcomeWithin(client.connect(signal), withinMs);
			if (connecting) {
				assert.deepEqual(connected, connecting);
			} else {
				assert.ok('value' in connected, JSON.stringify(connected));
				assert.deepEqual(
					await outcomeWithin((ask ?? (it => call(it, signal, isSilent && patience)))(client), withinMs),
					asked,
				);
				if (!ask) {
					assert.deepEqual(await outcomeWithin(call(client, signal), withinMs), again, 'the call after it');
				}
			}
			await client.close();
			client.dispose();
			look?.({ log, logged, noise });
			const nextOne = connectTo(() => open(['faults', 'none']), new TestLogger());
			await nextOne.connect(signal);
			assert.equal(await call(nextOne, signal), 'right', 'the next server works');
			await nextOne.close();
			nextOne.dispose();
			await after.check();
		});
	}

	it('all at once, beside a good one that answers throughout', async () => {
		after = await Aftermath.begin();
		const fixture = new ModelFixture(cleanup);
		fixture.open = launch => open([launch.command, ...launch.args]);
		const deps = { ...fixture.deps, timeoutMs: () => 20_000 };
		const create = (command: string, args: readonly string[]): Server =>
			own(new Server(definition(command, { command, args }), deps));
		const good = create('good', []);
		await good.start();
		const over = new AbortController();
		const answers: unknown[] = [];
		const talk = async (): Promise<void> => {
			while (!over.signal.aborted) {
				answers.push(await good.client?.callTool('echo', {}));
			}
		};
		const talking = talk();
		// What a server alone does is in the rows above; silence is stopped while it starts.
		const bad = faults.map(({ server: [command, ...args], connecting }) => ({
			server: create(command, args),
			connecting,
		}));
		const starting = bad.map(it => it.server.start());
		const isWaiting = (it: (typeof bad)[number]): boolean =>
			it.connecting !== undefined && 'failure' in it.connecting && it.connecting.failure.code === 'timeout';
		await Promise.all(starting.filter((_, index) => !bad.slice(index, index + 1).some(isWaiting)));
		const states = bad.map(it => it.server.state.kind);
		assert.deepEqual(
			states,
			bad.map(it => (isWaiting(it) ? 'starting' : it.connecting ? 'failed' : 'running')),
		);
		const calls = bad.flatMap(({ server: { client } }) =>
			client ? [call(client, undefined, patience).catch(String)] : [],
		);
		const before = answers.length;
		await eventually(() => answers.length > before + 20, 'the good one answers');
		await Promise.all(bad.map(it => it.server.stop()));
		await Promise.all([...calls, ...starting]);
		over.abort();
		await talking;
		await good.stop();
		assert.ok(answers.every(it => JSON.stringify(it) === JSON.stringify(answers[0])));
		for (const it of [...bad, { server: good }]) {
			it.server.dispose();
		}
		await after.check();
	});
});
