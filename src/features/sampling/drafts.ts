/**
 * The state of a sampling request while it waits: edits, the chosen model, the running model, and the answer. A person edits a
 * request as the JSON of the protocol, and also an answer that isn't only text.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { DisposableStore, Emitter, type Event } from '../../base/lifecycle.js';
import { jsonText, oneLine, visibleJson } from '../../editor/ui/plainText.js';
import type { ChoiceReason } from '../../core/requests/modelChoice.js';
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

/** A text that a person edits: its last submitted version, and its tab while that is open. */
export class DraftText {
	private tab: EditedText | undefined;

	/** @param before the answer that the text begins with; `undefined` if a person writes it, or for a request */
	constructor(
		private text: string,
		readonly extension: 'txt' | 'json',
		readonly before?: SamplingAnswer,
	) {}

	/** The content of the open tab, saved or not; without a tab, the last submitted version. */
	async read(): Promise<string> {
		return (await this.tab?.read()) ?? this.text;
	}

	/**
	 * Shows the tab, or opens it.
	 * @param didClose called when the tab was closed; the argument says whether its text was submitted
	 */
	async edit(open: (text: string) => EditedText, didClose: (isSubmitted: boolean) => void): Promise<void> {
		if (!this.tab) {
			this.tab = open(this.text);
			void this.tab.written.then(written => {
				this.tab = undefined;
				this.text = written ?? this.text;
				didClose(written !== undefined);
			});
		}
		await this.tab.show();
	}

	/** Ends the editing, and closes the tab unless the person has changed its text. */
	close(): void {
		this.tab?.close();
	}
}

/** @param params of the request, as the server sent them */
export function requestText(params: JsonObject): DraftText {
	return new DraftText(asJson(editable(params)), 'json');
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

/** The start of an answer by hand. */
export function emptyAnswerText(isJson: boolean): DraftText {
	const empty = toAnswer([{ type: 'text', text: '' }], byHand, 'endTurn');
	return isJson ? new DraftText(asJson({ ...empty }), 'json') : new DraftText('', 'txt');
}

/** An answer of a model to edit: plain text if it is one text, otherwise JSON. */
export function answerText(answer: SamplingAnswer): DraftText {
	const text = onlyText(answer);
	return text === undefined ? new DraftText(asJson({ ...answer }), 'json', answer) : new DraftText(text, 'txt', answer);
}

/** The answer that a text means, whose members aren't checked; `undefined` if it isn't a JSON object, but must be one. */
export function readAnswer(text: string, { extension, before }: DraftText): SamplingAnswer | JsonObject | undefined {
	if (extension === 'json') {
		const value = parseJson(text);
		return isObject(value) ? value : undefined;
	}
	return before && onlyText(before) === text
		? before
		: toAnswer([{ type: 'text', text }], before?.model ?? byHand, before?.stopReason ?? 'endTurn');
}

/** Whether an answer has no content yet. */
export function isEmpty(answer: unknown): boolean {
	const { content } = isObject(answer) ? answer : {};
	return isObject(content) && content['type'] === 'text' && content['text'] === '';
}

/** The members of a request that a person can edit. */
function editable({ systemPrompt, messages, maxTokens }: JsonObject): JsonObject {
	return { ...(systemPrompt !== undefined && { systemPrompt }), messages, maxTokens };
}

function onlyText(answer: SamplingAnswer): string | undefined {
	const [block, ...others] = blocksOf(answer);
	return block?.type === 'text' && others.length === 0 ? block.text : undefined;
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
	reason: ChoiceReason | undefined;
	/** The grant that lets the model be asked without a review. */
	grant: SamplingGrant | undefined;
	/** Whether the person has decided about this request, so that `grant` is for later ones. */
	isDecidedNow = false;
	/** Whether the person or a grant has allowed the request, or the person has answered by hand. */
	isAllowed = false;
	run: Run | undefined;
	/** The answer of the model that was asked last. */
	modelAnswer: SamplingAnswer | undefined;
	/** The answer that would be sent. */
	answer: SamplingAnswer | undefined;
	/** Whether the person has gone back from the answer to the request. */
	isBackAtRequest = false;
	isAnswerEdited = false;
	/** Whether the person has deleted all of the model's text. */
	isAnswerEmptied = false;
	/** The texts of the request and of the answer that the person has opened in full. */
	openedRequest: string | undefined;
	openedAnswer: string | undefined;
	/** The texts in which the person has edited the request, and has written or edited the answer. */
	requestText: DraftText | undefined;
	answerText: DraftText | undefined;
	/** Closes the documents in which the person reads what has no room on the sheets. */
	readonly documents = new DisposableStore();
	/** All texts whose tabs may be open. */
	readonly texts = new Set<DraftText>();
	/** Whether the answer is that of `answerText`, and not the model's. */
	isAnswerWritten = false;
	/** Key of the model that was asked last. */
	asked: string | undefined;
	/** Why the model gave no answer, in the person's language. */
	problem: string | undefined;
	/** Why the edited request can't be sent to a model. */
	requestMistake: string | undefined;
	/** Why the answer that was written or edited can't be sent to the server. */
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
