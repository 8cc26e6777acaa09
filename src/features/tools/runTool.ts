/** Runs tools: asks for arguments, makes the call by `Calls`, which decides it, and shows the outcome. */
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
	type SchemaCheck,
	type SchemaValidator,
	type TaskState,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import type {
	AnsweredCall,
	Call,
	CallEnd,
	CallOutcome,
	Calls,
	SentResult,
	ShowOutcome,
} from '../../core/calls/calls.js';
import type { Caller } from '../../core/approvals/approval.js';
import { callerOfRepeat } from '../../core/history/historyEntry.js';
import type { CallOrigin } from '../../core/messages/wireRecord.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { itemsOf, toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerWarning } from '../../core/servers/serverState.js';
import { resultSource } from '../../core/text/jsonSource.js';
import { CallDeniedError } from '../../core/calls/toolAccess.js';
import { CallerError, didUseButton } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { describeError } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { type Task, withProgress } from '../../editor/ui/progress.js';
import { describeSchemaProblem } from '../../editor/l10n/schemaWords.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { offerToEnable } from './enableTool.js';
import type { DocumentArguments } from './argumentsDocument.js';
import type { ArgumentsInput } from './argumentsInput.js';
import type { GivenArguments, LastArguments } from './lastArguments.js';
import { isEnd, type OpenTask, OpenTasks } from './openTasks.js';
import type { PageRun } from './toolPages.js';

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
	readonly input: ArgumentsInput;
	readonly last: LastArguments;
	readonly calls: Calls;
	readonly validator: SchemaValidator;
	readonly showOutcome: ShowOutcome;
	/** State of the workspace. */
	readonly state: EditorState;
	/**
	 * Whether a call that was sent at a time (milliseconds since 1970) may be without an answer because its server waits
	 * for the person or a model: the time-out prompt is postponed.
	 */
	readonly isSilenceExpected: (server: Server, sentAt: number) => boolean;
	readonly pending: PendingRequests;
}

/** How an outcome is shown. */
interface ShownBy {
	/** The caller if the person runs the call again from its result. */
	readonly repeater?: Caller | undefined;
	/** The page that shows it, instead of the tab of results. */
	readonly place?: PageRun | undefined;
}

export class ToolRunner extends Owner {
	private readonly tasks: OpenTasks;

	constructor(private readonly deps: RunnerDeps) {
		super();
		const { registry, state } = deps;
		this.tasks = this.own(new OpenTasks(registry, state, (server, task) => this.followTask(server, task)));
	}

	/**
	 * Asks the person for arguments, runs the tool, and shows the outcome.
	 * @param from initial arguments, instead of the last draft; the call counts as one of their caller
	 */
	async runByPerson(server: Server, tool: Tool, from?: GivenArguments): Promise<void> {
		if (!(await offerToEnable(server, this.deps.registry.label(server), tool.name))) {
			return;
		}
		try {
			const given = await this.deps.input.ask(server, tool, from);
			await (given && this.run(server, tool, given, true));
		} catch (error) {
			if (!isAbort(error)) {
				await showCallError(this.deps.registry.label(server), server, error);
			}
		}
	}

	/**
	 * Runs a tool with the arguments of a document. Asks first if they don't match the schema. Other extensions can
	 * write the document and run the command, so the call is decided like one of another extension.
	 */
	async runDocument({ server, tool, args }: DocumentArguments): Promise<void> {
		const check = await this.deps.validator.check(tool.inputSchema, args);
		if (
			(check.kind !== 'invalid' || (await offerToRunAnyway(check))) &&
			(await offerToEnable(server, this.deps.registry.label(server), tool.name))
		) {
			await this.run(server, tool, { args, caller: { kind: 'document' } }, true);
		}
	}

	/** Continues in the form. The document stays the caller, because the form may not show all arguments. */
	async backToForm({ server, tool, args }: DocumentArguments): Promise<void> {
		const next = await this.deps.input.askByForm(server, tool, { args, caller: { kind: 'document' } });
		await (next && this.run(server, tool, next, true));
	}

	/** Runs a tool with the arguments of its page, where its progress and its outcome are shown. @throws as `run` */
	async runInPage(server: Server, tool: Tool, args: JsonObject, place: PageRun): Promise<void> {
		if (await offerToEnable(server, this.deps.registry.label(server), tool.name)) {
			await this.run(server, tool, { args, caller: { kind: 'person' } }, true, place);
		}
	}

	/**
	 * Makes a call and shows its outcome, unless it was denied, or cancelled before it was sent.
	 * @param isSubmitted whether the arguments come from a form or a document and are kept for the next form. Those of
	 * another caller are kept only if they were allowed
	 * @param place where the call is shown, if that is the page of the tool
	 * @throws AbortError if the person cancelled the call before it was sent
	 */
	private async run(
		server: Server,
		tool: Tool,
		given: GivenArguments,
		isSubmitted: boolean,
		place?: PageRun,
	): Promise<void> {
		const { input, last, registry } = this.deps;
		const { args, caller } = given;
		const call: Call = { id: crypto.randomUUID(), caller, server, tool: tool.name, arguments: args };
		const startedAt = clock.now();
		let allowed: GivenArguments | undefined;
		let warnings: readonly ServerWarning[] | undefined;
		const following = this.deps.calls.onDidCall(({ id, end }) => {
			warnings = id === call.id && 'warnings' in end ? end.warnings : warnings;
		});
		try {
			const made = await this.deps.calls.make(
				call,
				(sent, current, approval, signal) => {
					const decision = { isAllowed: true, answer: approval.answer?.kind };
					allowed = { args: sent, caller: callerOfRepeat({ caller, decision }) };
					return this.send(call, current, sent, { signal, promptsOnTimeout: true }, place?.onProgress);
				},
				place?.signal,
			);
			this.showResult(call, made, { repeater: allowed?.caller, place });
		} catch (error) {
			if (error instanceof CallDeniedError) {
				await showDenial(registry.label(server), server, error);
			} else if (!allowed && isAbort(error)) {
				throw error;
			} else {
				this.showFailure(call, tool, startedAt, error, { repeater: allowed?.caller, place }, warnings);
			}
		} finally {
			following.dispose();
			const kept = caller.kind === 'person' ? given : allowed;
			if (isSubmitted && kept) {
				// The draft of a person's form is kept as they submit it.
				if (kept === allowed) {
					input.remember(server, tool, kept);
				}
				await last.keep(server, tool, kept);
			}
		}
	}

	private showResult(call: Call, made: AnsweredCall, how: ShownBy): void {
		const { result, text, schemaCheck, warnings, ...sent } = made;
		this.show(call, sent, { kind: 'result', result, text, schemaCheck, warnings }, how);
	}

	/** @param startedAt milliseconds since 1970 */
	private showFailure(
		call: Call,
		tool: Tool,
		startedAt: number,
		error: unknown,
		how: ShownBy,
		warnings: readonly ServerWarning[] = [],
	): void {
		const sent = { tool, arguments: call.arguments, durationMs: clock.now() - startedAt };
		const end: CallEnd = isAbort(error) ? { kind: 'cancelled', warnings } : { kind: 'failed', error, warnings };
		this.show(call, sent, end, how);
	}

	private show(
		{ id = crypto.randomUUID(), server }: Call,
		sent: Pick<CallOutcome, 'tool' | 'arguments' | 'durationMs'>,
		end: CallEnd,
		{ repeater = { kind: 'history' }, place }: ShownBy,
	): void {
		const again = { args: sent.arguments, caller: repeater };
		const current = (): Server => this.deps.registry.current(server) ?? server;
		const show = place?.onOutcome ?? this.deps.showOutcome;
		show(
			{ id, server, ...sent, end },
			{
				run: () => this.run(current(), sent.tool, again, false),
				edit: () => this.runByPerson(current(), sent.tool, again),
			},
		);
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
		const repeater = caller.kind === 'person' ? caller : undefined;
		try {
			const made = await this.deps.calls.resume(call, startedAt, tool, () => ending);
			if (isKnown) {
				this.showResult(call, made, { repeater });
			}
		} catch (error) {
			if (!isKnown) {
				throw error;
			}
			this.showFailure(call, tool, startedAt, error, { repeater });
		}
	}

	/**
	 * Repeats a call of the history: unchanged, or with its arguments as initial ones of the form.
	 * @param server is started if it isn't running
	 * @param caller of the new call
	 * @throws Error with a message for the person if the server no longer has the tool
	 */
	async runAgain(
		server: Server,
		{ tool: name, arguments: args }: Pick<Call, 'tool' | 'arguments'>,
		how: 'exact' | 'edited',
		caller: Caller,
	): Promise<void> {
		const { t } = vscode.l10n;
		await server.use(true);
		const tool = itemsOf(await server.catalog?.currentTools()).find(it => it.name === name);
		if (!tool) {
			throw new Error(t('The server no longer has the tool "{0}".', toolName(name)));
		}
		await (how === 'exact'
			? this.run(server, tool, { args, caller }, false)
			: this.runByPerson(server, tool, { args, caller }));
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

/** Says that the arguments don't match the schema. Resolves with true if the person wants to run the tool anyway. */
async function offerToRunAnyway(check: Extract<SchemaCheck, { kind: 'invalid' }>): Promise<boolean> {
	const { t } = vscode.l10n;
	const anyway = t('Run Anyway');
	const [first] = check.problems;
	const what = first ? describeSchemaProblem(first) : '';
	const place = first?.path === '' ? '/' : notificationText(first?.path ?? '/');
	const message = t("The arguments don't match the tool's input schema at {0}: {1}.", place, what);
	if ((await vscode.window.showWarningMessage(message, anyway)) !== anyway) {
		return false;
	}
	didUseButton();
	return true;
}

async function showCallError(serverLabel: string, server: Server, error: unknown): Promise<void> {
	const showLog = vscode.l10n.t('Show Log');
	const message = vscode.l10n.t('{0}: {1}', serverLabel, describeError(error));
	if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
		server.log.show();
	}
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
