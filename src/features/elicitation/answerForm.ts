/** Elicitation in form mode: the person fills in the fields one by one, reviews them, and accepts, declines, or cancels. */
import * as vscode from 'vscode';
import {
	canonicalJson,
	type Field,
	type Form,
	formFields,
	type JsonObject,
	type SchemaValidator,
} from '../../mcp/index.js';
import type { Elicitation, ElicitationAnswer } from '../../core/requests/elicitations.js';
import type { Documents } from '../../editor/documents/documents.js';
import { type FormDraft, runForm } from '../../editor/forms/formPick.js';
import type { FormAction } from '../../editor/forms/formReview.js';
import { quickInputText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { confirmAction } from '../../editor/ui/quickInput.js';
import { describeSchemaProblem } from '../../editor/l10n/schemaWords.js';

const { t } = vscode.l10n;

export interface AnswerFormDeps {
	readonly documents: Documents;
	readonly validator: SchemaValidator;
}

/** Keeps the draft of each question until it is answered. */
export class AnswerForm {
	private readonly drafts = new WeakMap<Elicitation, FormDraft>();

	constructor(private readonly deps: AnswerFormDeps) {}

	/** Shows the form. Resolves with the answer; `undefined` if the form was closed, and the question still waits. */
	async ask(
		elicitation: Elicitation,
		serverLabel: string,
		schema: JsonObject,
		signal: AbortSignal,
	): Promise<ElicitationAnswer | undefined> {
		const { deps, drafts } = this;
		const title = titleText(t('Answer'), serverLabel);
		const form = formFields(schema);
		while (!signal.aborted) {
			const outcome = await runForm({
				form,
				title,
				signal,
				draft: drafts.get(elicitation),
				placeholder: t('Review your answer. Select a value to change it.'),
				message: t('{0} asks: "{1}"', serverLabel, quickInputText(elicitation.request.message, 300)),
				intro: {
					id: 'message',
					label: t('{0} asks: "{1}"', serverLabel, quickPickText(elicitation.request.message, 80)),
					icon: 'comment',
				},
				submitLabel: t('Submit'),
				isSheet: true,
				submitDetail: values => describeSubmission(form, values),
				leaveLabel: t('Answer Later'),
				leaveIcon: 'clock',
				decisions: answerActions(),
				warn: field => (asksForSecret(field) ? t('Servers must not ask for passwords or keys this way') : undefined),
				showAll: values => deps.documents.showJson(title, values),
			});
			if (outcome.kind === 'submitted') {
				drafts.set(elicitation, { values: outcome.values, texts: {} });
				if (await this.isFine(schema, outcome.values)) {
					return { action: 'accept', content: outcome.values };
				}
				continue;
			}
			drafts.set(elicitation, outcome.draft);
			if (outcome.kind === 'left') {
				return undefined;
			}
			if (outcome.id === 'message') {
				await deps.documents.show(titleText(t('Request'), serverLabel), elicitation.request.message);
				continue;
			}
			return { action: outcome.id === 'decline' ? 'decline' : 'cancel' };
		}
		return undefined;
	}

	/** Checks the content by the whole schema, which can require more than its fields do. True if it may be sent. */
	private async isFine(schema: JsonObject, content: JsonObject): Promise<boolean> {
		const check = await this.deps.validator.check(schema, content);
		if (check.kind !== 'invalid') {
			return true;
		}
		const [first] = check.problems;
		const why = first ? describeSchemaProblem(first) : '';
		return confirmAction(t("The answer doesn't match the server's request: {0}", why), t('Submit Anyway'));
	}
}

/** Decline and cancel. Both end the question; each detail describes what the server gets. */
function answerActions(): FormAction[] {
	return [
		{
			id: 'decline',
			label: t('Decline'),
			icon: 'circle-slash',
			detail: t('Tells the server that you declined'),
		},
		{
			id: 'cancel',
			label: t('Cancel Request'),
			icon: 'close',
			detail: t('Tells the server that you canceled'),
		},
	];
}

/** Describes what the server gets. Counts the defaults, because the person isn't asked about those of optional fields. */
function describeSubmission({ fields }: Form, values: JsonObject): string {
	if (fields.length === 0) {
		return t('Tells the server that you accepted');
	}
	if (Object.keys(values).length === 0) {
		return t('Sends no values');
	}
	const defaults = fields.filter(({ name, default: stated }) => {
		const value = values[name];
		return value !== undefined && stated !== undefined && canonicalJson(value) === canonicalJson(stated);
	}).length;
	return defaults === 0
		? t('Sends the values below')
		: defaults === 1
			? t('Sends the values below, including 1 default from the server')
			: t('Sends the values below, including {0} defaults from the server', defaults);
}

const kinds =
	'pass(?:word|phrase|code|wd)|secret|credential|(?:api|private|access|auth).?key|(?:access|auth|bearer|refresh|api|session|security).?token|card.?number|social.?security';
/** Short words count only in names: a description may mention them without asking for one. */
const inName = new RegExp(`${kinds}|\\b(?:token|pwd|pin|otp|cvv|cvc|ssn)\\b`, 'i');
const inDescription = new RegExp(`\\byour\\b[^.]{0,40}(?:${kinds})`, 'i');

/**
 * Guesses whether a field asks for a secret. The guess shows a warning and blocks nothing. Spec, elicitation: "Servers MUST
 * NOT use form mode elicitation to request sensitive information".
 */
export function asksForSecret({ kind, name, title, description, isSecret }: Field): boolean {
	if (kind === 'boolean' || kind === 'choices') {
		return false;
	}
	// Divides `apiKey` and `user_pin` into words.
	const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
	return isSecret || [name, spaced, title ?? ''].some(it => inName.test(it)) || inDescription.test(description ?? '');
}
