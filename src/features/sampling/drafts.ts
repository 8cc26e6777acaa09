/** The state of a sampling request while it waits: edits, the chosen model, the running model, and the answer. */
import type * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { DisposableStore, Emitter, type Event } from '../../base/lifecycle.js';
import { visibleJson } from '../../editor/ui/plainText.js';
import type { ChoiceReason } from '../../core/requests/modelChoice.js';
import type { SamplingRequest } from '../../core/requests/samplingRequest.js';
import type { SamplingAnswer } from '../../core/requests/samplingAnswer.js';
import type { SamplingGrant } from '../../core/requests/samplingGrants.js';
import type { Sampling } from '../../core/requests/samplings.js';
import type { DraftText } from './texts.js';

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
