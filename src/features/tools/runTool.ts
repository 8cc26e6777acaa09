/** Running a tool: arguments, the approval decision, the call with progress and Cancel, the result. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import {
	isObject,
	type JsonObject,
	type SchemaCheck,
	type SchemaValidator,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import type { CallEnd, ShowOutcome } from '../../core/calls/callOutcome.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Approval } from '../../core/approvals/approver.js';
import type { AnsweredCall, Call, Calls } from '../../core/calls/calls.js';
import { callerOfRepeat } from '../../core/history/historyEntry.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { plainObject } from '../../core/text/plainData.js';
import { itemsOf, toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { CallDeniedError } from '../../core/calls/toolAccess.js';
import { CallerError, didUseButton } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { describeError } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { describeSchemaProblem } from '../../editor/l10n/schemaWords.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { offerToEnable } from './enableTool.js';
import type { DocumentArguments } from './argumentsDocument.js';
import type { ArgumentsInput } from './argumentsInput.js';
import type { GivenArguments, LastArguments } from './lastArguments.js';
import { isEnd, type OpenTask } from './openTasks.js';
import { type CallFollower, ToolCalls, type ToolCallsDeps } from './toolCalls.js';

export interface RunnerDeps {
	readonly registry: ServerRegistry;
	readonly input: ArgumentsInput;
	readonly last: LastArguments;
	/** The door of every call. */
	readonly calls: Calls;
	readonly validator: SchemaValidator;
	readonly showOutcome: ShowOutcome;
	/** Of the workspace. */
	readonly state: KeptState;
	readonly isSilenceExpected: ToolCallsDeps['isSilenceExpected'];
	readonly pending: PendingRequests;
}

export class ToolRunner extends Owner {
	private readonly sender: ToolCalls;

	constructor(private readonly deps: RunnerDeps) {
		super();
		this.sender = this.own(new ToolCalls(deps, (server, task) => this.followTask(server, task)));
	}

	/**
	 * The person fills in the form, runs the tool and sees the result.
	 * @param from arguments that the form begins with, instead of what was typed last; unless they are the person's, they
	 * stay somebody else's call, which is asked about
	 */
	async runByPerson(server: Server, tool: Tool, from?: GivenArguments): Promise<void> {
		if (!(await offerToEnable(server, tool.name))) {
			return;
		}
		try {
			const given = await this.deps.input.ask(server, tool, from);
			await (given && this.runSubmitted(server, tool, given));
		} catch (error) {
			if (!isAbort(error)) {
				await showCallError(this.deps.registry.label(server), server, error);
			}
		}
	}

	/**
	 * Runs what a document says; asks once more where it breaks the tool's schema. Other extensions can write the document
	 * and run the command: it is decided like a call of theirs.
	 */
	async runDocument({ server, tool, args }: DocumentArguments): Promise<void> {
		const check = await this.deps.validator.check(tool.inputSchema, args);
		if ((check.kind !== 'invalid' || (await offerToRunAnyway(check))) && (await offerToEnable(server, tool.name))) {
			await this.runSubmitted(server, tool, { args, caller: { kind: 'document' } });
		}
	}

	/** Goes on with the form where the document stopped. It is still the document that calls: the form may not show all. */
	async backToForm({ server, tool, args }: DocumentArguments): Promise<void> {
		const next = await this.deps.input.askByForm(server, tool, { args, caller: { kind: 'document' } });
		await (next && this.runSubmitted(server, tool, next));
	}

	/** Of a form or a document. Where somebody else has given the arguments, only what was allowed is kept for later. */
	private async runSubmitted(server: Server, tool: Tool, { args, caller }: GivenArguments): Promise<void> {
		const { input, last } = this.deps;
		if (caller.kind === 'person') {
			await last.keep(server, tool, { args, caller });
			return this.runAndShow(server, tool, args, caller);
		}
		let kept: GivenArguments | undefined;
		await this.runAndShow(server, tool, args, caller, allowed => {
			kept = allowed;
			input.remember(server, tool, allowed);
		});
		await (kept && last.keep(server, tool, kept));
	}

	/**
	 * Makes a call and shows its outcome, unless it was denied, or cancelled before it was sent.
	 * @param onAllowed called before the call is sent, with the arguments and the caller of a repeated call
	 */
	private async runAndShow(
		server: Server,
		tool: Tool,
		args: JsonObject,
		caller: Caller,
		onAllowed?: (allowed: GivenArguments) => void,
	): Promise<void> {
		const call: Call = { id: crypto.randomUUID(), caller, server, tool: tool.name, arguments: plainObject(args) };
		let repeater: Caller = { kind: 'history' };
		let isSent = false;
		const allowed = (approval: Approval): void => {
			isSent = true;
			repeater = callerOfRepeat({ caller, decision: { isAllowed: true, answer: approval.answer?.kind } });
			onAllowed?.({ args: approval.arguments, caller: repeater });
		};
		try {
			await this.showEnd(
				call,
				tool,
				Date.now(),
				() => this.make(call, { isPatient: true }, allowed),
				() => repeater,
				() => isSent,
			);
		} catch (error) {
			if (!(error instanceof CallDeniedError)) {
				throw error;
			}
			await showDenial(this.deps.registry.label(server), server, error);
		}
	}

	/**
	 * Waits for a call and shows its outcome.
	 * @param repeater the caller when the person runs the call again from its result
	 * @param isSent whether the request was sent, so that a cancelled call has an outcome to show
	 */
	private async showEnd(
		{ id = crypto.randomUUID(), server, arguments: args }: Call,
		tool: Tool,
		startedAt: number,
		ending: () => Promise<AnsweredCall>,
		repeater: () => Caller,
		isSent: () => boolean,
	): Promise<void> {
		let end: CallEnd;
		let sent = { tool, arguments: args, durationMs: 0 };
		try {
			const { result, schemaCheck, ...made } = await ending();
			sent = made;
			end = { kind: 'result', result, schemaCheck };
		} catch (error) {
			const isCancelled = isAbort(error);
			if (error instanceof CallDeniedError || (isCancelled && !isSent())) {
				throw error;
			}
			sent = { ...sent, durationMs: Date.now() - startedAt };
			end = isCancelled ? { kind: 'cancelled' } : { kind: 'failed', error };
		}
		const { tool: called, arguments: last } = sent;
		const current = (): Server => this.deps.registry.current(server) ?? server;
		this.deps.showOutcome(
			{ id, server, ...sent, end },
			{
				run: () => this.runAndShow(current(), called, last, repeater()),
				edit: () => this.runByPerson(current(), called, { args: last, caller: repeater() }),
			},
		);
	}

	/**
	 * A task of an earlier session: its end, good or bad, is shown and kept in the history; that a server has forgotten
	 * it is only kept. What can still come to its end is neither.
	 */
	private async followTask(server: Server, task: OpenTask): Promise<void> {
		const { tool: name, taskId, startedAt, arguments: args, caller } = task;
		let isKnown = false;
		const ending = this.sender.resume(server, name, taskId, () => {
			isKnown = true;
		});
		try {
			await ending;
		} catch (error) {
			if (!isEnd(error)) {
				throw error;
			}
		}
		const id = crypto.randomUUID();
		const tool = toolNamed(server, name) ?? { name, inputSchema: {} };
		const call: Call = { id, caller, server, tool: name, arguments: args };
		const ended = this.deps.calls.resume(call, startedAt, tool, () => ending);
		const repeater: Caller = caller.kind === 'person' ? caller : { kind: 'history' };
		await (isKnown
			? this.showEnd(
					call,
					tool,
					startedAt,
					() => ended,
					() => repeater,
					() => true,
				)
			: ended);
	}

	/**
	 * Makes a call of the history once more: as it was, or beginning with its arguments in the form.
	 * @param server is started if it does not run
	 * @param caller who makes the call again
	 * @throws if there is no such tool any more
	 */
	async runAgain(
		server: Server,
		name: string,
		args: JsonObject,
		how: 'exact' | 'edited',
		caller: Caller,
	): Promise<void> {
		const { t } = vscode.l10n;
		await server.use(true);
		const tool = itemsOf(await server.catalog?.currentTools()).find(it => it.name === name);
		if (!tool) {
			throw new Error(t('The server has no tool "{0}" any more.', notificationText(name)));
		}
		await (how === 'exact'
			? this.runAndShow(server, tool, args, caller)
			: this.runByPerson(server, tool, { args, caller }));
	}

	/**
	 * Another extension, a task or a keybinding calls; a person decides. What fails is the caller's to
	 * handle: nothing but the question is shown.
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
			throw new CallerError(vscode.l10n.t('There is no server "{0}".', serverName));
		}
		try {
			return (await this.callFor({ caller: { kind: 'command' }, server, tool, arguments: args })).result;
		} catch (error) {
			throw new CallerError(isAbort(error) ? vscode.l10n.t('The call was cancelled.') : describeError(error));
		}
	}

	/**
	 * A call that no person has typed: decided, and made if it is allowed. The server is started if it does not run.
	 * @throws ToolDisabledError, NotRunningError, UnknownToolError, CallDeniedError, RpcError, McpError
	 * @throws AbortError if the person or the signal cancels it
	 */
	async callFor(call: Call, follower: Partial<CallFollower> = {}): Promise<AnsweredCall> {
		return this.make(call, follower);
	}

	private make(
		call: Call,
		follower: Partial<CallFollower>,
		allowed?: (approval: Approval) => void,
	): Promise<AnsweredCall> {
		const { server, caller } = call;
		return this.deps.calls.make(
			call,
			(args, tool, approval, signal) => {
				allowed?.(approval);
				return this.sender.call(server, tool, args, caller, { ...follower, signal });
			},
			follower.signal,
		);
	}
}

/** A test may mean to break the schema; nobody should do it unawares. */
async function offerToRunAnyway(check: Extract<SchemaCheck, { kind: 'invalid' }>): Promise<boolean> {
	const { t } = vscode.l10n;
	const anyway = t('Run Anyway');
	const [first] = check.problems;
	const what = first ? describeSchemaProblem(first) : '';
	const place = first?.path === '' ? '/' : notificationText(first?.path ?? '/');
	const message = t('The arguments break the schema of the tool, at {0}: {1}.', place, what);
	if ((await vscode.window.showWarningMessage(message, anyway)) !== anyway) {
		return false;
	}
	didUseButton();
	return true;
}

async function showCallError(whose: string, server: Server, error: unknown): Promise<void> {
	const showLog = vscode.l10n.t('Show Log');
	const message = vscode.l10n.t('{0}: {1}', notificationText(whose), describeError(error));
	if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
		server.log.show();
	}
}

/** Who has just said no need not be told. */
async function showDenial(whose: string, server: Server, error: CallDeniedError): Promise<void> {
	const { answer, decision } = error.approval;
	if (answer) {
		return;
	}
	const message = vscode.l10n.t('{0}: {1}', notificationText(whose), describeError(error));
	const isKept = decision.reason.kind === 'grant';
	const mend = isKept ? vscode.l10n.t('Manage Approvals') : vscode.l10n.t('Open Policy');
	if ((await vscode.window.showErrorMessage(message, mend)) === mend) {
		await (isKept
			? vscode.commands.executeCommand(Commands.manageApprovals)
			: vscode.commands.executeCommand(Commands.openPolicy, new ServerNode(server)));
	}
}
