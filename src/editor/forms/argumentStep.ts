/**
 * One argument as one quick input: a quick pick of what the server proposes, whose first match Enter takes, with a line
 * for what was typed. Nothing that the server does or fails to do keeps anybody from typing.
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
import { quickInputText, quickPickText } from '../ui/plainText.js';
import { onAbort } from '../../base/async.js';
import { closeInput, openInput, showStep, type StepNumber } from '../ui/quickInput.js';

/** An argument of a prompt, or a variable of a resource template. All of it is untrusted text. */
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
	readonly whose: string;
	/** What stands there to begin with. A text of several lines, which no input can show, is a line of the list. */
	readonly text: string;
	readonly sources: readonly ArgumentSource[];
	/** What is wrong with a value, in words; `undefined` if nothing is. */
	readonly check: (value: string) => string | undefined;
	/** What comes of a value: shown beneath it. */
	readonly preview: (value: string | undefined) => string | undefined;
	/** Takes the question back. */
	readonly signal?: AbortSignal | undefined;
}

/** `value: undefined` leaves the argument out; `text` is what stood there when it was left. */
export type ArgumentAnswer =
	| { readonly kind: 'answered'; readonly value: string | undefined }
	| { readonly kind: 'back' | 'left'; readonly text: string }
	| { readonly kind: 'source'; readonly source: ArgumentSource; readonly text: string };

interface ArgumentItem extends vscode.QuickPickItem {
	/** What choosing it answers; a line without it says something, and no more. */
	readonly answer?: { readonly value: string | undefined };
}

interface AnswerButton extends vscode.QuickInputButton {
	readonly press: (text: string) => ArgumentAnswer;
}

/** What is shown of a proposed value; what is used is the whole. */
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
	setQuickPickPrompt(pick, promptFor(step.argument));
	pick.value = isLong ? '' : step.text;
	pick.buttons = buttonsFor(step);

	const draw = ({ completion, isLoading }: TypingState): void => {
		const [before] = pick.activeItems;
		const hasMoved = before !== undefined && before !== firstLine(pick.items);
		pick.busy = isLoading;
		pick.items = linesFor(step, pick.value, held, { completion, isLoading });
		pick.placeholder =
			completion.kind === 'values' && completion.values.length > 0
				? vscode.l10n.t('Type a value, or choose one below')
				: vscode.l10n.t('Type a value');
		const same = pick.items.find(it => it.answer && it.answer.value === before?.answer?.value);
		// Where the person has gone stays; otherwise it is the first match, or what they have typed.
		const active = (hasMoved ? same : undefined) ?? firstLine(pick.items);
		pick.activeItems = active ? [active] : [];
	};
	const typing = new Typing(completions, step.subject, draw);
	// What is held is no beginning of anything.
	typing.start(pick.value);

	let isOver = false;
	return new Promise<ArgumentAnswer>(resolve => {
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
				// Where it can be mended, with what is wrong beside it.
				pick.value = typed = answer.value;
				pick.activeItems = [];
				typing.type(answer.value);
			}
		});
		const text = (): string => (pick.value === '' ? (held ?? '') : pick.value);
		pick.onDidTriggerButton(button =>
			resolve('press' in button ? (button as AnswerButton).press(text()) : { kind: 'back', text: text() }),
		);
		pick.onDidHide(() => resolve({ kind: 'left', text: text() }));
		openInput(pick);
		void (step.signal && onAbort(step.signal, () => pick.hide()));
	}).finally(() => {
		isOver = true;
		typing.dispose();
		closeInput(pick);
	});
}

/** "City (city) — Where it is (required)" */
function promptFor({ name, title, description, required }: ArgumentSpec): string {
	const { t } = vscode.l10n;
	const named = title !== undefined && title !== name ? `${title} (${name})` : name;
	const said = description ? ` — ${quickInputText(description, 200)}` : '';
	return `${quickInputText(named, 80)}${said} (${required === true ? t('required') : t('optional')})`;
}

function buttonsFor({ canGoBack, sources, argument }: ArgumentStep): (AnswerButton | vscode.QuickInputButton)[] {
	const leaveOut: AnswerButton = {
		iconPath: new vscode.ThemeIcon('circle-slash'),
		tooltip: vscode.l10n.t('Leave Out'),
		press: () => ({ kind: 'answered', value: undefined }),
	};
	return [
		...(canGoBack ? [vscode.QuickInputButtons.Back] : []),
		...sources.map((source): AnswerButton => ({
			iconPath: new vscode.ThemeIcon(source.icon),
			tooltip: source.label,
			press: text => ({ kind: 'source', source, text }),
		})),
		...(argument.required === true ? [] : [leaveOut]),
	];
}

function firstLine(lines: readonly ArgumentItem[]): ArgumentItem | undefined {
	return lines.find(it => it.kind !== vscode.QuickPickItemKind.Separator);
}

/** Proposed values that match the typed text come before it, other proposals after it. */
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

/** Whether the text is a part of a proposed value, but not a whole one. */
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
		description: problem === undefined ? vscode.l10n.t('as typed') : quickPickText(problem),
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
			label: t('Type a value'),
			description: t('required'),
			iconPath: new vscode.ThemeIcon('edit'),
			...detail(step.preview(undefined)),
		};
	}
	return {
		label: t('Leave Out'),
		description: t('no value is sent'),
		iconPath: new vscode.ThemeIcon('circle-slash'),
		...detail(step.preview(undefined)),
		answer: { value: undefined },
	};
}

/** What the server proposes, and what there is to say about it. */
function proposedLines({ whose }: ArgumentStep, text: string, { completion, isLoading }: TypingState): ArgumentItem[] {
	const { t } = vscode.l10n;
	switch (completion.kind) {
		case 'none':
			return [];
		case 'away':
			return [note('debug-disconnect', t('{0} does not run', quickPickText(whose, 60)), t('it proposes nothing'))];
		case 'failed': {
			const why = quickPickText(describeError(completion.error));
			return [note('warning', t('{0} could not propose values', quickPickText(whose, 60)), why)];
		}
		case 'values': {
			// Until the answer is there, those before that can still be meant.
			const fitting = completion.values.filter(it => it !== text && (!isLoading || holds(it, text)));
			// Matches first: Enter takes the first one.
			const values =
				text === '' ? fitting : fitting.toSorted((a, b) => Number(holds(b, text)) - Number(holds(a, text)));
			const more = isLoading ? undefined : describeMore(completion);
			return [
				...(values.length > 0
					? [{ label: t('proposed by {0}', quickPickText(whose, 60)), kind: vscode.QuickPickItemKind.Separator }]
					: []),
				...values.map(value => ({ label: quickPickText(value, maxShown), answer: { value } })),
				...(more === undefined ? [] : [note('ellipsis', more)]),
			];
		}
	}
}

/** That the server has more values than it has sent; `undefined` if it has not. */
function describeMore(completion: Completion): string | undefined {
	const { t } = vscode.l10n;
	if (completion.kind !== 'values') {
		return undefined;
	}
	const { values, total, hasMore } = completion;
	if (total !== undefined && total > values.length) {
		return t('{0} of {1} are shown; type to see others', values.length, total);
	}
	return hasMore ? t('There are more than these; type to see others') : undefined;
}

function note(icon: string, label: string, description?: string): ArgumentItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), ...(description === undefined ? {} : { description }) };
}

function detail(text: string | undefined): { detail?: string } {
	return text === undefined ? {} : { detail: quickPickText(text) };
}
