/**
 * Runs a form as quick inputs: one step for each required field, then a review of every field from
 * which any of them can be changed. One engine for tool arguments, and later for prompts, templates and
 * elicitation.
 *
 * A quick input gives no reason when it disappears, so any disappearance gives back what was typed.
 */
import * as vscode from 'vscode';
import {
	canonicalJson,
	checkField,
	checkFields,
	type Field,
	type Form,
	type JsonObject,
	parseField,
	type PatternMatcher,
} from '../../mcp/index.js';
import { onAbort } from '../../base/async.js';
import { parseJson } from '../documents/jsonDocuments.js';
import { askField, type StepResult } from './formStep.js';
import { describeFieldProblem } from '../l10n/messages.js';
import {
	chooseFrom,
	describeValue,
	fieldItem,
	type FormWay,
	isLineCut,
	type ReviewItem,
	separator,
	wayItem,
} from './formReview.js';
import { quickPickText, quickPickValue } from '../ui/plainText.js';
import { closeInput, type StepNumber } from '../ui/quickInput.js';

/** What has been filled in: values that fit, and typed text that does not yet. */
export interface FormDraft {
	readonly values: JsonObject;
	readonly texts: Readonly<Record<string, string>>;
}

export interface FormRequest {
	readonly form: Form;
	/** What the form is for, and whose it is: "get-sum · everything". Made by plainText's `titleText`. */
	readonly title: string;
	/** Shows every value in full, where the review has no room for it. */
	readonly showAll: (values: JsonObject) => Promise<void>;
	/** More is sent than the fields hold: `showAll` is offered even if every value has room. */
	readonly hasUnshown?: boolean;
	readonly draft: FormDraft | undefined;
	/** The line that ends the form: "Run". */
	readonly submitLabel: string;
	readonly submitIcon: string;
	/** What submitting these values does, if the label does not say it all. */
	readonly submitDetail?: (values: JsonObject) => string;
	/** The line that leaves the form and keeps what was typed: "Cancel" unless said otherwise. */
	readonly leaveLabel?: string;
	readonly leaveIcon?: string;
	/** What the review asks of the person; it is about arguments unless said otherwise. */
	readonly placeholder?: string;
	/** Lines above the fields: who asks, and why. */
	readonly intro?: readonly FormWay[];
	/** Shown above the prompt of each step: who asks, and why. Cleaned for a quick input. */
	readonly message?: string;
	/** Says where the initial values come from. Cleaned for a quick pick. */
	readonly heading?: string;
	/** The first review focuses the first field instead of Submit, so that Enter alone doesn't submit earlier values. */
	readonly isFieldFirst?: boolean;
	/** What is pressed in the first moment of the review submits nothing: see `acceptedOnSheet`. */
	readonly isSheet?: boolean;
	/** What a person should know before they fill in a field. */
	readonly warn?: (field: Field) => string | undefined;
	/** Other ways to go on, with what has been filled in so far. */
	readonly ways?: readonly FormWay[];
	/** Closes the form, as if the person left it. */
	readonly signal?: AbortSignal;
	/** Checks `pattern`s while somebody types; without it the server does. */
	readonly matches: PatternMatcher | undefined;
}

export type FormOutcome =
	| { readonly kind: 'way'; readonly id: string; readonly draft: FormDraft }
	| { readonly kind: 'submitted'; readonly values: JsonObject }
	| { readonly kind: 'left'; readonly draft: FormDraft };

/** Resolves when the person submits or leaves. Everything submitted has been checked. */
export async function runForm(request: FormRequest): Promise<FormOutcome> {
	const filling = new Filling(request);
	const stopped = await filling.askRequired();
	if (stopped) {
		return stopped;
	}
	for (;;) {
		const choice = await filling.review();
		if (choice === 'submit') {
			return { kind: 'submitted', values: filling.draft.values };
		}
		if (choice === undefined || choice === 'cancel') {
			return { kind: 'left', draft: filling.draft };
		}
		if (choice === 'showAll') {
			await request.showAll(filling.draft.values);
			continue;
		}
		const end = 'way' in choice ? filling.goAnotherWay(choice.way) : await filling.askOne(choice.field);
		if (end) {
			return end;
		}
	}
}

/** All of a draft: what was typed is the value that it stands for, or, where it is none yet, the text that it is. */
export function draftValues({ fields }: Form, { values, texts }: FormDraft): JsonObject {
	const typed = fields.flatMap((field): (readonly [string, unknown])[] => {
		const text = texts[field.name];
		// Text typed into a list of choices only filters it.
		if (text === undefined || field.kind === 'choice' || field.kind === 'boolean') {
			return [];
		}
		const check = parseField(field, text);
		return [[field.name, check.ok ? check.value : field.kind === 'choices' ? parseJson(text) : text]];
	});
	return { ...values, ...Object.fromEntries(typed) };
}

/** The state of one form on its way: what is filled in, and the two screens. */
class Filling {
	private readonly values = new Map<string, unknown>();
	private readonly texts = new Map<string, string>();
	/** Names of the fields that the person has filled in, or left out, in this form. */
	private readonly answered = new Set<string>();
	private isReviewed = false;

	constructor(private readonly request: FormRequest) {
		for (const field of request.form.fields) {
			const value = request.draft ? request.draft.values[field.name] : field.default;
			if (value !== undefined) {
				this.values.set(field.name, value);
			}
			const text = request.draft?.texts[field.name];
			if (text !== undefined) {
				this.texts.set(field.name, text);
			}
		}
	}

	/** Values in the order of the form; fields that are left out are absent. */
	get draft(): FormDraft {
		const filled = this.request.form.fields.filter(it => this.values.has(it.name));
		return {
			values: Object.fromEntries(filled.map(it => [it.name, this.values.get(it.name)])),
			texts: Object.fromEntries(this.texts),
		};
	}

	/** Says where the values come from, until one of them was changed. */
	private get heading(): string | undefined {
		const { heading, draft, form } = this.request;
		const isChanged = form.fields.some(({ name }) => !isSame(this.values.get(name), draft?.values[name]));
		return isChanged ? undefined : heading;
	}

	/** Not after the person has filled in fields in this form, if all other values are the form's own defaults. */
	private get isFieldFirst(): boolean {
		const { isFieldFirst = false, form, draft } = this.request;
		const isEarlier = ({ name, default: stated }: Field): boolean => {
			const value = draft?.values[name];
			return value !== undefined && !this.answered.has(name) && !isSame(value, stated);
		};
		return isFieldFirst && !this.isReviewed && (this.answered.size === 0 || form.fields.some(isEarlier));
	}

	goAnotherWay(id: string): FormOutcome {
		return { kind: 'way', id, draft: this.draft };
	}

	/** Asks for one field; gives the end of the form, if that is what the person chose. */
	async askOne(field: Field): Promise<FormOutcome | undefined> {
		return this.endAfter(await this.ask(field, undefined));
	}

	/** One step for each required field that has no valid value yet; gives the end of the form, if it came before. */
	async askRequired(): Promise<FormOutcome | undefined> {
		const steps = this.request.form.fields.filter(
			it => it.required && !checkField(it, this.values.get(it.name), this.request.matches).ok,
		);
		for (let index = 0; index < steps.length;) {
			const field = steps[index];
			if (!field) {
				break;
			}
			const result = await this.ask(field, { number: index + 1, total: steps.length });
			const end = this.endAfter(result);
			if (end) {
				return end;
			}
			index = result.kind === 'back' ? Math.max(0, index - 1) : index + 1;
		}
		return undefined;
	}

	private endAfter(result: StepResult): FormOutcome | undefined {
		switch (result.kind) {
			case 'left':
				return { kind: 'left', draft: this.draft };
			case 'way':
				return this.goAnotherWay(result.id);
			case 'answered':
			case 'back':
				return undefined;
		}
	}

	/** Asks for one field and keeps the answer. */
	async ask(field: Field, step: StepNumber | undefined): Promise<StepResult> {
		const { name } = field;
		const result = await askField(field, {
			title: this.request.title,
			step,
			canGoBack: step === undefined || step.number > 1,
			value: this.values.get(name),
			text: this.texts.get(name),
			matches: this.request.matches,
			ways: (this.request.ways ?? []).filter(it => it.isLineOnly !== true),
			message: this.request.message ?? this.heading,
			warning: this.request.warn?.(field),
			...(this.request.signal && { signal: this.request.signal }),
		});
		if (result.kind === 'answered') {
			this.answered.add(name);
			this.texts.delete(name);
			if (result.value === undefined) {
				this.values.delete(name);
			} else {
				this.values.set(name, result.value);
			}
		} else if (result.text === undefined) {
			this.texts.delete(name);
		} else {
			this.texts.set(name, result.text);
		}
		return result;
	}

	/** Every field with its value and validity; Submit only when all are valid. */
	async review(): Promise<ReviewItem['choice']> {
		const { title, form, matches, warn, signal } = this.request;
		const { heading } = this;
		const problems = checkFields(form, this.draft.values, matches);
		const fields = form.fields.map(field => {
			const problem = problems.get(field.name);
			const value = problem ? quickPickText(describeFieldProblem(problem)) : this.describeValue(field);
			const icon = problem ? 'error' : this.values.has(field.name) ? 'check' : 'circle-outline';
			return fieldItem(field, value, icon, warn?.(field), field === form.fields[0] ? heading : undefined);
		});
		const submit = this.submitItem(form.fields.find(it => problems.has(it.name)));
		const cancel: ReviewItem = {
			label: this.request.leaveLabel ?? vscode.l10n.t('Cancel'),
			iconPath: new vscode.ThemeIcon(this.request.leaveIcon ?? 'close'),
			choice: 'cancel',
		};
		const pick = vscode.window.createQuickPick<ReviewItem>();
		const aborted = signal && onAbort(signal, () => pick.hide());
		try {
			pick.title = title;
			pick.placeholder =
				this.request.placeholder ??
				(form.fields.length > 0
					? vscode.l10n.t('Review the arguments; choose one to change it')
					: vscode.l10n.t('No arguments are needed'));
			pick.ignoreFocusOut = true;
			const isCut =
				this.request.hasUnshown === true ||
				fields.some((it, index) => isLineCut(it, index === 0 ? heading : undefined)) ||
				Array.from(this.values.values()).some(it => !quickPickValue(it).isWhole);
			const showAll: ReviewItem = {
				label: vscode.l10n.t('Show Arguments in Full'),
				iconPath: new vscode.ThemeIcon('json'),
				choice: 'showAll',
			};
			const { intro = [], ways = [] } = this.request;
			const decisions = ways.filter(it => it.isDecision === true).map(wayItem);
			const others = ways.filter(it => it.isDecision !== true).map(wayItem);
			const [top, end] = decisions.length > 0 ? [[submit, ...decisions], []] : [[], [submit]];
			const ends = [...(isCut ? [showAll] : []), ...end, ...others, cancel];
			const above = [intro.map(wayItem), top, fields].flatMap(it => (it.length > 0 ? [...it, separator()] : []));
			const head: ReviewItem[] = heading === undefined ? [] : [{ ...separator(), label: heading }];
			const lines = [...head, ...above, ...ends];
			pick.items = lines;
			const firstProblem = fields[form.fields.findIndex(it => problems.has(it.name))];
			pick.activeItems = [firstProblem ?? (this.isFieldFirst ? fields[0] : undefined) ?? submit];
			this.isReviewed = true;
			return signal?.aborted === true
				? undefined
				: (await chooseFrom(pick, lines, this.request.isSheet === true))?.choice;
		} finally {
			aborted?.dispose();
			closeInput(pick);
		}
	}

	private submitItem(invalid: Field | undefined): ReviewItem {
		const { submitLabel, submitIcon, submitDetail } = this.request;
		return {
			label: submitLabel,
			iconPath: new vscode.ThemeIcon(submitIcon),
			isFoundWhole: true,
			...(submitDetail !== undefined && !invalid ? { description: submitDetail(this.draft.values) } : {}),
			...(invalid
				? {
						description: vscode.l10n.t('Fix "{0}" first', quickPickText(invalid.title ?? invalid.name)),
						choice: { field: invalid },
					}
				: { choice: 'submit' as const }),
		};
	}

	private describeValue(field: Field): string {
		const { name, ignoredDefault } = field;
		const value = this.values.get(name);
		if (value !== undefined && field.isSecret) {
			return '••••••';
		}
		if (value === undefined && ignoredDefault) {
			const why = quickPickText(describeFieldProblem(ignoredDefault));
			return vscode.l10n.t('left out; its default does not fit: {0}', why);
		}
		return value === undefined ? vscode.l10n.t('left out') : describeValue(field, value);
	}
}

function isSame(one: unknown, other: unknown): boolean {
	return one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));
}
