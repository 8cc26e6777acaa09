/**
 * Documents with the arguments of a tool as JSON, one for each tool. They are files of a scheme of this extension, so that
 * the editor has undo and keeps unsaved text when the window closes. Saved text is kept until the window closes. The first
 * line of a document names its schema, which is a document of another scheme.
 */
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/lifecycle.js';
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { skeletonOf } from '../../core/text/schemaSkeleton.js';
import { argumentsScheme, InternalCommands, schemaScheme } from '../../editor/contributions.js';
import { OwnFiles } from '../../editor/documents/ownFiles.js';
import { jsonText, pathSegment, quickPickText } from '../../editor/ui/plainText.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import { editorSchema } from './editorSchema.js';

/** The server's label and the tool's name. */
interface Address {
	readonly server: string;
	readonly tool: string;
}

export interface DocumentArguments {
	readonly server: Server;
	readonly tool: Tool;
	readonly args: JsonObject;
}

interface File {
	readonly bytes: Uint8Array;
	readonly mtime: number;
}

export class ArgumentsDocuments
	extends OwnFiles
	implements vscode.CodeLensProvider, vscode.TextDocumentContentProvider
{
	/** By URI. */
	private readonly files = new Map<string, File>();
	private readonly _onDidChangeCodeLenses = this.own(new Emitter<void>());
	readonly onDidChangeCodeLenses = this._onDidChangeCodeLenses.event as Event<void> & vscode.Event<void>;
	private readonly _onDidChange = this.own(new Emitter<vscode.Uri>());
	/** Fires with the URI of a schema that has changed. */
	readonly onDidChange = this._onDidChange.event as Event<vscode.Uri> & vscode.Event<vscode.Uri>;

	constructor(private readonly registry: Pick<ServerRegistry, 'onDidChange' | 'label' | 'labelled'>) {
		super();
		this.own(vscode.workspace.registerFileSystemProvider(argumentsScheme, this, { isCaseSensitive: true }));
		this.own(vscode.languages.registerCodeLensProvider({ scheme: argumentsScheme }, this));
		this.own(vscode.workspace.registerTextDocumentContentProvider(schemaScheme, this));
		this.own(registry.onDidChange(() => this.refresh()));
	}

	/** Opens the document of a tool. A new document contains `first`, or without any, the skeleton of the schema. */
	async openLatest(server: Server, tool: Tool, first: JsonObject): Promise<void> {
		const uri = this.uriOf(server, tool);
		const isThere = this.files.has(uri.toString()) || isOpened(uri);
		await (isThere ? vscode.window.showTextDocument(uri, { preview: false }) : this.open(server, tool, first));
	}

	/**
	 * Opens the document of a tool with other contents. In an open document that is one edit, which can be undone. The
	 * cursor is at the first missing value.
	 * @param args a string is unfinished text that may not be JSON
	 */
	async open(server: Server, tool: Tool, args: JsonObject | string): Promise<void> {
		const uri = this.uriOf(server, tool);
		const isNew = typeof args !== 'string' && Object.keys(args).length === 0;
		const text = `${typeof args === 'string' ? args : textOf(uri, isNew ? skeletonOf(tool.inputSchema) : args)}\n`;
		const isOpen = isOpened(uri);
		if (!isOpen) {
			this.writeFile(uri, new TextEncoder().encode(text));
		}
		const document = await vscode.workspace.openTextDocument(uri);
		if (isOpen && document.getText() !== text) {
			const edit = new vscode.WorkspaceEdit();
			edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
			await vscode.workspace.applyEdit(edit);
		}
		const editor = await vscode.window.showTextDocument(document, { preview: false });
		const { start, end } = firstGap(text);
		editor.selection = new vscode.Selection(document.positionAt(start), document.positionAt(end));
	}

	/**
	 * Reads a document.
	 * @param argument its URI; otherwise the active document is read
	 * @throws Error with a message for the person
	 */
	async read(argument: unknown): Promise<DocumentArguments> {
		const { t } = vscode.l10n;
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		if (uri?.scheme !== argumentsScheme) {
			throw new Error(t("This editor doesn't contain tool arguments."));
		}
		const server = this.serverOf(uri);
		await server?.use(true);
		await server?.catalog?.whenLoaded('tools');
		const found = this.find(uri);
		if (!found) {
			throw new Error(t('The tool for these arguments no longer exists.'));
		}
		const value = parseJson((await vscode.workspace.openTextDocument(uri)).getText());
		if (!isObject(value)) {
			throw new Error(t("The arguments aren't a JSON object yet. Fix the underlined errors."));
		}
		const { $schema, ...rest } = value;
		const isOurs = typeof $schema === 'string' && $schema.startsWith(`${schemaScheme}:`);
		return { ...found, args: isOurs ? rest : value };
	}

	/** The schema of a document. It also allows the line that names it. */
	provideTextDocumentContent(uri: vscode.Uri): string {
		const tool = this.find(uri)?.tool;
		const schema = tool ? editorSchema(tool.inputSchema) : {};
		const properties = { ...(isObject(schema['properties']) ? schema['properties'] : {}), $schema: { type: 'string' } };
		return jsonText({ ...schema, properties }, 2);
	}

	/** Actions, and the tool's title and description. */
	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		const { t } = vscode.l10n;
		const address = addressOf(uri);
		if (!address) {
			return [];
		}
		const server = this.serverOf(uri);
		const serverLabel = server ? this.registry.label(server) : labelOfName(address.server);
		const what = t('Run "{0}" on "{1}"', toolName(address.tool, 60), serverLabel);
		const tool = this.find(uri)?.tool;
		const [title, isOther] = tool ? toolTitle(tool) : [];
		const actions: vscode.Command[] = [
			{ title: `$(play) ${what}`, command: InternalCommands.runArguments, arguments: [uri] },
			{ title: t('Return to Form'), command: InternalCommands.argumentsToForm, arguments: [uri] },
			...(title !== undefined && isOther !== undefined ? [quote(title, 60)] : []),
			...(tool?.description ? [quote(tool.description, 200)] : []),
		];
		return actions.map(it => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), it));
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.file(uri);
		return { type: vscode.FileType.File, size: bytes.length, mtime, ctime: 0 };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.file(uri).bytes;
	}

	override writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const mtime = (this.files.get(uri.toString())?.mtime ?? 0) + 1;
		this.files.set(uri.toString(), { bytes, mtime });
		this.reportChange(uri);
	}

	/** A document that wasn't saved is empty: after a reload the editor asks for tabs that it restores. */
	private file(uri: vscode.Uri): File {
		if (!addressOf(uri)) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return this.files.get(uri.toString()) ?? { bytes: new TextEncoder().encode(`${textOf(uri, {})}\n`), mtime: 0 };
	}

	/** Makes the editor read all schemas and code lenses again. */
	private refresh(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === schemaScheme) {
				this._onDidChange.fire(uri);
			}
		}
		this._onDidChangeCodeLenses.fire();
	}

	/** @param uri of a document or its schema */
	private find(uri: vscode.Uri): { readonly server: Server; readonly tool: Tool } | undefined {
		const address = addressOf(uri);
		const server = this.serverOf(uri);
		const tool = server && address && toolNamed(server, address.tool);
		return server && tool && { server, tool };
	}

	private serverOf(uri: vscode.Uri): Server | undefined {
		return this.registry.labelled(addressOf(uri)?.server ?? '');
	}

	private uriOf(server: Server, { name }: Tool): vscode.Uri {
		return uriOf({ server: this.registry.label(server), tool: name });
	}
}

/**
 * The editor uses, and downloads, the schema that the first `$schema` names, while `JSON.parse` takes the last one. So a
 * value's own `$schema` is kept, after ours.
 */
function textOf(uri: vscode.Uri, value: JsonObject): string {
	const first = `{\n  "$schema": ${JSON.stringify(uri.with({ scheme: schemaScheme }).toString())}`;
	return Object.keys(value).length === 0 ? `${first}\n}` : `${first},${jsonText(value, 2).slice(1)}`;
}

/** The place to begin typing: the first empty value, or else the end of the last one. */
function firstGap(text: string): { readonly start: number; readonly end: number } {
	const gap = /^\s*"(?:[^"\\]|\\.)*": (?:null|(?=""|\[\]|\{\}))/m.exec(text);
	if (!gap) {
		const end = text.trimEnd().replace(/\n?\}$/, '').length;
		return { start: end, end };
	}
	const at = gap.index + gap[0].length;
	return gap[0].endsWith('null') ? { start: at - 'null'.length, end: at } : { start: at + 1, end: at + 1 };
}

function isOpened(uri: vscode.Uri): boolean {
	return vscode.workspace.textDocuments.some(it => it.uri.toString() === uri.toString());
}

/** A code lens that only shows text of a server. */
function quote(text: string, maxLength: number): vscode.Command {
	return { title: `"${quickPickText(text, maxLength)}"`, command: '' };
}

/** For example `/everything/get-sum.json`. Names that a path can't contain unchanged are also in the query. */
function uriOf({ server, tool }: Address): vscode.Uri {
	const path = `/${pathSegment(server)}/${pathSegment(tool)}.json`;
	const isExact = pathSegment(server) === server && pathSegment(tool) === tool;
	return vscode.Uri.from({ scheme: argumentsScheme, path, query: isExact ? '' : JSON.stringify([server, tool]) });
}

function addressOf({ path, query }: vscode.Uri): Address | undefined {
	const parsed: unknown = query === '' ? /^\/([^/]+)\/([^/]+)\.json$/.exec(path)?.slice(1) : parseJson(query);
	const [server, tool]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
	return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}
