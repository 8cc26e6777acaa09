/** The state of sampling requests while they wait: edits, the chosen model, the running model, and the answer. */
import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/lifecycle.js';
import { visibleJson } from '../../editor/ui/plainText.js';
import type { ChoiceReason } from '../../core/requests/modelChoice.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';
import type { SamplingAnswer } from '../../core/requests/samplingAnswer.js';
import type { SamplingGrant } from '../../core/requests/samplingGrants.js';
import type { Sampling } from '../../core/requests/samplings.js';
import type { DraftText } from './texts.js';

/** A running model. */
export class Run {
	private readonly _onText = new Emitter<void>();
	readonly onText: Event<void> = this._onText.event;
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

export interface Draft {
	/** The request with the person's edits. */
	request: SamplingRequest;
	isRequestEdited: boolean;
	model: vscode.LanguageModelChat | undefined;
	reason: ChoiceReason | undefined;
	/** The grant that lets the model be asked without a review. */
	grant: SamplingGrant | undefined;
	/** Whether the person or a grant has allowed the request, or the person has answered by hand. */
	isAllowed: boolean;
	run: Run | undefined;
	answer: SamplingAnswer | undefined;
	isAnswerEdited: boolean;
	/** The texts of the request and of the answer that the person has opened in full. */
	openedRequest: string | undefined;
	openedAnswer: string | undefined;
	/** The texts in which the person has edited the request, and has written or edited the answer. */
	requestText: DraftText | undefined;
	answerText: DraftText | undefined;
	/** All texts whose tabs may be open. */
	readonly texts: Set<DraftText>;
	/** Whether `answerText` is the answer, and not the model's. */
	isAnswerWritten: boolean;
	/** Key of the model that was asked last. */
	asked: string | undefined;
	/** Why the model gave no answer, in the person's language. */
	problem: string | undefined;
	/** Why the edited request can't be sent to a model. */
	requestMistake: string | undefined;
	/** Why the edited answer can't be sent to the server. */
	answerMistake: string | undefined;
}

/** The parameters of the request with the person's edits, for the full view. */
export function wholeRequest({ params }: Sampling, { request, isRequestEdited }: Draft): string {
	const { systemPrompt, messages, maxTokens } = request;
	return visibleJson(isRequestEdited ? { ...params, systemPrompt, messages, maxTokens } : params);
}

export class Drafts {
	private readonly drafts = new WeakMap<Sampling, Draft>();

	of(sampling: Sampling): Draft {
		let draft = this.drafts.get(sampling);
		if (!draft) {
			draft = {
				request: sampling.request.request,
				isRequestEdited: false,
				model: undefined,
				reason: undefined,
				grant: undefined,
				isAllowed: false,
				run: undefined,
				answer: undefined,
				isAnswerEdited: false,
				openedRequest: undefined,
				openedAnswer: undefined,
				requestText: undefined,
				answerText: undefined,
				texts: new Set(),
				isAnswerWritten: false,
				asked: undefined,
				problem: undefined,
				requestMistake: undefined,
				answerMistake: undefined,
			};
			this.drafts.set(sampling, draft);
		}
		return draft;
	}
}
