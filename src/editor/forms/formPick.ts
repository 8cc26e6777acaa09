/**
 * Runs a form as quick inputs. For changed arguments and elicitation: one step for each required field, then a review of all
 * fields. For prompts and resource templates, whose fields the server completes: one step for each field. If a quick
 * input disappears, the form returns a draft with the typed texts, because the editor doesn't say why it disappeared.
 */
import * as vscode from 'vscode';
import { checkField, checkFields, type Field, type JsonObject } from '../../mcp/index.js';
import { onAbort } from '../../base/async.js';
import { askField, type StepContext, type StepResult } from './formStep.js';
import { describeFieldProblem } from '../l10n/fieldWords.js';
import {
	actionItem,
	chooseFrom,
	describeValue,
	fieldItem,
	type FormAction,
	type ReviewItem,
	separator,
} from './formReview.js';
import { quickPickText } from '../ui/plainText.js';
import { closeInput, type StepNumber } from '../ui/quickInput.js';
import { askSuggested, type FormField, type TextValues } from './suggestedStep.js';

/** The contents of a form: valid values, and texts that aren't valid values yet. */
export interface FormDraft {
	readonly values: JsonObject;
	readonly texts: Readonly<Record<string, string>>;
}

/** Options of the steps of a form. */
export interface StepsRequest {
	readonly form: { readonly fields: readonly FormField[] };
	/** For example "get-sum · everything". Made by `titleText`. */
	readonly title: string;
	readonly draft: FormDraft | undefined;
	/** Whether the first step has a Back button. */
	readonly canGoBack?: boolean;
	/** Says who asks, and why, before the prompt of each step. Cleaned for a quick input. */
	readonly message?: string;
	/** Gives a warning about a field, in words of this extension. */
	readonly warn?: (field: Field) => string | undefined;
	/** Closes the form, as if the person had left it. */
	readonly signal?: AbortSignal;
}

export interface FormRequest extends StepsRequest {
	/** Shows all values in full, also those without a field. */
	readonly showAll: (values: JsonObject) => Promise<void>;
	/** Label of the line that submits the form, such as "Submit". */
	readonly submitLabel: string;
	/** Adds to the label what submitting the values does. */
	readonly submitDetail?: (values: JsonObject) => string;
	/** Label of the line that leaves the form and returns a draft. Default: "Cancel". */
	readonly leaveLabel?: string;
	readonly leaveIcon?: string;
	/** Placeholder of the review. The default is about arguments. */
	readonly placeholder?: string;
	/** A line above the fields that says who asks, and why. */
	readonly intro?: FormAction;
	/** Answers besides Submit, which end the form with a draft. With them, all answers are above the fields, where they are visible. */
	readonly decisions?: readonly FormAction[];
	/** Activates the first line of the review instead of Submit, so that Enter alone submits nothing. */
	readonly isSheet?: boolean;
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
		const choice = await filling.review(request);
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
		if ('action' in choice) {
			return { kind: 'action', id: choice.action, draft: filling.draft };
		}
		if ((await filling.ask(choice.field, undefined)).kind === 'left') {
			return { kind: 'left', draft: filling.draft };
		}
	}
}

/** Asks for each field, without a review. `back`: the person pressed Back in the first step. */
export async function runSteps(
	request: StepsRequest,
): Promise<FormOutcome | { readonly kind: 'back'; readonly draft: FormDraft }> {
	const filling = new Filling(request);
	const { fields } = request.form;
	for (let index = 0; index < fields.length;) {
		const result = await filling.ask(fields[index] as FormField, { number: index + 1, total: fields.length });
		if (result.kind === 'back' && index === 0) {
			return { kind: 'back', draft: filling.draft };
		}
		if (result.kind === 'left') {
			return { kind: 'left', draft: filling.draft };
		}
		index += result.kind === 'back' ? -1 : 1;
	}
	return { kind: 'submitted', values: filling.draft.values };
}

/** The state of one form, its steps and its review. */
class Filling {
	private readonly values = new Map<string, unknown>();
	private readonly texts = new Map<string, string>();

	constructor(private readonly request: StepsRequest) {
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

	/** Asks for each invalid required field, until Review is pressed. Returns the outcome if the person leaves the form. */
	async askRequired(): Promise<FormOutcome | undefined> {
		const steps = this.request.form.fields.filter(
			it => it.required && checkField(it, this.values.get(it.name)) !== undefined,
		);
		for (let index = 0; index < steps.length;) {
			const field = steps[index];
			if (!field) {
				break;
			}
			const result = await this.ask(field, { number: index + 1, total: steps.length });
			if (result.kind === 'review') {
				return undefined;
			}
			if (result.kind === 'left') {
				return { kind: 'left', draft: this.draft };
			}
			index = result.kind === 'back' ? Math.max(0, index - 1) : index + 1;
		}
		return undefined;
	}

	/** Asks for one field and keeps the answer. */
	async ask(field: FormField, step: StepNumber | undefined): Promise<StepResult> {
		const { name, suggestions } = field;
		const context: StepContext = {
			title: this.request.title,
			step,
			canGoBack: step === undefined || step.number > 1 || this.request.canGoBack === true,
			value: this.values.get(name),
			text: this.texts.get(name),
			canReview: step !== undefined,
			message: this.request.message,
			warning: this.request.warn?.(field),
			...(this.request.signal && { signal: this.request.signal }),
		};
		const result = suggestions
			? await askSuggested(field, suggestions, this.textsBefore(field), context)
			: await askField(field, context);
		if (result.kind === 'answered') {
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

	/** Later fields may have a text of an earlier form, which the person hasn't confirmed now. */
	private textsBefore(field: Field): TextValues {
		const { fields } = this.request.form;
		const before = fields.slice(0, fields.indexOf(field)).map(it => [it.name, this.values.get(it.name)]);
		return Object.fromEntries(before.filter(([, value]) => typeof value === 'string'));
	}

	/** Shows all fields. Submits only when all values are valid. */
	async review(request: FormRequest): Promise<ReviewItem['choice']> {
		const { title, form, warn, signal, intro, decisions = [] } = request;
		const problems = checkFields(form, this.draft.values);
		const fields = form.fields.map(field => {
			const problem = problems.get(field.name);
			const isFilled = this.values.has(field.name);
			const note = problem && quickPickText(describeFieldProblem(problem));
			const icon = problem ? 'error' : isFilled ? 'check' : 'circle-outline';
			const warning = warn?.(field);
			const detail = warning === undefined ? (isFilled ? note : undefined) : `$(warning) ${warning}`;
			const value = note === undefined || note === detail ? this.describeValue(field) : note;
			return fieldItem(field, value, icon, detail);
		});
		const submit = this.submitItem(
			request,
			form.fields.find(it => problems.has(it.name)),
		);
		const cancel: ReviewItem = {
			label: request.leaveLabel ?? vscode.l10n.t('Cancel'),
			iconPath: new vscode.ThemeIcon(request.leaveIcon ?? 'close'),
			choice: 'cancel',
		};
		const pick = vscode.window.createQuickPick<ReviewItem>();
		const aborted = signal && onAbort(signal, () => pick.hide());
		try {
			pick.title = title;
			pick.placeholder =
				request.placeholder ??
				(form.fields.length > 0
					? vscode.l10n.t('Review the arguments. Select one to change it.')
					: vscode.l10n.t('No arguments are needed'));
			pick.ignoreFocusOut = true;
			const showAll: ReviewItem = {
				label: vscode.l10n.t('Show in Full'),
				iconPath: new vscode.ThemeIcon('json'),
				choice: 'showAll',
			};
			const facts = intro ? [actionItem(intro)] : [];
			const answers = [submit, ...decisions.map(it => ({ ...actionItem(it), isFoundWhole: true }))];
			const [top, end] = decisions.length > 0 ? [answers, []] : [[], answers];
			const above = [facts, top, fields].flatMap(it => (it.length > 0 ? [...it, separator()] : []));
			const lines = [...above, showAll, ...end, cancel];
			pick.items = lines;
			const firstProblem = fields[form.fields.findIndex(it => problems.has(it.name))];
			const first = request.isSheet === true ? facts[0] : undefined;
			pick.activeItems = [firstProblem ?? first ?? submit];
			return signal?.aborted === true ? undefined : (await chooseFrom(pick, lines))?.choice;
		} finally {
			aborted?.dispose();
			closeInput(pick);
		}
	}

	private submitItem({ submitLabel, submitDetail }: FormRequest, invalid: Field | undefined): ReviewItem {
		return {
			label: submitLabel,
			iconPath: new vscode.ThemeIcon('check'),
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
		const value = this.values.get(field.name);
		if (value === undefined) {
			return vscode.l10n.t('Left out');
		}
		return field.isSecret ? '••••••' : describeValue(field, value);
	}
}
