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
import { CallerError } from '../../host/commands.js';
import type { Documents } from '../../host/documents.js';
import { type FormDraft, runForm } from '../../host/formPick.js';
import { describeError } from '../../host/messages.js';
import { notificationText, titleText } from '../../host/plainText.js';
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
		await this.runAndShow(server, tool.name, toArguments(outcome.values));
	}

	/**
	 * A person makes a call once more that was made before: as it was, or beginning with its arguments.
	 * @param serverId of the definition; its server is started if it does not run
	 * @throws if there is no such server or tool any more
	 */
	async runAgain(serverId: string, name: string, args: JsonObject, how: 'exact' | 'edited'): Promise<void> {
		const { t } = vscode.l10n;
		const server = this.registry.servers.find(it => it.definition.id === serverId);
		if (!server) {
			throw new Error(t('The server is not configured any more.'));
		}
		await server.use();
		const list = await server.catalog?.currentTools();
		const tool = list?.kind === 'loaded' ? list.items.find(it => it.name === name) : undefined;
		if (!tool) {
			throw new Error(t('The server has no tool "{0}" any more.', notificationText(name)));
		}
		if (how === 'exact') {
			await this.runAndShow(server, name, args);
		} else {
			this.drafts.set(`${serverId}/${name}`, { values: args, texts: {} });
			await this.runByPerson(server, tool);
		}
	}

	private async runAndShow(server: Server, name: string, args: JsonObject): Promise<void> {
		const whose = this.registry.label(server);
		try {
			const made = await this.make({ caller: { kind: 'person' }, server, tool: name, arguments: args });
			const schemaCheck = await this.checkStructured(made.tool, made.result);
			const text = describeResult({ server: whose, ...made, schemaCheck });
			await this.documents.show(titleText(name, whose), text, 'beside');
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
	const showLog = vscode.l10n.t('Show Log');
	const message = `${notificationText(whose)}: ${describeError(error)}`;
	if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
		server.log.show();
	}
}
