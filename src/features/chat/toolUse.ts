/** The tools that a model has in one turn, and the results of its calls. Failures are results too, in words for the model. */
import * as vscode from 'vscode';
import { isAbort, toMessage } from '../../base/errors.js';
import { type ModelToolName, ModelTools } from '../../editor/contributions.js';
import type { ModelAnswer, ModelAccess, SentModelRequest } from '../../editor/languageModels/modelRequest.js';
import { imageOf, imagePart } from '../../editor/newerApi.js';
import { markdownText } from '../../editor/ui/plainText.js';
import { resourceUri } from '../../editor/documents/resourceUri.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { Call } from '../../core/calls/calls.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { quoted } from '../../editor/languageModels/untrustedContent.js';
import type { OfferedTool } from './offeredTools.js';
import type { ChatTurn } from './turn.js';

export interface ToolUseDeps {
	readonly registry: ServerRegistry;
	readonly modelAccess: ModelAccess;
	/** The decision about a call as of now; asks the person nothing. */
	readonly evaluate: (call: Call) => Promise<ApprovalQuestion>;
}

type Content = vscode.LanguageModelToolResultPart['content'];

/** Most resources that one answer lists as references. */
const maxReferences = 30;

export class ToolUse {
	private readonly offered: ReadonlyMap<string, OfferedTool>;
	/** Tools of other extensions that the person has attached. */
	private readonly attached: ReadonlyMap<string, vscode.LanguageModelToolInformation>;
	private readonly referred = new Set<string>();

	constructor(
		private readonly turn: ChatTurn,
		tools: readonly OfferedTool[],
		private readonly deps: ToolUseDeps,
	) {
		this.offered = new Map(tools.map(it => [it.name, it]));
		const wanted = new Set(turn.request.toolReferences.map(it => it.name));
		const others = vscode.lm.tools.filter(it => wanted.has(it.name) && !isOurs(it.name) && !this.offered.has(it.name));
		this.attached = new Map(others.map(it => [it.name, it]));
	}

	/** The tools of servers, our own tools, and those that the person has attached. */
	get list(): vscode.LanguageModelChatTool[] {
		const ours = vscode.lm.tools.filter(it => isOurs(it.name));
		return [...this.offered.values(), ...ours, ...this.attached.values()].map(({ name, description, inputSchema }) => ({
			name,
			description,
			inputSchema,
		}));
	}

	/** Runs a tool. Resolves with the result or a description of the failure. @throws AbortError if the turn was cancelled */
	async run(call: vscode.LanguageModelToolCallPart, request: Omit<SentModelRequest, 'input'>): Promise<Content> {
		try {
			const answer = await this.make(call, { ...request, input: call.input });
			return typeof answer === 'string' ? [new vscode.LanguageModelTextPart(answer)] : answer;
		} catch (error) {
			if (this.turn.signal.aborted) {
				throw error;
			}
			const isCancelled = isAbort(error) || error instanceof vscode.CancellationError;
			const text = isCancelled ? 'The person cancelled this call. Ask them how to go on.' : toMessage(error);
			return [new vscode.LanguageModelTextPart(text)];
		}
	}

	private async make(call: vscode.LanguageModelToolCallPart, request: SentModelRequest): Promise<string | Content> {
		const { modelAccess } = this.deps;
		const offered = this.offered.get(call.name);
		if (offered) {
			if (!isObject(call.input)) {
				return 'The arguments must be a JSON object that matches the inputSchema of the tool.';
			}
			const server = this.deps.registry.current(offered.server) ?? offered.server;
			await this.showProgress(callOf(server, offered.tool.name, call.input));
			return this.toContent(server, await modelAccess.call(server, offered.tool.name, call.input, request));
		}
		const attached = this.attached.get(call.name);
		if (attached) {
			this.turn.stream.progress(vscode.l10n.t('Running {0}…', markdownText(attached.name, 80)));
			const { toolInvocationToken } = this.turn.request;
			const options = { input: call.input, toolInvocationToken };
			const { content } = await vscode.lm.invokeTool(attached.name, options, this.turn.token);
			return request.takesImages ? content : content.map(describeImage);
		}
		return this.runOurs(call.name, request);
	}

	private async runOurs(name: string, request: SentModelRequest): Promise<string | Content> {
		const { t } = vscode.l10n;
		const { modelAccess } = this.deps;
		const { stream } = this.turn;
		const { server: serverLabel, tool, uri, arguments: args } = isObject(request.input) ? request.input : {};
		switch (name as ModelToolName) {
			case ModelTools.findTools:
				stream.progress(t('Looking for tools…'));
				return modelAccess.findTools(request);
			case ModelTools.listResources:
				stream.progress(t('Looking for resources…'));
				return modelAccess.listResources(request);
			case ModelTools.callTool: {
				const server = await modelAccess.find(String(serverLabel));
				await this.showProgress(callOf(server, String(tool), isObject(args) ? args : {}));
				return this.toContent(server, await modelAccess.callTool(request));
			}
			case ModelTools.readResource: {
				const server = await modelAccess.find(String(serverLabel));
				stream.progress(t('Reading {0}…', markdownText(String(uri), 80)));
				return this.toContent(server, await modelAccess.readResource(request));
			}
			case ModelTools.readMore:
				return modelAccess.readMore(request);
			default:
				return `There is no tool ${quoted(name)}. Use one that you were given, or look for one with ${ModelTools.findTools}.`;
		}
	}

	/** Shows the progress in the chat: that the tool runs, or that the call waits for approval. */
	private async showProgress(call: Call): Promise<void> {
		const { t } = vscode.l10n;
		const { stream } = this.turn;
		const serverLabel = markdownText(this.deps.registry.label(call.server), 60);
		const tool = markdownText(call.tool, 80);
		// A stopped server isn't started only to show progress.
		const question = call.server.client ? await this.deps.evaluate(call).catch(() => undefined) : undefined;
		stream.progress(
			question?.decision.kind === 'ask'
				? t('{0} on {1} is waiting for your approval…', tool, serverLabel)
				: t('Running {0} on {1}…', tool, serverLabel),
		);
	}

	/** The content of an answer. Lists its resources as references in the chat. */
	private toContent(server: Server, { text, images, resources }: ModelAnswer): Content {
		for (const uri of resources) {
			const key = `${server.definition.id} ${uri}`;
			if (this.referred.size < maxReferences && !this.referred.has(key)) {
				this.referred.add(key);
				this.turn.stream.reference(resourceUri({ serverId: server.definition.id, uri }, server.name));
			}
		}
		return [new vscode.LanguageModelTextPart(text), ...images.map(it => imagePart(it.bytes, it.mimeType))];
	}
}

/** Replaces an image by a description, for a model that takes no images. */
function describeImage(part: unknown): unknown {
	const image = imageOf(part);
	return image
		? new vscode.LanguageModelTextPart(`[${image.mimeType}, ${image.data.length} bytes: not text, not shown]`)
		: part;
}

function callOf(server: Server, tool: string, args: JsonObject): Call {
	return { caller: { kind: 'model', through: 'participant' }, server, tool, arguments: args };
}

function isOurs(name: string): boolean {
	return (Object.values(ModelTools) as string[]).includes(name);
}
