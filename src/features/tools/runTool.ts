/** Running a tool: arguments, the approval decision, the call with progress and Cancel, the result. */
import * as vscode from 'vscode';
import { AbortError, isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import {
	isObject,
	type JsonObject,
	type SchemaCheck,
	type SchemaValidator,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import { type Caller, decideApproval } from '../../model/approval.js';
import type { CallEnd, ShowOutcome } from '../../model/callOutcome.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { assertEnabled, CallDeniedError } from '../../model/toolAccess.js';
import { CallerError } from '../../host/commands.js';
import { describeError } from '../../host/messages.js';
import { notificationText } from '../../host/plainText.js';
import { describeSchemaProblem } from '../../host/schemaWords.js';
import type { Approvals } from './approvals.js';
import { offerToEnable } from './enableTool.js';
import type { DocumentArguments } from './argumentsDocument.js';
import type { ArgumentsInput } from './argumentsInput.js';
import type { LastArguments } from './lastArguments.js';
import type { OpenTask } from './openTasks.js';
import { type CallFollower, ToolCalls } from './toolCalls.js';

/** A call that somebody wants to be made. */
export interface CallRequest {
	readonly caller: Caller;
	readonly server: Server;
	readonly tool: string;
	readonly arguments: JsonObject;
}

export class ToolRunner extends Owner {
	private readonly calls: ToolCalls;

	constructor(
		private readonly registry: ServerRegistry,
		private readonly input: ArgumentsInput,
		private readonly last: LastArguments,
		private readonly approvals: Approvals,
		private readonly validator: SchemaValidator,
		private readonly showOutcome: ShowOutcome,
		state: vscode.Memento,
	) {
		super();
		this.calls = this.own(new ToolCalls(registry, state, (server, task) => this.followTask(server, task)));
	}

	/**
	 * The person fills in the form, runs the tool and sees the result.
	 * @param from arguments that the form begins with, instead of what was typed last
	 */
	async runByPerson(server: Server, tool: Tool, from?: JsonObject): Promise<void> {
		if (!(await offerToEnable(server, tool.name))) {
			return;
		}
		try {
			const args = await this.input.ask(server, tool, from);
			await (args && this.runTyped(server, tool, args));
		} catch (error) {
			if (!isAbort(error)) {
				await showCallError(this.registry.label(server), server, error);
			}
		}
	}

	/** With arguments that the person has written and means; asks once more where they break the tool's schema. */
	async runDocument({ server, tool, args }: DocumentArguments): Promise<void> {
		this.input.remember(server, tool, args);
		const check = await this.validator.check(tool.inputSchema, args);
		if ((check.kind !== 'invalid' || (await offerToRunAnyway(check))) && (await offerToEnable(server, tool.name))) {
			await this.runTyped(server, tool, args);
		}
	}

	/** Goes on with the form where the document stopped. */
	async backToForm({ server, tool, args }: DocumentArguments): Promise<void> {
		const next = await this.input.askByForm(server, tool, args);
		await (next && this.runTyped(server, tool, next));
	}

	/** It may have ended while they were typed: then it is started again. */
	private async runTyped(server: Server, tool: Tool, args: JsonObject): Promise<void> {
		await server.use();
		if (await this.isAllowed({ kind: 'person' }, server, tool.name, args)) {
			await this.last.keep(server, tool, args);
			await this.runAndShow(server, tool, args);
		}
	}

	/** What has been asked for and allowed: made, and its end shown, whatever it is; given up, it shows nothing. */
	private async runAndShow(server: Server, tool: Tool, args: JsonObject): Promise<void> {
		await this.showEnd(server, tool, args, Date.now(), () => this.calls.call(server, tool, args, { isPatient: true }));
	}

	/** The end of a call that is under way. */
	private async showEnd(
		server: Server,
		tool: Tool,
		args: JsonObject,
		startedAt: number,
		ending: () => Promise<ToolResult>,
	): Promise<void> {
		let end: CallEnd;
		try {
			const result = await ending();
			end = { kind: 'result', result, schemaCheck: await this.checkStructured(tool, result) };
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			end = { kind: 'failed', error };
		}
		const call = { server, tool, arguments: args, durationMs: Date.now() - startedAt, end };
		const current = (): Server => this.registry.current(server) ?? server;
		this.showOutcome(call, {
			run: () => this.runTyped(current(), tool, args),
			edit: () => this.runByPerson(current(), tool, args),
		});
	}

	/** A task of an earlier session: of its end the person is told, but not that a server has forgotten it. */
	private async followTask(server: Server, task: OpenTask): Promise<void> {
		const result = await this.calls.resume(server, task.tool, task.taskId);
		const tool = toolNamed(server, task.tool);
		await this.showEnd(server, tool, task.arguments, task.startedAt, () => Promise.resolve(result));
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
		const server = this.registry.find(serverName);
		if (!server) {
			throw new CallerError(`There is no server ${JSON.stringify(serverName)}.`);
		}
		try {
			return await this.callFor({ caller: { kind: 'command' }, server, tool, arguments: args });
		} catch (error) {
			throw new CallerError(isAbort(error) ? 'The call was cancelled.' : describeError(error));
		}
	}

	/**
	 * A call that no person has typed: decided, and made if it is allowed. The server is started if it does not run.
	 * @throws ToolDisabledError, NotRunningError, CallDeniedError, RpcError, McpError
	 * @throws AbortError if the person or the signal cancels it
	 */
	async callFor(
		{ caller, server, tool, arguments: args }: CallRequest,
		options: Partial<CallFollower> = {},
	): Promise<ToolResult> {
		assertEnabled(server, tool);
		await server.use();
		throwIfAborted(options.signal);
		if (!(await this.isAllowed(caller, server, tool, args))) {
			throw new CallDeniedError();
		}
		throwIfAborted(options.signal);
		return this.calls.call(server, toolNamed(server, tool), args, options);
	}

	/** Spec, tools: "Clients SHOULD validate structured results against this schema". Shown, never hidden. */
	private async checkStructured(tool: Tool, result: ToolResult): Promise<SchemaCheck | undefined> {
		const { outputSchema } = tool;
		return outputSchema && result.structuredContent !== undefined
			? this.validator.check(outputSchema, result.structuredContent)
			: undefined;
	}

	private async isAllowed(caller: Caller, server: Server, tool: string, args: JsonObject): Promise<boolean> {
		const call = { caller, server: this.registry.label(server), tool, arguments: args };
		const decision = decideApproval(call);
		return decision.kind === 'allow' || this.approvals.ask(call, decision.rule);
	}
}

/** What the server lists under that name; of what it does not list, it may know more than it says. */
function toolNamed({ catalog }: Server, name: string): Tool {
	const list = catalog?.tools;
	const listed = list?.kind === 'loaded' ? list.items.find(it => it.name === name) : undefined;
	return listed ?? { name, inputSchema: {} };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted === true) {
		throw new AbortError();
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
	return (await vscode.window.showWarningMessage(message, anyway)) === anyway;
}

async function showCallError(whose: string, server: Server, error: unknown): Promise<void> {
	const showLog = vscode.l10n.t('Show Log');
	const message = `${notificationText(whose)}: ${describeError(error)}`;
	if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
		server.log.show();
	}
}
