/**
 * One question as one quick input, with the answer as a promise: a text that is checked while it is typed, or lines to
 * choose from. `back` is the button; a quick input that disappears gives no reason and answers `undefined`.
 */
import * as vscode from 'vscode';

export const back = Symbol('back');

export interface Question {
	/** Already cleaned for a title. */
	readonly title: string;
	readonly placeholder?: string;
	readonly canGoBack?: boolean;
}

export interface TextQuestion extends Question {
	readonly prompt: string;
	readonly value: string;
	/** What is wrong with a text, or (severity Info) what it means; `again` checks once more when more is known. */
	readonly check: (text: string, again: () => void) => string | vscode.InputBoxValidationMessage | undefined;
	/** Told of what was typed when the question disappears. */
	readonly onLeave?: (text: string) => void;
}

export interface LinesQuestion<T> extends Question {
	/** Told of what was chosen when the question disappears. */
	readonly onLeave?: (chosen: readonly T[]) => void;
}

/** Asks for a text; accepts none that `check` finds wrong. */
export function askForText(question: TextQuestion): Promise<string | typeof back | undefined> {
	const input = vscode.window.createInputBox();
	input.title = question.title;
	input.placeholder = question.placeholder;
	input.prompt = question.prompt;
	input.value = question.value;
	input.ignoreFocusOut = true;
	input.buttons = question.canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
	const validate = (): boolean => {
		const message = question.check(input.value, () => void validate());
		input.validationMessage = message;
		return isFine(message);
	};
	return new Promise<string | typeof back | undefined>(resolve => {
		input.onDidChangeValue(validate);
		input.onDidAccept(() => {
			if (validate()) {
				resolve(input.value);
			}
		});
		const leave = (answer: typeof back | undefined): void => {
			question.onLeave?.(input.value);
			resolve(answer);
		};
		input.onDidTriggerButton(() => leave(back));
		input.onDidHide(() => leave(undefined));
		if (input.value !== '') {
			validate();
		}
		input.show();
	}).finally(() => input.dispose());
}

function isFine(message: string | vscode.InputBoxValidationMessage | undefined): boolean {
	return (
		message === undefined || (typeof message !== 'string' && message.severity < vscode.InputBoxValidationSeverity.Error)
	);
}

/** Asks to choose any number of lines; `isPicked` says which are chosen to begin with. */
export async function askForMany<T extends vscode.QuickPickItem>(
	question: LinesQuestion<T>,
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
	question: LinesQuestion<T>,
	items: readonly T[],
	prepare: (pick: vscode.QuickPick<T>) => void,
): Promise<readonly T[] | typeof back | undefined> {
	const pick = vscode.window.createQuickPick<T>();
	pick.title = question.title;
	pick.placeholder = question.placeholder;
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.buttons = question.canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
	pick.items = items;
	prepare(pick);
	return new Promise<readonly T[] | typeof back | undefined>(resolve => {
		pick.onDidAccept(() => resolve([...pick.selectedItems]));
		const leave = (answer: typeof back | undefined): void => {
			question.onLeave?.([...pick.selectedItems]);
			resolve(answer);
		};
		pick.onDidTriggerButton(() => leave(back));
		pick.onDidHide(() => leave(undefined));
		pick.show();
	}).finally(() => pick.dispose());
}
