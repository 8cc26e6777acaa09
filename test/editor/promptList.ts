/** The list of prompts and the questions for their arguments, as a person answers them. */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { QuickInputs } from '../integration/quickInputs.js';
import { eventually } from '../integration/support.js';

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

export class PromptList {
	constructor(private readonly inputs: QuickInputs) {}

	/** The lines of a list, each with its description and detail. */
	linesOf(pick: Pick): string[] {
		return pick.items.map(it => [it.label, it.description, it.detail].filter(Boolean).join(' | '));
	}

	/** The open quick pick, once it has a line that begins so. */
	async shows(beginning: string): Promise<Pick> {
		const pick = (await this.inputs.look()) as Pick;
		return eventually(beginning, () =>
			this.linesOf(pick).some(it => it.startsWith(beginning)) ? pick : undefined,
		).catch((error: Error) => {
			throw new Error(`${error.message} in:\n${this.linesOf(pick).join('\n')}`, { cause: error });
		});
	}

	/** Chooses the line that begins so. */
	async choose(beginning: string): Promise<void> {
		await this.shows(beginning);
		await this.inputs.pick(it => it.label.startsWith(beginning));
	}

	/**
	 * Types into the open quick pick and waits for the lines that belong to the text.
	 * @param first how the first of them begins; without it, the typed text may be any line
	 */
	async type(text: string, first?: string): Promise<Pick> {
		const pick = (await this.inputs.look()) as Pick;
		// The editor reports the text of an input that it hasn't shown yet as empty.
		await delay(50);
		pick.value = text;
		const isThere = (): boolean => {
			const lines = this.linesOf(pick);
			return first === undefined
				? lines.some(it => it.startsWith(`${text} | Your input`))
				: lines[0]?.startsWith(first) === true;
		};
		return eventually(`the lines for "${text}"`, () => (isThere() && !pick.busy ? pick : undefined)).catch(
			(error: Error) => {
				throw new Error(`${error.message}:\n${this.linesOf(pick).join('\n')}`, { cause: error });
			},
		);
	}

	/** Opens the result as a document; gives its text. */
	async openedDocument(): Promise<string> {
		const before = new Set(vscode.workspace.textDocuments);
		await this.choose('Open as Document');
		const document = await eventually('the document', () =>
			vscode.workspace.textDocuments.find(it => it.isUntitled && !before.has(it)),
		);
		return document.getText();
	}

	/** A new document in an editor that has the cursor at the end of its text. */
	async untitled(content: string): Promise<vscode.TextEditor> {
		const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
		const editor = await vscode.window.showTextDocument(document);
		const { end } = document.lineAt(document.lineCount - 1).range;
		editor.selection = new vscode.Selection(end, end);
		return editor;
	}

	/** Closes all editors without a question about what isn't saved. */
	async closeEditors(): Promise<void> {
		for (const document of vscode.workspace.textDocuments.filter(it => it.isUntitled && !it.isClosed)) {
			await vscode.window.showTextDocument(document);
			await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		}
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	}
}
