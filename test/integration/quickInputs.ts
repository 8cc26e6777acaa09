/** Answers the real quick inputs of the extension, one after the other, as a person would. */
import * as assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { confirming, eventually } from './support.js';

/** What was set is on its way to the editor after the next turn, before any command that is run then. */
const travelMs = 5;

type Opened = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Sees every quick input that is shown while it lives. Tests and extension share one `vscode`. */
export class QuickInputs {
	private readonly opened: Opened[] = [];
	private readonly accepts = new WeakMap<Opened, number>();
	private readonly presses = new WeakMap<Opened, (button: vscode.QuickInputButton) => unknown>();
	private readonly messages: string[] = [];
	private readonly original = { ...vscode.window };

	constructor() {
		const window = vscode.window as { -readonly [K in keyof typeof vscode.window]: (typeof vscode.window)[K] };
		const keep = <T extends Opened>(input: T): T => {
			const show = input.show.bind(input);
			let isShown = false;
			input.show = () => {
				if (!isShown) {
					isShown = true;
					this.opened.push(input);
				}
				show();
			};
			const count = (): unknown => this.accepts.set(input, (this.accepts.get(input) ?? 0) + 1);
			(input as vscode.InputBox).onDidAccept(count);
			const listen = input.onDidTriggerButton;
			// No command presses a button that is not Back.
			(input as { onDidTriggerButton: typeof listen }).onDidTriggerButton = (listener, ...rest) => {
				this.presses.set(input, listener);
				return listen(listener, ...rest);
			};
			return input;
		};
		window.createInputBox = () => keep(this.original.createInputBox());
		window.createQuickPick = (() => keep(this.original.createQuickPick())) as never;
		for (const show of ['showInformationMessage', 'showErrorMessage'] as const) {
			window[show] = ((message: string, ...rest: never[]) => {
				this.messages.push(message);
				return this.original[show](message, ...rest);
			}) as never;
		}
	}

	dispose(): void {
		const { createInputBox, createQuickPick, showInformationMessage, showErrorMessage } = this.original;
		Object.assign(vscode.window, { createInputBox, createQuickPick, showInformationMessage, showErrorMessage });
	}

	/** The next message that is shown. */
	message(): Promise<string> {
		return eventually('a message', () => this.messages.shift());
	}

	/** Puts a text into the next input box and accepts it; gives what was proposed and asked. */
	async type(text: string | undefined): Promise<{ value: string; prompt: string | undefined }> {
		const input = (await this.next('an input box')) as vscode.InputBox;
		assert.ok('prompt' in input && 'password' in input);
		const { value, prompt } = input;
		input.value = text ?? value;
		await this.accept(input);
		return { value, prompt };
	}

	/** Chooses lines of the next quick pick (those proposed, if it is left out); gives all lines and the proposed ones. */
	async pick(
		choose?: (item: vscode.QuickPickItem) => boolean,
	): Promise<{ lines: string[]; proposed: string[]; placeholder: string | undefined }> {
		const pick = (await this.next('a quick pick')) as vscode.QuickPick<vscode.QuickPickItem>;
		const read = (): string[] =>
			pick.items.map(it => [it.label, it.description, it.detail].filter(Boolean).join(' | '));
		if (choose) {
			await eventually('the line to choose', () => pick.items.find(choose)).catch((error: Error) => {
				throw new Error(`${error.message} in "${pick.title}":\n${read().join('\n')}`, { cause: error });
			});
		}
		const lines = read();
		const proposed = pick.selectedItems.map(it => it.label);
		if (choose) {
			const chosen = pick.items.filter(choose);
			pick[pick.canSelectMany ? 'selectedItems' : 'activeItems'] = chosen;
		}
		await this.accept(pick);
		return { lines, proposed, placeholder: pick.placeholder };
	}

	/** The input box that is open, for a look at it. */
	async look(): Promise<Opened> {
		return eventually('a quick input', () => this.opened[0]);
	}

	/** Makes the input of that title the next, once it is there: those before it come and go by themselves. */
	async until(title: RegExp): Promise<Opened> {
		return eventually(`an input with the title ${title.source}`, () => {
			const index = this.opened.findIndex(it => title.test(it.title ?? ''));
			this.opened.splice(0, Math.max(0, index));
			return index === -1 ? undefined : this.opened[0];
		});
	}

	/** Of those that have been looked at, none is the next. */
	forget(): void {
		this.opened.length = 0;
	}

	/** Puts away what a failed test has left open, and what is asked after that: nothing is for the next test to answer. */
	async closeUntil(end: Promise<unknown>): Promise<void> {
		let isOver = false;
		void end.finally(() => (isOver = true));
		await eventually('the end of what was asked', () => {
			if (!isOver) {
				void vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			}
			return isOver || undefined;
		});
	}

	/** Presses the button that leads to the question before. */
	async back(): Promise<void> {
		await this.next('a quick input');
		await delay(travelMs);
		await vscode.commands.executeCommand('workbench.action.quickInputBack');
	}

	/** Presses the button with that tooltip. */
	async press(tooltip: string): Promise<void> {
		const input = await this.next('a quick input');
		const button = input.buttons.find(it => it.tooltip === tooltip);
		assert.ok(button, input.buttons.map(it => it.tooltip).join(', '));
		this.presses.get(input)?.(button);
	}

	private async next(what: string): Promise<Opened> {
		return eventually(what, () => this.opened.shift());
	}

	/** Presses Enter, and waits until that was heard. */
	private async accept(input: Opened): Promise<void> {
		const before = this.accepts.get(input);
		await delay(travelMs);
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		await eventually('that Enter is heard', () => (this.accepts.get(input) === before ? undefined : true));
	}
}

/**
 * Makes quick picks of which those in which a person chooses what a command is about are answered: those without a title,
 * and the list of pending requests.
 * @param choose gives one of the lines, or nothing to leave the list
 */
export function listsAnswered(choose: (lines: readonly never[]) => unknown): typeof vscode.window.createQuickPick {
	const original = vscode.window.createQuickPick;
	const create = (): vscode.QuickPick<vscode.QuickPickItem> => {
		const pick = original();
		const [accepting, hiding] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
		const { onDidAccept, onDidHide } = pick;
		const show = pick.show.bind(pick);
		return Object.assign(pick, {
			onDidAccept: (listener: () => void) => vscode.Disposable.from(onDidAccept(listener), accepting.event(listener)),
			onDidHide: (listener: () => void) => vscode.Disposable.from(onDidHide(listener), hiding.event(listener)),
			show: () => {
				if (pick.title !== undefined && pick.title !== 'Pending Requests') {
					show();
					return;
				}
				void Promise.resolve(choose(pick.items as readonly never[])).then(line => {
					pick.selectedItems = line === undefined ? [] : [line as vscode.QuickPickItem];
					(line === undefined ? hiding : accepting).fire();
				});
			},
		});
	};
	return create as typeof vscode.window.createQuickPick;
}

/** Revokes all that Manage Approvals lists, such as consents; gives the lines of the list. There may be none. */
export async function revokeAll(): Promise<string[]> {
	const inputs = new QuickInputs();
	try {
		const managing = Promise.resolve(vscode.commands.executeCommand('mcpWorkbench.approvals.manage'));
		const picked = inputs.pick(it => it.kind !== vscode.QuickPickItemKind.Separator).catch(() => undefined);
		const lines = await Promise.race([picked.then(it => it?.lines), managing.then(() => [])]);
		await managing;
		return lines ?? [];
	} finally {
		inputs.dispose();
	}
}

/** Clears the input values of a server, if any are stored, and confirms it. */
export async function clearInputValues(server: string): Promise<void> {
	const inputs = new QuickInputs();
	try {
		await confirming('Clear All', async () => {
			const { ended } = await openAction(inputs, server, 'Input Values…');
			const list = (await inputs.until(/^Input Values/)) as vscode.QuickPick<vscode.QuickPickItem>;
			if (list.items.some(it => it.label === 'Clear All')) {
				await inputs.pick(it => it.label === 'Clear All');
			} else {
				list.hide();
			}
			await ended;
		});
	} finally {
		inputs.dispose();
	}
}

/** Selects a line of *Server Options…*. @returns the end of the command, after what opens then was answered */
export async function openAction(
	inputs: QuickInputs,
	server: string,
	label: string,
): Promise<{ readonly ended: Thenable<unknown> }> {
	const ended = vscode.commands.executeCommand('mcpWorkbench.server.options', { server });
	await inputs.until(/^Server Options/);
	await inputs.pick(it => it.label === label);
	return { ended };
}

/** Selects a line of *Server Options…* and lines of the lists that open then. Resolves when the command has ended. */
export async function selectAction(
	inputs: QuickInputs,
	server: string,
	label: string,
	...labels: readonly string[]
): Promise<void> {
	const { ended } = await openAction(inputs, server, label);
	for (const next of labels) {
		await inputs.pick(it => it.label === next);
	}
	await ended;
}
