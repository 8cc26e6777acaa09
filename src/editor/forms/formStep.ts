/** One field of a form as one quick input: typed text with live validation, or a list of choices. */
import * as vscode from 'vscode';
import { checkField, type Field, type FieldCheck, parseField, type PatternMatcher } from '../../mcp/index.js';
import { describeField, describeFieldProblem } from '../l10n/messages.js';
import { parseJson } from '../documents/jsonDocuments.js';
import { setQuickPickPrompt } from '../newerApi.js';
import { jsonText, quickInputText, quickPickText } from '../ui/plainText.js';
import { onAbort } from '../../base/async.js';
import { closeInput, openInput, showStep, type StepNumber } from '../ui/quickInput.js';

export interface StepContext {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly step: StepNumber | undefined;
	readonly canGoBack: boolean;
	readonly value: unknown;
	/** What was typed before and did not fit. */
	readonly text: string | undefined;
	readonly matches: PatternMatcher | undefined;
	/** Other ways to go on: a button each. */
	readonly ways?: readonly { readonly id: string; readonly label: string; readonly icon: string }[];
	/** What is typed is not shown. */
	readonly password?: boolean;
	/** What the whole form is about; shown before the prompt of the field. Cleaned for a quick input. */
	readonly message?: string | undefined;
	/** What should be known before it is filled in; in our own words. */
	readonly warning?: string | undefined;
	/** Takes the question back. */
	readonly signal?: AbortSignal;
}

/**
 * `value: undefined` leaves the field out. `text` is what stood in the input when it went away: of one line to choose, the
 * text that filters the lines; of lines that were checked, their values as JSON. `undefined` if that was the field's value,
 * or nothing.
 */
export type StepResult =
	| { readonly kind: 'answered'; readonly value: unknown }
	| { readonly kind: 'back' | 'left'; readonly text: string | undefined }
	| { readonly kind: 'way'; readonly id: string; readonly text: string | undefined };

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

/** "a — First number (required, a number)" */
function promptFor(field: Field, { message }: StepContext): string {
	const name = field.title && field.title !== field.name ? `${field.title} (${field.name})` : field.name;
	const description = field.description ? ` — ${quickInputText(field.description, 200)}` : '';
	const prompt = `${quickInputText(name, 80)}${description} (${describeField(field)})`;
	return message === undefined ? prompt : `${message} · ${prompt}`;
}

function leaveOutButton(): StepButton {
	return {
		iconPath: new vscode.ThemeIcon('circle-slash'),
		tooltip: vscode.l10n.t('Leave Out'),
		press: () => ({ kind: 'answered', value: undefined }),
	};
}

interface StepButton extends vscode.QuickInputButton {
	/** What pressing it comes to; `text` is what stands in the input. */
	readonly press: (text: string | undefined) => StepResult;
}

function stepButtons(field: Field, { canGoBack, ways = [] }: StepContext): (StepButton | vscode.QuickInputButton)[] {
	return [
		...(canGoBack ? [vscode.QuickInputButtons.Back] : []),
		...ways.map(({ id, label, icon }): StepButton => ({
			iconPath: new vscode.ThemeIcon(icon),
			tooltip: label,
			press: text => ({ kind: 'way', id, text }),
		})),
		...(field.required ? [] : [leaveOutButton()]),
	];
}

/** The Back button is the editor's own. */
function pressed(button: StepButton | vscode.QuickInputButton, text: string | undefined): StepResult {
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
	const parse = (): FieldCheck => {
		// Nothing typed leaves an optional field out; only an empty text is a value.
		const isLeftOut = !field.required && field.kind !== 'string' && input.value.trim() === '';
		return isLeftOut ? { ok: true, value: undefined } : parseField(field, input.value, context.matches);
	};
	const validate = (): boolean => {
		const check = parse();
		// The message takes the prompt's place, so it repeats what is asked for.
		input.validationMessage = check.ok
			? warning
			: `${quickInputText(describeFieldProblem(check.problem))} · ${input.prompt}`;
		return check.ok;
	};
	return new Promise<StepResult>(resolve => {
		input.onDidChangeValue(validate);
		input.onDidAccept(() => {
			const check = parse();
			if (check.ok) {
				resolve({ kind: 'answered', value: check.value });
			} else {
				validate();
			}
		});
		input.onDidTriggerButton(button => resolve(pressed(button, typed())));
		input.onDidHide(() => resolve({ kind: 'left', text: typed() }));
		if (input.value !== '') {
			validate();
		}
		openInput(input);
		hideOnAbort(input, context);
	}).finally(() => closeInput(input));
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
	if (!isMany && context.text !== undefined) {
		pick.value = context.text;
	}
	pick.buttons = stepButtons(field, context);
	const first = jsonText(items.filter(it => isIn(context.value, it.value)).map(it => it.value));
	const unfinished = (): string | undefined => {
		const text = isMany ? jsonText(pick.selectedItems.map(it => it.value)) : pick.value;
		return text === (isMany ? first : '') ? undefined : text;
	};
	return new Promise<StepResult>(resolve => {
		pick.onDidChangeValue(() => (pick.title = context.title));
		pick.onDidAccept(() => {
			if (!isMany && pick.selectedItems.length === 0 && pick.value !== '') {
				pick.title = vscode.l10n.t('{0} (no matching choice)', context.title);
				return;
			}
			const values = pick.selectedItems.map(it => it.value);
			const check = checkField(field, isMany ? values : values[0]);
			if (check.ok) {
				resolve({ kind: 'answered', value: check.value });
			} else {
				pick.title = `${context.title} — ${quickInputText(describeFieldProblem(check.problem))}`;
			}
		});
		pick.onDidTriggerButton(button => resolve(pressed(button, unfinished())));
		pick.onDidHide(() => resolve({ kind: 'left', text: unfinished() }));
		openInput(pick);
		hideOnAbort(pick, context);
	}).finally(() => closeInput(pick));
}

function isIn(list: unknown, value: unknown): boolean {
	return Array.isArray(list) && list.includes(value);
}

function begin(input: vscode.QuickInput, { title, step }: StepContext): void {
	input.title = title;
	showStep(input, step);
	input.ignoreFocusOut = true;
}

function hideOnAbort(input: vscode.QuickInput, { signal }: StepContext): void {
	// No need to unsubscribe: hiding a hidden input does nothing.
	void (signal && onAbort(signal, () => input.hide()));
}

function asText(field: Field, value: unknown): string {
	if (value === undefined || (value === null && field.nullable)) {
		return '';
	}
	return field.kind === 'string' && typeof value === 'string' ? value : jsonText(value);
}
