/**
 * Editor API that is newer than the oldest supported editor (package.json `engines.vscode`), and proposed API that all
 * extensions may use. It must be used only through these functions, which do nothing if the editor lacks it.
 */
import * as vscode from 'vscode';

type QuickPick = vscode.QuickPick<vscode.QuickPickItem>;

/** Shows `prompt` below the input (since VS Code 1.108), or as the placeholder in older editors. */
export function setQuickPickPrompt(pick: QuickPick & { prompt?: string }, prompt: string): void {
	if ('prompt' in pick) {
		pick.prompt = prompt;
	} else {
		pick.placeholder = prompt;
	}
}

/** Since VS Code 1.105. Some older editors have the class, but throw when it is used. */
interface DataPartClass {
	image(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart;
}

/** Whether results for models may contain images. */
export function takesImages(): boolean {
	const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
	return 'LanguageModelDataPart' in vscode && (major > 1 || minor >= 105);
}

/** An image in a result for a model, typed as a text part. Must be called only if `takesImages` is true. */
export function imagePart(bytes: Uint8Array, mimeType: string): vscode.LanguageModelTextPart {
	const { LanguageModelDataPart } = vscode as unknown as { readonly LanguageModelDataPart: DataPartClass };
	return LanguageModelDataPart.image(bytes, mimeType);
}

/** The image in a part of a model's answer; `undefined` if the part is none. */
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

/** The abilities of a model; `undefined` if the editor doesn't say. */
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

/** Keeps the order of lines while the person types. Editors without this proposed API sort matches first. */
export function keepOrder(pick: QuickPick & { sortByLabel?: boolean }): void {
	if ('sortByLabel' in pick) {
		pick.sortByLabel = false;
	}
}
