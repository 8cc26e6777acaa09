/**
 * JSON documents that a person fills in: files of a scheme of ours, so that the editor has its whole support for JSON,
 * undo and what was not saved when the window closed. The line `$schema` in one leads the editor to the schema; it is no
 * part of what was filled in.
 */
import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/lifecycle.js';
import { isObject, type JsonObject } from '../mcp/index.js';
import { OwnFiles } from './ownFiles.js';
import { jsonText } from './plainText.js';

export interface JsonDocumentsOptions {
	readonly scheme: string;
	/** Of the schemas: the same path and query lead to the schema of a document. */
	readonly schemaScheme: string;
	/** Whether there may be such a document. */
	readonly isKnown: (uri: vscode.Uri) => boolean;
	/** What the document must be, as the editor understands it; nothing is known of one that is gone. */
	readonly schemaOf: (uri: vscode.Uri) => JsonObject | undefined;
	/** What can be done with a document, above its first line. */
	readonly actions: (uri: vscode.Uri) => readonly vscode.Command[];
}

export class JsonDocuments extends OwnFiles implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
	private readonly _onDidChange = this.own(new Emitter<vscode.Uri>());
	/** A schema is there, or another. */
	readonly onDidChange = this._onDidChange.event as Event<vscode.Uri> & vscode.Event<vscode.Uri>;

	/** What was saved, as long as the window lives. */
	private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();

	constructor(private readonly options: JsonDocumentsOptions) {
		super();
		const { workspace, languages } = vscode;
		const { scheme, schemaScheme } = options;
		this.own(workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
		this.own(workspace.registerTextDocumentContentProvider(schemaScheme, this));
		this.own(languages.registerCodeLensProvider({ scheme }, this));
	}

	/** Opens what was written before, or begins with `first`. */
	async openLatest(uri: vscode.Uri, schema: JsonObject, first: JsonObject): Promise<void> {
		const isThere = this.files.has(uri.toString()) || isOpened(uri);
		await (isThere ? vscode.window.showTextDocument(uri, { preview: false }) : this.open(uri, schema, first));
	}

	/**
	 * Opens a value, as one edit that can be undone where the document is open already.
	 * @param value a text is what was typed, and may be no JSON yet
	 */
	async open(uri: vscode.Uri, schema: JsonObject, value: JsonObject | string): Promise<void> {
		const text =
			typeof value === 'string' ? `${value}\n` : `${jsonText(withSchema(schema, this.schemaUri(uri), value), 2)}\n`;
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
		// Where the next member is typed.
		const end = document.lineAt(Math.max(0, document.lineCount - 3)).range.end;
		editor.selection = new vscode.Selection(end, end);
	}

	/** What a document says, without its schema; `undefined` if it is not a JSON object yet. */
	async read(uri: vscode.Uri): Promise<JsonObject | undefined> {
		const value = parseJson((await vscode.workspace.openTextDocument(uri)).getText());
		if (!isObject(value)) {
			return undefined;
		}
		const { $schema, ...rest } = value;
		const isOurs = typeof $schema === 'string' && $schema.startsWith(`${this.options.schemaScheme}:`);
		return isOurs ? rest : value;
	}

	/** Schemas may be others now. */
	refreshSchemas(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === this.options.schemaScheme) {
				this._onDidChange.fire(uri);
			}
		}
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return JSON.stringify(this.options.schemaOf(uri) ?? {}, undefined, 2);
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		return this.options.actions(uri).map(it => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), it));
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
		this.tellOfChange(uri);
	}

	/** After a reload the editor asks for tabs that it restores: then there is nothing but where to begin. */
	private file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
		if (!this.options.isKnown(uri)) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const empty = `${jsonText({ $schema: this.schemaUri(uri).toString() }, 2)}\n`;
		return this.files.get(uri.toString()) ?? { bytes: new TextEncoder().encode(empty), mtime: 0 };
	}

	private schemaUri(uri: vscode.Uri): vscode.Uri {
		return uri.with({ scheme: this.options.schemaScheme });
	}
}

function isOpened(uri: vscode.Uri): boolean {
	return vscode.workspace.textDocuments.some(it => it.uri.toString() === uri.toString());
}

/** What has a member of that very name is left without the editor's help. */
function withSchema({ properties }: JsonObject, schema: vscode.Uri, value: JsonObject): JsonObject {
	const isTaken = '$schema' in value || (isObject(properties) && '$schema' in properties);
	return isTaken ? value : { $schema: schema.toString(), ...value };
}

/** `undefined` where it is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
