/**
 * Requests of a server that it wants to have as tasks: answered at once with a task, worked on, and fetched
 * later. Spec 2025-11-25, tasks, with the client as the receiver. The modern era has no requests of servers
 * and so none of this.
 */
import { isAbort } from '../../base/errors.js';
import { type Deferred, deferred } from '../../base/async.js';
import { Owner } from '../../base/lifecycle.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Connection } from '../jsonrpc/connection.js';
import { relatedTask } from '../jsonrpc/relatedTask.js';
import type { ClientHandlers } from './handlers.js';

/** A person may take a while; a server that asks for less time gets less. */
const defaultTtlMs = 3_600_000;
const pollMs = 500;
/** More tasks at work at once than this are refused; of those that have ended, no more are kept. */
const maxTasks = 100;

interface InboundTask {
	readonly id: string;
	readonly createdAt: string;
	readonly ttl: number;
	readonly controller: AbortController;
	readonly done: Deferred<JsonObject>;
	lastUpdatedAt: string;
	status: 'working' | 'completed' | 'failed' | 'cancelled';
}

/** What to declare: only what there is a handler for. */
export function declaredTasks({ sampling, elicitation }: ClientHandlers): JsonObject {
	const elicits = elicitation?.form ?? elicitation?.url;
	return sampling || elicits
		? {
				tasks: {
					list: {},
					cancel: {},
					requests: {
						...(sampling ? { sampling: { createMessage: {} } } : {}),
						...(elicits ? { elicitation: { create: {} } } : {}),
					},
				},
			}
		: {};
}

/** The tasks of one connection. */
export class InboundTasks extends Owner {
	private readonly tasks = new Map<string, InboundTask>();
	private readonly expiry = new Map<string, ReturnType<typeof setTimeout>>();

	constructor(connection: Connection, handlers: ClientHandlers) {
		super();
		if (Object.keys(declaredTasks(handlers)).length === 0) {
			// Not declared: to such a client these methods do not exist.
			return;
		}
		connection.onRequest('tasks/get', params => Promise.resolve(describe(this.find(params))));
		connection.onRequest('tasks/list', () => Promise.resolve({ tasks: Array.from(this.tasks.values(), describe) }));
		connection.onRequest('tasks/result', params => this.result(this.find(params)));
		connection.onRequest('tasks/cancel', params => Promise.resolve(this.cancel(this.find(params))));
	}

	override dispose(): void {
		for (const task of this.tasks.values()) {
			task.controller.abort();
		}
		for (const timer of this.expiry.values()) {
			clearTimeout(timer);
		}
		super.dispose();
	}

	/** Answers a request with `work`, or with a task that does it if the request asks for one. */
	answer(
		params: JsonObject,
		signal: AbortSignal,
		work: (signal: AbortSignal) => Promise<JsonObject>,
	): Promise<JsonObject> {
		const { task: wanted } = params;
		if (!isObject(wanted)) {
			return work(signal);
		}
		const atWork = Array.from(this.tasks.values()).filter(it => it.status === 'working');
		if (atWork.length >= maxTasks) {
			throw new RpcError(RpcErrorCode.internalError, 'Too many tasks at once.');
		}
		this.forgetOldest();
		const now = new Date().toISOString();
		const { ttl } = wanted;
		const task: InboundTask = {
			// "MUST be unique", and not to be guessed by another server.
			id: crypto.randomUUID(),
			createdAt: now,
			lastUpdatedAt: now,
			ttl: typeof ttl === 'number' && ttl > 0 ? Math.min(ttl, defaultTtlMs) : defaultTtlMs,
			controller: new AbortController(),
			done: deferred(),
			status: 'working',
		};
		this.tasks.set(task.id, task);
		this.expiry.set(
			task.id,
			setTimeout(() => this.forget(task), task.ttl),
		);
		// Somebody may never fetch the failure.
		task.done.promise.catch(() => undefined);
		work(task.controller.signal).then(
			result => this.settle(task, 'completed', () => task.done.resolve(withTask(result, task))),
			(error: unknown) =>
				this.settle(task, isAbort(error) ? 'cancelled' : 'failed', () => task.done.reject(RpcError.from(error))),
		);
		return Promise.resolve({ task: describe(task) });
	}

	/** Waits for the end: "MUST block until the task reaches a terminal status". */
	private result(task: InboundTask): Promise<JsonObject> {
		return task.done.promise;
	}

	private cancel(task: InboundTask): JsonObject {
		if (task.status !== 'working') {
			throw new RpcError(RpcErrorCode.invalidParams, `The task is ${task.status} already.`);
		}
		this.settle(task, 'cancelled', () =>
			task.done.reject(new RpcError(RpcErrorCode.internalError, 'The task was cancelled.')),
		);
		task.controller.abort();
		return describe(task);
	}

	/** "Tasks in a terminal status MUST NOT transition": the first to settle decides. */
	private settle(task: InboundTask, status: InboundTask['status'], settle: () => void): void {
		if (task.status === 'working') {
			task.status = status;
			task.lastUpdatedAt = new Date().toISOString();
			settle();
		}
	}

	/** Makes room where too many that have ended are kept. */
	private forgetOldest(): void {
		const ended = Array.from(this.tasks.values()).filter(it => it.status !== 'working');
		for (const task of ended.slice(0, Math.max(0, ended.length - maxTasks + 1))) {
			this.forget(task);
		}
	}

	private forget(task: InboundTask): void {
		task.controller.abort();
		this.tasks.delete(task.id);
		clearTimeout(this.expiry.get(task.id));
		this.expiry.delete(task.id);
	}

	private find({ taskId }: JsonObject): InboundTask {
		const task = typeof taskId === 'string' ? this.tasks.get(taskId) : undefined;
		if (!task) {
			throw new RpcError(RpcErrorCode.invalidParams, 'There is no such task.');
		}
		return task;
	}
}

function describe({ id, status, createdAt, lastUpdatedAt, ttl }: InboundTask): JsonObject {
	return { taskId: id, status, createdAt, lastUpdatedAt, ttl, pollInterval: pollMs };
}

/** "MUST include the related-task metadata" in what `tasks/result` gives. */
function withTask(result: JsonObject, { id }: InboundTask): JsonObject {
	const meta = isObject(result['_meta']) ? result['_meta'] : {};
	return { ...result, _meta: { ...meta, [relatedTask]: { taskId: id } } };
}
