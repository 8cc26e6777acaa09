/** Answers the requests of legacy servers with the handlers of `handlers.ts`. */
import { isAbort } from '../../base/errors.js';
import type { Connection } from '../jsonrpc/connection.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { type JsonObject, relatedTask, toObject } from '../jsonrpc/messages.js';
import { answerInput, type ClientHandlers, inputMethods } from './handlers.js';

/**
 * Answers every request that has a handler. We declare no tasks: spec 2025-11-25, tasks, has such requests answered
 * "normally, ignoring any task-augmentation".
 */
export function answerRequests(connection: Connection, handlers: ClientHandlers): void {
	for (const [method, handler] of Object.entries(inputMethods)) {
		if (handlers[handler]) {
			connection.onRequest(method, async (params, signal) =>
				withTaskOf(params, await answerOrCancel(handlers, method, params, signal)),
			);
		}
	}
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
	return task === undefined ? result : { ...result, _meta: { ...toObject(result['_meta']), [relatedTask]: task } };
}
