/** Registering commands: typed ids and one error boundary for all of them. */
import * as vscode from 'vscode';
import { isAbort } from '../base/errors.js';
import type { Disposable } from '../base/lifecycle.js';
import { type CommandId, type ContextKey, titleCommands } from './contributions.js';
import { describeError } from './messages.js';

/** An error that belongs to the program that called the command; nothing is shown to the person. */
export class CallerError extends Error {
	override readonly name = 'CallerError';
}

/** Registers `handler`; what it throws becomes one message, cancellation stays silent. */
export function registerCommand(id: CommandId, handler: (argument: unknown) => unknown): Disposable {
	return vscode.commands.registerCommand(id, (...all: readonly unknown[]) =>
		guarded(() => (isOfUnknownLine(id, all) ? tellOfUnknownLine() : handler(all[0]))),
	);
}

/**
 * Of a line of a tree the editor gives the line and the selected ones. While the tree is drawn again it may not know a
 * line for a moment, and gives nothing: what the person meant is unknown, and the palette gives no arguments at all.
 * A button above the view gives the same where no line has the focus.
 */
function isOfUnknownLine(id: CommandId, all: readonly unknown[]): boolean {
	return all.length === 2 && all.every(it => it === undefined) && !titleCommands.has(id);
}

function tellOfUnknownLine(): void {
	void vscode.window.showInformationMessage(vscode.l10n.t('The line has just changed. Try again.'));
}

/** Does what a person has asked for by other means than a command, with the same boundary. */
export async function guarded(action: () => unknown): Promise<unknown> {
	try {
		return await action();
	} catch (error) {
		if (error instanceof CallerError) {
			throw error;
		}
		if (!isAbort(error)) {
			void vscode.window.showErrorMessage(describeError(error));
		}
		return undefined;
	}
}

/** A context key that tells the editor only of changes. */
export class ManagedContextKey {
	private current: unknown;

	constructor(private readonly key: ContextKey) {}

	set value(value: boolean) {
		if (value !== this.current) {
			this.current = value;
			void vscode.commands.executeCommand('setContext', this.key, value);
		}
	}
}
