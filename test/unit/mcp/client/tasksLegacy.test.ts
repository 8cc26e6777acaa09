// Spec 2025-11-25, tasks: calls become tasks because the client asks for that.
import * as assert from 'node:assert/strict';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Tool } from '../../../../src/mcp/wire/types.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { lost } from '../../../support/sessionBench.js';
import { settled } from '../../../support/waiting.js';
import { type Played, canTask, done, form, tool, tasksBench } from '../../../support/tasksBench.js';
import { passTime } from '../../../support/stoppedClock.js';

describe('tasks', () => {
	const { play, inTurn, finish, sent } = tasksBench(leakCheck());

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

		it('whose session is lost is not begun once more, because the call has run', async () => {
			let played: Played | undefined;
			const { call, client, transport } = (played = await play('legacy', {
				'tools/call': () => created,
				'tasks/get': (_params, id) => {
					played?.transport.lose(id, lost);
					return undefined;
				},
				'tools/list': () => ({ tools: [] }),
			}));
			assert.deepEqual(await finish(call()), lost.failure);
			await settled();
			assert.deepEqual(await client.listTools(), []);
			const methods = transport.sent.map(it => ('method' in it ? it.method : ''));
			assert.deepEqual(methods.slice(3), [
				'tools/call',
				'tasks/get',
				'initialize',
				'notifications/initialized',
				'tools/list',
			]);
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
			passTime(100);
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
			assert.deepEqual(await finish(played.call()), { ...done, unknownMembers: ['task'] });
		});
	});
});
