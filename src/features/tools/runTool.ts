/** Running a tool: arguments, the approval decision, the call with progress and Cancel, the result. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import {
	type Client,
	type Form,
	isObject,
	type JsonObject,
	type PatternMatcher,
	type Progress,
	type SchemaCheck,
	type SchemaValidator,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import type { AnsweredCall, Call, Calls } from '../../model/calls.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { CallDeniedError } from '../../model/toolAccess.js';
import { CallerError } from '../../host/commands.js';
import { Commands } from '../../host/contributions.js';
import type { Documents } from '../../host/documents.js';
import { type FormDraft, runForm } from '../../host/formPick.js';
import { describeError } from '../../host/messages.js';
import { notificationText, titleText } from '../../host/plainText.js';
import { ServerNode } from '../../host/treeNodes.js';
import { withProgress } from '../../host/progress.js';
import { offerToEnable } from './enableTool.js';
import { argumentsForm } from './argumentsForm.js';
import { describeResult } from './toolText.js';

/** Who waits for its end. */
export interface CallFollower {
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
}

export class ToolRunner {
	/** What was typed last for each tool, until the window closes. */
	private readonly drafts = new Map<string, FormDraft>();

	constructor(
		private readonly registry: ServerRegistry,
		private readonly documents: Documents,
		private readonly calls: Calls,
		private readonly validator: SchemaValidator,
	) {}

	/** The person fills in the form, runs the tool and sees the result. */
	async runByPerson(server: Server, tool: Tool): Promise<void> {
		if (!(await offerToEnable(server, tool.name))) {
			return;
		}
		const whose = this.registry.label(server);
		const title = titleText(tool.name, whose);
		const key = `${server.definition.id}/${tool.name}`;
		const { form, toArguments } = argumentsForm(tool.inputSchema);
		const submitLabel = vscode.l10n.t('Run');
		const matches = await this.matcherFor(form);
		const draft = this.drafts.get(key);
		const showAll = (values: JsonObject): Promise<void> => this.documents.showJson(title, values);
		const outcome = await runForm({ form, title, submitLabel, submitIcon: 'play', draft, matches, showAll });
		if (outcome.kind === 'left') {
			this.drafts.set(key, outcome.draft);
			return;
		}
		this.drafts.set(key, { values: outcome.values, texts: {} });
		try {
			const args = toArguments(outcome.values);
			const call = { caller: { kind: 'person' }, server, tool: tool.name, arguments: args } as const;
			const made = await this.make(call);
			const schemaCheck = await this.checkStructured(made.tool, made.result);
			const text = describeResult({ server: whose, ...made, schemaCheck });
			await this.documents.show(title, text, 'beside');
		} catch (error) {
			if (!isAbort(error)) {
				await showCallError(whose, server, error);
			}
		}
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
	 * @throws ToolDisabledError, NotRunningError, UnknownToolError, CallDeniedError, RpcError, McpError
	 * @throws AbortError if the person or the signal cancels it
	 */
	async callFor(call: Call, follower: Partial<CallFollower> = {}): Promise<ToolResult> {
		return (await this.make(call, follower)).result;
	}

	/** The form with arguments that somebody has filled in; `undefined` if the person leaves it. @param whose server */
	async editArguments(whose: string, tool: Tool, args: JsonObject): Promise<JsonObject | undefined> {
		const title = titleText(tool.name, whose);
		const { form, toArguments, toValues } = argumentsForm(tool.inputSchema, args);
		const outcome = await runForm({
			form,
			title,
			submitLabel: vscode.l10n.t('Use These Arguments'),
			submitIcon: 'check',
			draft: { values: toValues(args), texts: {} },
			matches: await this.matcherFor(form),
			showAll: values => this.documents.showJson(title, values),
		});
		return outcome.kind === 'submitted' ? toArguments(outcome.values) : undefined;
	}

	/** Loads the engine of patterns for a form that has some. */
	private async matcherFor({ fields }: Form): Promise<PatternMatcher | undefined> {
		const hasPattern = fields.some(it => it.kind === 'string' && it.pattern !== undefined);
		return hasPattern ? this.validator.matcher() : undefined;
	}

	/** Spec, tools: "Clients SHOULD validate structured results against this schema". Shown, never hidden. */
	private async checkStructured(tool: Tool, result: ToolResult): Promise<SchemaCheck | undefined> {
		const { outputSchema } = tool;
		return outputSchema && result.structuredContent !== undefined
			? this.validator.check(outputSchema, result.structuredContent)
			: undefined;
	}

	private make(call: Call, follower: Partial<CallFollower> = {}): Promise<AnsweredCall> {
		const { server, tool } = call;
		return this.calls.make(call, args => this.send(server, tool, args, follower), follower.signal);
	}

	/** Only for what was decided. */
	private async send(
		server: Server,
		tool: string,
		args: JsonObject,
		{ signal: outer, onProgress: tell }: Partial<CallFollower> = {},
	): Promise<ToolResult> {
		const title = `${notificationText(this.registry.label(server))}: ${notificationText(tool)}`;
		const client = runningClient(server);
		const { toolTimeoutsMs } = server.options;
		const timeout = Object.hasOwn(toolTimeoutsMs, tool) ? { timeoutMs: toolTimeoutsMs[tool] ?? 0 } : {};
		return withProgress(title, (own, report) => {
			const signal = outer ? AbortSignal.any([own, outer]) : own;
			const onProgress = (progress: Progress): void => {
				report(progress);
				tell?.(progress);
			};
			return client.callTool(tool, args, { signal, onProgress, ...timeout });
		});
	}
}

/** It may have stopped while the person was filling in the form. */
function runningClient(server: Server): Client {
	const { client } = server;
	if (!client) {
		throw new Error(vscode.l10n.t('The server is not running any more.'));
	}
	return client;
}

async function showCallError(whose: string, server: Server, error: unknown): Promise<void> {
	if (error instanceof CallDeniedError) {
		await showDenial(whose, server, error);
		return;
	}
	const showLog = vscode.l10n.t('Show Log');
	const message = `${notificationText(whose)}: ${describeError(error)}`;
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
	const message = `${notificationText(whose)}: ${describeError(error)}`;
	const isKept = decision.reason.kind === 'grant';
	const mend = isKept ? vscode.l10n.t('Manage Approvals') : vscode.l10n.t('Open Policy');
	if ((await vscode.window.showErrorMessage(message, mend)) === mend) {
		await (isKept
			? vscode.commands.executeCommand(Commands.manageApprovals)
			: vscode.commands.executeCommand(Commands.openPolicy, new ServerNode(server)));
	}
}
