/** What has become of a request for a model so far: what the person has changed, and what a model has said. */
import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/lifecycle.js';
import type { JsonObject } from '../../mcp/index.js';
import type { ChoiceReason } from '../../model/modelChoice.js';
import type { SamplingRequest } from '../../model/sampling.js';
import type { SamplingAnswer } from '../../model/samplingAnswer.js';
import type { SamplingGrant } from '../../model/samplingGrants.js';
import type { Sampling } from '../../model/samplings.js';

/** A model at work on it. */
export class Run {
	private readonly _onText = new Emitter<void>();
	readonly onText: Event<void> = this._onText.event;
	/** What it has said by now. */
	text = '';
	/** Settles when it has ended, however. */
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
	/** As the person wants it to be. */
	request: SamplingRequest;
	isRequestEdited: boolean;
	model: vscode.LanguageModelChat | undefined;
	reason: ChoiceReason | undefined;
	/** What made it need no review. */
	grant: SamplingGrant | undefined;
	/** Limit and choices that were not taken yet, when their question disappeared. */
	typedLimit: string | undefined;
	limits: readonly string[] | undefined;
	/** The person, or a grant, has let a model be asked, or there is an answer by hand. */
	isAllowed: boolean;
	run: Run | undefined;
	answer: SamplingAnswer | undefined;
	isAnswerEdited: boolean;
	/** Where the person writes the answer, or changes it. */
	document: vscode.Uri | undefined;
	/** The model that was asked. */
	asked: string | undefined;
	/** Why it came to nothing, in the person's language. */
	problem: string | undefined;
	/** Why no model can be asked what the request is now. */
	requestMistake: string | undefined;
	/** Why the server cannot get what the answer is now. */
	answerMistake: string | undefined;
}

/** As it came, with what the person has changed. */
export function wholeRequest({ params }: Sampling, { request, isRequestEdited }: Draft): JsonObject {
	const { systemPrompt, messages, maxTokens } = request;
	return isRequestEdited ? { ...params, systemPrompt, messages, maxTokens } : params;
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
				typedLimit: undefined,
				limits: undefined,
				isAllowed: false,
				run: undefined,
				answer: undefined,
				isAnswerEdited: false,
				document: undefined,
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
