/** Runs tools: makes the call by `Calls`, which decides it, and shows the outcome on the page of the tool. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import {
	type Client,
	isObject,
	type JsonObject,
	McpError,
	type Progress,
	type TaskState,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import type { AnsweredCall, Call, CallEnd, CallOutcome, Calls, SentResult } from '../../core/calls/calls.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { CallOrigin } from '../../core/messages/wireRecord.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { itemsOf, toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerWarning } from '../../core/servers/serverState.js';
import { resultSource } from '../../core/text/jsonSource.js';
import { CallDeniedError } from '../../core/calls/toolAccess.js';
import { CallerError } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { describeError } from '../../editor/l10n/messages.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { type Task, withProgress } from '../../editor/ui/progress.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { LastArguments } from './lastArguments.js';
import { isEnd, type OpenTask, OpenTasks } from './openTasks.js';
import type { PageRun } from '../../editor/pages/runPage.js';

/** Receives the progress of a call, and can cancel it. */
export interface CallFollower {
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
	/** Parameters of the call besides its name and arguments. */
	readonly others?: JsonObject | undefined;
	/** At the time-out, the person is asked whether to cancel the call. Otherwise the call fails. */
	readonly promptsOnTimeout: boolean;
}

export interface RunnerDeps {
	readonly registry: ServerRegistry;
	readonly last: LastArguments;
	readonly calls: Calls;
	/** Shows the outcome of a call that wasn't made from the page of its tool. */
	readonly showOutcome: (call: CallOutcome) => void;
	/** State of the workspace. */
	readonly state: EditorState;
	/**
	 * Whether a call that was sent at a time (milliseconds since 1970) may be without an answer because its server waits
	 * for the person or a model: the time-out prompt is postponed.
	 */
	readonly isSilenceExpected: (server: Server, sentAt: number) => boolean;
	readonly pending: PendingRequests;
}

export class ToolRunner extends Owner {
	private readonly tasks: OpenTasks;

	constructor(private readonly deps: RunnerDeps) {
		super();
		const { registry, state } = deps;
		this.tasks = this.own(new OpenTasks(registry, state, (server, task) => this.followTask(server, task)));
	}

	/**
	 * Runs a tool with the arguments of its page, where its progress and its outcome are shown. The arguments are kept.
	 * @throws as `run`
	 */
	async runInPage(server: Server, tool: Tool, args: JsonObject, pageRun: PageRun): Promise<void> {
		try {
			await this.run(server, tool, args, { kind: 'person' }, pageRun);
		} finally {
			await this.deps.last.keep(server, tool, args);
		}
	}

	/**
	 * Makes a call and shows its outcome, unless it was denied, or cancelled before it was sent.
	 * @param pageRun the page that shows the call, if it was made from the page of the tool
	 * @throws AbortError if the person cancelled the call before it was sent
	 */
	private async run(server: Server, tool: Tool, args: JsonObject, caller: Caller, pageRun?: PageRun): Promise<void> {
		const { calls, registry } = this.deps;
		const id = pageRun?.id ?? crypto.randomUUID();
		const call: Call = { id, caller, server, tool: tool.name, arguments: args };
		const startedAt = clock.now();
		let isAllowed = false;
		let warnings: readonly ServerWarning[] | undefined;
		const following = calls.onDidCall(({ id, end }) => {
			warnings = id === call.id && 'warnings' in end ? end.warnings : warnings;
		});
		try {
			const made = await calls.make(
				call,
				(sent, current, _, signal) => {
					isAllowed = true;
					return this.send(call, current, sent, { signal, promptsOnTimeout: true }, pageRun?.onProgress);
				},
				pageRun?.signal,
			);
			this.showResult(call, made, pageRun);
		} catch (error) {
			if (error instanceof CallDeniedError) {
				await showDenial(registry.label(server), server, error);
			} else if (!isAllowed && isAbort(error)) {
				throw error;
			} else {
				this.showFailure(call, tool, startedAt, error, warnings, pageRun);
			}
		} finally {
			following.dispose();
		}
	}

	private showResult(call: Call, made: AnsweredCall, pageRun?: PageRun): void {
		const { result, text, schemaCheck, warnings, ...sent } = made;
		this.show(call, sent, { kind: 'answered', result, text, schemaCheck, warnings }, pageRun);
	}

	/** @param startedAt milliseconds since 1970 */
	private showFailure(
		call: Call,
		tool: Tool,
		startedAt: number,
		error: unknown,
		warnings: readonly ServerWarning[] = [],
		pageRun?: PageRun,
	): void {
		const sent = { tool, arguments: call.arguments, durationMs: clock.now() - startedAt };
		const end: CallEnd = isAbort(error) ? { kind: 'cancelled', warnings } : { kind: 'failed', error, warnings };
		this.show(call, sent, end, pageRun);
	}

	private show(
		{ id = crypto.randomUUID(), server }: Call,
		sent: Pick<CallOutcome, 'tool' | 'arguments' | 'durationMs'>,
		end: CallEnd,
		pageRun: PageRun | undefined,
	): void {
		(pageRun?.onOutcome ?? this.deps.showOutcome)({ id, server, ...sent, end });
	}

	/**
	 * Waits for a task of an earlier session. Its end is shown and recorded in the history; if the server doesn't know
	 * the task, that is only recorded. Rejects if the task can still end.
	 */
	private async followTask(server: Server, task: OpenTask): Promise<void> {
		const { tool: name, taskId, startedAt, arguments: args, caller } = task;
		let isKnown = false;
		const resumedAt = clock.now();
		const ending = withProgress(
			this.titleOf(server, name),
			(signal, report) =>
				runningClient(server).resumeTask(taskId, {
					signal,
					onTask: ({ statusMessage: message }) => {
						isKnown = true;
						report(message === undefined ? {} : { message });
					},
				}),
			() => this.deps.pending.mayHoldUp(server.definition, resumedAt),
		);
		await ending.catch((error: unknown) => {
			if (!isEnd(error)) {
				throw error;
			}
		});
		const tool = toolNamed(server, name) ?? { name, inputSchema: {} };
		const call: Call = { id: crypto.randomUUID(), caller, server, tool: name, arguments: args };
		try {
			const made = await this.deps.calls.resume(call, startedAt, tool, () => ending);
			if (isKnown) {
				this.showResult(call, made);
			}
		} catch (error) {
			if (!isKnown) {
				throw error;
			}
			this.showFailure(call, tool, startedAt, error);
		}
	}

	/**
	 * Repeats a call of the history.
	 * @param server is started if it isn't running
	 * @param caller of the new call
	 * @throws Error with a message for the person if the server no longer has the tool
	 */
	async runAgain(
		server: Server,
		{ tool, arguments: args }: Pick<Call, 'tool' | 'arguments'>,
		caller: Caller,
	): Promise<void> {
		await this.run(server, await currentTool(server, tool), args, caller);
	}

	/**
	 * Makes a call of another extension, a task or a keybinding. The person may be asked to approve it, but the outcome
	 * is only returned to the caller.
	 * @throws CallerError if the call is malformed, denied or fails
	 */
	async runForCaller(request: unknown): Promise<ToolResult> {
		const { server: serverName, tool, arguments: args = {} } = isObject(request) ? request : {};
		if (typeof serverName !== 'string' || typeof tool !== 'string' || !isObject(args)) {
			throw new CallerError('Expected { server: string, tool: string, arguments?: object }.');
		}
		await this.deps.registry.configured;
		const server = this.deps.registry.find(serverName);
		if (!server) {
			throw new CallerError(vscode.l10n.t('Server "{0}" not found.', serverName));
		}
		try {
			return (await this.callFor({ caller: { kind: 'command' }, server, tool, arguments: args })).result;
		} catch (error) {
			throw new CallerError(isAbort(error) ? vscode.l10n.t('The call was canceled.') : describeError(error));
		}
	}

	/**
	 * Makes a call of another caller, whose outcome only they get. The server is started if it isn't running.
	 * @throws ToolDisabledError, NotRunningError, UnknownToolError, CallDeniedError, RpcError, McpError
	 * @throws AbortError if the person or the signal cancels it
	 */
	callFor(call: Call, follower: Partial<CallFollower> = {}): Promise<AnsweredCall> {
		const id = call.id ?? crypto.randomUUID();
		return this.deps.calls.make(
			{ ...call, id },
			(args, tool, _, signal) => this.send({ ...call, id }, tool, args, { ...follower, signal }),
			follower.signal,
		);
	}

	/**
	 * Sends a call that was allowed. It can become a task, whose end is waited for.
	 * @throws RpcError, McpError; AbortError if the person or the signal cancels the call
	 */
	private async send(
		{ id, server, caller }: Call,
		tool: Tool,
		args: JsonObject,
		{ signal: outer, onProgress: tell, others, promptsOnTimeout = false }: Partial<CallFollower>,
		showProgress?: PageRun['onProgress'],
	): Promise<SentResult> {
		const { pending, isSilenceExpected } = this.deps;
		const client = runningClient(server);
		const timeoutMs = timeoutOf(server, client, tool.name);
		const sentAt = clock.now();
		const work: Task<SentResult> = async (own, report) => {
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
				const requestTimeoutMs = promptsOnTimeout ? 0 : timeoutMs;
				let text = '';
				const onAnswer = (it: string): void => void (text = it);
				const origin: CallOrigin = { callId: id, caller };
				const options = { signal, onProgress, onTask, onAnswer, timeoutMs: requestTimeoutMs, origin, others };
				const result = await client.callTool(tool, args, options);
				// The last state of a task of the modern era contains the result.
				const isInTask = taskId !== undefined && client.session.era === 'modern';
				return { ...result, text: isInTask ? (resultSource(text) ?? '') : text };
			} catch (it) {
				error = it;
				throw it;
			} finally {
				if (taskId !== undefined) {
					await this.tasks.ended(server, taskId, error);
				}
			}
		};
		const silence = {
			ms: promptsOnTimeout ? timeoutMs : 0,
			isExpected: () => isSilenceExpected(server, sentAt),
			error: () => new McpError({ code: 'timeout', method: 'tools/call', ms: timeoutMs }),
		};
		const isHeldUp = (): boolean => pending.mayHoldUp(server.definition, sentAt);
		return withProgress(this.titleOf(server, tool.name), work, isHeldUp, silence, showProgress);
	}

	private titleOf(server: Server, tool: string): string {
		return `${this.deps.registry.label(server)}: ${toolName(tool)}`;
	}
}

/**
 * Starts the server if it isn't running, and finds a tool of it.
 * @throws Error with a message for the person if the server no longer has the tool
 */
export async function currentTool(server: Server, name: string): Promise<Tool> {
	await server.use(true);
	const tool = itemsOf(await server.catalog?.currentTools()).find(it => it.name === name);
	if (!tool) {
		throw new Error(vscode.l10n.t('The server no longer has the tool "{0}".', toolName(name)));
	}
	return tool;
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

/** Shows that a call was denied, unless the person has just denied it. */
async function showDenial(serverLabel: string, server: Server, error: CallDeniedError): Promise<void> {
	const { answer, decision } = error.approval;
	if (answer) {
		return;
	}
	const message = vscode.l10n.t('{0}: {1}', serverLabel, describeError(error));
	const isKept = decision.reason.kind === 'grant';
	const fix = isKept ? vscode.l10n.t('Manage Approvals') : vscode.l10n.t('Open Policy');
	if ((await vscode.window.showErrorMessage(message, fix)) === fix) {
		await (isKept
			? vscode.commands.executeCommand(Commands.manageApprovals)
			: vscode.commands.executeCommand(Commands.openPolicy, new ServerNode(server)));
	}
}
