/**
 * Editor API newer than the oldest editor we claim (package.json `engines.vscode`). It is declared here,
 * used only through these functions, and does nothing where the editor lacks it.
 */
import type * as vscode from 'vscode';

/** Since VS Code 1.108: a sentence below the input of a quick pick. */
interface HasPrompt {
	prompt: string | undefined;
}

/** Shows `prompt` below the input; older editors show it as the placeholder instead. */
export function setQuickPickPrompt(pick: vscode.QuickPick<vscode.QuickPickItem>, prompt: string): void {
	if ('prompt' in pick) {
		(pick as vscode.QuickPick<vscode.QuickPickItem> & HasPrompt).prompt = prompt;
	} else {
		pick.placeholder = prompt;
	}
}

/** Proposed API that the editor lets every extension use. */
interface SortsByLabel {
	sortByLabel: boolean;
}

/** Shows the lines in the order they are given, whatever is typed; an editor without it puts those that match first. */
export function keepOrder(pick: vscode.QuickPick<vscode.QuickPickItem>): void {
	if ('sortByLabel' in pick) {
		(pick as vscode.QuickPick<vscode.QuickPickItem> & SortsByLabel).sortByLabel = false;
	}
}
