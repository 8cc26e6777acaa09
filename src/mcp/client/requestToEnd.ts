/**
 * A request to its very end, on one link: the rounds of input it takes, the task it may become, and, where
 * its stream broke, once more.
 */
import { delay } from '../../base/async.js';
import type { Event } from '../../base/lifecycle.js';
import type { RequestOptions } from '../jsonrpc/requestOptions.js';
import { McpError } from '../jsonrpc/errors.js';
import type { JsonObject, RequestId } from '../jsonrpc/messages.js';
import { answerInput, type ClientHandlers } from './handlers.js';
import { finishRounds, type RoundTrips } from './inputRequired.js';
import type { Link } from './link.js';
import type { Session } from './negotiate.js';
import { awaitTask, mayAnswerByTask, type TaskState } from './tasks.js';

export interface TaskWait {
	readonly signal?: AbortSignal | undefined;
	/** Told of each state of the task. */
	readonly onTask?: ((state: TaskState) => void) | undefined;
}

/** `onTask` is for calls that become tasks. */
export interface CallOptions extends Omit<RequestOptions, 'timeoutMs'>, TaskWait {
	/** As in RequestOptions; the client's time-out unless given. */
	readonly timeoutMs?: number;
}

export interface OwnCallOptions extends CallOptions {
	/** Told when the server asked for input and is asked again. */
	readonly onRetry?: () => void;
	/** Send it in this session or not at all: then McpError `sessionLost`. */
	readonly session?: Session | undefined;
}

/** With the client's defaults. */
export type SentOptions = OwnCallOptions & RequestOptions;

/** Where and by which rules requests are sent. */
export interface RequestContext {
	readonly link: Link;
	readonly session: Session;
	readonly handlers: ClientHandlers;
	/** Milliseconds for one message of those that a task takes. */
	readonly timeoutMs: number;
	/** The id of a task whose state has changed. */
	readonly onDidChangeTask: Event<string>;
}

/**
 * @throws RpcError, McpError or AbortError: whatever came in between; `invalidResult` if anything but a call
 * became a task
 */
export async function requestToEnd(
	context: RequestContext,
	method: string,
	params: JsonObject,
	options: SentOptions,
): Promise<JsonObject> {
	const isCall = method === 'tools/call';
	// Spec 2025-11-25, tasks: the progress token of a call is valid as long as the task that it has become.
	const ids: RequestId[] = [];
	const sent =
		isCall && options.onProgress
			? { ...options, followsProgress: true, onId: (id: RequestId) => ids.push(id) }
			: options;
	try {
		let reply = await send(context, method, params, sent);
		// Nearly every request ends here.
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
		return await taskToEnd(context, reply.task, options);
	} finally {
		for (const id of ids) {
			context.link.connection.endProgress(id);
		}
	}
}

/** Waits for the end of a task that was begun before, by this client or by another. */
export function taskToEnd(
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
			// The task has its own time; the signal is what cancels it, not what keeps us from saying so.
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
 * Spec 2026-07-28, transports: what a broken stream has lost is asked for again as a new request. Not a
 * tool, though: nobody knows what it has done already.
 */
function send(
	{ link, session }: RequestContext,
	method: string,
	params: JsonObject,
	options: RequestOptions,
): ReturnType<Link['request']> {
	const sent = link.request(method, params, options);
	if (session.era === 'legacy' || method === 'tools/call') {
		return sent;
	}
	return sent.catch((error: unknown) => {
		if (error instanceof McpError && error.failure.code === 'network') {
			return link.request(method, params, options);
		}
		throw error;
	});
}

/** Waits, but not past the moment the server says that there is news. */
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
