/** A question in form mode: its fields one by one, the review, and the three answers, which are told apart. */
import * as vscode from 'vscode';
import { type Form, formFields, type JsonObject, type SchemaValidator } from '../../mcp/index.js';
import type { Elicitation, ElicitationAnswer } from '../../model/elicitations.js';
import { looksLikeSecret } from '../../model/secretFields.js';
import type { Documents } from '../../host/documents.js';
import { type FormDraft, type FormWay, runForm } from '../../host/formPick.js';
import { quickPickText, titleText } from '../../host/plainText.js';
import { describeSchemaProblem } from '../../host/schemaWords.js';

export interface AnswerFormDeps {
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	/** What the person knows the server by. */
	readonly label: (elicitation: Elicitation) => string;
}

/** Keeps what was typed for each question, until it is answered. */
export class AnswerForm {
	private readonly drafts = new WeakMap<Elicitation, FormDraft>();

	constructor(private readonly deps: AnswerFormDeps) {}

	/** The answer, or `undefined` if the form disappeared: then the question still waits. */
	async ask(elicitation: Elicitation, schema: JsonObject): Promise<ElicitationAnswer | undefined> {
		const { t } = vscode.l10n;
		const { deps, drafts } = this;
		const whose = deps.label(elicitation);
		const title = titleText(t('answer'), whose);
		const form = formFields(schema);
		const matches = hasPattern(form) ? await deps.validator.matcher() : undefined;
		for (;;) {
			const outcome = await runForm({
				form,
				title,
				draft: drafts.get(elicitation),
				placeholder: t('Review your answer; choose a line to change it'),
				intro: [
					{
						id: 'message',
						label: quickPickText(t('{0} asks: "{1}"', whose, elicitation.request.message), 120),
						icon: 'comment',
					},
				],
				submitLabel: t('Submit'),
				submitIcon: 'check',
				submitDetail: t('the server gets what stands above'),
				leaveLabel: t('Answer Later'),
				ways: answerWays(),
				warn: field => (looksLikeSecret(field) ? warningOfSecret() : undefined),
				matches,
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
				await deps.documents.show(titleText(t('question'), whose), elicitation.request.message, 'active');
				continue;
			}
			return { action: outcome.id === 'decline' ? 'decline' : 'cancel' };
		}
	}

	/** Once more, by the whole schema: fields alone cannot say all of it. */
	private async isFine(schema: JsonObject, content: JsonObject): Promise<boolean> {
		const check = await this.deps.validator.check(schema, content);
		if (check.kind !== 'invalid') {
			return true;
		}
		const [first] = check.problems;
		const why = first ? describeSchemaProblem(first) : '';
		const { t } = vscode.l10n;
		const send = t('Submit Anyway');
		const message = t('This does not fit what the server asks for: {0}', why);
		return (await vscode.window.showWarningMessage(message, { modal: true }, send)) === send;
	}
}

/** Declining and cancelling end the question; each line says what the server is told. */
export function answerWays(): FormWay[] {
	const { t } = vscode.l10n;
	return [
		{
			id: 'decline',
			label: t('Decline'),
			icon: 'circle-slash',
			detail: t('the server is told that you said no'),
			isLineOnly: true,
		},
		{
			id: 'cancel',
			label: t('Cancel Request'),
			icon: 'close',
			detail: t('the server is told that you did not choose'),
			isLineOnly: true,
		},
	];
}

function warningOfSecret(): string {
	return vscode.l10n.t('Servers must not ask for passwords or keys this way');
}

function hasPattern({ fields }: Form): boolean {
	return fields.some(it => it.kind === 'string' && it.pattern !== undefined);
}
