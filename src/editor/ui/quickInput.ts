/**
 * Asks questions with quick inputs. The answer is `back` after the Back button, and `undefined` if the input
 * disappears, because the editor doesn't say why it does.
 *
 * Show every quick input with `openInput` and end it with `closeInput`. When a quick input hides, the editor returns
 * the focus, and a page such as a walkthrough would handle the next key. So an answered input stays until the next one
 * is shown.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { onAbort } from '../../base/async.js';
import type { Disposable } from '../../base/lifecycle.js';

export const back = Symbol('back');

/** Milliseconds that an answered input stays open for the next one. */
const heldMs = 100;
/** Milliseconds in which a page can take the focus. A walkthrough does so 250 ms after Enter on one of its steps. */
const pageMs = 400;

/** The input that is open, or about to be shown. */
let shown: vscode.QuickInput | undefined;
/** An input that was answered and stays open for the next one. */
let held: { readonly input: vscode.QuickInput; readonly timer: Timer } | undefined;

/** Shows the input that waits for a page in front. */
let showWaiting: (() => void) | undefined;

/** Shows an input. Call `closeInput` when it is no longer needed. */
export function openInput(input: vscode.QuickInput): void {
	// Shows an input that is still waiting, because only a shown input fires `onDidHide`, which ends its question.
	showWaiting?.();
	if (shown === input) {
		input.show();
		return;
	}
	const isFirst = shown === undefined;
	shown = input;
	input.onDidHide(() => {
		if (shown === input) {
			shown = undefined;
		}
	});
	if (isFirst && isPageInFront()) {
		showLater(input);
		return;
	}
	input.show();
	closeHeldInput();
}

/**
 * Hides an input that may be shown again. Resolves once the editor has hidden it: its `onDidHide` comes late, and would
 * otherwise be taken for that of the next showing.
 */
export function hideInput(input: vscode.QuickInput): Promise<void> {
	return shown === input
		? new Promise(resolve => {
				input.onDidHide(() => resolve());
				input.hide();
			})
		: Promise.resolve();
}

/** Whether an input that isn't answered yet is open. Another one would close it. */
export function isInputOpen(): boolean {
	return shown !== undefined && held?.input !== shown;
}

/** Ends an input: at once if it is hidden already, otherwise as soon as the next one is shown. */
export function closeInput(input: vscode.QuickInput): void {
	if (shown !== input) {
		input.dispose();
		return;
	}
	closeHeldInput();
	held = { input, timer: clock.setTimeout(closeHeldInput, heldMs) };
}

/** Asks the person in a modal dialog to confirm an action. @param action the button. @param detail text below the message */
export async function confirmAction(message: string, action: string, detail = ''): Promise<boolean> {
	closeHeldInput();
	return (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action;
}

/** Must be called before another part of the editor gets the focus, because an input about to close would take it back. */
export function closeHeldInput(): void {
	const former = held;
	held = undefined;
	if (former) {
		clock.clearTimeout(former.timer);
		if (shown === former.input) {
			shown = undefined;
		}
		former.input.dispose();
	}
}

/** Whether the editor shows a page of its own, such as a walkthrough, that may take the focus back. */
function isPageInFront(): boolean {
	const { activeTab } = vscode.window.tabGroups.activeTabGroup;
	return activeTab !== undefined && activeTab.input === undefined;
}

/** Shows an input once the page in front no longer takes the focus. */
function showLater(input: vscode.QuickInput): void {
	const hide = input.hide.bind(input);
	let isHidden = false;
	// An input that isn't shown yet fires no `onDidHide`.
	input.hide = () => {
		isHidden = true;
	};
	const show = (): void => {
		clock.clearTimeout(timer);
		showWaiting = undefined;
		input.hide = hide;
		if (shown === input && held?.input !== input) {
			input.show();
			if (isHidden) {
				input.hide();
			}
		}
	};
	const timer = clock.setTimeout(show, pageMs);
	showWaiting = show;
}

/** Numbers a question as "(1/2)"; one of one not, because the form it belongs to can have more to fill in. */
export function showStep(input: vscode.QuickInput, step: StepNumber | undefined): void {
	if (step && step.total > 1) {
		input.step = step.number;
		input.totalSteps = step.total;
	}
}

export interface StepNumber {
	readonly number: number;
	readonly total: number;
}

/** Shows a quick pick and waits for the accepted line; `undefined` if it disappears. Ignores Enter without lines. */
export function accepted<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>): Promise<T | undefined> {
	return new Promise<T | undefined>(resolve => {
		const listeners = [
			pick.onDidAccept(() => pick.selectedItems[0] && settle(pick.selectedItems[0])),
			pick.onDidHide(() => settle(undefined)),
		];
		const settle = (item: T | undefined): void => {
			for (const listener of listeners) {
				listener.dispose();
			}
			resolve(item);
		};
		openInput(pick);
	});
}

/** Asks for one item of a list, which closes when it loses the focus. @param find gives items that are always shown */
export async function chooseLine<T extends vscode.QuickPickItem>(
	items: readonly T[],
	placeholder: string,
	title?: string,
	find?: (typed: string) => readonly T[],
): Promise<T | undefined> {
	const pick = vscode.window.createQuickPick<T>();
	pick.title = title;
	pick.placeholder = placeholder;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.items = items;
	if (find) {
		pick.onDidChangeValue(typed => (pick.items = find(typed)));
	}
	try {
		return await accepted(pick);
	} finally {
		closeInput(pick);
	}
}

/**
 * Opens an input, waits for the answer, and closes the input.
 * @param listen registers the listeners that answer the question
 * @param left gives the answer if the input disappears, or if `signal` aborts
 */
export async function untilAnswered<A>(
	input: vscode.QuickInput,
	listen: (answer: (answer: A) => void) => void,
	left: () => A,
	signal?: AbortSignal,
): Promise<A> {
	let aborted: Disposable | undefined;
	try {
		return await new Promise<A>(resolve => {
			listen(resolve);
			// The input also hides after its answer, when the next one is shown.
			input.onDidHide(() => resolve(left()));
			openInput(input);
			aborted = signal && onAbort(signal, () => input.hide());
		});
	} finally {
		aborted?.dispose();
		closeInput(input);
	}
}

export interface Question {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly placeholder?: string;
	readonly canGoBack?: boolean;
	/** Withdraws the question, which is answered with `undefined`. */
	readonly signal?: AbortSignal;
}

export interface TextQuestion extends Question {
	readonly prompt: string;
	readonly value: string;
	/** Masks the typed text. */
	readonly isSecret?: boolean;
	/** Describes what is wrong with a text, or what it means (severity Info). `again` repeats the check. */
	readonly check: (text: string, again: () => void) => string | vscode.InputBoxValidationMessage | undefined;
	/** A button in the title, which doesn't end the question. */
	readonly button?: vscode.QuickInputButton & { readonly run: () => unknown };
	/** Receives the text when the question ends, also without an answer. */
	readonly onLeave?: (text: string) => void;
}

/** Asks for a text that `check` accepts. */
export async function askForText(question: TextQuestion): Promise<string | typeof back | undefined> {
	if (question.signal?.aborted === true) {
		// An input would close the one that is open.
		return undefined;
	}
	const input = vscode.window.createInputBox();
	input.title = question.title;
	input.placeholder = question.placeholder;
	input.prompt = question.prompt;
	input.value = question.value;
	input.password = question.isSecret === true;
	input.ignoreFocusOut = true;
	const { button } = question;
	input.buttons = [
		...(question.canGoBack === true ? [vscode.QuickInputButtons.Back] : []),
		...(button === undefined ? [] : [button]),
	];
	const validate = (): boolean => {
		const message = question.check(input.value, () => void validate());
		input.validationMessage = message;
		return isFine(message);
	};
	const listen = (resolve: (answer: string | typeof back) => void): void => {
		input.onDidChangeValue(validate);
		input.onDidAccept(() => {
			if (validate()) {
				resolve(input.value);
			}
		});
		input.onDidTriggerButton(it => (it === button ? void button.run() : resolve(back)));
		if (input.value !== '') {
			validate();
		}
	};
	const answer = await untilAnswered<string | typeof back | undefined>(input, listen, () => undefined, question.signal);
	question.onLeave?.(input.value);
	return answer;
}

function isFine(message: string | vscode.InputBoxValidationMessage | undefined): boolean {
	return (
		message === undefined || (typeof message !== 'string' && message.severity < vscode.InputBoxValidationSeverity.Error)
	);
}

/** Asks to choose any number of lines. @param isPicked whether a line is checked at first */
export async function askForMany<T extends vscode.QuickPickItem>(
	question: Question,
	items: readonly T[],
	isPicked: (item: T) => boolean,
): Promise<readonly T[] | typeof back | undefined> {
	return ask(question, items, pick => {
		pick.canSelectMany = true;
		pick.selectedItems = items.filter(isPicked);
	});
}

/** Asks to choose one line. Unlike that of `chooseLine`, the list stays open when it loses the focus. */
export async function askForOne<T extends vscode.QuickPickItem>(
	question: Question,
	items: readonly T[],
): Promise<T | typeof back | undefined> {
	const chosen = await ask(question, items, () => undefined);
	return chosen === back || chosen === undefined ? chosen : chosen[0];
}

async function ask<T extends vscode.QuickPickItem>(
	question: Question,
	items: readonly T[],
	prepare: (pick: vscode.QuickPick<T>) => void,
): Promise<readonly T[] | typeof back | undefined> {
	if (question.signal?.aborted === true) {
		// An input would close the one that is open.
		return undefined;
	}
	const pick = vscode.window.createQuickPick<T>();
	pick.title = question.title;
	pick.placeholder = question.placeholder;
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.buttons = question.canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
	pick.items = items;
	prepare(pick);
	const listen = (resolve: (answer: readonly T[] | typeof back) => void): void => {
		pick.onDidAccept(() => resolve([...pick.selectedItems]));
		pick.onDidTriggerButton(() => resolve(back));
	};
	return untilAnswered<readonly T[] | typeof back | undefined>(pick, listen, () => undefined, question.signal);
}
