/**
 * Asks for one argument with a quick pick of the server's suggestions and a line for the typed text. Enter takes the
 * first match. The person can always type a value, also while the server responds slowly or fails.
 */
import * as vscode from 'vscode';
import {
	type Completion,
	type Completions,
	type CompletionSubject,
	Typing,
	type TypingState,
} from '../../core/search/completions.js';
import type { ArgumentSource } from './argumentSources.js';
import { describeError } from '../l10n/messages.js';
import { keepOrder, setQuickPickPrompt } from '../newerApi.js';
import { quickPickText } from '../ui/plainText.js';
import { showStep, type StepNumber, untilAnswered } from '../ui/quickInput.js';
import { leaveOut, stepPrompt } from './formStep.js';

/** An argument of a prompt, or a variable of a resource template. All texts are untrusted. */
export interface ArgumentSpec {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly required?: boolean;
}

export interface ArgumentStep {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly step: StepNumber;
	readonly canGoBack: boolean;
	readonly argument: ArgumentSpec;
	readonly subject: CompletionSubject;
	/** The server's label. */
	readonly serverLabel: string;
	/** Initial text. An input can't show several lines, so a text of several lines is a line of the list. */
	readonly text: string;
	readonly sources: readonly ArgumentSource[];
	/** Describes what is wrong with a value; `undefined` if it is valid. */
	readonly check: (value: string) => string | undefined;
	/** Describes the result of a value, below the value. */
	readonly preview: (value: string | undefined) => string | undefined;
}

/** `value: undefined` leaves the argument out; `text` is the text in the input when it closed. */
export type ArgumentAnswer =
	| { readonly kind: 'answered'; readonly value: string | undefined }
	| { readonly kind: 'back' | 'left'; readonly text: string }
	| { readonly kind: 'source'; readonly source: ArgumentSource; readonly text: string };

interface ArgumentItem extends vscode.QuickPickItem {
	/** The answer of the line. A line without an answer only informs. */
	readonly answer?: { readonly value: string | undefined };
}

interface AnswerButton extends vscode.QuickInputButton {
	readonly press: (text: string) => ArgumentAnswer;
}

/** Characters of a suggested value that are shown. */
const maxShown = 120;

/** Asks for one argument. */
export function askArgument(completions: Completions, step: ArgumentStep): Promise<ArgumentAnswer> {
	const pick = vscode.window.createQuickPick<ArgumentItem>();
	const isLong = /[\r\n]/.test(step.text);
	const held = isLong ? step.text : undefined;
	pick.title = step.title;
	showStep(pick, step.step);
	pick.ignoreFocusOut = true;
	pick.keepScrollPosition = true;
	keepOrder(pick);
	const { t } = vscode.l10n;
	setQuickPickPrompt(pick, stepPrompt(step.argument, step.argument.required === true ? t('Required') : t('Optional')));
	pick.value = isLong ? '' : step.text;
	pick.buttons = buttonsFor(step);

	const draw = ({ completion, isLoading }: TypingState): void => {
		const [before] = pick.activeItems;
		const hasMoved = before !== undefined && before !== firstLine(pick.items);
		pick.busy = isLoading;
		pick.items = linesFor(step, pick.value, held, { completion, isLoading });
		pick.placeholder =
			completion.kind === 'values' && completion.values.length > 0
				? vscode.l10n.t('Enter a value or select one below')
				: vscode.l10n.t('Enter a value');
		const same = pick.items.find(it => it.answer && it.answer.value === before?.answer?.value);
		// Keeps the line that the person has moved to; otherwise the first match or the typed text is active.
		const active = (hasMoved ? same : undefined) ?? firstLine(pick.items);
		pick.activeItems = active ? [active] : [];
	};
	const typing = new Typing(completions, step.subject, draw);
	// A text of several lines isn't used to ask for completions.
	typing.start(pick.value);

	let isOver = false;
	const text = (): string => (pick.value === '' ? (held ?? '') : pick.value);
	const listen = (resolve: (answer: ArgumentAnswer) => void): void => {
		let typed = pick.value;
		pick.onDidChangeValue(value => {
			if (value !== typed && !isOver) {
				typed = value;
				pick.activeItems = [];
				typing.type(value);
			}
		});
		pick.onDidAccept(() => {
			const answer = (pick.selectedItems[0] ?? pick.activeItems[0])?.answer;
			if (!answer) {
				return;
			}
			if (answer.value === undefined || step.check(answer.value) === undefined) {
				resolve({ kind: 'answered', ...answer });
			} else {
				// The value goes into the input, where the person can correct it.
				pick.value = typed = answer.value;
				pick.activeItems = [];
				typing.type(answer.value);
			}
		});
		pick.onDidTriggerButton(button =>
			resolve('press' in button ? (button as AnswerButton).press(text()) : { kind: 'back', text: text() }),
		);
	};
	return untilAnswered(pick, listen, (): ArgumentAnswer => ({ kind: 'left', text: text() })).finally(() => {
		isOver = true;
		typing.dispose();
	});
}

function buttonsFor({ canGoBack, sources, argument }: ArgumentStep): (AnswerButton | vscode.QuickInputButton)[] {
	return [
		...(canGoBack ? [vscode.QuickInputButtons.Back] : []),
		...sources.map((source): AnswerButton => ({
			iconPath: new vscode.ThemeIcon(source.icon),
			tooltip: source.label,
			press: text => ({ kind: 'source', source, text }),
		})),
		...(argument.required === true ? [] : [leaveOut()]),
	];
}

function firstLine(lines: readonly ArgumentItem[]): ArgumentItem | undefined {
	return lines.find(it => it.kind !== vscode.QuickPickItemKind.Separator);
}

/** Suggestions that match the typed text come before it, others after it. */
function linesFor(step: ArgumentStep, text: string, held: string | undefined, state: TypingState): ArgumentItem[] {
	const own = [
		...(text === '' ? [] : [typedLine(step, text)]),
		...(held === undefined ? [] : [heldLine(step, held)]),
		...(text === '' && held === undefined ? [emptyLine(step)] : []),
	];
	const proposed = proposedLines(step, text, state);
	const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
	const lines = hasMatches(text, state) ? [...proposed, separator, ...own] : [...own, ...proposed];
	return lines.map(it => ({ ...it, alwaysShow: true }));
}

/** Whether the text is a part of a suggested value, but not a whole one. */
function hasMatches(text: string, { completion }: TypingState): boolean {
	if (text === '' || completion.kind !== 'values' || completion.values.includes(text)) {
		return false;
	}
	return completion.values.some(it => holds(it, text));
}

function holds(value: string, text: string): boolean {
	return value.toLowerCase().includes(text.toLowerCase());
}

function typedLine(step: ArgumentStep, text: string): ArgumentItem {
	const problem = step.check(text);
	return {
		label: quickPickText(text),
		description: problem === undefined ? vscode.l10n.t('Your input') : quickPickText(problem),
		iconPath: new vscode.ThemeIcon(problem === undefined ? 'edit' : 'error'),
		...detail(step.preview(text)),
		answer: { value: text },
	};
}

function heldLine(step: ArgumentStep, held: string): ArgumentItem {
	const { t } = vscode.l10n;
	return {
		label: quickPickText(held, maxShown),
		description: t('{0} lines, {1} characters', held.split(/\r\n?|\n/).length, held.length),
		iconPath: new vscode.ThemeIcon('list-selection'),
		...detail(step.preview(held)),
		answer: { value: held },
	};
}

function emptyLine(step: ArgumentStep): ArgumentItem {
	const { t } = vscode.l10n;
	if (step.argument.required === true) {
		return {
			label: t('Enter a value'),
			description: t('Required'),
			iconPath: new vscode.ThemeIcon('edit'),
			...detail(step.preview(undefined)),
		};
	}
	return {
		label: t('Leave Out'),
		description: t('No value is sent'),
		iconPath: new vscode.ThemeIcon('circle-slash'),
		...detail(step.preview(undefined)),
		answer: { value: undefined },
	};
}

/** The suggestions, and notes about them. */
function proposedLines(
	{ serverLabel }: ArgumentStep,
	text: string,
	{ completion, isLoading }: TypingState,
): ArgumentItem[] {
	const { t } = vscode.l10n;
	switch (completion.kind) {
		case 'none':
			return [];
		case 'away':
			return [note('debug-disconnect', t("{0} isn't running", quickPickText(serverLabel, 60)), t('No suggestions'))];
		case 'failed': {
			const why = quickPickText(describeError(completion.error));
			return [note('warning', t("{0} couldn't suggest values", quickPickText(serverLabel, 60)), why)];
		}
		case 'values': {
			// Until the server responds, earlier suggestions that match the text stay.
			const fitting = completion.values.filter(it => it !== text && (!isLoading || holds(it, text)));
			// Matches first: Enter takes the first one.
			const values =
				text === '' ? fitting : fitting.toSorted((a, b) => Number(holds(b, text)) - Number(holds(a, text)));
			const more = isLoading ? undefined : describeMore(completion);
			return [
				...(values.length > 0
					? [{ label: t('Suggested by {0}', quickPickText(serverLabel, 60)), kind: vscode.QuickPickItemKind.Separator }]
					: []),
				...values.map(value => ({ label: quickPickText(value, maxShown), answer: { value } })),
				...(more === undefined ? [] : [note('ellipsis', more)]),
			];
		}
	}
}

/** Says that the server has more values than it has sent; `undefined` if it doesn't. */
function describeMore(completion: Completion): string | undefined {
	const { t } = vscode.l10n;
	if (completion.kind !== 'values') {
		return undefined;
	}
	const { values, total, hasMore } = completion;
	if (total !== undefined && total > values.length) {
		return t('{0} of {1} shown. Type to see others.', values.length, total);
	}
	return hasMore ? t("Some values aren't shown. Type to see others.") : undefined;
}

function note(icon: string, label: string, description?: string): ArgumentItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), ...(description === undefined ? {} : { description }) };
}

function detail(text: string | undefined): { detail?: string } {
	return text === undefined ? {} : { detail: quickPickText(text) };
}
