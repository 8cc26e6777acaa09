/** Asks for one field of a form with one quick input: an input box with live validation, or a list of choices. */
import * as vscode from 'vscode';
import { checkField, type Field, parseField, type TypedValue } from '../../mcp/index.js';
import { describeField, describeFieldProblem } from '../l10n/fieldWords.js';
import { parseJson } from '../../base/parseJson.js';
import { setQuickPickPrompt } from '../newerApi.js';
import { jsonText, quickInputText, quickPickText } from '../ui/plainText.js';
import { showStep, type StepNumber, untilAnswered } from '../ui/quickInput.js';

export interface StepContext {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly step: StepNumber | undefined;
	readonly canGoBack: boolean;
	readonly value: unknown;
	/** Text of an earlier step that wasn't a valid value. */
	readonly text: string | undefined;
	/** Whether there is a button that opens the review of all fields. */
	readonly canReview?: boolean;
	/** Masks the typed text. */
	readonly password?: boolean;
	/** Text about the whole form, shown before the prompt of the field. Cleaned for a quick input. */
	readonly message?: string | undefined;
	/** A warning about the field, in words of this extension. */
	readonly warning?: string | undefined;
	/** Closes the step, as if the person had left it. */
	readonly signal?: AbortSignal;
}

/**
 * `value: undefined` leaves the field out. `text` is the unfinished input: the typed text, or the checked values of a list as
 * JSON.
 */
export type StepResult =
	| { readonly kind: 'answered'; readonly value: unknown }
	| { readonly kind: 'back' | 'left' | 'review'; readonly text: string | undefined };

interface ChoiceItem extends vscode.QuickPickItem {
	readonly value?: unknown;
}

/** Asks for one field. */
export function askField(field: Field, context: StepContext): Promise<StepResult> {
	switch (field.kind) {
		case 'string':
		case 'number':
		case 'integer':
		case 'json':
			return askText(field, context);
		case 'boolean': {
			const { t } = vscode.l10n;
			const items = [
				{ label: t('Yes'), value: true },
				{ label: t('No'), value: false },
			];
			return askChoice(field, items, context);
		}
		case 'choice':
		case 'choices':
			return askChoice(
				field,
				field.options.map(it => ({ label: quickPickText(it.title), value: it.value })),
				context,
			);
	}
}

/** For example: City (city) — Where you live (Required). @param requirement the translated part in parentheses */
export function stepPrompt(
	{ name, title, description }: { name: string; title?: string | undefined; description?: string | undefined },
	requirement: string,
): string {
	const named = title && title !== name ? `${title} (${name})` : name;
	const said = description ? ` — ${quickInputText(description, 200)}` : '';
	return `${quickInputText(named, 80)}${said} (${requirement})`;
}

function promptFor(field: Field, { message }: StepContext): string {
	const prompt = stepPrompt(field, describeField(field));
	return message === undefined ? prompt : `${message} · ${prompt}`;
}

/** The button that leaves a value out. */
export function leaveOut(): StepButton {
	return {
		iconPath: new vscode.ThemeIcon('circle-slash'),
		tooltip: vscode.l10n.t('Leave Out'),
		press: () => ({ kind: 'answered', value: undefined }),
	};
}

export interface StepButton extends vscode.QuickInputButton {
	/** Gives the result of the step. @param text the unfinished input */
	readonly press: (text: string | undefined) => StepResult;
}

function stepButtons(field: Field, { canGoBack, canReview }: StepContext): (StepButton | vscode.QuickInputButton)[] {
	const review: StepButton = {
		iconPath: new vscode.ThemeIcon('list-unordered'),
		tooltip: vscode.l10n.t('Review'),
		press: text => ({ kind: 'review', text }),
	};
	return [
		...(canGoBack ? [vscode.QuickInputButtons.Back] : []),
		...(canReview === true ? [review] : []),
		...(field.required ? [] : [leaveOut()]),
	];
}

/** The result of a pressed button. The only button without `press` is Back. */
export function pressed(button: StepButton | vscode.QuickInputButton, text: string | undefined): StepResult {
	return 'press' in button ? button.press(text) : { kind: 'back', text };
}

function askText(field: Field, context: StepContext): Promise<StepResult> {
	const input = vscode.window.createInputBox();
	begin(input, context);
	input.prompt = promptFor(field, context);
	const first = asText(field, context.value);
	input.value = context.text ?? first;
	input.password = context.password === true || field.isSecret;
	input.buttons = stepButtons(field, context);
	const warning = context.warning === undefined ? undefined : warningAbove(input.prompt, context.warning);
	input.validationMessage = warning;
	const typed = (): string | undefined => (input.value === first ? undefined : input.value);
	const parse = (): TypedValue => {
		// Enter in an empty box is no answer. An empty text that is the value already stays valid.
		if (field.required && field.kind === 'string' && input.value === '' && context.value !== '') {
			return { value: undefined, problem: { code: 'required' } };
		}
		// An empty input leaves an optional field out, unless its value is a text.
		const isLeftOut = !field.required && field.kind !== 'string' && input.value.trim() === '';
		return isLeftOut ? { value: undefined } : parseField(field, input.value);
	};
	const validate = (): boolean => {
		const { problem } = parse();
		// The message replaces the prompt, so it ends with the prompt.
		input.validationMessage = problem ? `${quickInputText(describeFieldProblem(problem))} · ${input.prompt}` : warning;
		return problem === undefined;
	};
	const listen = (resolve: (result: StepResult) => void): void => {
		input.onDidChangeValue(validate);
		input.onDidAccept(() => {
			if (validate()) {
				resolve({ kind: 'answered', value: parse().value });
			}
		});
		input.onDidTriggerButton(button => resolve(pressed(button, typed())));
		if (input.value !== '') {
			validate();
		}
	};
	return untilAnswered(input, listen, (): StepResult => ({ kind: 'left', text: typed() }), context.signal);
}

function warningAbove(prompt: string, warning: string): vscode.InputBoxValidationMessage {
	return { message: `${warning} · ${prompt}`, severity: vscode.InputBoxValidationSeverity.Warning };
}

function askChoice(field: Field, items: readonly ChoiceItem[], context: StepContext): Promise<StepResult> {
	const pick = vscode.window.createQuickPick<ChoiceItem>();
	const isMany = field.kind === 'choices';
	const before: unknown = isMany && context.text !== undefined ? parseJson(context.text) : context.value;
	const chosen: readonly unknown[] = Array.isArray(before) ? before : [before];
	begin(pick, context);
	setQuickPickPrompt(pick, [context.warning, promptFor(field, context)].filter(Boolean).join(' · '));
	pick.canSelectMany = isMany;
	pick.items = items;
	const selected = items.filter(it => chosen.includes(it.value));
	if (isMany) {
		pick.selectedItems = selected;
	} else if (selected.length > 0) {
		pick.activeItems = selected;
	}
	pick.buttons = stepButtons(field, context);
	const unfinished = (): string | undefined => (isMany ? jsonText(pick.selectedItems.map(it => it.value)) : undefined);
	const listen = (resolve: (result: StepResult) => void): void => {
		pick.onDidChangeValue(() => (pick.title = context.title));
		pick.onDidAccept(() => {
			if (!isMany && pick.selectedItems.length === 0 && pick.value !== '') {
				pick.title = `${context.title} — ${vscode.l10n.t('No matching choices')}`;
				return;
			}
			const values = pick.selectedItems.map(it => it.value);
			const value = isMany ? values : values[0];
			const problem = checkField(field, value);
			if (problem) {
				pick.title = `${context.title} — ${quickInputText(describeFieldProblem(problem))}`;
			} else {
				resolve({ kind: 'answered', value });
			}
		});
		pick.onDidTriggerButton(button => resolve(pressed(button, unfinished())));
	};
	return untilAnswered(pick, listen, (): StepResult => ({ kind: 'left', text: unfinished() }), context.signal);
}

export function begin(input: vscode.QuickInput, { title, step }: StepContext): void {
	input.title = title;
	showStep(input, step);
	input.ignoreFocusOut = true;
}

function asText(field: Field, value: unknown): string {
	if (value === undefined || (value === null && field.nullable)) {
		return '';
	}
	return field.kind === 'string' && typeof value === 'string' ? value : jsonText(value);
}
