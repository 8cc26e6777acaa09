/** Registers commands by typed ids. One error boundary shows the errors of all commands as messages. */
import * as vscode from 'vscode';
import { clock } from '../base/clock.js';
import { isAbort } from '../base/errors.js';
import type { ServerLog } from '../core/servers/serverLog.js';
import { type Disposable, DisposableStore } from '../base/lifecycle.js';
import { type CommandId, type ContextKey, titleCommands } from './contributions.js';
import { describeError } from './l10n/messages.js';

/** An error for the program that called the command. It is rethrown instead of shown to the person. */
export class CallerError extends Error {
	override readonly name = 'CallerError';
}

/** Handles a command. @param argument the first argument of the command. @returns the result of the command */
export type CommandHandler = (argument: unknown) => unknown;

/** Handlers by the ids of their commands. */
export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** Registers several commands, each as `registerCommand` does. */
export function registerCommands(handlers: CommandHandlers): Disposable {
	const owned = new DisposableStore();
	for (const [id, handler] of Object.entries(handlers)) {
		owned.add(registerCommand(id as CommandId, handler));
	}
	return owned;
}

let actionTime = -Infinity;

/** When the person last ran one of our commands, or used a button of our messages, by `clock.elapsed()`. */
export function lastActionTime(): number {
	return actionTime;
}

/** Call this when the person has used a button of a message whose action may open a sheet and that runs no command. */
export function didUseButton(): void {
	actionTime = clock.elapsed();
}

/** Registers a command. Errors of `handler` are shown as messages; cancellation is silent. */
export function registerCommand(id: CommandId, handler: CommandHandler): Disposable {
	return vscode.commands.registerCommand(id, (...all: readonly unknown[]) => {
		actionTime = clock.elapsed();
		return reportErrors(() => (isOfUnknownItem(id, all) ? tellOfUnknownItem() : handler(all[0])));
	});
}

/**
 * Whether a tree item's command came without its item. The editor passes the item and the selected items, but while it
 * redraws the tree both can be undefined, and which item the person meant is unknown. The Command Palette passes no
 * arguments. A button in the title of the view passes two undefined arguments if no item has the focus.
 */
function isOfUnknownItem(id: CommandId, all: readonly unknown[]): boolean {
	return all.length === 2 && all.every(it => it === undefined) && !titleCommands.has(id);
}

function tellOfUnknownItem(): void {
	void vscode.window.showInformationMessage(vscode.l10n.t('The selected item has just changed. Try again.'));
}

/** Runs an action that no command started, with the same error boundary. */
export async function reportErrors(action: () => unknown): Promise<unknown> {
	try {
		return await action();
	} catch (error) {
		if (error instanceof CallerError) {
			throw error;
		}
		if (!isAbort(error)) {
			void showError(error);
		}
		return undefined;
	}
}

/** An error whose message has a button for a server's log. Without a button, the editor cuts messages to one line. */
export class LoggedError extends Error {
	constructor(
		message: string,
		readonly log: Pick<ServerLog, 'show'>,
	) {
		super(message);
	}
}

async function showError(error: unknown): Promise<void> {
	const buttons = error instanceof LoggedError ? [vscode.l10n.t('Show Log')] : [];
	const chosen = await vscode.window.showErrorMessage(describeError(error), ...buttons);
	if (chosen !== undefined && error instanceof LoggedError) {
		error.log.show();
	}
}

/** A context key that is sent to the editor only when its value changes. */
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
