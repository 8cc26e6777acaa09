/**
 * Runs a form as quick inputs, for tool arguments and elicitation: one step for each required field, then a review of
 * all fields. A quick input doesn't say why it disappears, so then the form always returns a draft with the typed
 * texts.
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
	type PatternCheck,
	patternCheck,
	type SchemaValidator,
} from '../../mcp/index.js';
import { onAbort } from '../../base/async.js';
import { parseJson } from '../../base/parseJson.js';
import { askField, type StepResult } from './formStep.js';
import { describeFieldProblem } from '../l10n/fieldWords.js';
import {
	actionItem,
	chooseFrom,
	describeValue,
	fieldItem,
	type FormAction,
	isLineCut,
	type ReviewItem,
	separator,
} from './formReview.js';
import { quickPickText, quickPickValue } from '../ui/plainText.js';
import { closeInput, type StepNumber } from '../ui/quickInput.js';

/** Id of the button of a step that opens the review. */
const reviewId = 'review';

/** The contents of a form: valid values, and texts that aren't valid values yet. */
export interface FormDraft {
	readonly values: JsonObject;
	readonly texts: Readonly<Record<string, string>>;
}

export interface FormRequest {
	readonly form: Form;
	/** For example "get-sum · everything". Made by `titleText`. */
	readonly title: string;
	/** Shows all values in full, if the review doesn't have room for them. */
	readonly showAll: (values: JsonObject) => Promise<void>;
	/** Values without a field are sent too, so `showAll` is always offered. */
	readonly hasUnshown?: boolean;
	readonly draft: FormDraft | undefined;
	/** Label of the line that submits the form, such as "Run". */
	readonly submitLabel: string;
	readonly submitIcon: string;
	/** Adds to the label what submitting the values does. */
	readonly submitDetail?: (values: JsonObject) => string;
	/** Label of the line that leaves the form and returns a draft. Default: "Cancel". */
	readonly leaveLabel?: string;
	readonly leaveIcon?: string;
	/** Placeholder of the review. The default is about arguments. */
	readonly placeholder?: string;
	/** Lines above the fields that say who asks, and why. */
	readonly intro?: readonly FormAction[];
	/** Says who asks, and why, before the prompt of each step. Cleaned for a quick input. */
	readonly message?: string;
	/** Says where the initial values come from. Cleaned for a quick pick. */
	readonly heading?: string;
	/** The first review focuses the first field instead of Submit, so that Enter alone doesn't submit earlier values. */
	readonly isFieldFirst?: boolean;
	/** Keys in the first moment of the review, and Enter alone, submit nothing: see `acceptedOnSheet`. */
	readonly isSheet?: boolean;
	/** Gives a warning about a field, in words of this extension. */
	readonly warn?: (field: Field) => string | undefined;
	/** Further actions besides Submit. They end the form with a draft. */
	readonly actions?: readonly FormAction[];
	/** Closes the form, as if the person had left it. */
	readonly signal?: AbortSignal;
	/** Checks `pattern`s, when the fields are reviewed. */
	readonly validator: SchemaValidator;
}

export type FormOutcome =
	| { readonly kind: 'action'; readonly id: string; readonly draft: FormDraft }
	| { readonly kind: 'submitted'; readonly values: JsonObject }
	| { readonly kind: 'left'; readonly draft: FormDraft };

/** Resolves when the person submits or leaves the form. Submitted values are valid. */
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
		const end =
			'action' in choice
				? filling.endWith(choice.action)
				: filling.endAfter(await filling.ask(choice.field, undefined));
		if (end) {
			return end;
		}
	}
}

/** All values of a draft. A typed text is the value it stands for, or if it isn't valid, the text itself. */
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

/** The state of one form, its steps and its review. */
class Filling {
	private readonly values = new Map<string, unknown>();
	private readonly texts = new Map<string, string>();
	/** Names of the fields that the person has filled in, or left out, in this form. */
	private readonly answered = new Set<string>();
	private readonly checkPatterns: PatternCheck;
	private isReviewed = false;

	constructor(private readonly request: FormRequest) {
		this.checkPatterns = patternCheck(request.form, request.validator);
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

	/** The heading, until a value has changed. */
	private get heading(): string | undefined {
		const { heading, draft, form } = this.request;
		const isChanged = form.fields.some(({ name }) => !isSame(this.values.get(name), draft?.values[name]));
		return isChanged ? undefined : heading;
	}

	/** False once the person has filled in fields in this form, if all other values are defaults of the form. */
	private get isFieldFirst(): boolean {
		const { isFieldFirst = false, form, draft } = this.request;
		const isEarlier = ({ name, default: stated }: Field): boolean => {
			const value = draft?.values[name];
			return value !== undefined && !this.answered.has(name) && !isSame(value, stated);
		};
		return isFieldFirst && !this.isReviewed && (this.answered.size === 0 || form.fields.some(isEarlier));
	}

	endWith(id: string): FormOutcome {
		return { kind: 'action', id, draft: this.draft };
	}

	/** Asks for each invalid required field, until Review is pressed. Gives the outcome if an answer ends the form. */
	async askRequired(): Promise<FormOutcome | undefined> {
		const steps = this.request.form.fields.filter(it => it.required && !checkField(it, this.values.get(it.name)).ok);
		for (let index = 0; index < steps.length;) {
			const field = steps[index];
			if (!field) {
				break;
			}
			const result = await this.ask(field, { number: index + 1, total: steps.length });
			if (result.kind === 'action' && result.id === reviewId) {
				return undefined;
			}
			const end = this.endAfter(result);
			if (end) {
				return end;
			}
			index = result.kind === 'back' ? Math.max(0, index - 1) : index + 1;
		}
		return undefined;
	}

	/** The outcome of the form if the answer of a step ends it. */
	endAfter(result: StepResult): FormOutcome | undefined {
		switch (result.kind) {
			case 'left':
				return { kind: 'left', draft: this.draft };
			case 'action':
				return this.endWith(result.id);
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
			actions: [
				...(step ? [{ id: reviewId, label: vscode.l10n.t('Review'), icon: 'list-unordered' }] : []),
				...(this.request.actions ?? []).filter(it => it.isLineOnly !== true),
			],
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

	/** Shows all fields. Submits only when all values are valid. */
	async review(): Promise<ReviewItem['choice']> {
		const { title, form, warn, signal } = this.request;
		const { heading } = this;
		const { values } = this.draft;
		const problems = new Map([...(await this.checkPatterns(values)), ...checkFields(form, values)]);
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
					? vscode.l10n.t('Review the arguments. Select one to change it.')
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
			const { intro = [], actions = [] } = this.request;
			const decisions = actions.filter(it => it.isDecision === true).map(actionItem);
			const others = actions.filter(it => it.isDecision !== true).map(actionItem);
			const [top, end] = decisions.length > 0 ? [[submit, ...decisions], []] : [[], [submit]];
			const ends = [...(isCut ? [showAll] : []), ...end, ...others, cancel];
			const facts = intro.map(actionItem);
			const above = [facts, top, fields].flatMap(it => (it.length > 0 ? [...it, separator()] : []));
			const head: ReviewItem[] = heading === undefined ? [] : [{ ...separator(), label: heading }];
			const lines = [...head, ...above, ...ends];
			pick.items = lines;
			const firstProblem = fields[form.fields.findIndex(it => problems.has(it.name))];
			const first = this.isFieldFirst ? fields[0] : this.request.isSheet === true ? facts[0] : undefined;
			pick.activeItems = [firstProblem ?? first ?? submit];
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
			return vscode.l10n.t("Left out. The default isn't valid: {0}", why);
		}
		return value === undefined ? vscode.l10n.t('Left out') : describeValue(field, value);
	}
}

function isSame(one: unknown, other: unknown): boolean {
	return one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));
}
