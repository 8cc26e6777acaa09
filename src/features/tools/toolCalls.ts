/** Sends tool calls, with progress, time-out and Cancel. A call can become a task, whose end is waited for. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import { type Client, type JsonObject, McpError, type Progress, type Tool, type ToolResult } from '../../mcp/index.js';
import type { TaskState } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { assertEnabled } from '../../core/calls/toolAccess.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { TimeoutPrompt } from './timeoutPrompt.js';
import { type ReportProgress, withProgress } from '../../editor/ui/progress.js';
import { type FollowTask, OpenTasks } from './openTasks.js';

/** Receives the progress of a call, and can cancel it. */
export interface CallFollower {
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
	/** At the time-out, the person is asked whether to cancel the call. Otherwise the call fails. */
	readonly promptsOnTimeout: boolean;
}

export interface ToolCallsDeps {
	readonly registry: ServerRegistry;
	readonly pending: PendingRequests;
	/** State of the workspace. */
	readonly state: VersionedState;
	/**
	 * Whether a call that was sent at a time (milliseconds since 1970) may be without an answer because its server waits
	 * for the person or a model: the time-out prompt is postponed.
	 */
	readonly isSilenceExpected: (server: Server, sentAt: number) => boolean;
}

export class ToolCalls extends Owner {
	private readonly tasks: OpenTasks;

	/** @param follow shows the end of a task of an earlier session */
	constructor(
		private readonly deps: ToolCallsDeps,
		follow: FollowTask,
	) {
		super();
		this.tasks = this.own(new OpenTasks(deps.registry, deps.state, follow));
	}

	/** Sends a call. @throws RpcError, McpError; AbortError if the person or the signal cancels the call */
	async call(
		server: Server,
		tool: Tool,
		args: JsonObject,
		caller: Caller,
		{ signal: outer, onProgress: tell, promptsOnTimeout: isPatient = false }: Partial<CallFollower> = {},
	): Promise<ToolResult> {
		// The tool may have been disabled while the person entered arguments.
		assertEnabled(server, tool.name);
		const client = runningClient(server);
		const timeoutMs = timeoutOf(server, client, tool.name);
		return this.shown(server, tool.name, isPatient ? timeoutMs : 0, async (own, report) => {
			const signal = outer ? AbortSignal.any([own, outer]) : own;
			let taskId: string | undefined;
			const onTask = (state: TaskState): void => {
				({ taskId } = state);
				report(state.statusMessage === undefined ? {} : { message: state.statusMessage });
				void this.tasks.opened(server, tool, taskId, args, caller);
			};
			const onProgress = (progress: Progress): void => {
				report(progress);
				tell?.(progress);
			};
			let error: unknown;
			try {
				return await client.callTool(tool, args, { signal, onProgress, onTask, timeoutMs: isPatient ? 0 : timeoutMs });
			} catch (it) {
				error = it;
				throw it;
			} finally {
				if (taskId !== undefined) {
					await this.tasks.ended(server, taskId, error);
				}
			}
		});
	}

	/**
	 * Waits for a task of an earlier session.
	 * @param onKnown called if the server knows the task
	 * @throws as `call`
	 */
	async resume(server: Server, tool: string, taskId: string, onKnown: () => void): Promise<ToolResult> {
		const client = runningClient(server);
		return this.shown(server, tool, 0, (signal, report) =>
			client.resumeTask(taskId, {
				signal,
				onTask: ({ statusMessage: message }) => {
					onKnown();
					report(message === undefined ? {} : { message });
				},
			}),
		);
	}

	/** Shows work as progress. @param timeoutMs without a message until the person is asked; 0 for never */
	private async shown(
		server: Server,
		tool: string,
		timeoutMs: number,
		work: (signal: AbortSignal, report: ReportProgress) => Promise<ToolResult>,
	): Promise<ToolResult> {
		const { registry, pending, isSilenceExpected } = this.deps;
		const startedAt = clock.now();
		const title = `${notificationText(registry.label(server))}: ${notificationText(tool)}`;
		const gaveUp = new AbortController();
		const timeoutPrompt = new TimeoutPrompt(
			title,
			timeoutMs,
			() => isSilenceExpected(server, startedAt),
			() => gaveUp.abort(),
		);
		try {
			return await withProgress(
				title,
				(signal, report) =>
					work(AbortSignal.any([signal, gaveUp.signal]), progress => {
						timeoutPrompt.heard();
						report(progress);
					}),
				() => pending.mayHoldUp(server.definition, startedAt),
			);
		} catch (error) {
			// Only a cancellation at the time-out counts as a failed call.
			const isTimeout = isAbort(error) && gaveUp.signal.aborted;
			throw isTimeout ? new McpError({ code: 'timeout', method: 'tools/call', ms: timeoutMs }) : error;
		} finally {
			timeoutPrompt.dispose();
		}
	}
}

function timeoutOf(server: Server, client: Client, tool: string): number {
	const { toolTimeoutsMs } = server.options;
	return Object.hasOwn(toolTimeoutsMs, tool) ? (toolTimeoutsMs[tool] ?? 0) : client.requestTimeoutMs;
}

/** @throws Error with a message for the person if the server has stopped in the meantime */
function runningClient(server: Server): Client {
	const { client } = server;
	if (!client) {
		throw new Error(vscode.l10n.t('The server is no longer running.'));
	}
	return client;
}
