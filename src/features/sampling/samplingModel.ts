/**
 * Sends a sampling request to a model of the editor (spec 2025-11-25, client/sampling). The editor's API has no limit of
 * tokens and no stop sequences, so both are enforced here. `samplingWords.ts` tells what else can't be honored.
 */
import * as vscode from 'vscode';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import { isObject } from '../../mcp/index.js';
import { AnswerText } from '../../editor/languageModels/answerText.js';
import type { SamplingRequest } from '../../core/requests/samplingRequest.js';
import { type SamplingAnswer, toAnswer } from '../../core/requests/samplingAnswer.js';
import { usesTools } from '../../core/requests/samplingGrants.js';
import { ToolNames } from '../../core/approvals/toolNames.js';
import { encodeBase64 } from '../../base/base64.js';
import { orCancelled } from '../../editor/cancellation.js';
import { imagesFor, toModelMessages, toModelTools } from './modelMessages.js';
import { imageOf } from '../../editor/newerApi.js';
import { whyNotAllImages, whyNotAsked } from '../../editor/l10n/samplingWords.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { within } from '../../base/async.js';
import { chooseModels, type ModelChoice, modelKey } from '../../core/requests/modelChoice.js';
import { type Draft, Run } from './drafts.js';

interface AskOptions {
	readonly token: vscode.CancellationToken;
	/** Gets each new piece of the text, within the limits. */
	readonly onText?: (text: string) => void;
	/** Why the model is asked, for the editor's own consent dialog. */
	readonly justification?: string;
}

/** Providers pass on at most this many. */
const maxStopSequences = 4;

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
		// Names that most providers read. The limits are enforced anyway while the answer arrives.
		modelOptions: {
			max_tokens: maxTokens,
			...(temperature === undefined ? {} : { temperature }),
			...(stopSequences.length > 0 ? { stop: stopSequences.slice(0, maxStopSequences) } : {}),
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
	const answer = new AnswerText(request, text => model.countTokens(text, token));
	const ids = new Set<string>();
	const tell = (text: string): void => {
		if (text !== '' && !token.isCancellationRequested) {
			onText?.(text);
		}
	};
	for await (const part of stream) {
		const image = imageOf(part);
		if (part instanceof vscode.LanguageModelTextPart) {
			tell(await answer.add(part.value));
		} else if (part instanceof vscode.LanguageModelToolCallPart) {
			const id = freeId(part.callId, ids);
			const input = isObject(part.input) ? part.input : {};
			await answer.addBlock({ type: 'tool_use', id, name: names.fromModel(part.name), input });
		} else if (image) {
			await answer.addBlock({ type: 'image', mimeType: image.mimeType, data: encodeBase64(image.data) });
		}
		if (answer.ended || token.isCancellationRequested) {
			source.cancel();
			break;
		}
	}
	const { rest, blocks } = answer.end();
	tell(rest);
	const stopReason = blocks.some(it => it.type === 'tool_use') ? 'toolUse' : 'endTurn';
	return toAnswer(blocks, model.id, answer.ended ?? stopReason);
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
	const { t } = vscode.l10n;
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
): Promise<ModelChoice<vscode.LanguageModelChat>[]> {
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
	draft.answer = draft.modelAnswer = undefined;
	draft.isBackAtRequest = false;
	draft.isAnswerEdited = false;
	draft.isAnswerWritten = false;
	draft.problem = undefined;
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
	const justification = vscode.l10n.t(
		'The MCP server {0} requests an answer from a model.',
		notificationText(serverLabel),
	);
	try {
		draft.answer = draft.modelAnswer = await askModel(model, request, {
			token: run.source.token,
			onText: text => run.add(text),
			justification,
		});
	} catch (error) {
		if (!isAbort(error)) {
			draft.problem = error instanceof ModelError ? error.message : toMessage(error);
		}
	}
}
