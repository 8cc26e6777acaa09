/** Answers the requests of legacy servers with the handlers of `handlers.ts`. */
import { isAbort } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { Connection } from '../jsonrpc/connection.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { type JsonObject, relatedTask, toObject, withRelatedTask } from '../jsonrpc/messages.js';
import { answerInput, type ClientHandlers, inputMethods } from './handlers.js';
import { InboundTasks } from './inboundTasks.js';

/** Answers every request that has a handler: with the result, or with a task if the server asks for one. */
export function answerRequests(connection: Connection, handlers: ClientHandlers): Disposable {
	const tasks = new InboundTasks(connection, handlers);
	for (const [method, handler] of Object.entries(inputMethods)) {
		if (!handlers[handler]) {
			continue;
		}
		connection.onRequest(method, async (params, signal) => {
			const work = async (own: AbortSignal): Promise<JsonObject> =>
				withTaskOf(params, await answerOrCancel(handlers, method, params, own));
			// Spec 2025-11-25, tasks: a request type without the capability MUST be answered "normally, ignoring any
			// task-augmentation".
			return method === 'roots/list' ? work(signal) : tasks.answer(params, signal, work);
		});
	}
	return tasks;
}

/**
 * Sends an answer even if the signal aborts because the call behind the request was cancelled: the server still waits
 * for one.
 */
async function answerOrCancel(
	handlers: ClientHandlers,
	method: string,
	params: JsonObject,
	signal: AbortSignal,
): Promise<JsonObject> {
	try {
		return await answerInput(handlers, method, params, signal);
	} catch (error) {
		if (!isAbort(error) || !signal.aborted) {
			throw error;
		}
		if (method === 'elicitation/create') {
			return { action: 'cancel' };
		}
		throw new RpcError(RpcErrorCode.internalError, 'The call was cancelled.');
	}
}

/** Spec 2025-11-25, tasks: every message about a task names the task. An answer names the task of its request. */
function withTaskOf(params: JsonObject, result: JsonObject): JsonObject {
	const task = toObject(params['_meta'])[relatedTask];
	return task === undefined ? result : withRelatedTask(result, task);
}
