/** What a server of the legacy era asks us by requests of its own: the other carrier of what `handlers.ts` answers. */
import { isAbort } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { Connection } from '../jsonrpc/connection.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { relatedTask } from '../jsonrpc/relatedTask.js';
import { answerInput, type ClientHandlers, inputMethods } from './handlers.js';
import { InboundTasks } from './inboundTasks.js';

/** Answers what there is a handler for, at once or as a task, as the server likes it. */
export function answerRequests(connection: Connection, handlers: ClientHandlers): Disposable {
	const tasks = new InboundTasks(connection, handlers);
	for (const method of inputMethods.filter(it => isAnswered(it, handlers))) {
		connection.onRequest(method, async (params, signal) => {
			const work = async (own: AbortSignal): Promise<JsonObject> =>
				withTaskOf(params, await answerOrCancel(handlers, method, params, own));
			// Spec 2025-11-25, tasks: what was not declared MUST be answered "normally, ignoring any task-augmentation".
			return method === 'roots/list' ? work(signal) : tasks.answer(params, signal, work);
		});
	}
	return tasks;
}

/** Answers also if the signal aborts because the call that caused the request was cancelled: the server still waits. */
async function answerOrCancel(
	handlers: ClientHandlers,
	method: (typeof inputMethods)[number],
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

function isAnswered(method: (typeof inputMethods)[number], handlers: ClientHandlers): boolean {
	switch (method) {
		case 'roots/list':
			return handlers.roots !== undefined;
		case 'sampling/createMessage':
			return handlers.sampling !== undefined;
		case 'elicitation/create':
			return handlers.elicitation !== undefined;
	}
}

/**
 * Spec 2025-11-25, tasks: what is said because of a task names it. The server's question does, so must the
 * answer.
 */
function withTaskOf(params: JsonObject, result: JsonObject): JsonObject {
	const task = isObject(params['_meta']) ? params['_meta'][relatedTask] : undefined;
	const own = isObject(result['_meta']) ? result['_meta'] : {};
	return task === undefined ? result : { ...result, _meta: { ...own, [relatedTask]: task } };
}
