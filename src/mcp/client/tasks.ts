/**
 * Calls that become tasks: the core tasks of 2025-11-25 and the extension of 2026-07-28, behind one
 * function that waits for the end of either.
 */
import { onAbort } from '../../base/async.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { McpError, RpcError } from '../jsonrpc/errors.js';
import type { Era } from '../wire/codec.js';
import { answerAll, type RoundTrips } from './inputRequired.js';
import type { Session } from './negotiate.js';

/** The extension's key in `capabilities.extensions`. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * Spec 2026-07-28: "task" is a resultType of the extension, and one that a client does not know from what was
 * negotiated MUST be invalid. ext-tasks: "A server that has negotiated this extension MAY" answer so. A server that
 * was never asked what it declares is believed. (Legacy calls become tasks only because we ask for that.)
 */
export function mayAnswerByTask({ era, capabilities }: Session): boolean {
	const extensions = capabilities?.['extensions'];
	return (
		era === 'legacy' || capabilities === undefined || (isObject(extensions) && isObject(extensions[tasksExtension]))
	);
}

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task in neutral words. Times are milliseconds. */
export interface TaskState {
	readonly taskId: string;
	readonly status: TaskStatus;
	/** Server-provided text. */
	readonly statusMessage: string | undefined;
	/** How often the server likes to be asked. */
	readonly pollMs: number;
}

export interface TaskOptions {
	readonly era: Era;
	readonly send: (method: string, params: JsonObject) => Promise<JsonObject>;
	readonly answer: RoundTrips['answer'];
	/** Waits, or less if the server says before that the task has changed. */
	readonly delay: (ms: number, taskId: string) => Promise<void>;
	readonly onState?: ((state: TaskState) => void) | undefined;
	readonly signal: AbortSignal | undefined;
}

const defaultPollMs = 1000;
const minPollMs = 50;
/** Longer, and timers would overflow into none at all. */
const maxPollMs = 3_600_000;

/**
 * Waits until a task has ended and gives the result of the request it was made of. Aborting the signal
 * cancels the task on the server, as the spec asks.
 * @throws RpcError if the task failed, McpError `taskCancelled` if the server ended it
 */
export async function awaitTask(task: JsonObject, options: TaskOptions): Promise<JsonObject> {
	const { signal, send } = options;
	let state = readTask(task);
	options.onState?.(state);
	const cancel = (): void => {
		// Nobody waits for the answer: the task ends by itself if this fails.
		send('tasks/cancel', { taskId: state.taskId }).catch(() => undefined);
	};
	const aborted = signal && !isTerminal(state.status) ? onAbort(signal, cancel) : undefined;
	try {
		const answered = new Set<string>();
		let latest = task;
		while (!isTerminal(state.status)) {
			if (state.status === 'input_required') {
				if (options.era === 'legacy') {
					// "SHOULD call tasks/result": the server's questions come while it waits.
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
		if (!isTerminal(state.status) && error instanceof McpError && error.failure.code === 'inputRefused') {
			// It would wait for the answer as long as it lives.
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

/** Modern: the end is told in place. Legacy: it is fetched. */
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

/** Answers what has not been answered yet: keys may be listed again while the server has not noticed. */
async function answerTask(task: JsonObject, answered: Set<string>, { send, answer }: TaskOptions): Promise<void> {
	const all = isObject(task['inputRequests']) ? task['inputRequests'] : {};
	const fresh = Object.fromEntries(Object.entries(all).filter(([key]) => !answered.has(key)));
	if (Object.keys(fresh).length > 0) {
		const inputResponses = await answerAll('tasks/get', fresh, answer);
		for (const key of Object.keys(fresh)) {
			answered.add(key);
		}
		await send('tasks/update', { taskId: task['taskId'], inputResponses });
	}
}

function readTask(task: JsonObject): TaskState {
	const { taskId, status, statusMessage, pollInterval, pollIntervalMs } = task;
	if (typeof taskId !== 'string' || !isStatus(status)) {
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

function isStatus(value: unknown): value is TaskStatus {
	return ['working', 'input_required', 'completed', 'failed', 'cancelled'].includes(value as string);
}
