import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AbortError } from '../../../../src/base/errors.js';
import { nullLogger } from '../../../../src/base/log.js';
import { Client } from '../../../../src/mcp/client/client.js';
import type { ClientHandlers } from '../../../../src/mcp/client/handlers.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { EraMode } from '../../../../src/mcp/client/negotiate.js';
import { tasksExtension } from '../../../../src/mcp/client/tasks.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Tool } from '../../../../src/mcp/wire/types.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { releaseTime, stopTime } from '../../../support/mockTime.js';
import { discovery, handshake, type Method, MemoryTransport } from '../../../support/memoryTransport.js';
import { settled } from '../../../support/waiting.js';

const tool: Tool = { name: 't', inputSchema: { type: 'object' }, taskSupport: 'required' };
const done = { content: [{ type: 'text', text: 'done' }], isError: false };
const form = {
	method: 'elicitation/create',
	params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
};
const accept: ClientHandlers = { elicitation: { form: () => Promise.resolve({ action: 'accept', content: {} }) } };
const canTask = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

describe('tasks', () => {
	const { own } = leakCheck();
	beforeEach(() => stopTime());
	afterEach(() => releaseTime());

	interface Played {
		readonly client: Client;
		readonly transport: MemoryTransport;
		/** States that `onTask` was told. */
		readonly states: string[];
		readonly call: (options?: { readonly signal?: AbortSignal; readonly tool?: Tool | string }) => Promise<unknown>;
	}

	async function play(
		era: 'legacy' | 'modern',
		methods: Readonly<Record<string, Method>>,
		{
			handlers = accept,
			capabilities = era === 'legacy' ? canTask : { tools: {}, extensions: { [tasksExtension]: {} } },
			mode = 'auto',
		}: { handlers?: ClientHandlers; capabilities?: JsonObject; mode?: EraMode } = {},
	): Promise<Played> {
		const transport = new MemoryTransport({
			methods: {
				...(era === 'modern' ? { 'server/discover': () => discovery(capabilities) } : {}),
				initialize: () => handshake(capabilities),
				'tasks/cancel': () => (era === 'modern' ? { resultType: 'complete' } : { taskId: 't1', status: 'cancelled' }),
				'tasks/update': () => ({ resultType: 'complete' }),
				...methods,
			},
		});
		const client = own(
			new Client({
				open: () => transport,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				handlers,
				mode,
				log: nullLogger,
			}),
		);
		await client.connect(new AbortController().signal);
		transport.transcript.length = 0;
		const states: string[] = [];
		const call: Played['call'] = async ({ signal, tool: called = tool } = {}) => {
			try {
				const onTask = ({
					status,
					statusMessage = '',
				}: {
					status: string;
					statusMessage?: string | undefined;
				}): void => {
					states.push(`${status} ${statusMessage}`.trim());
				};
				return await client.callTool(called, {}, { onTask, ...(signal ? { signal } : {}) });
			} catch (error) {
				return error instanceof McpError
					? error.failure
					: error instanceof RpcError
						? error.toErrorObject()
						: (error as Error).name;
			}
		};
		return { client, transport, states, call };
	}

	/** Gives the elements one after another, the last for ever. */
	function inTurn(...answers: readonly JsonObject[]): Method {
		let turn = 0;
		return () => answers[Math.min(turn++, answers.length - 1)] ?? {};
	}

	/** The call's outcome, while time passes in steps of 10 ms. */
	async function finish<T>(call: Promise<T>, limit = 500): Promise<T> {
		const outcomes: T[] = [];
		void call.then(value => outcomes.push(value));
		for (let step = 0; step < limit && outcomes.length === 0; step++) {
			await settled();
			mock.timers.tick(10);
		}
		assert.equal(outcomes.length, 1, 'it did not end');
		return outcomes[0] as T;
	}

	function sent({ transport }: Played): string[] {
		return transport.transcript.filter(it => it.startsWith('>')).map(it => it.slice(2).replace(/#\d+/, ''));
	}

	describe('modern', () => {
		const task = (status: string, more: JsonObject = {}): JsonObject => ({
			resultType: 'complete',
			taskId: 't1',
			status,
			createdAt: '2026-01-01T00:00:00Z',
			lastUpdatedAt: '2026-01-01T00:00:00Z',
			ttlMs: null,
			pollIntervalMs: 100,
			...more,
		});
		const created = task('working', { resultType: 'task' });

		// covers: extensions.fallback
		it('without the extension on the other side, the core is used: no call may become a task', async () => {
			for (const capabilities of [{ tools: {} }, { tools: {}, extensions: { 'x/other': {} } }]) {
				const core = await play(
					'modern',
					{ 'tools/call': () => ({ ...done, resultType: 'complete' }) },
					{ capabilities },
				);
				assert.deepEqual(await core.call(), done);
				const wrong = await play('modern', { 'tools/call': () => created }, { capabilities });
				assert.deepEqual(await wrong.call(), {
					code: 'invalidResult',
					method: 'tools/call',
					why: 'a task of a server that has none',
				});
				assert.deepEqual(sent(wrong), ['tools/call {"name":"t","arguments":{}}']);
			}
		});

		it('a server that was never asked what it declares is believed', async () => {
			const end = { 'tools/call': () => created, 'tasks/get': () => task('completed', { result: done }) };
			const played = await play('modern', end, { mode: 'modern', capabilities: {} });
			assert.deepEqual(await finish(played.call()), done);
		});

		// covers: tasks.modern tasks.modern.noTaskParameter
		it('working, input_required, completed: the result comes with the state', async () => {
			const played = await play('modern', {
				'tools/call': () => created,
				'tasks/get': inTurn(
					task('working', { statusMessage: 'half' }),
					task('input_required', { inputRequests: { q: form } }),
					task('completed', { result: done }),
				),
			});
			assert.deepEqual(await finish(played.call()), done);
			assert.deepEqual(sent(played), [
				'tools/call {"name":"t","arguments":{}}',
				'tasks/get {"taskId":"t1"}',
				'tasks/get {"taskId":"t1"}',
				'tasks/update {"taskId":"t1","inputResponses":{"q":{"action":"accept","content":{}}}}',
				'tasks/get {"taskId":"t1"}',
			]);
			assert.deepEqual(played.states, ['working', 'working half', 'input_required', 'completed']);
		});

		// covers: tasks.resume
		it('a task of another session is taken up by its id, questions included', async () => {
			const played = await play('modern', {
				'tasks/get': inTurn(
					task('input_required', { inputRequests: { q: form } }),
					task('working'),
					task('completed', { result: done }),
				),
			});
			assert.deepEqual(await finish(played.client.resumeTask('t1')), done);
			assert.deepEqual(sent(played), [
				'tasks/get {"taskId":"t1"}',
				'tasks/update {"taskId":"t1","inputResponses":{"q":{"action":"accept","content":{}}}}',
				'tasks/get {"taskId":"t1"}',
				'tasks/get {"taskId":"t1"}',
			]);
		});

		it('a state that calls itself a task is one', async () => {
			const played = await play('modern', {
				'tools/call': () => created,
				'tasks/get': inTurn(task('completed', { resultType: 'task', result: done })),
			});
			assert.deepEqual(await finish(played.call()), done);
		});

		it('a task that is over at once is not asked for', async () => {
			const played = await play('modern', {
				'tools/call': () => task('completed', { resultType: 'task', result: done }),
			});
			assert.deepEqual([await finish(played.call()), sent(played).length], [done, 1]);
		});

		// covers: tasks.dedupe
		it('a question that is listed again is asked once; new ones beside it are asked', async () => {
			let asked = 0;
			const played = await play(
				'modern',
				{
					'tools/call': () => created,
					'tasks/get': inTurn(
						task('input_required', { inputRequests: { a: form } }),
						task('input_required', { inputRequests: { a: form } }),
						task('input_required', { inputRequests: { a: form, b: form } }),
						task('completed', { result: done }),
					),
				},
				{ handlers: { elicitation: { form: () => Promise.resolve({ action: 'decline', content: { n: ++asked } }) } } },
			);
			await finish(played.call());
			assert.deepEqual(
				sent(played).filter(it => it.startsWith('tasks/update')),
				[
					'tasks/update {"taskId":"t1","inputResponses":{"a":{"action":"decline","content":{"n":1}}}}',
					'tasks/update {"taskId":"t1","inputResponses":{"b":{"action":"decline","content":{"n":2}}}}',
				],
			);
		});

		// covers: tasks.failed tasks.cancelled
		it('failed is the error of the call, cancelled an error of its own', async () => {
			const outcome = async (state: JsonObject): Promise<unknown> => {
				const played = await play('modern', { 'tools/call': () => created, 'tasks/get': () => state });
				return finish(played.call());
			};
			const error = { code: -32603, message: 'burnt', data: { a: 1 } };
			assert.deepEqual(
				[
					await outcome(task('failed', { error })),
					await outcome(task('cancelled')),
					await outcome(task('completed')),
					await outcome(task('failed', { error: 'x' })),
					await outcome(task('completed', { result: { content: [], isError: true } })),
					await outcome({ resultType: 'complete' }),
					await outcome(task('dreaming')),
				],
				[
					error,
					{ code: 'taskCancelled', taskId: 't1' },
					{ code: 'invalidResult', method: 'tasks/get', why: 'a task that is completed has no result' },
					{ code: 'invalidResult', method: 'tasks/get', why: 'a task that is failed has no result' },
					{ content: [], isError: true },
					{ code: 'invalidResult', method: 'tasks/get', why: 'no task' },
					{ code: 'invalidResult', method: 'tasks/get', why: 'no task' },
				],
			);
		});

		it('a task that the server has forgotten is an error', async () => {
			const played = await play('modern', {
				'tools/call': () => created,
				'tasks/get': () => {
					throw new RpcError(-32602, 'Task not found');
				},
			});
			assert.deepEqual(await finish(played.call()), { code: -32602, message: 'Task not found' });
		});

		// covers: tasks.pollInterval
		it('is asked as often as the server likes, not more, and within reason', async () => {
			const table: readonly [unknown, number][] = [
				[100, 100],
				[1, 50],
				[-5, 50],
				[undefined, 1000],
				['x', 1000],
				[1e12, 3_600_000],
			];
			for (const [pollIntervalMs, ms] of table) {
				const played = await play('modern', {
					'tools/call': () => task('working', { resultType: 'task', pollIntervalMs }),
					'tasks/get': () => task('completed', { result: done }),
				});
				const call = played.call();
				await settled();
				mock.timers.tick(ms - 1);
				await settled();
				assert.equal(sent(played).length, 1, `${String(pollIntervalMs)}: too early`);
				mock.timers.tick(1);
				assert.deepEqual(await call, done);
			}
		});

		// covers: tasks.cancelBySignal
		it('a call taken back cancels its task, wherever it is', async () => {
			for (const moment of ['waiting', 'asking'] as const) {
				const controller = new AbortController();
				const played = await play(
					'modern',
					{
						'tools/call': () => created,
						'tasks/get': () => task('input_required', { inputRequests: { a: form } }),
					},
					{
						handlers: {
							elicitation: {
								form: (_params, signal) =>
									new Promise((_resolve, reject) => {
										signal.addEventListener('abort', () => reject(new AbortError()));
										controller.abort();
									}),
							},
						},
					},
				);
				const call = played.call({ signal: controller.signal });
				if (moment === 'waiting') {
					await settled();
					controller.abort();
				}
				assert.equal(await finish(call), 'AbortError');
				await settled();
				assert.equal(sent(played).at(-1), 'tasks/cancel {"taskId":"t1"}');
				assert.ok(
					!sent(played).some(it => it.startsWith('notifications/cancelled')),
					'its request is answered already',
				);
			}
		});

		it('a call taken back when it has just become a task cancels that', async () => {
			const controller = new AbortController();
			const played = await play('modern', { 'tools/call': () => created });
			const { transport } = played;
			const call = played.call({ signal: controller.signal });
			await settled();
			controller.abort();
			assert.equal(await finish(call), 'AbortError');
			await settled();
			assert.equal(transport.transcript.filter(it => it.includes('> tasks/cancel')).length, 1);
		});

		it('a task whose question was refused is cancelled: nobody will answer', async () => {
			const played = await play(
				'modern',
				{ 'tools/call': () => created, 'tasks/get': () => task('input_required', { inputRequests: { a: form } }) },
				{ handlers: {} },
			);
			assert.deepEqual(await finish(played.call()), { code: 'inputRefused', method: 'tasks/get' });
			await settled();
			assert.equal(sent(played).at(-1), 'tasks/cancel {"taskId":"t1"}');
		});

		it('an abort after the end cancels nothing', async () => {
			const controller = new AbortController();
			const played = await play('modern', {
				'tools/call': () => created,
				'tasks/get': () => task('completed', { result: done }),
			});
			await finish(played.call({ signal: controller.signal }));
			controller.abort();
			await settled();
			assert.ok(!sent(played).some(it => it.startsWith('tasks/cancel')));
		});

		// covers: tasks.modern.onlyTools
		it('only a tool may become a task', async () => {
			const { client } = await play('modern', { 'prompts/get': () => created });
			await assert.rejects(client.getPrompt('p', {}), {
				failure: { code: 'invalidResult', method: 'prompts/get', why: 'it may not become a task' },
			});
		});

		// covers: tasks.modern.declared
		it('the extension is declared with every request', async () => {
			const { client, transport } = await play('modern', { 'tools/call': () => ({ ...done, resultType: 'complete' }) });
			await client.callTool('t', {});
			const params = (transport.sent.at(-1) as { params?: { _meta: Record<string, JsonObject> } }).params;
			assert.deepEqual(params?._meta['io.modelcontextprotocol/clientCapabilities']?.['extensions'], {
				'io.modelcontextprotocol/tasks': {},
			});
		});
	});

	describe('legacy', () => {
		const task = (status: string, more: JsonObject = {}): JsonObject => ({
			taskId: 't1',
			status,
			createdAt: '2026-01-01T00:00:00Z',
			lastUpdatedAt: '2026-01-01T00:00:00Z',
			ttl: null,
			pollInterval: 100,
			...more,
		});
		const created = { task: task('working') };

		// covers: tasks.legacy tasks.legacy.required tasks.legacy.result
		it('working, completed: the result is fetched', async () => {
			const played = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': inTurn(task('working'), task('completed')),
				'tasks/result': () => done,
			});
			assert.deepEqual(await finish(played.call()), done);
			assert.deepEqual(sent(played), [
				'tools/call {"name":"t","arguments":{},"task":{}}',
				'tasks/get {"taskId":"t1"}',
				'tasks/get {"taskId":"t1"}',
				'tasks/result {"taskId":"t1"}',
			]);
			assert.deepEqual(played.states, ['working', 'working', 'completed']);
		});

		// covers: progress.task
		it('progress is told as long as the task lives, and no longer', async () => {
			const { client, transport } = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': inTurn(task('working'), task('completed')),
				'tasks/result': () => done,
			});
			const told: unknown[] = [];
			const calling = client.callTool(tool, {}, { onProgress: it => told.push(it.progress) });
			const progress = (value: number): void =>
				transport.notify('notifications/progress', { progressToken: 3, progress: value });
			progress(1);
			await settled();
			progress(2);
			mock.timers.tick(100);
			await settled();
			progress(3);
			await finish(calling);
			progress(4);
			assert.deepEqual(told, [1, 2, 3]);
		});

		it('progress of a call that failed is not told any more', async () => {
			const { client, transport } = await play('legacy', {
				'tools/call': () => {
					throw new RpcError(-32000, 'no');
				},
			});
			const told: unknown[] = [];
			const calling = client.callTool(tool, {}, { onProgress: it => told.push(it.progress) });
			await assert.rejects(calling, { code: -32000 });
			transport.notify('notifications/progress', { progressToken: 3, progress: 1 });
			assert.deepEqual(told, []);
		});

		// covers: tasks.status
		it('a notification of a new state saves the wait; one of another task does not', async () => {
			const slow = { pollInterval: 60_000 };
			const { client, transport } = await play('legacy', {
				'tools/call': () => ({ task: task('working', slow) }),
				'tasks/get': inTurn(task('working', slow), task('completed')),
				'tasks/result': () => done,
			});
			const calling = client.callTool(tool, {});
			const asked = async (): Promise<number> => {
				await settled();
				return transport.transcript.filter(it => it.startsWith('> tasks/get')).length;
			};
			await settled();
			transport.notify('notifications/tasks/status', task('working', { taskId: 'other' }));
			assert.equal(await asked(), 0);
			transport.notify('notifications/tasks/status', task('working'));
			assert.equal(await asked(), 1);
			transport.notify('notifications/tasks/status', task('completed'));
			assert.equal(await asked(), 2);
			assert.deepEqual(await calling, done);
		});

		it('a task of another session is taken up by its id', async () => {
			const played = await play('legacy', {
				'tasks/get': inTurn(task('working'), task('completed')),
				'tasks/result': () => done,
			});
			assert.deepEqual(await finish(played.client.resumeTask('t1')), done);
			const gone = await play('legacy', {
				'tasks/get': () => {
					throw new RpcError(-32602, 'unknown task');
				},
			});
			await assert.rejects(gone.client.resumeTask('t1'), { code: -32602 });
		});

		// covers: tasks.legacy.inputRequired tasks.legacy.relatedTask
		it('input_required: the result is waited for, questions come meanwhile, answers name the task', async () => {
			const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
			const played: Played = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': () => task('input_required'),
				'tasks/result': async () => {
					played.transport.request('e1', form.method, { ...form.params, _meta });
					await settled();
					return done;
				},
			});
			assert.deepEqual(await finish(played.call()), done);
			assert.deepEqual(sent(played).slice(1), [
				'tasks/get {"taskId":"t1"}',
				'tasks/result {"taskId":"t1"}',
				'#"e1" {"action":"accept","content":{},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}',
			]);
		});

		// covers: tasks.legacy.taskSupport
		it('a tool is called as a task only if it must be and the server can', async () => {
			const outcome = async (called: Tool | string, capabilities: JsonObject): Promise<string | undefined> => {
				const played = await play('legacy', { 'tools/call': () => done }, { capabilities });
				await finish(played.call({ tool: called }));
				return /"task":{}/.exec(sent(played)[0] ?? '')?.[0];
			};
			const { taskSupport: _required, ...plain } = tool;
			assert.deepEqual(
				[
					await outcome(tool, canTask),
					await outcome('t', canTask),
					await outcome(plain, canTask),
					await outcome({ ...tool, taskSupport: 'optional' }, canTask),
					await outcome({ ...tool, taskSupport: 'forbidden' }, canTask),
					await outcome(tool, { tools: {} }),
					await outcome(tool, { tasks: {} }),
					await outcome(tool, { tasks: { requests: { tools: {} } } }),
				],
				['"task":{}', ...Array.from({ length: 7 }, () => undefined)],
			);
		});

		it('failed and cancelled are what the server says of the result', async () => {
			for (const status of ['failed', 'cancelled']) {
				const played = await play('legacy', {
					'tools/call': () => created,
					'tasks/get': () => task(status),
					'tasks/result': () => {
						throw new RpcError(-32603, status);
					},
				});
				assert.deepEqual(await finish(played.call()), { code: -32603, message: status });
			}
			const told = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': () => task('failed'),
				'tasks/result': () => ({ content: [], isError: true }),
			});
			assert.deepEqual(await finish(told.call()), { content: [], isError: true });
		});

		it('a call taken back while the result is waited for cancels the task', async () => {
			const controller = new AbortController();
			const played = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': () => task('input_required'),
				'tasks/result': () => {
					controller.abort();
					return undefined;
				},
			});
			assert.equal(await finish(played.call({ signal: controller.signal })), 'AbortError');
			await settled();
			assert.deepEqual(
				sent(played)
					.slice(3)
					.map(it => it.replace(/\d+/, 'n'))
					.sort(),
				['notifications/cancelled {"requestId":n,"reason":"cancelled"}', 'tasks/cancel {"taskId":"tn"}'],
			);
		});

		it('a result that talks of a task without being one is a result', async () => {
			const played = await play('legacy', { 'tools/call': () => ({ ...done, task: { taskId: 'x' } }) });
			assert.deepEqual(await finish(played.call()), done);
		});
	});
});
