/**
 * A model of the editor asked what a server asks. Spec 2025-11-25, client/sampling. The editor's API has fewer words than
 * the protocol: what it lacks is done here (limits, stop sequences), or refused in words, or said (`samplingWords.ts`).
 */
import * as vscode from 'vscode';
import { AbortError } from '../../base/errors.js';
import { isObject } from '../../mcp/index.js';
import { AnswerText } from './answerText.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';
import { type SamplingAnswer, toAnswer } from '../../core/requests/samplingAnswer.js';
import { ToolNames } from '../../core/approvals/toolNames.js';
import { encodeBase64 } from '../../base/base64.js';
import { orCancelled } from '../cancellation.js';
import { ModelError, toModelError } from './modelErrors.js';
import { imagesFor, toModelMessages, toModelTools } from './modelMessages.js';
import { imageOf } from '../newerApi.js';
import { whyNotAsked, whyNotAllImages } from '../l10n/samplingWords.js';

export interface AskOptions {
	readonly token: vscode.CancellationToken;
	/** Gets the text as it grows, without what the limits have cut off. */
	readonly onText?: (text: string) => void;
	/** Why the model is asked, for the editor's own question. */
	readonly justification?: string;
}

/** Providers pass no more of them on. */
const maxStopSequences = 4;

/**
 * Asks the model, and gives its answer as the server will get it.
 * @throws ModelError in the person's language; AbortError if it was given up
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
	// Ends the request when there is enough, without ending what the person waits for.
	const source = new vscode.CancellationTokenSource();
	const listener = options.token.onCancellationRequested(() => source.cancel());
	const ask = async (): Promise<SamplingAnswer> => {
		const response = await model.sendRequest(messages, requestOptions(request, names, options), source.token);
		return readAnswer(model, response, request, names, options, source);
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
		// The names that most providers read; what they do not read is enforced as the answer comes.
		modelOptions: {
			max_tokens: maxTokens,
			...(temperature === undefined ? {} : { temperature }),
			...(stopSequences.length > 0 ? { stop: stopSequences.slice(0, maxStopSequences) } : {}),
		},
		...(tools.length > 0 && toolChoice !== 'none'
			? { tools: toModelTools(tools, names), toolMode: toolChoice === 'required' ? Required : Auto }
			: {}),
	};
}

async function readAnswer(
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
		// What comes after a cancellation is for nobody.
		if (answer.ended || token.isCancellationRequested) {
			source.cancel();
			break;
		}
	}
	const { rest, blocks } = answer.end();
	tell(rest);
	const usesTools = blocks.some(it => it.type === 'tool_use');
	return toAnswer(blocks, model.id, answer.ended ?? (usesTools ? 'toolUse' : 'endTurn'));
}

/** Spec: the id of a tool use is unique. Some models give none, or each use the same. */
function freeId(id: string, taken: Set<string>): string {
	const wanted = id || 'call';
	let free = wanted;
	for (let number = 2; taken.has(free); number++) {
		free = `${wanted}-${number}`;
	}
	taken.add(free);
	return free;
}

/** Those that must be given: what is in the result of a tool may be named instead. */
function imagesIn({ messages }: SamplingRequest): number {
	return messages.flatMap(it => it.content).filter(it => it.type === 'image').length;
}
