/**
 * Arguments as a JSON document: a file of a scheme of ours, so that the editor has its whole support for JSON, undo and
 * what was not saved when the window closed. The line `$schema` in it leads the editor to the schema of the tool; it
 * is no argument, and never sent.
 */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { argumentsScheme, Commands, schemaScheme } from '../../host/contributions.js';
import { jsonText, oneLine, quickPickText } from '../../host/plainText.js';
import { editorSchema } from './editorSchema.js';

/** Whose arguments they are: the server's label and the tool's name. */
interface Address {
	readonly server: string;
	readonly tool: string;
}

export interface DocumentArguments {
	readonly server: Server;
	readonly tool: Tool;
	readonly args: JsonObject;
}

export class ArgumentsDocuments
	extends Owner
	implements vscode.FileSystemProvider, vscode.TextDocumentContentProvider, vscode.CodeLensProvider
{
	private readonly _onDidChangeFile = this.own(new Emitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this._onDidChangeFile.event as Event<vscode.FileChangeEvent[]> &
		vscode.Event<vscode.FileChangeEvent[]>;
	private readonly _onDidChange = this.own(new Emitter<vscode.Uri>());
	/** A schema is there, or another. */
	readonly onDidChange = this._onDidChange.event as Event<vscode.Uri> & vscode.Event<vscode.Uri>;

	/** What was saved, as long as the window lives. */
	private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();

	constructor(private readonly registry: ServerRegistry) {
		super();
		const { workspace, languages } = vscode;
		this.own(workspace.registerFileSystemProvider(argumentsScheme, this, { isCaseSensitive: true }));
		this.own(workspace.registerTextDocumentContentProvider(schemaScheme, this));
		this.own(languages.registerCodeLensProvider({ scheme: argumentsScheme }, this));
		this.own(registry.onDidChange(() => this.refreshSchemas()));
	}

	/** Opens what was written for the tool before, or begins with `first`. */
	async openLatest(server: Server, tool: Tool, first: JsonObject): Promise<void> {
		const uri = uriOf(argumentsScheme, this.addressOfTool(server, tool));
		const isThere = this.files.has(uri.toString()) || isOpened(uri);
		await (isThere ? vscode.window.showTextDocument(uri, { preview: false }) : this.open(server, tool, first));
	}

	/** Opens them, as one edit that can be undone where the document is open already. */
	async open(server: Server, tool: Tool, args: JsonObject): Promise<void> {
		const address = this.addressOfTool(server, tool);
		const uri = uriOf(argumentsScheme, address);
		const text = `${jsonText(withSchema(tool, uriOf(schemaScheme, address), args), 2)}\n`;
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
		// Where the next argument is typed.
		const end = document.lineAt(Math.max(0, document.lineCount - 3)).range.end;
		editor.selection = new vscode.Selection(end, end);
	}

	/** Of a document, by default of the one that is edited. @throws Error in the person's language */
	async read(argument: unknown): Promise<DocumentArguments> {
		const { t } = vscode.l10n;
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		if (uri?.scheme !== argumentsScheme) {
			throw new Error(t('There are no arguments of a tool in this editor.'));
		}
		const server = this.serverOf(uri);
		await server?.use();
		await server?.catalog?.whenLoaded('tools');
		const found = this.find(uri);
		if (!found) {
			throw new Error(t('The tool of these arguments is not there any more.'));
		}
		const text = (await vscode.workspace.openTextDocument(uri)).getText();
		const value = parse(text);
		if (!isObject(value)) {
			throw new Error(t('The arguments are not a JSON object yet. Mend what is underlined.'));
		}
		const { $schema, ...args } = value;
		const isOurs = typeof $schema === 'string' && $schema.startsWith(`${schemaScheme}:`);
		return { ...found, args: isOurs ? args : value };
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		const found = this.find(uri);
		return JSON.stringify(found ? editorSchema(found.tool.inputSchema) : {}, undefined, 2);
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const { t } = vscode.l10n;
		const address = addressOf(document.uri);
		if (!address) {
			return [];
		}
		const range = new vscode.Range(0, 0, 0, 0);
		const what = t('Run {0} on {1}', quickPickText(address.tool, 60), quickPickText(address.server, 40));
		return [
			new vscode.CodeLens(range, {
				title: `$(play) ${what}`,
				command: Commands.runArguments,
				arguments: [document.uri],
			}),
			new vscode.CodeLens(range, {
				title: t('Back to form'),
				command: Commands.argumentsToForm,
				arguments: [document.uri],
			}),
		];
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.file(uri);
		return { type: vscode.FileType.File, size: bytes.length, mtime, ctime: 0 };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.file(uri).bytes;
	}

	writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const mtime = (this.files.get(uri.toString())?.mtime ?? 0) + 1;
		this.files.set(uri.toString(), { bytes, mtime });
		this._onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
	}

	watch(): vscode.Disposable {
		// Nobody else writes them.
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	/** After a reload the editor asks for tabs that it restores: then there is nothing but where to begin. */
	private file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
		const address = addressOf(uri);
		if (!address) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const empty = `${jsonText({ $schema: uriOf(schemaScheme, address).toString() }, 2)}\n`;
		return this.files.get(uri.toString()) ?? { bytes: new TextEncoder().encode(empty), mtime: 0 };
	}

	private find(uri: vscode.Uri): { readonly server: Server; readonly tool: Tool } | undefined {
		const address = addressOf(uri);
		const server = this.serverOf(uri);
		const tools = server?.catalog?.tools;
		const tool = tools?.kind === 'loaded' ? tools.items.find(it => it.name === address?.tool) : undefined;
		return server && tool && { server, tool };
	}

	private serverOf(uri: vscode.Uri): Server | undefined {
		const label = addressOf(uri)?.server;
		return this.registry.servers.find(it => this.registry.label(it) === label);
	}

	private addressOfTool(server: Server, tool: Tool): Address {
		return { server: this.registry.label(server), tool: tool.name };
	}

	private refreshSchemas(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === schemaScheme) {
				this._onDidChange.fire(uri);
			}
		}
	}
}

function isOpened(uri: vscode.Uri): boolean {
	return vscode.workspace.textDocuments.some(it => it.uri.toString() === uri.toString());
}

/** A tool that has an argument of that very name is left without the editor's help. */
function withSchema({ inputSchema }: Tool, schema: vscode.Uri, args: JsonObject): JsonObject {
	const { properties } = inputSchema;
	const isTaken = '$schema' in args || (isObject(properties) && '$schema' in properties);
	return isTaken ? args : { $schema: schema.toString(), ...args };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** `/everything/get-sum.json`; names that cannot stand in a path besides as they are. */
function uriOf(scheme: string, { server, tool }: Address): vscode.Uri {
	const path = `/${segment(server)}/${segment(tool)}.json`;
	const isExact = segment(server) === server && segment(tool) === tool;
	return vscode.Uri.from({ scheme, path, query: isExact ? '' : JSON.stringify([server, tool]) });
}

function addressOf({ path, query }: vscode.Uri): Address | undefined {
	const parsed: unknown = query === '' ? /^\/([^/]+)\/([^/]+)\.json$/.exec(path)?.slice(1) : parse(query);
	const [server, tool]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
	return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}

function segment(text: string): string {
	const clean = oneLine(text, 100).replaceAll('/', '\u2215');
	return clean === '' || clean === '.' || clean === '..' ? '_' : clean;
}
