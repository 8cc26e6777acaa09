/**
 * One question as one quick input, with the answer as a promise: a text that is checked while it is typed, or lines to
 * choose from. `back` is the button; a quick input that disappears gives no reason and answers `undefined`.
 *
 * Every quick input is shown by `openInput` and ends with `closeInput`. When a quick input hides, the editor gives the
 * focus back to what had it before, and a page such as a walkthrough takes the next key for its own. So an answered input
 * stays until the next one is shown.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';

export const back = Symbol('back');

/** Milliseconds that an answered input stays open for the next one. */
const heldMs = 100;
/**
 * Milliseconds after which a page no longer takes the focus: a walkthrough takes it 250 ms after Enter was released on one
 * of its steps.
 */
const pageMs = 400;

/** Milliseconds for which a new sheet takes no answer. */
const sheetRestMs = 250;

/** The input that is shown, or was shown last. */
let shown: vscode.QuickInput | undefined;
/** An input that was answered and stays open for the next one. */
let held: { readonly input: vscode.QuickInput; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** Shows the input that waits for a page in front. */
let showWaiting: (() => void) | undefined;

/**
 * Shows an input. `closeInput` ends it.
 * @param didShow is called once it is shown, unless it was shown already
 */
export function openInput(input: vscode.QuickInput, didShow: () => void = () => undefined): void {
	// Only what was shown hides, and so tells whoever waits for its answer that there is none.
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
		showLater(input, didShow);
		return;
	}
	input.show();
	didShow();
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
	held = { input, timer: setTimeout(closeHeldInput, heldMs) };
}

/** Must be called before a modal dialog, which returns the focus to what had it: not to an input that is about to close. */
export function closeHeldInput(): void {
	const former = held;
	held = undefined;
	if (former) {
		clearTimeout(former.timer);
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
function showLater(input: vscode.QuickInput, didShow: () => void): void {
	const hide = input.hide.bind(input);
	let isHidden = false;
	// An input that isn't shown yet fires no `onDidHide`.
	input.hide = () => {
		isHidden = true;
	};
	const show = (): void => {
		clearTimeout(timer);
		showWaiting = undefined;
		input.hide = hide;
		if (shown === input && held?.input !== input) {
			input.show();
			didShow();
			if (isHidden) {
				input.hide();
			}
		}
	};
	const timer = setTimeout(show, pageMs);
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

/** The line that the person accepts, or `undefined` when the pick disappears. Enter in a list without lines does nothing. */
export function accepted<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>): Promise<T | undefined> {
	return nextAccepted(pick, () => openInput(pick));
}

/**
 * As `accepted`, for a sheet, which can open while the person types or clicks elsewhere: what they press in its first
 * moment is not meant for it, decides nothing, and makes that moment last longer. The placeholder says so.
 */
export async function acceptedOnSheet<T extends vscode.QuickPickItem>(
	pick: vscode.QuickPick<T>,
): Promise<T | undefined> {
	const { placeholder } = pick;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const end = (): void => {
		clearTimeout(timer);
		timer = undefined;
		pick.placeholder = placeholder;
	};
	const rest = (): void => {
		clearTimeout(timer);
		timer = setTimeout(end, sheetRestMs);
		pick.placeholder = vscode.l10n.t('One moment…');
	};
	const typing = pick.onDidChangeValue(value => {
		if (timer && value !== '') {
			pick.value = '';
			rest();
		}
	});
	try {
		return await nextAccepted(
			pick,
			() => openInput(pick, rest),
			() => timer === undefined,
		);
	} finally {
		end();
		typing.dispose();
	}
}

function nextAccepted<T extends vscode.QuickPickItem>(
	pick: vscode.QuickPick<T>,
	open: () => void,
	isTaken = (): boolean => true,
): Promise<T | undefined> {
	return new Promise<T | undefined>(resolve => {
		const listeners = [
			pick.onDidAccept(() => {
				const [item] = pick.selectedItems;
				if (item && isTaken()) {
					settle(item);
				} else {
					// A second click on a line that is selected already accepts nothing.
					pick.selectedItems = [];
				}
			}),
			pick.onDidHide(() => settle(undefined)),
		];
		const settle = (item: T | undefined): void => {
			for (const listener of listeners) {
				listener.dispose();
			}
			resolve(item);
		};
		open();
	});
}

/** Asks for one item of a list. The list closes when it loses the focus. */
export async function chooseLine<T extends vscode.QuickPickItem>(
	items: readonly T[],
	placeholder: string,
	title?: string,
): Promise<T | undefined> {
	const pick = vscode.window.createQuickPick<T>();
	pick.title = title;
	pick.placeholder = placeholder;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.items = items;
	try {
		return await accepted(pick);
	} finally {
		closeInput(pick);
	}
}

export interface Question {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly placeholder?: string;
	readonly canGoBack?: boolean;
	/** Withdraws the question: it answers `undefined`. */
	readonly signal?: AbortSignal;
}

export interface TextQuestion extends Question {
	readonly prompt: string;
	readonly value: string;
	/** What is typed is not shown. */
	readonly isSecret?: boolean;
	/** What is wrong with a text, or (severity Info) what it means; `again` checks once more when more is known. */
	readonly check: (text: string, again: () => void) => string | vscode.InputBoxValidationMessage | undefined;
	/** Told of what was typed when the question disappears. */
	readonly onLeave?: (text: string) => void;
}

/** Asks for a text; accepts none that `check` finds wrong. */
export function askForText(question: TextQuestion): Promise<string | typeof back | undefined> {
	if (question.signal?.aborted === true) {
		// It would close what is open now.
		return Promise.resolve(undefined);
	}
	const input = vscode.window.createInputBox();
	input.title = question.title;
	input.placeholder = question.placeholder;
	input.prompt = question.prompt;
	input.value = question.value;
	input.password = question.isSecret === true;
	input.ignoreFocusOut = true;
	input.buttons = question.canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
	const validate = (): boolean => {
		const message = question.check(input.value, () => void validate());
		input.validationMessage = message;
		return isFine(message);
	};
	let isAnswered = false;
	return new Promise<string | typeof back | undefined>(resolve => {
		input.onDidChangeValue(validate);
		input.onDidAccept(() => {
			if (validate()) {
				leave(input.value);
			}
		});
		// The input hides after its answer too, when the next one is shown.
		const leave = (answer: string | typeof back | undefined): void => {
			if (!isAnswered) {
				isAnswered = true;
				question.onLeave?.(input.value);
				resolve(answer);
			}
		};
		input.onDidTriggerButton(() => leave(back));
		input.onDidHide(() => leave(undefined));
		if (input.value !== '') {
			validate();
		}
		openInput(input);
		void (question.signal && onAbort(question.signal, () => input.hide()));
	}).finally(() => closeInput(input));
}

function isFine(message: string | vscode.InputBoxValidationMessage | undefined): boolean {
	return (
		message === undefined || (typeof message !== 'string' && message.severity < vscode.InputBoxValidationSeverity.Error)
	);
}

/** Asks to choose any number of lines; `isPicked` says which are chosen to begin with. */
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

/** Asks to choose one line. */
export async function askForOne<T extends vscode.QuickPickItem>(
	question: Question,
	items: readonly T[],
): Promise<T | typeof back | undefined> {
	const chosen = await ask(question, items, () => undefined);
	return chosen === back || chosen === undefined ? chosen : chosen[0];
}

function ask<T extends vscode.QuickPickItem>(
	question: Question,
	items: readonly T[],
	prepare: (pick: vscode.QuickPick<T>) => void,
): Promise<readonly T[] | typeof back | undefined> {
	if (question.signal?.aborted === true) {
		// It would close what is open now.
		return Promise.resolve(undefined);
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
	let isAnswered = false;
	return new Promise<readonly T[] | typeof back | undefined>(resolve => {
		pick.onDidAccept(() => leave([...pick.selectedItems]));
		const leave = (answer: readonly T[] | typeof back | undefined): void => {
			if (!isAnswered) {
				isAnswered = true;
				resolve(answer);
			}
		};
		pick.onDidTriggerButton(() => leave(back));
		pick.onDidHide(() => leave(undefined));
		openInput(pick);
		void (question.signal && onAbort(question.signal, () => pick.hide()));
	}).finally(() => closeInput(pick));
}
