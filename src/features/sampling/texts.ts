/**
 * The texts in which a person edits a sampling request or its answer. A request is JSON as the protocol has it; so is an
 * answer that a plain text can't express.
 */
import * as vscode from 'vscode';
import { canonicalJson, isObject, type JsonObject, RpcError } from '../../mcp/index.js';
import { readSampling, type SamplingRequest } from '../../core/requests/samplingRequest.js';
import { blocksOf, type SamplingAnswer, toAnswer } from '../../core/requests/samplingAnswer.js';
import { parseJson } from '../../base/parseJson.js';
import type { EditedText } from '../../editor/documents/textEditing.js';
import { jsonText, oneLine } from '../../editor/ui/plainText.js';

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
