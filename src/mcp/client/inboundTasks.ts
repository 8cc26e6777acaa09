/**
 * Requests of a server that ask for a task: the response is a task at once, and the server gets the result later.
 * Spec 2025-11-25, tasks, with the client as the receiver. The modern era has no requests of servers.
 */
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { type Deferred, deferred } from '../../base/async.js';
import { Owner } from '../../base/lifecycle.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject, withRelatedTask } from '../jsonrpc/messages.js';
import type { Connection } from '../jsonrpc/connection.js';
import type { ClientHandlers } from './handlers.js';

const pollMs = 500;
/** Limits the unfinished tasks; further requests are refused. As many finished tasks are kept, until the connection ends. */
const maxTasks = 100;

interface InboundTask {
	readonly id: string;
	readonly createdAt: string;
	readonly controller: AbortController;
	readonly done: Deferred<JsonObject>;
	lastUpdatedAt: string;
	status: 'working' | 'completed' | 'failed' | 'cancelled';
}

/** The capability to declare; empty without handlers. */
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

	constructor(connection: Connection, handlers: ClientHandlers) {
		super();
		if (Object.keys(declaredTasks(handlers)).length === 0) {
			// Without the capability, these methods do not exist.
			return;
		}
		connection.onRequest('tasks/get', params => Promise.resolve(describeTask(this.find(params))));
		connection.onRequest('tasks/list', () => Promise.resolve({ tasks: Array.from(this.tasks.values(), describeTask) }));
		// "MUST block until the task reaches a terminal status".
		connection.onRequest('tasks/result', params => this.find(params).done.promise);
		connection.onRequest('tasks/cancel', params => Promise.resolve(this.cancel(this.find(params))));
	}

	override dispose(): void {
		for (const task of this.tasks.values()) {
			task.controller.abort();
		}
		super.dispose();
	}

	/** Answers a request with the result of `work`, or with a task that does the work if the request asks for a task. */
	answer(
		params: JsonObject,
		signal: AbortSignal,
		work: (signal: AbortSignal) => Promise<JsonObject>,
	): Promise<JsonObject> {
		if (!isObject(params['task'])) {
			return work(signal);
		}
		const atWork = Array.from(this.tasks.values()).filter(it => it.status === 'working');
		if (atWork.length >= maxTasks) {
			throw new RpcError(RpcErrorCode.internalError, 'Too many tasks at once.');
		}
		this.forgetOldest();
		const now = new Date(clock.now()).toISOString();
		const task: InboundTask = {
			// Spec: "MUST be unique". Another server must not be able to guess the id.
			id: crypto.randomUUID(),
			createdAt: now,
			lastUpdatedAt: now,
			controller: new AbortController(),
			done: deferred(),
			status: 'working',
		};
		this.tasks.set(task.id, task);
		// The server may never ask for the result, so a failure needs a handler.
		task.done.promise.catch(() => undefined);
		work(task.controller.signal).then(
			// "MUST include the related-task metadata".
			result => this.settle(task, 'completed', () => task.done.resolve(withRelatedTask(result, { taskId: task.id }))),
			(error: unknown) =>
				this.settle(task, isAbort(error) ? 'cancelled' : 'failed', () => task.done.reject(RpcError.from(error))),
		);
		return Promise.resolve({ task: describeTask(task) });
	}

	private cancel(task: InboundTask): JsonObject {
		if (task.status !== 'working') {
			throw new RpcError(RpcErrorCode.invalidParams, `The task is ${task.status} already.`);
		}
		this.settle(task, 'cancelled', () =>
			task.done.reject(new RpcError(RpcErrorCode.internalError, 'The task was cancelled.')),
		);
		task.controller.abort();
		return describeTask(task);
	}

	/** Ends a task unless it has ended: "Tasks in a terminal status MUST NOT transition". */
	private settle(task: InboundTask, status: InboundTask['status'], settle: () => void): void {
		if (task.status === 'working') {
			task.status = status;
			task.lastUpdatedAt = new Date(clock.now()).toISOString();
			settle();
		}
	}

	/** Drops the oldest finished tasks above the limit. */
	private forgetOldest(): void {
		const ended = Array.from(this.tasks.values()).filter(it => it.status !== 'working');
		for (const task of ended.slice(0, Math.max(0, ended.length - maxTasks + 1))) {
			this.tasks.delete(task.id);
		}
	}

	private find({ taskId }: JsonObject): InboundTask {
		const task = typeof taskId === 'string' ? this.tasks.get(taskId) : undefined;
		if (!task) {
			throw new RpcError(RpcErrorCode.invalidParams, 'There is no such task.');
		}
		return task;
	}
}

function describeTask({ id, status, createdAt, lastUpdatedAt }: InboundTask): JsonObject {
	return { taskId: id, status, createdAt, lastUpdatedAt, ttl: null, pollInterval: pollMs };
}
