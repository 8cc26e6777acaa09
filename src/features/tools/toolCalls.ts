/** Making the call: with progress and Cancel where the person looks, as a task where the server wants that. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import { type Client, type JsonObject, McpError, type Progress, type Tool, type ToolResult } from '../../mcp/index.js';
import type { TaskState } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { assertEnabled } from '../../core/calls/toolAccess.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { Patience } from './patience.js';
import { type ReportProgress, withProgress } from '../../editor/ui/progress.js';
import { type FollowTask, OpenTasks } from './openTasks.js';

/** Who waits for its end. */
export interface CallFollower {
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
	/** A person waits, and is asked at the time-out instead of being told. */
	readonly isPatient: boolean;
}

export interface ToolCallsDeps {
	readonly registry: ServerRegistry;
	readonly pending: PendingRequests;
	/** Of the workspace. */
	readonly state: KeptState;
	/**
	 * Whether a call that was sent at a time (milliseconds since 1970) may be without an answer because its server waits for
	 * the person or a model: the time-out prompt is postponed.
	 */
	readonly isSilenceExpected: (server: Server, sentAt: number) => boolean;
}

export class ToolCalls extends Owner {
	private readonly tasks: OpenTasks;

	/** @param follow shows the end of a task that an earlier session has left */
	constructor(
		private readonly deps: ToolCallsDeps,
		follow: FollowTask,
	) {
		super();
		this.tasks = this.own(new OpenTasks(deps.registry, deps.state, follow));
	}

	/** @throws RpcError, McpError; AbortError if the person or the signal cancels it */
	async call(
		server: Server,
		tool: Tool,
		args: JsonObject,
		caller: Caller,
		{ signal: outer, onProgress: tell, isPatient = false }: Partial<CallFollower> = {},
	): Promise<ToolResult> {
		// It may have been switched off while the arguments were typed.
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
	 * The end of a task that was begun before.
	 * @param onKnown the server knows it
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

	/** @param timeoutMs of silence after which the person is asked; 0 for never */
	private async shown(
		server: Server,
		tool: string,
		timeoutMs: number,
		work: (signal: AbortSignal, report: ReportProgress) => Promise<ToolResult>,
	): Promise<ToolResult> {
		const { registry, pending, isSilenceExpected } = this.deps;
		const startedAt = Date.now();
		const title = `${notificationText(registry.label(server))}: ${notificationText(tool)}`;
		const gaveUp = new AbortController();
		const patience = new Patience(
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
						patience.heard();
						report(progress);
					}),
				() => pending.mayHoldUp(server.definition, startedAt),
			);
		} catch (error) {
			// What a person gives up at the time-out has timed out; what they cancel is nobody's failure.
			const isTimeout = isAbort(error) && gaveUp.signal.aborted;
			throw isTimeout ? new McpError({ code: 'timeout', method: 'tools/call', ms: timeoutMs }) : error;
		} finally {
			patience.dispose();
		}
	}
}

function timeoutOf(server: Server, client: Client, tool: string): number {
	const { toolTimeoutsMs } = server.options;
	return Object.hasOwn(toolTimeoutsMs, tool) ? (toolTimeoutsMs[tool] ?? 0) : client.requestTimeoutMs;
}

/** It may have stopped while the person was filling in the form. */
function runningClient(server: Server): Client {
	const { client } = server;
	if (!client) {
		throw new Error(vscode.l10n.t('The server is not running any more.'));
	}
	return client;
}
