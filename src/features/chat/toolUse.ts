/** The tools that a model has in one turn, and what it is told when it calls one. */
import * as vscode from 'vscode';
import { isAbort, toMessage } from '../../base/errors.js';
import { type ModelToolName, ModelTools } from '../../editor/contributions.js';
import type { ModelAnswer, ModelDoors, ModelRequest } from '../../editor/languageModels/modelRequest.js';
import { imageOf, imagePart } from '../../editor/newerApi.js';
import { markdownText } from '../../editor/ui/plainText.js';
import { resourceUri } from '../../editor/documents/resourceUri.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { Call } from '../../core/calls/calls.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { quoted } from '../../editor/languageModels/marking.js';
import type { OfferedTool } from './offeredTools.js';
import type { ChatTurn } from './turn.js';

export interface ToolUseDeps {
	readonly registry: ServerRegistry;
	readonly doors: ModelDoors;
	/** What would be decided now; nothing is asked. */
	readonly look: (call: Call) => Promise<ApprovalQuestion>;
}

type Content = vscode.LanguageModelToolResultPart['content'];

/** Of one turn. */
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

	/** For a request to the model. */
	get list(): vscode.LanguageModelChatTool[] {
		const ours = vscode.lm.tools.filter(it => isOurs(it.name));
		return [...this.offered.values(), ...ours, ...this.attached.values()].map(({ name, description, inputSchema }) => ({
			name,
			description,
			inputSchema,
		}));
	}

	/** What the model is told; failures too, unless the person has cancelled the whole. @throws AbortError */
	async run(call: vscode.LanguageModelToolCallPart, request: Omit<ModelRequest, 'input'>): Promise<Content> {
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

	private async make(call: vscode.LanguageModelToolCallPart, request: ModelRequest): Promise<string | Content> {
		const { doors } = this.deps;
		const offered = this.offered.get(call.name);
		if (offered) {
			if (!isObject(call.input)) {
				return 'The arguments must be a JSON object that matches the inputSchema of the tool.';
			}
			const server = this.deps.registry.current(offered.server) ?? offered.server;
			await this.say(callOf(server, offered.tool.name, call.input));
			return this.taken(server, await doors.call(server, offered.tool.name, call.input, request));
		}
		const attached = this.attached.get(call.name);
		if (attached) {
			this.turn.stream.progress(vscode.l10n.t('Running {0}…', markdownText(attached.name, 80)));
			const { toolInvocationToken } = this.turn.request;
			const options = { input: call.input, toolInvocationToken };
			const { content } = await vscode.lm.invokeTool(attached.name, options, this.turn.token);
			return request.takesImages ? content : content.map(named);
		}
		return this.runOurs(call.name, request);
	}

	private async runOurs(name: string, request: ModelRequest): Promise<string | Content> {
		const { t } = vscode.l10n;
		const { doors } = this.deps;
		const { stream } = this.turn;
		const { server: whose, tool, uri, arguments: args } = isObject(request.input) ? request.input : {};
		switch (name as ModelToolName) {
			case ModelTools.findTools:
				stream.progress(t('Looking for tools…'));
				return doors.findTools(request);
			case ModelTools.listResources:
				stream.progress(t('Looking for resources…'));
				return doors.listResources(request);
			case ModelTools.callTool: {
				const server = await doors.find(String(whose));
				await this.say(callOf(server, String(tool), isObject(args) ? args : {}));
				return this.taken(server, await doors.callTool(request));
			}
			case ModelTools.readResource: {
				const server = await doors.find(String(whose));
				stream.progress(t('Reading {0}…', markdownText(String(uri), 80)));
				return this.taken(server, await doors.readResource(request));
			}
			case ModelTools.readMore:
				return doors.readMore(request);
			default:
				return `There is no tool ${quoted(name)}. Use one that you were given, or look for one with ${ModelTools.findTools}.`;
		}
	}

	/** What happens, where the person looks; and that it waits for them, if it will. */
	private async say(call: Call): Promise<void> {
		const { t } = vscode.l10n;
		const { stream } = this.turn;
		const whose = markdownText(this.deps.registry.label(call.server), 60);
		const tool = markdownText(call.tool, 80);
		// Nothing is started to find out what would be decided.
		const question = call.server.client ? await this.deps.look(call).catch(() => undefined) : undefined;
		stream.progress(
			question?.decision.kind === 'ask'
				? t('{0} on {1} is waiting for your approval…', tool, whose)
				: t('Running {0} on {1}…', tool, whose),
		);
	}

	/** Shows what it was made of. */
	private taken(server: Server, { text, images, resources }: ModelAnswer): Content {
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

/** For a model that takes no images: in words what would be one. */
function named(part: unknown): unknown {
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
