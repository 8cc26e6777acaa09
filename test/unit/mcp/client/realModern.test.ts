// Both eras against real servers over real pipes, with a handler for everything that they may ask.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import {
	Client,
	type ClientHandlers,
	type ClientOptions,
	type JsonObject,
	type LogMessage,
	type Progress,
	RpcError,
	type TaskState,
	type ToolResult,
} from '../../../../src/mcp/index.js';
import { StdioTransport } from '../../../../src/node/stdioTransport.js';
import { projectRoot } from '../../../host/paths.js';
import { inherited } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { onMessage } from '../../../support/onMessage.js';
import { summary } from '../../../support/memoryTransport.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually, isAlive, next } from '../../../support/waiting.js';

const never = new AbortController().signal;

function text({ content }: ToolResult): string {
	return content.map(it => (it.type === 'text' ? it.text : it.type)).join('\n');
}

/** Answers whatever is asked, and remembers it. */
class Person {
	readonly asked: JsonObject[] = [];
	/** What the next form is answered with; accepted with its defaults otherwise. */
	form: JsonObject | undefined;
	url: JsonObject = { action: 'accept' };

	readonly handlers: ClientHandlers = {
		roots: () => [{ uri: 'file:///one', name: 'one' }],
		sampling: {
			tools: true,
			handle: params => {
				this.asked.push(params);
				return Promise.resolve({
					role: 'assistant',
					content: { type: 'text', text: 'a guess' },
					model: 'test-model',
					stopReason: 'endTurn',
				});
			},
		},
		elicitation: {
			form: params => {
				this.asked.push(params);
				return Promise.resolve(this.form ?? { action: 'accept', content: {} });
			},
			url: params => {
				this.asked.push(params);
				return Promise.resolve(this.url);
			},
		},
	};
}

describe('real servers of both eras', function () {
	this.timeout(30_000);
	const { own, later } = leakCheck();

	interface Connected {
		readonly client: Client;
		readonly person: Person;
		/** Both directions; what every modern request states is left out. */
		readonly transcript: string[];
		readonly log: TestLogger;
		/** Processes that were started. */
		readonly starts: () => number;
	}

	async function connect(
		file: string,
		{
			args = [],
			env = {},
			...options
		}: Partial<ClientOptions> & { args?: string[]; env?: Record<string, string> } = {},
	): Promise<Connected> {
		const launch = {
			command: process.execPath,
			args: [file, ...args],
			cwd: projectRoot,
			env: { ...inherited(), ...env },
		};
		const transports: StdioTransport[] = [];
		const person = new Person();
		const log = new TestLogger();
		const client = own(
			new Client({
				open: () => {
					const transport = new StdioTransport(launch, { graceMs: 200, onStderr: () => undefined });
					transports.push(transport);
					return transport;
				},
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 20_000,
				probeMs: 15_000,
				handlers: person.handlers,
				log,
				...options,
			}),
		);
		const transcript: string[] = [];
		own(client.onDidTransfer(new SentCheck().follow));
		own(
			onMessage(client, ({ direction, message }) => {
				transcript.push(`${direction === 'sent' ? '>' : '<'} ${summary(message)}`);
			}),
		);
		later(async () => {
			await client.close();
			const left = transports.filter(({ pid }) => pid !== undefined && isAlive(pid));
			assert.equal(left.length, 0, 'a process is left');
		});
		await client.connect(never);
		return { client, person, transcript, log, starts: () => transports.length };
	}

	const demo = path.join(projectRoot, 'demo', 'servers', 'garden.mjs');
	const rounds = path.join(projectRoot, 'test', 'fixtures', 'servers', 'rounds.mjs');

	// covers: interop.garden
	describe('the garden of the demo', () => {
		it('is discovered, lists, reads, plans and plants', async () => {
			const { client, starts } = await connect(demo);
			const { era, eraReason, protocolVersion, serverInfo, instructions } = client.session;
			assert.deepEqual(
				[era, eraReason, protocolVersion, serverInfo.name, instructions],
				['modern', { code: 'discovered' }, '2026-07-28', 'garden', 'Look at the beds before you plant.'],
			);
			assert.equal(starts(), 1);
			const [tools, resources, prompts] = await Promise.all([
				client.listTools(),
				client.listResources(),
				client.listPrompts(),
			]);
			assert.deepEqual(
				[tools.map(it => it.name), resources.map(it => it.name), prompts.map(it => it.name)],
				[['plant', 'inspect-folders', 'choose-plants', 'name-garden', 'read-about'], ['north', 'south'], ['plan']],
			);
			const planted = await client.callTool('plant', { bed: 'north', plant: 'Äpfel', count: 2 });
			assert.deepEqual(planted.structuredContent, { bed: 'north', plants: 2 });
			const [bed] = await client.readResource('garden://beds/north.md');
			assert.match(bed?.text ?? '', /Äpfel × 2/);
			const plan = await client.getPrompt('plan', { season: 'spring' });
			assert.deepEqual(plan.messages[0]?.content, { type: 'text', text: 'Plan my garden for spring.' });
		});

		it('asks for the folders in the middle of a call', async () => {
			const { client, transcript } = await connect(demo);
			assert.match(text(await client.callTool('inspect-folders', {})), /1 folder\(s\): one/);
			assert.equal(transcript.filter(it => it.startsWith('> tools/call')).length, 2);
		});

		it('asks the person, a model, and for a page', async () => {
			const { client, person } = await connect(demo);
			person.form = { action: 'accept', content: { kinds: ['herb'], sunny: true } };
			assert.equal(text(await client.callTool('choose-plants', {})), 'For you: thyme.');
			assert.equal(text(await client.callTool('name-garden', {})), 'The garden is called "a guess", says test-model.');
			assert.equal(text(await client.callTool('read-about', { plant: 'tulip' })), 'Enjoy reading.');
			assert.deepEqual(
				person.asked.map(it => it['url'] ?? it['maxTokens'] ?? it['message']),
				['What do you like, and how much room is there?', 20, 'https://en.wikipedia.org/wiki/tulip'],
			);
		});

		it('refuses what it does not know, as a result or as an error', async () => {
			const { client } = await connect(demo);
			const failed = await client.callTool('plant', { bed: 'east' }).catch((error: unknown) => error);
			assert.ok(failed instanceof RpcError || (failed as ToolResult).isError);
			await assert.rejects(client.readResource('garden://beds/west.md'), RpcError);
		});
	});

	// covers: interop.sdkModern
	describe('a modern server with rounds', () => {
		it('a form, then a model, with the state in between', async () => {
			const { client, person } = await connect(rounds);
			person.form = { action: 'accept', content: { name: 'Ada', age: 36 } };
			const answer = text(await client.callTool('ask', {}));
			assert.equal(answer, '{"name":"Ada","age":36}: {"type":"text","text":"a guess"}');
			assert.deepEqual(
				person.asked.map(it => it['message'] ?? it['maxTokens']),
				['Who are you?', 10],
			);
			for (const action of ['decline', 'cancel']) {
				person.form = { action };
				assert.equal(text(await client.callTool('ask', {})), `You said ${action}.`);
			}
		});

		it('state only', async () => {
			const { client, transcript } = await connect(rounds);
			assert.equal(text(await client.callTool('later', {})), 'asked 3 times');
			assert.deepEqual(
				transcript.filter(it => it.startsWith('> tools/call')).map(it => /"requestState":"(.)"/.exec(it)?.[1]),
				[undefined, '1', '2'],
			);
		});

		it('progress, and a call taken back', async () => {
			const { client, transcript } = await connect(rounds);
			const controller = new AbortController();
			const seen: Progress[] = [];
			const call = client.callTool(
				'slow',
				{},
				{
					signal: controller.signal,
					onProgress: it => {
						seen.push(it);
						if (seen.length === 3) {
							controller.abort();
						}
					},
				},
			);
			await assert.rejects(call, { name: 'AbortError' });
			assert.deepEqual(
				seen.slice(0, 3).map(it => [it.progress, it.message]),
				[1, 2, 3].map(it => [it, 'working']),
			);
			let ends = '';
			while (ends === '') {
				ends = text(await client.callTool('ends', {}));
			}
			assert.equal(ends, 'stopped');
			assert.ok(transcript.some(it => /^> notifications\/cancelled {"requestId":\d+,"reason":"cancelled"}$/.test(it)));
		});

		it('log messages only for requests that ask for them, from the level on', async () => {
			const { client } = await connect(rounds);
			const seen: LogMessage[] = [];
			own(client.onDidLog(it => seen.push(it)));
			await client.callTool('log', {});
			assert.deepEqual(seen, []);
			await client.setLoggingLevel('warning');
			await client.callTool('log', {});
			await eventually(() => seen.length === 2, 'both messages came');
			assert.deepEqual(seen, [
				{ level: 'warning', logger: 'rounds', data: 'at warning' },
				{ level: 'error', logger: 'rounds', data: 'at error' },
			]);
		});

		it('knows with every request who asks and what is declared', async () => {
			const { client } = await connect(rounds);
			const envelope = JSON.parse(text(await client.callTool('caps', {}))) as JsonObject;
			assert.deepEqual(envelope['io.modelcontextprotocol/clientInfo'], { name: 'test', version: '1' });
			assert.deepEqual(Object.keys(envelope['io.modelcontextprotocol/clientCapabilities'] as object).sort(), [
				'elicitation',
				'extensions',
				'roots',
				'sampling',
			]);
		});

		it('tells what has changed, over its stream', async () => {
			const { client, transcript } = await connect(rounds);
			own(client.subscribeResource('note://one'));
			const acknowledged = (): boolean =>
				transcript.some(it => it.startsWith('< notifications/subscriptions/acknowledged') && it.includes('note://one'));
			await eventually(acknowledged, 'the subscription was acknowledged');
			const updated = next(client.onDidUpdateResource);
			const changed = next(client.onDidChangeList, it => it === 'tools');
			await client.callTool('change', {});
			assert.deepEqual([await updated, await changed], ['note://one', 'tools']);
		});

		it('completes', async () => {
			const { client } = await connect(rounds);
			const { values } = await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'language', value: 'd' });
			assert.deepEqual(values, ['deutsch', 'dansk']);
		});

		it('speaks the old era too, if it is asked to', async () => {
			const { client } = await connect(rounds, { mode: 'legacy' });
			assert.deepEqual([client.session.era, client.session.protocolVersion], ['legacy', '2025-11-25']);
			assert.equal((await client.listPrompts()).length, 1);
		});

		it('is taken at its word if the mode is modern', async () => {
			const { client } = await connect(rounds, { mode: 'modern' });
			assert.equal(client.session.capabilities, undefined);
			assert.ok((await client.listTools()).length > 5);
		});
	});

	// covers: interop.context7
	describe('context7', () => {
		it('is modern; that it keeps no subscription open is no failure', async () => {
			const context7 = packageFile('@upstash/context7-mcp', 'index.js');
			const first = await connect(context7);
			const { client } = first;
			assert.deepEqual([client.session.era, client.session.protocolVersion], ['modern', '2026-07-28']);
			const tools = await client.listTools();
			assert.ok(tools.some(it => it.name === 'resolve-library-id'));
			// It declares nothing to listen to; asked all the same, it answers that its limit is reached.
			const asked = await connect(context7, { mode: 'modern' });
			const refused = (): boolean => asked.transcript.some(it => /^< #\d+ error -32603/.test(it));
			await eventually(refused, 'the subscription was refused');
			assert.ok((await asked.client.listTools()).length > 0);
			const log = [...first.log.lines, ...asked.log.lines];
			assert.ok(!log.some(it => it.startsWith('error')), log.join('\n'));
		});
	});

	// covers: interop.memory
	describe('server-memory', () => {
		it('tells when the graph was changed, as long as someone wants to know', async () => {
			const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-memory-'));
			later(() => fs.promises.rm(folder, { recursive: true }));
			const { client, transcript } = await connect(packageFile('@modelcontextprotocol/server-memory', 'index.js'), {
				env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') },
			});
			assert.deepEqual([client.session.era, client.session.eraReason], ['legacy', { code: 'error', error: -32601 }]);
			const [graph] = await client.listResources();
			const subscription = client.subscribeResource(graph?.uri ?? '');
			const updated = next(client.onDidUpdateResource);
			const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
			const created = await client.callTool('create_entities', { entities });
			assert.equal(created.isError, false);
			assert.equal(await updated, graph?.uri);
			const [contents] = await client.readResource(graph?.uri ?? '');
			assert.match(contents?.text ?? '', /Ada/);
			subscription.dispose();
			await client.callTool('read_graph', {});
			assert.ok(transcript.some(it => it.startsWith('> resources/unsubscribe')));
		});
	});

	// covers: interop.everything
	describe('server-everything, with a handler for everything', () => {
		const everything = (options: Parameters<typeof connect>[1] = {}): Promise<Connected> =>
			connect(packageFile('@modelcontextprotocol/server-everything', 'index.js'), { args: ['stdio'], ...options });

		it('offers all its tools', async () => {
			const { client } = await everything();
			const names = (await client.listTools()).map(it => it.name);
			const conditional = [
				'get-roots-list',
				'trigger-elicitation-request',
				'trigger-url-elicitation',
				'trigger-sampling-request',
			];
			assert.deepEqual(
				conditional.filter(it => !names.includes(it)),
				[],
			);
		});

		it('samples', async () => {
			const { client, person } = await everything();
			const answer = text(await client.callTool('trigger-sampling-request', { prompt: 'hello', maxTokens: 7 }));
			assert.match(answer, /a guess/);
			assert.deepEqual(
				person.asked.map(it => [it['maxTokens'], it['systemPrompt']]),
				[[7, 'You are a helpful test server.']],
			);
		});

		it('asks for every kind of field; accepts, declines and cancels', async () => {
			const { client, person } = await everything();
			person.form = {
				action: 'accept',
				content: {
					name: 'Ada Löve',
					check: true,
					firstLine: 'It was.',
					email: 'ada@example.com',
					homepage: 'https://example.com/',
					birthdate: '1815-12-10',
					integer: 42,
					number: 95.5,
					untitledSingleSelectEnum: 'Ross',
					untitledMultipleSelectEnum: ['Guitar', 'Bass'],
					titledSingleSelectEnum: 'hero-2',
					titledMultipleSelectEnum: ['fish-1', 'fish-3'],
					legacyTitledEnum: 'pet-1',
				},
			};
			const accepted = text(await client.callTool('trigger-elicitation-request', {}));
			assert.match(accepted, /Ada Löve[^]*95\.5/);
			const { properties } = (person.asked[0]?.['requestedSchema'] ?? assert.fail('nothing was asked')) as {
				properties: object;
			};
			const { content } = person.form as { content: object };
			assert.deepEqual(
				Object.keys(properties).filter(it => !(it in content)),
				[],
			);
			for (const [action, word] of [
				['decline', /declined/i],
				['cancel', /cancel/i],
			] as const) {
				person.form = { action };
				assert.match(text(await client.callTool('trigger-elicitation-request', {})), word);
			}
		});

		it('asks for a page to be opened, by request and by error', async () => {
			const { client, person } = await everything();
			const args = { url: 'https://example.com/x', elicitationId: 'e1' };
			assert.match(text(await client.callTool('trigger-url-elicitation', args)), /Elicitation ID: e1/);
			assert.deepEqual(
				person.asked.map(it => [it['mode'], it['url'], it['elicitationId']]),
				[['url', 'https://example.com/x', 'e1']],
			);
			person.asked.length = 0;
			const result = text(await client.callTool('trigger-url-elicitation', { ...args, errorPath: true }));
			assert.match(result, /completed/, 'the error is answered, and the call sent again');
			assert.deepEqual(
				person.asked.map(it => [it['mode'], it['url']]),
				[
					['url', 'https://modelcontextprotocol.io'],
					['url', 'https://example.com/x'],
				],
			);
		});

		it('completes by what was filled in before', async () => {
			const { client } = await everything();
			const complete = async (department: string): Promise<readonly string[]> =>
				(
					await client.complete(
						{ type: 'ref/prompt', name: 'completable-prompt' },
						{ name: 'name', value: '' },
						{ department },
					)
				).values;
			assert.deepEqual(await complete('Engineering'), ['Alice', 'Bob', 'Charlie']);
			assert.notDeepEqual(await complete('Sales'), ['Alice', 'Bob', 'Charlie']);
		});

		it('runs a tool that must be a task, asks in the middle of it, and gives its report', async function () {
			this.timeout(30_000);
			const { client, person, transcript } = await everything();
			person.form = { action: 'accept', content: { interpretation: 'technical' } };
			const tool = (await client.listTools()).find(it => it.name === 'simulate-research-query');
			assert.equal(tool?.taskSupport, 'required');
			const states: TaskState[] = [];
			const args = { topic: 'tulips', ambiguous: true };
			const result = await client.callTool(tool ?? '', args, { onTask: it => states.push(it) });
			assert.match(text(result), /tulips/);
			assert.equal(states[0]?.status, 'working');
			assert.ok(states.some(it => it.status === 'input_required'));
			assert.equal(person.asked.length, 1);
			const answer = transcript.find(it => it.startsWith('> #') && it.includes('"action":"accept"'));
			assert.match(answer ?? '', /io\.modelcontextprotocol\/related-task":{"taskId":/);
		});

		it('stops a task that is taken back', async () => {
			const { client, transcript } = await everything();
			const tool = (await client.listTools()).find(it => it.name === 'simulate-research-query');
			const controller = new AbortController();
			const call = client.callTool(
				tool ?? '',
				{ topic: 'tulips' },
				{ signal: controller.signal, onTask: () => setImmediate(() => controller.abort()) },
			);
			await assert.rejects(call, { name: 'AbortError' });
			await eventually(() => transcript.some(it => /^< .*"status":"cancelled"/.test(it)), 'the task was cancelled');
		});
	});
});

/** A file of a package's `dist`, wherever it was installed. */
function packageFile(name: string, file: string): string {
	const manifest = createRequire(path.join(projectRoot, 'package.json')).resolve(`${name}/package.json`);
	return path.join(path.dirname(manifest), 'dist', file);
}
