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

/**
 * Whether images of servers are given to the model where nobody has picked them: only if the editor says that it takes
 * them. One that does not would refuse the whole request.
 */
export function surelyTakesImages(model: vscode.LanguageModelChat): boolean {
	return modelAbilities(model).images === true;
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

/** Since VS Code 1.101: a server for the editor's own host; what else it has is the editor's. */
export interface EditorServer {
	readonly label: string;
}

export interface EditorServerProvider {
	readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
	provideMcpServerDefinitions(): Promise<EditorServer[]>;
	resolveMcpServerDefinition(server: EditorServer, token: vscode.CancellationToken): Promise<EditorServer | undefined>;
}

interface HasEditorServers {
	readonly lm: {
		registerMcpServerDefinitionProvider?(id: string, provider: EditorServerProvider): vscode.Disposable;
	};
	readonly McpStdioServerDefinition: new (
		label: string,
		command: string,
		args: string[],
		env: Record<string, string | null>,
	) => EditorServer & { cwd?: vscode.Uri };
	readonly McpHttpServerDefinition: new (
		label: string,
		uri: vscode.Uri,
		headers: Record<string, string>,
	) => EditorServer;
}

/** Nothing where the editor has no host of its own that takes servers. */
export function registerWithEditor(id: string, provider: EditorServerProvider): vscode.Disposable | undefined {
	return (vscode as unknown as HasEditorServers).lm.registerMcpServerDefinitionProvider?.(id, provider);
}

export interface EditorProcess {
	readonly label: string;
	readonly command: string;
	readonly args: readonly string[];
	/** `null` for what it must not inherit. */
	readonly env: Readonly<Record<string, string | null>>;
	readonly cwd: string | undefined;
}

/** Only where `registerWithEditor` gave something. */
export function stdioForEditor({ label, command, args, env, cwd }: EditorProcess): EditorServer {
	const { McpStdioServerDefinition } = vscode as unknown as HasEditorServers;
	const server = new McpStdioServerDefinition(label, command, [...args], { ...env });
	if (cwd !== undefined) {
		server.cwd = vscode.Uri.file(cwd);
	}
	return server;
}

/** The same. @returns nothing for an address that is none yet: it holds variables that stand for its beginning */
export function httpForEditor({
	label,
	url,
	headers,
}: {
	readonly label: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}): EditorServer | undefined {
	const { McpHttpServerDefinition } = vscode as unknown as HasEditorServers;
	return /^https?:/i.test(url) ? new McpHttpServerDefinition(label, vscode.Uri.parse(url), { ...headers }) : undefined;
}
