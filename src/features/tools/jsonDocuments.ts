/**
 * JSON documents that a person fills in, as files of a scheme of this extension, so that the editor has undo and keeps
 * unsaved text when the window closes. Saved text is kept until the window closes. The editor finds the schema of a
 * document by its URI: the authority is a number, and package.json maps each number to a schema (`schemaNumbers`).
 */
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/lifecycle.js';
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { firstGap, skeletonOf } from '../../core/text/schemaSkeleton.js';
import { schemaNumbers } from '../../editor/contributions.js';
import { OwnFiles } from '../../editor/documents/ownFiles.js';
import { jsonText } from '../../editor/ui/plainText.js';

export interface JsonDocumentsOptions {
	readonly scheme: string;
	/** Scheme of the schemas, which have the authority of their document, or without any, its path and query. */
	readonly schemaScheme: string;
	/** Whether a URI is that of a document. */
	readonly isKnown: (uri: vscode.Uri) => boolean;
	/** The schema of a document, safe for the editor; `undefined` if it isn't known now. */
	readonly schemaOf: (uri: vscode.Uri) => JsonObject | undefined;
	/** The code lenses above the first line of a document. */
	readonly actions: (uri: vscode.Uri) => readonly vscode.Command[];
}

export class JsonDocuments extends OwnFiles implements vscode.CodeLensProvider, vscode.TextDocumentContentProvider {
	private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();
	private readonly _onDidChangeCodeLenses = this.own(new Emitter<void>());
	readonly onDidChangeCodeLenses = this._onDidChangeCodeLenses.event as Event<void> & vscode.Event<void>;
	private readonly _onDidChange = this.own(new Emitter<vscode.Uri>());
	/** Fires with the URI of a schema that has changed. */
	readonly onDidChange = this._onDidChange.event as Event<vscode.Uri> & vscode.Event<vscode.Uri>;
	/** The last number of each document in this window, by `documentKey`. */
	private readonly numbers = new Map<string, number>();
	private lastNumber = 0;

	constructor(private readonly options: JsonDocumentsOptions) {
		super();
		const { scheme } = options;
		this.own(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
		this.own(vscode.languages.registerCodeLensProvider({ scheme }, this));
		this.own(vscode.workspace.registerTextDocumentContentProvider(options.schemaScheme, this));
		this.own(
			vscode.workspace.onDidOpenTextDocument(({ uri }) => {
				if (uri.scheme === scheme) {
					this.refreshSchemas();
				}
			}),
		);
	}

	/**
	 * The URI to open a document with: that of the open document, or else one with a number that no open document has.
	 * If there is no such number, the URI is returned as it is, and the text names the schema.
	 */
	numbered(uri: vscode.Uri): vscode.Uri {
		const key = documentKey(uri);
		const open = openUris().filter(it => it.scheme === uri.scheme);
		const own = open.find(it => documentKey(it) === key);
		if (own) {
			return own;
		}
		const taken = new Set(open.map(it => it.authority));
		const known = this.numbers.get(key);
		// The numbers in turn, because the editor keeps the schema of a closed document for a moment.
		const others = Array.from({ length: schemaNumbers }, (_, index) => ((this.lastNumber + index) % schemaNumbers) + 1);
		const number = [...(known === undefined ? [] : [known]), ...others].find(it => !taken.has(String(it)));
		if (number === undefined) {
			return uri;
		}
		if (number !== known) {
			this.lastNumber = number;
			this.numbers.set(key, number);
		}
		return uri.with({ authority: String(number) });
	}

	/** Opens a document. A new document contains `first`. */
	async openLatest(uri: vscode.Uri, first: JsonObject): Promise<void> {
		const isThere = this.files.has(documentKey(uri)) || isOpened(uri);
		await (isThere ? vscode.window.showTextDocument(uri, { preview: false }) : this.open(uri, first));
	}

	/**
	 * Opens a document with other contents. In an open document that is one edit, which can be undone. The cursor is at
	 * the first missing value.
	 * @param value a string is unfinished text that may not be JSON
	 */
	async open(uri: vscode.Uri, value: JsonObject | string): Promise<void> {
		const text = `${typeof value === 'string' ? value : this.textOf(uri, value)}\n`;
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
		const { start, end } = firstGap(document.getText()) ?? { start: text.length - 1, end: text.length - 1 };
		editor.selection = new vscode.Selection(document.positionAt(start), document.positionAt(end));
	}

	/** Reads a document, without the line that names the schema; `undefined` if it isn't a JSON object. */
	async read(uri: vscode.Uri): Promise<JsonObject | undefined> {
		const value = parseJson((await vscode.workspace.openTextDocument(uri)).getText());
		if (!isObject(value)) {
			return undefined;
		}
		const { $schema, ...rest } = value;
		const isOurs = typeof $schema === 'string' && $schema.startsWith(`${this.options.schemaScheme}:`);
		return isOurs ? rest : value;
	}

	/** Asks the editor to read all schemas and code lenses again. */
	refreshSchemas(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === this.options.schemaScheme) {
				this._onDidChange.fire(uri);
			}
		}
		this._onDidChangeCodeLenses.fire();
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		const { scheme, schemaOf } = this.options;
		if (uri.authority !== '') {
			const document = openUris().find(it => it.scheme === scheme && it.authority === uri.authority);
			return jsonText((document && schemaOf(document)) ?? {}, 2);
		}
		const schema = schemaOf(uri) ?? {};
		// Allows the line that names this schema.
		const properties = { ...(isObject(schema['properties']) ? schema['properties'] : {}), $schema: { type: 'string' } };
		return jsonText({ ...schema, properties }, 2);
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
		const mtime = (this.files.get(documentKey(uri))?.mtime ?? 0) + 1;
		this.files.set(documentKey(uri), { bytes, mtime });
		this.reportChange(uri);
	}

	/** A document that wasn't saved is empty: after a reload the editor asks for tabs that it restores. */
	private file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
		if (!this.options.isKnown(uri)) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const empty = (): Uint8Array => new TextEncoder().encode(`${this.textOf(uri, {})}\n`);
		return this.files.get(documentKey(uri)) ?? { bytes: empty(), mtime: 0 };
	}

	/**
	 * The editor uses, and downloads, the schema that the first `$schema` names, while `JSON.parse` takes the last one.
	 * So a value's own `$schema` is kept, after ours.
	 */
	private textOf(uri: vscode.Uri, value: JsonObject): string {
		if (uri.authority !== '' && !Object.hasOwn(value, '$schema')) {
			return jsonText(value, 2);
		}
		const schema = uri.with({ scheme: this.options.schemaScheme, authority: '' });
		const first = `{\n  "$schema": ${JSON.stringify(schema.toString())}`;
		return Object.keys(value).length === 0 ? `${first}\n}` : `${first},${jsonText(value, 2).slice(1)}`;
	}
}

/** The values, or if there are none yet, the skeleton of the schema. */
export function valuesOrSkeleton(values: JsonObject, schema: JsonObject): JsonObject {
	return Object.keys(values).length > 0 ? values : skeletonOf(schema);
}

/** Identifies a document: its URI without the authority, which is only the number of a schema. */
function documentKey(uri: vscode.Uri): string {
	return uri.with({ authority: '' }).toString();
}

function isOpened(uri: vscode.Uri): boolean {
	return vscode.workspace.textDocuments.some(it => it.uri.toString() === uri.toString());
}

/** The URIs of all open documents, and of tabs whose documents aren't loaded yet. */
function openUris(): vscode.Uri[] {
	const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
	return [
		...vscode.workspace.textDocuments.map(it => it.uri),
		...tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
	];
}
