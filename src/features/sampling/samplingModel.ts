/**
 * Sends a sampling request to a model of the editor (spec 2025-11-25, client/sampling). The editor's API has no token limit,
 * so the limit is enforced here. `samplingWords.ts` describes what can't be honored.
 *
 * Texts of servers are cleaned by `modelText`, so that the model gets no characters that a person couldn't see, and images
 * are checked by `ImagesForModel`.
 */
import * as vscode from 'vscode';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import { type ContentBlock, describeJson, isObject, type JsonObject } from '../../mcp/index.js';
import {
	type AnswerBlock,
	answerProblem,
	type SamplingAnswer,
	type SamplingBlock,
	type SamplingMessage,
	type SamplingRequest,
	type SamplingTool,
	toAnswer,
	type ToolResultBlock,
	usesTools,
} from '../../core/requests/samplingRequest.js';
import { ToolNames } from '../../core/approvals/toolNames.js';
import { encodeBase64 } from '../../base/base64.js';
import { orCancelled } from '../../editor/cancellation.js';
import { imageOf, imagePart, modelAbilities } from '../../editor/newerApi.js';
import { describeAnswerProblem, whyNotAllImages, whyNotAsked } from '../../editor/l10n/samplingWords.js';
import { jsonText, modelText, notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { within } from '../../base/async.js';
import { chooseModels, modelKey } from '../../core/requests/modelChoice.js';
import { type Draft, Run } from './drafts.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { contentText } from '../../editor/documents/contentText.js';
import { ImagesForModel } from '../../editor/languageModels/modelImages.js';

const { t } = vscode.l10n;

interface AskOptions {
	readonly token: vscode.CancellationToken;
	/** Gets each new piece of the text, within the token limit. */
	readonly onText?: (text: string) => void;
	/** Why the model is asked, for the editor's own consent dialog. */
	readonly justification?: string;
}

/**
 * Asks the model. Resolves with the answer as the server will get it.
 * @throws ModelError in the person's language; AbortError if cancelled
 */
export async function askModel(
	model: vscode.LanguageModelChat,
	request: SamplingRequest,
	options: AskOptions,
): Promise<SamplingAnswer> {
	const why = whyNotAsked(request, model);
	if (why !== undefined) {
		throw new ModelError(why);
	}
	const names = new ToolNames(request.tools);
	const images = imagesFor(model);
	const messages = toModelMessages(request, images, names);
	if (images.given.length < imagesIn(request)) {
		throw new ModelError(whyNotAllImages());
	}
	// Ends the request when a limit is reached. The token of the caller can't be cancelled here.
	const source = new vscode.CancellationTokenSource();
	const listener = options.token.onCancellationRequested(() => source.cancel());
	const ask = async (): Promise<SamplingAnswer> => {
		const response = await model.sendRequest(messages, requestOptions(request, names, options), source.token);
		return readResponse(model, response, request, names, options, source);
	};
	try {
		return await orCancelled(ask, options.token);
	} catch (error) {
		throw options.token.isCancellationRequested ? new AbortError() : toModelError(error, model);
	} finally {
		listener.dispose();
		source.dispose();
	}
}

function requestOptions(
	{ maxTokens, temperature, stopSequences, tools, toolChoice }: SamplingRequest,
	names: ToolNames,
	{ justification }: AskOptions,
): vscode.LanguageModelChatRequestOptions {
	const { Auto, Required } = vscode.LanguageModelChatToolMode;
	return {
		...(justification === undefined ? {} : { justification }),
		// The names that most providers use. By the spec, stop sequences and temperature may be ignored.
		modelOptions: {
			max_tokens: maxTokens,
			...(temperature === undefined ? {} : { temperature }),
			...(stopSequences.length > 0 ? { stop: stopSequences } : {}),
		},
		...(usesTools({ tools, toolChoice })
			? { tools: toModelTools(tools, names), toolMode: toolChoice === 'required' ? Required : Auto }
			: {}),
	};
}

async function readResponse(
	model: vscode.LanguageModelChat,
	{ stream }: vscode.LanguageModelChatResponse,
	request: SamplingRequest,
	names: ToolNames,
	{ token, onText }: AskOptions,
	source: vscode.CancellationTokenSource,
): Promise<SamplingAnswer> {
	const answer = new LimitedAnswer(request.maxTokens, text => model.countTokens(text, token));
	const ids = new Set<string>();
	for await (const part of stream) {
		const image = imageOf(part);
		if (part instanceof vscode.LanguageModelTextPart) {
			const text = await answer.addText(part.value);
			if (!token.isCancellationRequested) {
				onText?.(text);
			}
		} else if (part instanceof vscode.LanguageModelToolCallPart) {
			const id = freeId(part.callId, ids);
			const input = isObject(part.input) ? part.input : {};
			await answer.addBlock({ type: 'tool_use', id, name: names.fromModel(part.name), input });
		} else if (image) {
			await answer.addBlock({ type: 'image', mimeType: image.mimeType, data: encodeBase64(image.data) });
		}
		if (answer.isFull || token.isCancellationRequested) {
			source.cancel();
			break;
		}
	}
	const blocks = await answer.end();
	const stopReason = blocks.some(it => it.type === 'tool_use') ? 'toolUse' : 'endTurn';
	return toAnswer(blocks, model.id, answer.isFull ? 'maxTokens' : stopReason);
}

/** A unique id, as the spec requires for tool uses. Some models give no id, or the same one several times. */
function freeId(id: string, taken: Set<string>): string {
	const wanted = id || 'call';
	let free = wanted;
	for (let number = 2; taken.has(free); number++) {
		free = `${wanted}-${number}`;
	}
	taken.add(free);
	return free;
}

/** Number of images that the model must get. Images in results of tools may be described instead. */
function imagesIn({ messages }: SamplingRequest): number {
	return messages.flatMap(it => it.content).filter(it => it.type === 'image').length;
}

/** A failed request to a model. The message is a sentence in the person's language. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
}

/** Converts an error of `sendRequest` or its stream to an AbortError if it was cancelled, otherwise to a ModelError. */
function toModelError(error: unknown, model: Pick<vscode.LanguageModelChat, 'name'>): Error {
	if (error instanceof ModelError) {
		return error;
	}
	return isAbort(error) || error instanceof vscode.CancellationError
		? new AbortError()
		: new ModelError(describeModelError(error, model), { cause: error });
}

function describeModelError(error: unknown, { name }: Pick<vscode.LanguageModelChat, 'name'>): string {
	const model = notificationText(name);
	if (typeof error === 'object' && !(error instanceof Error)) {
		// New editors throw a DOM event if they can't decode an image.
		return t("{0} didn't answer, and the editor gave no reason.", model);
	}
	const why = notificationText(toMessage(error));
	switch (error instanceof vscode.LanguageModelError ? error.code : undefined) {
		case vscode.LanguageModelError.NotFound.name:
			return t('{0} is no longer available. Select another model.', model);
		case vscode.LanguageModelError.NoPermissions.name:
			return t("The editor doesn't allow MCP Workbench to use {0}.", model);
		case vscode.LanguageModelError.Blocked.name:
			return t("{0} isn't accepting requests: {1}", model, why);
		default:
			return t("{0} didn't answer: {1}", model, why);
	}
}

/** Milliseconds to wait for the list of models; a provider that is present answers sooner. */
const maxWaitMs = 5000;

/** The models of the editor, best first. Empty if there are none, or if listing them fails or times out. */
export async function modelsFor(
	request: SamplingRequest,
	chosen: string | undefined,
): Promise<vscode.LanguageModelChat[]> {
	const isFit = (model: vscode.LanguageModelChat): boolean => whyNotAsked(request, model) === undefined;
	return chooseModels(await listModels(), request.hints, { chosen, isFit });
}

async function listModels(): Promise<readonly vscode.LanguageModelChat[]> {
	try {
		return (await within(Promise.resolve(vscode.lm.selectChatModels()), maxWaitMs)) ?? [];
	} catch {
		// Some editors have the API without an implementation.
		return [];
	}
}

/**
 * Starts a model. When the run has ended, the draft has an answer, a problem, or neither if it was stopped.
 * @param redact removes the secrets of servers from the request
 */
export function startModel(
	draft: Draft,
	model: vscode.LanguageModelChat,
	serverLabel: string,
	redact: <T>(value: T) => T,
): Run {
	const request = redact(draft.request);
	const run = new Run(new vscode.CancellationTokenSource());
	draft.asked = modelKey(model);
	draft.answer = draft.answerText = draft.answerMistake = draft.problem = undefined;
	draft.isBackAtRequest = false;
	draft.isAnswerEdited = false;
	run.ended = work(draft, run, model, serverLabel, request).finally(() => {
		draft.run = undefined;
		run.dispose();
	});
	// Last: a draft whose work never started would wait for it forever.
	draft.run = run;
	return run;
}

async function work(
	draft: Draft,
	run: Run,
	model: vscode.LanguageModelChat,
	serverLabel: string,
	request: SamplingRequest,
): Promise<void> {
	const justification = t('The MCP server {0} requests an answer from a model.', serverLabel);
	try {
		draft.answer = await askModel(model, request, {
			token: run.source.token,
			onText: text => run.add(text),
			justification,
		});
		const problem = answerProblem(draft.answer, draft.request);
		draft.answerMistake = problem && describeAnswerProblem(problem);
	} catch (error) {
		if (!isAbort(error)) {
			draft.problem = error instanceof ModelError ? error.message : toMessage(error);
		}
	}
}

/** Key of the state: model keys by the id of the server's definition. */
const chosenModelsKey = 'samplingModels';

/** The model that the person has chosen for each server, and the list to choose it from. */
export class ChosenModels {
	constructor(private readonly state: EditorState) {}

	/** The available models, best first. A model that was chosen for the server comes before all others. */
	for(serverId: string, request: Draft['request']): ReturnType<typeof modelsFor> {
		return modelsFor(request, this.kept[serverId]);
	}

	/**
	 * Lets the person choose a model for this request and all later ones of the server.
	 * @param serverLabel the server's label
	 * @param signal closes the list
	 */
	async choose(draft: Draft, serverLabel: string, signal: AbortSignal): Promise<void> {
		const { id } = draft.sampling.definition;
		const choices = await this.for(id, draft.request);
		const items = choices.map(model => ({
			label: quickPickText(model.name, 60),
			description: quickPickText(model.vendor, 40),
			model,
		}));
		const title = t('Model for "{0}"', serverLabel);
		const placeholder = t('Select the model for all requests of this server');
		const chosen = await askForOne({ title, placeholder, canGoBack: true, signal }, items);
		if (chosen && chosen !== back) {
			draft.model = chosen.model;
			draft.problem = undefined;
			await this.state.update(chosenModelsKey, { ...this.kept, [id]: modelKey(chosen.model) });
		}
	}

	private get kept(): Readonly<Record<string, string>> {
		return (this.state.get(chosenModelsKey) ?? {}) as Readonly<Record<string, string>>;
	}
}

/** Collects the blocks of an answer as they arrive, up to the token limit. Spec: clients MUST respect `maxTokens`. */
export class LimitedAnswer {
	/** The blocks before the current one. */
	private readonly blocks: AnswerBlock[] = [];
	/** The text of the current block. */
	private text = '';
	/** Upper bound for the tokens of `text`. A token has at least one byte, so the model is rarely asked to count. */
	private textTokens = 0;
	private _isFull = false;

	/**
	 * @param tokensLeft the token limit; decreases with each block
	 * @param count counts the tokens of a text; may reject, or give 0 if the model has no tokenizer
	 */
	constructor(
		private tokensLeft: number,
		private readonly count: (text: string) => PromiseLike<number>,
	) {}

	/** Whether the limit is reached. Stop the model if it is. */
	get isFull(): boolean {
		return this._isFull;
	}

	/** Adds a part of the text. Returns as much of it as the limit allows. */
	async addText(part: string): Promise<string> {
		const from = this.text.length;
		this.text += part;
		this.textTokens += new TextEncoder().encode(part).length;
		if (this.textTokens > this.tokensLeft) {
			this.textTokens = await this.tokensOf(this.text);
		}
		// The text before `from` doesn't exceed the limit.
		while (this.textTokens > this.tokensLeft && this.text.length > from) {
			this._isFull = true;
			const length = Math.max(from, Math.floor((this.text.length * this.tokensLeft) / this.textTokens));
			// Never splits a surrogate pair.
			this.text = this.text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
			this.textTokens = await this.tokensOf(this.text);
		}
		return this.text.slice(from);
	}

	/** Adds a block other than text, unless it exceeds the token limit. Such blocks can't be shortened. */
	async addBlock(block: AnswerBlock): Promise<void> {
		await this.endText();
		if (block.type === 'tool_use') {
			this.tokensLeft -= await this.tokensOf(describeJson([block.name, block.input], Infinity));
		}
		if (this.tokensLeft < 0) {
			this._isFull = true;
		} else {
			this.blocks.push(block);
		}
	}

	/** Returns all blocks. Call this when the model has finished. */
	async end(): Promise<readonly AnswerBlock[]> {
		await this.endText();
		return this.blocks;
	}

	private async endText(): Promise<void> {
		if (this.text !== '') {
			this.tokensLeft -= await this.tokensOf(this.text);
			this.blocks.push({ type: 'text', text: this.text });
			this.text = '';
			this.textTokens = 0;
		}
	}

	/** Counts tokens. Without a tokenizer, a token is estimated as four characters. */
	private async tokensOf(text: string): Promise<number> {
		let tokens = 0;
		try {
			tokens = await this.count(text);
		} catch {
			// Treated like a missing tokenizer.
		}
		return tokens > 0 ? tokens : Math.ceil(text.length / 4);
	}
}

type MessagePart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** Collects the images of one request to a model. */
function imagesFor(model: vscode.LanguageModelChat): ImagesForModel {
	// If the editor doesn't say whether the model supports images, they are sent.
	return new ImagesForModel(modelAbilities(model).images ?? true);
}

/** Converts a block to a part of a message. A block that isn't text or an accepted image is described in a text. */
function toModelPart(block: ContentBlock, images: ImagesForModel): vscode.LanguageModelTextPart {
	if (block.type === 'image' && images.tryGive(block.mimeType, block.data) !== undefined) {
		const { bytes, mimeType } = images.given.at(-1) ?? { bytes: new Uint8Array(), mimeType: '' };
		return imagePart(bytes, mimeType);
	}
	return new vscode.LanguageModelTextPart(modelText(contentText(block)));
}

function toModelMessage(role: 'user' | 'assistant', parts: readonly MessagePart[]): vscode.LanguageModelChatMessage {
	const { User, Assistant } = vscode.LanguageModelChatMessageRole;
	return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, [...parts]);
}

/**
 * The messages of a request. The editor has no system role, so a system prompt becomes the first message of the user.
 * @param images receives the images of the messages
 */
function toModelMessages(
	{ systemPrompt, messages }: Pick<SamplingRequest, 'systemPrompt' | 'messages'>,
	images: ImagesForModel,
	names: ToolNames,
): vscode.LanguageModelChatMessage[] {
	const all: readonly SamplingMessage[] = [
		...(systemPrompt === undefined
			? []
			: [{ role: 'user' as const, content: [{ type: 'text' as const, text: systemPrompt }] }]),
		...messages,
	];
	return (
		all
			// Some models reject texts without characters other than spaces. An earlier answer can contain one.
			.map(({ role, content }) => ({
				role,
				content: content.filter(it => it.type !== 'text' || it.text.trim() !== ''),
			}))
			.filter(it => it.content.length > 0)
			.map(({ role, content }) =>
				toModelMessage(
					role,
					content.map(it => toPart(it, images, names)),
				),
			)
	);
}

function toPart(block: SamplingBlock, images: ImagesForModel, names: ToolNames): MessagePart {
	switch (block.type) {
		case 'tool_use':
			return new vscode.LanguageModelToolCallPart(block.id, names.toModel(block.name), cleaned(block.input));
		case 'tool_result':
			return new vscode.LanguageModelToolResultPart(block.toolUseId, resultParts(block, images));
		default:
			return toModelPart(block, images);
	}
}

function resultParts(
	{ content, structuredContent, isError }: ToolResultBlock,
	images: ImagesForModel,
): vscode.LanguageModelTextPart[] {
	const parts = content.map(it => toModelPart(it, images));
	// Spec, tools: a tool with structured content SHOULD also return it as text. If it doesn't, the structured content
	// is used.
	if (parts.length === 0 && structuredContent !== undefined) {
		parts.push(new vscode.LanguageModelTextPart(modelText(jsonText(structuredContent))));
	}
	return isError ? [new vscode.LanguageModelTextPart('[the tool failed]'), ...parts] : parts;
}

function toModelTools(tools: readonly SamplingTool[], names: ToolNames): vscode.LanguageModelChatTool[] {
	return tools.map(({ name, description = '', inputSchema }) => ({
		name: names.toModel(name),
		description: modelText(description),
		inputSchema: cleaned(inputSchema),
	}));
}

/** Cleans all texts and names of members for a model. */
function cleaned(value: JsonObject): JsonObject {
	return cleanedValue(value) as JsonObject;
}

function cleanedValue(value: unknown): unknown {
	if (typeof value === 'string') {
		return modelText(value);
	}
	if (Array.isArray(value)) {
		return value.map(cleanedValue);
	}
	return isObject(value)
		? Object.fromEntries(Object.entries(value).map(([key, it]) => [modelText(key), cleanedValue(it)]))
		: value;
}
