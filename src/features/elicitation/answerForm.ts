/**
 * Elicitation in form mode: the person fills in the fields one by one or in a JSON document, reviews them, and accepts,
 * declines, or cancels.
 */
import * as vscode from 'vscode';
import { canonicalJson, type Form, formFields, type JsonObject, type SchemaValidator } from '../../mcp/index.js';
import type { Elicitation, ElicitationAnswer } from '../../core/requests/elicitations.js';
import { plainObject } from '../../core/text/plainData.js';
import { asksForSecret } from './secretFields.js';
import { reviewAnswer } from './answerReview.js';
import type { Documents } from '../../editor/documents/documents.js';
import { draftValues, type FormDraft, runForm } from '../../editor/forms/formPick.js';
import type { FormWay } from '../../editor/forms/formReview.js';
import { oneLine, quickInputText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { closeHeldInput } from '../../editor/ui/quickInput.js';
import { JsonDocuments, valuesOrSkeleton } from '../../editor/documents/jsonDocuments.js';
import { editorSchema } from '../../editor/documents/editorSchema.js';
import { answerScheme, answerSchemaScheme, Commands } from '../../editor/contributions.js';
import { Owner } from '../../base/lifecycle.js';
import { describeSchemaProblem } from '../../editor/l10n/schemaWords.js';

export interface AnswerFormDeps {
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly waiting: () => readonly Elicitation[];
	/** The server's label. */
	readonly label: (elicitation: Elicitation) => string;
}

export interface DocumentAnswer {
	readonly uri: vscode.Uri;
	readonly elicitation: Elicitation;
	/** Frozen. */
	readonly content: JsonObject;
}

/** Keeps the draft of each question until it is answered. */
export class AnswerForm extends Owner {
	private readonly drafts = new WeakMap<Elicitation, FormDraft>();
	/** Questions whose draft began with a document. Other extensions can write it, so the answer is reviewed exactly. */
	private readonly fromDocument = new WeakSet<Elicitation>();
	/** The text of each question's document when it was last read or written. */
	private readonly written = new WeakMap<Elicitation, string>();
	private readonly answers: JsonDocuments;

	constructor(private readonly deps: AnswerFormDeps) {
		super();
		this.answers = this.own(
			new JsonDocuments({
				scheme: answerScheme,
				schemaScheme: answerSchemaScheme,
				isKnown: uri => idOf(uri) !== undefined,
				schemaOf: uri => {
					const schema = this.find(uri)?.schema;
					return schema && editorSchema(schema);
				},
				actions: uri => this.actions(uri),
			}),
		);
	}

	/** The answer in a document; by default the one of the active editor. @throws Error in the person's language */
	async read(argument: unknown): Promise<DocumentAnswer> {
		const { t } = vscode.l10n;
		const uri = uriFrom(argument);
		const found = uri && this.find(uri);
		if (!uri || !found) {
			throw new Error(t('The server is no longer waiting for this answer.'));
		}
		const content = await this.answers.read(uri);
		if (!content) {
			throw new Error(t('The answer is not a JSON object yet. Fix what is underlined.'));
		}
		return { uri, elicitation: found.elicitation, content: plainObject(content) };
	}

	/** Saves a document after its answer was sent, so that the editor doesn't ask when it is closed. */
	async save(uri: vscode.Uri): Promise<void> {
		await this.answers.save(uri);
	}

	/** Makes the content of a document the draft of the form. */
	remember(elicitation: Elicitation, content: JsonObject): void {
		this.fromDocument.add(elicitation);
		this.drafts.set(elicitation, { values: content, texts: {} });
	}

	private find(uri: vscode.Uri): { readonly elicitation: Elicitation; readonly schema: JsonObject } | undefined {
		const id = this.answers.isOfThisWindow(uri) ? idOf(uri) : undefined;
		const elicitation = this.deps.waiting().find(it => it.id === id);
		return elicitation?.request.mode === 'form'
			? { elicitation, schema: elicitation.request.requestedSchema }
			: undefined;
	}

	private actions(uri: vscode.Uri): vscode.Command[] {
		const { t } = vscode.l10n;
		const found = this.find(uri);
		if (!found) {
			return [{ title: t('The server is no longer waiting for this answer'), command: '' }];
		}
		const whose = quickPickText(this.deps.label(found.elicitation), 60);
		return [
			{ title: `$(check) ${t('Submit to {0}', whose)}`, command: Commands.submitAnswer, arguments: [uri] },
			{ title: t('Back to Form'), command: Commands.answerToForm, arguments: [uri] },
			{ title: quickPickText(`"${found.elicitation.request.message}"`, 200), command: '' },
		];
	}

	/** Shows the form. Resolves with the answer; `undefined` if the form was closed, and the question still waits. */
	async ask(elicitation: Elicitation, schema: JsonObject, signal: AbortSignal): Promise<ElicitationAnswer | undefined> {
		const { t } = vscode.l10n;
		const { deps, drafts } = this;
		const whose = deps.label(elicitation);
		const title = titleText(t('answer'), whose);
		const form = formFields(schema);
		const matches = hasPattern(form) ? await deps.validator.matcher() : undefined;
		const uri = this.answers.address(pathOf(elicitation));
		while (!signal.aborted) {
			const isUnfinished = await this.readDocument(elicitation, uri);
			const outcome = await runForm({
				form,
				title,
				signal,
				draft: drafts.get(elicitation),
				placeholder: t('Review your answer; choose a line to change it'),
				message: t('{0} asks: "{1}"', quickInputText(whose, 60), quickInputText(elicitation.request.message, 300)),
				intro: [
					{
						id: 'message',
						label: quickPickText(t('{0} asks: "{1}"', whose, elicitation.request.message), 120),
						icon: 'comment',
					},
				],
				submitLabel: t('Submit'),
				submitIcon: 'check',
				isSheet: true,
				submitDetail: values => describeSubmission(form, values),
				leaveLabel: t('Answer Later'),
				leaveIcon: 'clock',
				ways: [{ id: 'document', label: t('Edit as JSON…'), icon: 'json' }, ...answerWays()],
				warn: field => (asksForSecret(field) ? warningOfSecret() : undefined),
				matches,
				showAll: values => deps.documents.showJson(title, values),
			});
			if (outcome.kind === 'submitted') {
				drafts.set(elicitation, { values: outcome.values, texts: {} });
				const isReviewed = (): Promise<boolean> => reviewAnswer(whose, outcome.values, deps.documents, signal);
				if (
					(await this.isFine(schema, outcome.values)) &&
					(!this.fromDocument.has(elicitation) || (await isReviewed()))
				) {
					return { action: 'accept', content: outcome.values };
				}
				continue;
			}
			drafts.set(elicitation, outcome.draft);
			if (outcome.kind === 'left') {
				return undefined;
			}
			if (outcome.id === 'message') {
				await deps.documents.show(titleText(t('question'), whose), elicitation.request.message);
				continue;
			}
			if (outcome.id === 'document') {
				if (isUnfinished) {
					await vscode.window.showTextDocument(uri, { preview: false });
				} else {
					const values = valuesOrSkeleton(draftValues(form, outcome.draft), schema);
					this.written.set(elicitation, await this.answers.open(uri, values));
				}
				return undefined;
			}
			return { action: outcome.id === 'decline' ? 'decline' : 'cancel' };
		}
		return undefined;
	}

	/** Takes over the document's content if it has changed. True if the document isn't a JSON object yet. */
	private async readDocument(elicitation: Elicitation, uri: vscode.Uri): Promise<boolean> {
		if (!this.answers.has(uri)) {
			return false;
		}
		const [text, content] = [await this.answers.readText(uri), await this.answers.read(uri)];
		if (content && text !== this.written.get(elicitation)) {
			this.remember(elicitation, content);
		}
		this.written.set(elicitation, text);
		return content === undefined;
	}

	/** Checks the content by the whole schema, which can require more than its fields do. True if it may be sent. */
	async isFine(schema: JsonObject, content: JsonObject): Promise<boolean> {
		const check = await this.deps.validator.check(schema, content);
		if (check.kind !== 'invalid') {
			return true;
		}
		const [first] = check.problems;
		const why = first ? describeSchemaProblem(first) : '';
		const { t } = vscode.l10n;
		const send = t('Submit Anyway');
		const message = t('This does not fit what the server asks for: {0}', why);
		closeHeldInput();
		return (await vscode.window.showWarningMessage(message, { modal: true }, send)) === send;
	}
}

/** `/everything/answer 3.json`. The server's name is used, because its label can change. */
function pathOf({ id, definition }: Elicitation): string {
	return `/${oneLine(definition.name, 100).replaceAll('/', '\u2215')}/answer ${id}.json`;
}

function uriFrom(argument: unknown): vscode.Uri | undefined {
	return argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
}

function idOf({ path }: vscode.Uri): number | undefined {
	const [, id] = /^\/[^/]+\/answer (\d+)\.json$/.exec(path) ?? [];
	return id === undefined ? undefined : Number(id);
}

/** Declining and cancelling. Both end the question; each detail says what the server is told. */
function answerWays(): FormWay[] {
	const { t } = vscode.l10n;
	return [
		{
			id: 'decline',
			label: t('Decline'),
			icon: 'circle-slash',
			detail: t('the server is told that you said no'),
			isLineOnly: true,
			isDecision: true,
		},
		{
			id: 'cancel',
			label: t('Cancel Request'),
			icon: 'close',
			detail: t('the server is told that you did not choose'),
			isLineOnly: true,
			isDecision: true,
		},
	];
}

/** Counts the defaults among the values: the person is not asked about those of optional fields. */
function describeSubmission({ fields }: Form, values: JsonObject): string {
	const { t } = vscode.l10n;
	const defaults = fields.filter(({ name, default: stated }) => {
		const value = values[name];
		return value !== undefined && stated !== undefined && canonicalJson(value) === canonicalJson(stated);
	}).length;
	return defaults === 0
		? t('the server gets the values below')
		: defaults === 1
			? t('the server gets the values below, 1 of them its own default')
			: t('the server gets the values below, {0} of them its own defaults', defaults);
}

function warningOfSecret(): string {
	return vscode.l10n.t('Servers must not ask for passwords or keys this way');
}

function hasPattern({ fields }: Form): boolean {
	return fields.some(it => it.kind === 'string' && it.pattern !== undefined);
}
