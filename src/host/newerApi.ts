/**
 * Editor API newer than the oldest editor we claim (package.json `engines.vscode`). It is declared here,
 * used only through these functions, and does nothing where the editor lacks it.
 */
import * as vscode from 'vscode';

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

/** Since VS Code 1.105: bytes for a model. Some editors before had the class, and threw on its use. */
interface DataPartClass {
	image(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart;
}

/** Whether results for models may hold images. */
export function takesImages(): boolean {
	const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
	return 'LanguageModelDataPart' in vscode && (major > 1 || minor >= 105);
}

/** An image in a result for a model, only where `takesImages`. It is a part like that of a text, as far as types go. */
export function imagePart(bytes: Uint8Array, mimeType: string): vscode.LanguageModelTextPart {
	const { LanguageModelDataPart } = vscode as unknown as { readonly LanguageModelDataPart: DataPartClass };
	return LanguageModelDataPart.image(bytes, mimeType);
}

/** An image in an answer of a model. */
export function imageOf(part: unknown): { readonly mimeType: string; readonly data: Uint8Array } | undefined {
	if (!takesImages()) {
		return undefined;
	}
	const { LanguageModelDataPart } = vscode as unknown as { readonly LanguageModelDataPart: abstract new () => Data };
	return part instanceof LanguageModelDataPart && part.mimeType.startsWith('image/') ? part : undefined;
}

interface Data {
	readonly mimeType: string;
	readonly data: Uint8Array;
}

/** Proposed API that the editor lets every extension read. */
interface HasCapabilities {
	readonly capabilities?: { readonly supportsImageToText?: boolean; readonly supportsToolCalling?: boolean };
}

/** What a model can do, as far as the editor says so. */
export function modelAbilities(model: vscode.LanguageModelChat): {
	readonly images: boolean | undefined;
	readonly tools: boolean | undefined;
} {
	const { capabilities } = model as vscode.LanguageModelChat & HasCapabilities;
	return {
		images: takesImages() ? capabilities?.supportsImageToText : false,
		tools: capabilities?.supportsToolCalling,
	};
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
