/**
 * Completes one request on one connection: the rounds of input, the task that it may become, and one retry if its
 * stream breaks.
 */
import { delay } from '../../base/async.js';
import type { Event } from '../../base/lifecycle.js';
import type { RequestOptions } from '../jsonrpc/requestOptions.js';
import { hasFailure, McpError } from '../jsonrpc/errors.js';
import type { JsonObject, RequestId } from '../jsonrpc/messages.js';
import { answerInput, type ClientHandlers } from './handlers.js';
import { finishRounds, type RoundTrips } from './inputRequired.js';
import type { NegotiatedConnection } from './negotiatedConnection.js';
import type { Session } from './negotiate.js';
import { awaitTask, mayAnswerByTask, type TaskState } from './tasks.js';

export interface TaskWait {
	readonly signal?: AbortSignal | undefined;
	/** Receives each state of the task. */
	readonly onTask?: ((state: TaskState) => void) | undefined;
}

/** `onTask` matters only to calls that become tasks. */
export interface CallOptions extends Omit<RequestOptions, 'timeoutMs'>, TaskWait {
	/** As in RequestOptions. Default: the client's time-out. */
	readonly timeoutMs?: number;
}

export interface OwnCallOptions extends CallOptions {
	/** Called when the server has asked for input, before the retry. */
	readonly onRetry?: () => void;
	/** The only session in which the request may be sent; in any other one it fails with McpError `sessionLost`. */
	readonly session?: Session | undefined;
}

/** The options of a call, completed with the client's defaults. */
export type SentOptions = OwnCallOptions & RequestOptions;

/** The connection for requests, and what is needed to complete them. */
export interface RequestContext {
	readonly link: NegotiatedConnection;
	readonly session: Session;
	readonly handlers: ClientHandlers;
	/** Milliseconds for each request about a task. */
	readonly timeoutMs: number;
	/** Carries the id of a task whose state may have changed. */
	readonly onDidChangeTask: Event<string>;
}

/** @throws RpcError, McpError or AbortError; `invalidResult` if anything but a tool call becomes a task */
export async function completeRequest(
	context: RequestContext,
	method: string,
	params: JsonObject,
	options: SentOptions,
): Promise<JsonObject> {
	const isCall = method === 'tools/call';
	// Spec 2025-11-25, tasks: the progress token of a call stays valid while its task runs.
	const ids: RequestId[] = [];
	const sent =
		isCall && options.onProgress
			? { ...options, followsProgress: true, onId: (id: RequestId) => ids.push(id) }
			: options;
	try {
		let reply = await send(context, method, params, sent);
		// The path of nearly every request.
		if (reply.kind === 'complete') {
			return reply.result;
		}
		const { onRetry, signal } = options;
		reply = await finishRounds(method, params, reply, {
			send: next => send(context, method, next, sent),
			answer: answerer(context, signal),
			delay: ms => delay(ms, signal),
			onRetry,
		});
		if (reply.kind === 'complete') {
			return reply.result;
		}
		if (!isCall || !mayAnswerByTask(context.session)) {
			const why = isCall ? 'a task of a server that has none' : 'it may not become a task';
			throw new McpError({ code: 'invalidResult', method, why });
		}
		return await completeTask(context, reply.task, options);
	} finally {
		for (const id of ids) {
			context.link.connection.endProgress(id);
		}
	}
}

/** Waits for the result of a task, whichever client has begun it. */
export function completeTask(
	context: RequestContext,
	task: JsonObject,
	{ onTask, signal }: TaskWait,
): Promise<JsonObject> {
	const { link, session, timeoutMs, onDidChangeTask } = context;
	return awaitTask(task, {
		era: session.era,
		answer: answerer(context, signal),
		delay: (ms, taskId) => untilChange(onDidChangeTask, taskId, ms, signal),
		onState: onTask,
		signal,
		send: async (taskMethod, taskParams) => {
			// Other requests ignore the signal: an abort sends `tasks/cancel`, which must not be aborted too.
			const wait = taskMethod === 'tasks/result' ? { timeoutMs: 0, signal } : { timeoutMs };
			const reply = await link.request(taskMethod, taskParams, wait);
			return reply.kind === 'complete' ? reply.result : reply.kind === 'task' ? reply.task : {};
		},
	});
}

function answerer({ handlers }: RequestContext, signal: AbortSignal | undefined): RoundTrips['answer'] {
	return (method, params, useless) =>
		answerInput(handlers, method, params, signal ? AbortSignal.any([signal, useless]) : useless);
}

/**
 * Spec 2026-07-28, transports: a request whose stream broke is sent again as a new request. Tool calls are not sent
 * again, because their effects may have happened already.
 */
function send(
	{ link, session }: RequestContext,
	method: string,
	params: JsonObject,
	options: RequestOptions,
): ReturnType<NegotiatedConnection['request']> {
	const sent = link.request(method, params, options);
	if (session.era === 'legacy' || method === 'tools/call') {
		return sent;
	}
	return sent.catch((error: unknown) => {
		if (hasFailure(error, 'network')) {
			return link.request(method, params, options);
		}
		throw error;
	});
}

/** Waits `ms` milliseconds, or until the server says that the task has changed. */
async function untilChange(
	onDidChangeTask: Event<string>,
	taskId: string,
	ms: number,
	signal: AbortSignal | undefined,
): Promise<void> {
	const over = new AbortController();
	const both = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
	const listening = onDidChangeTask(id => {
		if (id === taskId) {
			over.abort();
		}
	});
	try {
		await delay(ms, both);
	} catch (error) {
		if (signal?.aborted || !over.signal.aborted) {
			throw error;
		}
	} finally {
		listening.dispose();
	}
}
