/** Waits for tool calls that have become tasks: the core tasks of 2025-11-25 and the extension of 2026-07-28. */
import { onAbort } from '../../base/async.js';
import { isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import { hasFailure, McpError, RpcError } from '../jsonrpc/errors.js';
import type { Era } from '../wire/codec.js';
import { answerAll, type RoundTrips } from './inputRequired.js';
import type { Session } from './negotiate.js';

/** The extension's key in `capabilities.extensions`. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * Spec 2026-07-28: "task" is a resultType of the extension; a resultType that was not negotiated MUST be invalid.
 * ext-tasks: "A server that has negotiated this extension MAY" answer with a task. A server whose capabilities are
 * unknown is trusted. Legacy calls become tasks only if we ask for that.
 */
export function mayAnswerByTask({ era, capabilities }: Session): boolean {
	const extensions = capabilities?.['extensions'];
	return (
		era === 'legacy' || capabilities === undefined || (isObject(extensions) && isObject(extensions[tasksExtension]))
	);
}

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof statuses)[number];

/** The state of a task, in either era. */
export interface TaskState {
	readonly taskId: string;
	readonly status: TaskStatus;
	/** Text of the server. */
	readonly statusMessage: string | undefined;
	/** Milliseconds that the server asks us to wait between two polls. */
	readonly pollMs: number;
}

export interface TaskOptions {
	readonly era: Era;
	readonly send: (method: string, params: JsonObject) => Promise<JsonObject>;
	readonly answer: RoundTrips['answer'];
	/** Waits `ms` milliseconds, or until the server says that the task has changed. */
	readonly delay: (ms: number, taskId: string) => Promise<void>;
	readonly onState?: ((state: TaskState) => void) | undefined;
	readonly signal: AbortSignal | undefined;
}

const defaultPollMs = 1000;
const minPollMs = 50;
/** Timers that are longer than 2^31 ms fire at once. */
const maxPollMs = 3_600_000;

/**
 * Waits for the result of a task. Aborting the signal cancels the task on the server, as the spec requires.
 * @throws RpcError if the task failed, McpError `taskCancelled` if the server cancelled it
 */
export async function awaitTask(task: JsonObject, options: TaskOptions): Promise<JsonObject> {
	const { signal, send } = options;
	let state = readTask(task);
	options.onState?.(state);
	const cancel = (): void => {
		// The response does not matter: a task that can't be cancelled ends by itself.
		send('tasks/cancel', { taskId: state.taskId }).catch(() => undefined);
	};
	const aborted = signal && !isTerminal(state.status) ? onAbort(signal, cancel) : undefined;
	try {
		const answered = new Set<string>();
		let latest = task;
		while (!isTerminal(state.status)) {
			if (state.status === 'input_required') {
				if (options.era === 'legacy') {
					// Spec: "SHOULD call tasks/result". The server sends its requests while that one waits.
					break;
				}
				await answerTask(latest, answered, options);
			}
			await options.delay(state.pollMs, state.taskId);
			latest = await send('tasks/get', { taskId: state.taskId });
			state = readTask(latest);
			options.onState?.(state);
		}
		return await resultOf(state, latest, options);
	} catch (error) {
		if (!isTerminal(state.status) && hasFailure(error, 'inputRefused')) {
			// Without an answer, the task would wait until it expires.
			cancel();
		}
		throw error;
	} finally {
		aborted?.dispose();
	}
}

function isTerminal(status: TaskStatus): boolean {
	return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** In the modern era, the last state holds the result. In the legacy era, the result is requested. */
async function resultOf(state: TaskState, latest: JsonObject, { era, send }: TaskOptions): Promise<JsonObject> {
	const { taskId } = state;
	if (era === 'legacy') {
		return send('tasks/result', { taskId });
	}
	const { result, error } = latest;
	if (state.status === 'completed' && isObject(result)) {
		return result;
	}
	if (isObject(error) && typeof error['code'] === 'number') {
		const { message } = error;
		throw new RpcError(error['code'], typeof message === 'string' ? message : '', error['data']);
	}
	if (state.status === 'cancelled') {
		throw new McpError({ code: 'taskCancelled', taskId });
	}
	throw new McpError({
		code: 'invalidResult',
		method: 'tasks/get',
		why: `a task that is ${state.status} has no result`,
	});
}

/** Answers new input requests. The server may list a request again before it has read the answer. */
async function answerTask(task: JsonObject, answered: Set<string>, { send, answer }: TaskOptions): Promise<void> {
	const requests = Object.entries(toObject(task['inputRequests']));
	const fresh = Object.fromEntries(requests.filter(([key]) => !answered.has(key)));
	if (Object.keys(fresh).length > 0) {
		const inputResponses = await answerAll('tasks/get', fresh, answer);
		for (const key of Object.keys(fresh)) {
			answered.add(key);
		}
		await send('tasks/update', { taskId: task['taskId'], inputResponses });
	}
}

function readTask(task: JsonObject): TaskState {
	const { taskId, statusMessage, pollInterval, pollIntervalMs } = task;
	const status = statuses.find(it => it === task['status']);
	if (typeof taskId !== 'string' || !status) {
		throw new McpError({ code: 'invalidResult', method: 'tasks/get', why: 'no task' });
	}
	const poll = pollIntervalMs ?? pollInterval;
	return {
		taskId,
		status,
		statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
		pollMs:
			typeof poll === 'number' && Number.isFinite(poll)
				? Math.min(maxPollMs, Math.max(minPollMs, poll))
				: defaultPollMs,
	};
}
