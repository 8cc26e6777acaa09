// Calls that become tasks by the extension of the modern era.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { done, form, tasksBench } from '../../../support/tasksBench.js';
import { passTime } from '../../../support/stoppedClock.js';

describe('tasks', () => {
	const { play, inTurn, finish, sent } = tasksBench(leakCheck());

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
					why: 'it may not become a task',
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

		it('tells the message that the result came in', async () => {
			const texts: string[] = [];
			const states = inTurn(task('working'), task('completed', { result: done }));
			const played = await play('modern', { 'tools/call': () => created, 'tasks/get': states });
			await finish(played.client.callTool('t', {}, { onAnswer: it => texts.push(it) }));
			assert.match(texts.at(-1) ?? '', /"status":"completed".*"result":\{/);
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
				passTime(ms - 1);
				await settled();
				assert.equal(sent(played).length, 1, `${String(pollIntervalMs)}: too early`);
				passTime(1);
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
});
