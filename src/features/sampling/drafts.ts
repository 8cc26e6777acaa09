/**
 * The state of a sampling request while it waits: edits, the chosen model, the running model, and the answer. A person edits a
 * request as the JSON of the protocol, and also an answer that isn't only text.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { DisposableStore, Emitter, type Event } from '../../base/lifecycle.js';
import { jsonText, oneLine, visibleJson } from '../../editor/ui/plainText.js';
import {
	blocksOf,
	readSampling,
	type SamplingAnswer,
	type SamplingRequest,
	toAnswer,
} from '../../core/requests/samplingRequest.js';
import type { SamplingGrant } from '../../core/requests/samplingGrants.js';
import type { Sampling } from '../../core/requests/samplings.js';
import { canonicalJson, isObject, type JsonObject, RpcError } from '../../mcp/index.js';
import { parseJson } from '../../base/parseJson.js';
import type { EditedText } from '../../editor/documents/textEditing.js';

/** The `model` of an answer that a person has written. The spec requires a value. */
const byHand = 'human';

/** The members of a request that a person can edit, as JSON. @param params the parameters as the server sent them */
export function requestText(params: JsonObject): string {
	return asJson(editable(params));
}

/**
 * The request with a person's edits.
 * @param params of the request, as the server sent them
 * @throws Error in the person's language if it can't be sent
 */
export function readRequest(
	text: string,
	params: JsonObject,
): { readonly request: SamplingRequest; readonly isEdited: boolean } {
	const { t } = vscode.l10n;
	const value = parseJson(text);
	if (!isObject(value)) {
		throw new Error(t("The edited request isn't a JSON object."));
	}
	const { systemPrompt, messages, maxTokens } = value;
	try {
		const request = readSampling({ ...params, systemPrompt, messages, maxTokens });
		return { request, isEdited: canonicalJson(value) !== canonicalJson(editable(params)) };
	} catch (error) {
		throw error instanceof RpcError
			? new Error(t("The edited request can't be sent: {0}", oneLine(error.message)))
			: error;
	}
}

/** The text of an answer that a person writes or edits. */
export interface AnswerText {
	readonly text: string;
	readonly extension: 'txt' | 'json';
	/** The model's answer before editing; `undefined` for an answer by hand. */
	readonly before: SamplingAnswer | undefined;
}

/** The start of an answer by hand. */
export function emptyAnswerText(isJson: boolean): AnswerText {
	const empty = toAnswer([{ type: 'text', text: '' }], byHand, 'endTurn');
	return isJson
		? { text: asJson({ ...empty }), extension: 'json', before: undefined }
		: { text: '', extension: 'txt', before: undefined };
}

/** An answer to edit: plain text if it is one text, otherwise JSON. */
export function answerText(answer: SamplingAnswer): AnswerText {
	const [block, ...others] = blocksOf(answer);
	return block?.type === 'text' && others.length === 0
		? { text: block.text, extension: 'txt', before: answer }
		: { text: asJson({ ...answer }), extension: 'json', before: answer };
}

/** Converts an edited text to an answer, whose members aren't checked yet. Returns `undefined` for invalid JSON. */
export function readAnswer({ text, extension, before }: AnswerText): unknown {
	return extension === 'json'
		? parseJson(text)
		: toAnswer([{ type: 'text', text }], before?.model ?? byHand, before?.stopReason ?? 'endTurn');
}

/** The members of a request that a person can edit. */
function editable({ systemPrompt, messages, maxTokens }: JsonObject): JsonObject {
	return { ...(systemPrompt !== undefined && { systemPrompt }), messages, maxTokens };
}

function asJson(value: JsonObject): string {
	return `${jsonText(value, 2)}\n`;
}

/** A running model. */
export class Run {
	private readonly _onText = new Emitter<void>();
	readonly onText: Event<void> = this._onText.event;
	/** Milliseconds since 1970. */
	readonly startedAt = clock.now();
	/** The text of the answer so far. */
	text = '';
	/** Resolves when the model has ended, failed, or was stopped. */
	ended: Promise<void> = Promise.resolve();

	constructor(readonly source: vscode.CancellationTokenSource) {}

	add(text: string): void {
		this.text += text;
		this._onText.fire();
	}

	dispose(): void {
		this._onText.dispose();
		this.source.dispose();
	}
}

export class Draft {
	/** The request with the person's edits. */
	request: SamplingRequest;
	isRequestEdited = false;
	/** Settles when `model` is known. */
	choosing: Promise<unknown> | undefined;
	model: vscode.LanguageModelChat | undefined;
	/** The grant that lets the model be asked without a review. */
	grant: SamplingGrant | undefined;
	/** Whether the person has decided about this request, so that `grant` is for later ones. */
	isDecidedNow = false;
	/** Whether the person or a grant has allowed the request, or the person has answered by hand. */
	isAllowed = false;
	run: Run | undefined;
	/** The answer that would be sent. */
	answer: SamplingAnswer | undefined;
	/** Whether the person has gone back from the answer to the request. */
	isBackAtRequest = false;
	isAnswerEdited = false;
	/** The texts as the person last submitted them: the request, and the answer. */
	requestText: string | undefined;
	answerText: AnswerText | undefined;
	/** The open tabs in which the person edits these texts. */
	readonly tabs = new Map<'request' | 'answer', EditedText>();
	/** Closes the documents in which the person reads what has no room on the sheets. */
	readonly documents = new DisposableStore();
	/** Key of the model that was asked last. */
	asked: string | undefined;
	/** Why the model gave no answer, in the person's language. */
	problem: string | undefined;
	/** Why the edited request can't be sent to a model. */
	requestMistake: string | undefined;
	/** Why the answer can't be sent to the server. */
	answerMistake: string | undefined;

	constructor(readonly sampling: Sampling) {
		this.request = sampling.request.request;
	}

	/** The parameters of the request with the person's edits, for the full view. */
	wholeRequest(): string {
		const { params } = this.sampling;
		const { systemPrompt, messages, maxTokens } = this.request;
		return visibleJson(this.isRequestEdited ? { ...params, systemPrompt, messages, maxTokens } : params);
	}
}
