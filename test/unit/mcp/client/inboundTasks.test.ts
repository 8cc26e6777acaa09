import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { nullLogger } from '../../../../src/base/log.js';
import { Client, type ClientHandlers, isObject, type JsonObject } from '../../../../src/mcp/index.js';
import type { InputHandler } from '../../../../src/mcp/client/handlers.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTransport } from '../../../support/memoryTransport.js';
import { next, settled } from '../../../support/waiting.js';

const answer = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' };
const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }];

/** The client as the receiver of tasks, seen by a server that wants answers later. */
// covers: tasks.legacy.ours
describe('requests of a server as tasks', () => {
	const { own } = leakCheck();
	let transport: MemoryTransport;
	let nextId = 1;

	async function connect(handle: InputHandler, others: ClientHandlers = {}): Promise<Client> {
		transport = new MemoryTransport({ revision: '2025-11-25' });
		const client = own(
			new Client({
				open: () => transport,
				mode: 'legacy',
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log: nullLogger,
				handlers: { sampling: { handle, tools: false }, ...others },
			}),
		);
		await client.connect(new AbortController().signal);
		return client;
	}

	/** Sends a request of the server; returns the result, or the code of the error. */
	async function ask(method: string, params: JsonObject): Promise<JsonObject | number> {
		const id = `s${nextId++}`;
		const reply = next(transport.onDidSend, it => 'id' in it && it.id === id);
		transport.request(id, method, params);
		const message: unknown = await reply;
		assert.ok(isObject(message));
		const { result, error } = message;
		return isObject(result) ? result : isObject(error) ? Number(error['code']) : assert.fail('no answer');
	}

	async function begin(task: JsonObject = {}): Promise<JsonObject> {
		const reply = await ask('sampling/createMessage', { messages, maxTokens: 10, task });
		const created = isObject(reply) ? reply['task'] : undefined;
		return isObject(created) ? created : assert.fail(JSON.stringify(reply));
	}

	it('declares what can be had as a task', async () => {
		await connect(() => Promise.resolve(answer));
		const { params } = transport.sent[0] as { params?: JsonObject };
		assert.deepEqual(isObject(params?.['capabilities']) && params['capabilities']['tasks'], {
			list: {},
			cancel: {},
			requests: { sampling: { createMessage: {} } },
		});
	});

	it('answers at once with a task, and later with the result, which names the task', async () => {
		const gate = deferred<JsonObject>();
		await connect(() => gate.promise);
		const { taskId, status, ttl } = await begin({ ttl: 60_000 });
		assert.deepEqual([status, ttl], ['working', null]);
		assert.equal(((await ask('tasks/get', { taskId })) as JsonObject)['status'], 'working');
		const result = ask('tasks/result', { taskId });
		gate.resolve(answer);
		assert.deepEqual(await result, {
			...answer,
			_meta: { 'io.modelcontextprotocol/related-task': { taskId } },
		});
		assert.equal(((await ask('tasks/get', { taskId })) as JsonObject)['status'], 'completed');
		const { tasks } = (await ask('tasks/list', {})) as { tasks?: JsonObject[] };
		assert.deepEqual(
			tasks?.map(it => it['taskId']),
			[taskId],
		);
	});

	it('a refusal is the failure of the task', async () => {
		await connect(() => Promise.reject(new RpcError(-1, 'User rejected')));
		const { taskId } = await begin();
		assert.equal(await ask('tasks/result', { taskId }), -1);
		assert.equal(((await ask('tasks/get', { taskId })) as JsonObject)['status'], 'failed');
	});

	it('cancelled, the work is told, and the end stays as it is', async () => {
		const told = deferred<true>();
		await connect((_, signal) => {
			signal.addEventListener('abort', () => told.resolve(true));
			return new Promise(() => undefined);
		});
		const { taskId } = await begin();
		assert.equal(((await ask('tasks/cancel', { taskId })) as JsonObject)['status'], 'cancelled');
		assert.ok(await told.promise);
		assert.equal(await ask('tasks/cancel', { taskId }), -32602);
		assert.equal(await ask('tasks/result', { taskId }), -32603);
	});

	it('cancelled it stays, though the work is done after all', async () => {
		const gate = deferred<JsonObject>();
		await connect(() => gate.promise);
		const { taskId } = await begin();
		await ask('tasks/cancel', { taskId });
		gate.resolve(answer);
		await settled();
		assert.equal(((await ask('tasks/get', { taskId })) as JsonObject)['status'], 'cancelled');
	});

	it('a hundred at once, and no more; closing ends their work and leaves no timer', async () => {
		const signals: AbortSignal[] = [];
		await settled();
		const timers = (): number => process.getActiveResourcesInfo().filter(it => it === 'Timeout').length;
		const before = timers();
		const client = await connect((_, signal) => {
			signals.push(signal);
			return new Promise(() => undefined);
		});
		for (let count = 0; count < 100; count++) {
			await begin();
		}
		assert.equal(await ask('sampling/createMessage', { messages, maxTokens: 10, task: {} }), -32603);
		assert.equal(signals.length, 100);
		client.dispose();
		assert.ok(signals.every(it => it.aborted));
		assert.equal(timers(), before);
	});

	it('those that have ended are in the way of none: the newest hundred of them are kept', async () => {
		await connect(() => Promise.resolve(answer));
		const ids: unknown[] = [];
		for (let count = 0; count < 150; count++) {
			ids.push((await begin())['taskId']);
		}
		await settled();
		assert.equal(await ask('tasks/get', { taskId: ids[0] }), -32602);
		assert.equal(((await ask('tasks/get', { taskId: ids[149] })) as JsonObject)['status'], 'completed');
		const { tasks } = (await ask('tasks/list', {})) as { tasks?: JsonObject[] };
		assert.ok(tasks && tasks.length <= 101, String(tasks?.length));
	});

	it('what was not declared as one is answered as ever', async () => {
		await connect(() => Promise.resolve(answer), { roots: () => [{ uri: 'file:///a', name: 'a' }] });
		assert.deepEqual(await ask('roots/list', { task: {} }), { roots: [{ uri: 'file:///a', name: 'a' }] });
	});

	it('knows only its own tasks', async () => {
		await connect(() => Promise.resolve(answer));
		for (const taskId of ['nobody', 5, undefined]) {
			assert.equal(await ask('tasks/get', taskId === undefined ? {} : { taskId }), -32602);
		}
	});

	it('without a wish for a task the answer is the answer', async () => {
		await connect(() => Promise.resolve(answer));
		assert.deepEqual(await ask('sampling/createMessage', { messages, maxTokens: 10 }), answer);
	});
});
