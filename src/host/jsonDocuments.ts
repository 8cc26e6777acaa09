/**
 * JSON documents that a person fills in, with the editor's whole support for JSON. The line `$schema` in one leads the
 * editor to the schema; it is no part of what was filled in.
 */
import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/lifecycle.js';
import { isObject, type JsonObject } from '../mcp/index.js';
import { FilledDocuments, type FilledDocumentsOptions } from './filledDocuments.js';
import { jsonText } from './plainText.js';

export interface JsonDocumentsOptions extends FilledDocumentsOptions {
	/** Of the schemas: the same path and query lead to the schema of a document. */
	readonly schemaScheme: string;
	/** What the document must be, as the editor understands it; nothing is known of one that is gone. */
	readonly schemaOf: (uri: vscode.Uri) => JsonObject | undefined;
}

export class JsonDocuments extends FilledDocuments implements vscode.TextDocumentContentProvider {
	private readonly _onDidChange = this.own(new Emitter<vscode.Uri>());
	/** A schema is there, or another. */
	readonly onDidChange = this._onDidChange.event as Event<vscode.Uri> & vscode.Event<vscode.Uri>;

	constructor(private readonly options: JsonDocumentsOptions) {
		super(options);
		this.own(vscode.workspace.registerTextDocumentContentProvider(options.schemaScheme, this));
	}

	/** Opens what was written before, or begins with `first`. */
	async openLatest(uri: vscode.Uri, first: JsonObject): Promise<void> {
		await (this.has(uri) ? vscode.window.showTextDocument(uri, { preview: false }) : this.open(uri, first));
	}

	/**
	 * Opens a value, as one edit that can be undone where the document is open already.
	 * @param value a text is what was typed, and may be no JSON yet
	 */
	async open(uri: vscode.Uri, value: JsonObject | string): Promise<void> {
		const text = typeof value === 'string' ? value : withSchema(this.schemaUri(uri), value);
		const editor = await this.openText(uri, `${text}\n`);
		// Where the next member is typed.
		const end = editor.document.lineAt(Math.max(0, editor.document.lineCount - 3)).range.end;
		editor.selection = new vscode.Selection(end, end);
	}

	/** What a document says, without its schema; `undefined` if it is not a JSON object yet. */
	async read(uri: vscode.Uri): Promise<JsonObject | undefined> {
		const value = parseJson(await this.readText(uri));
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

	protected override emptyText(uri: vscode.Uri): string {
		return `${jsonText({ $schema: this.schemaUri(uri).toString() }, 2)}\n`;
	}

	private schemaUri(uri: vscode.Uri): vscode.Uri {
		return uri.with({ scheme: this.options.schemaScheme });
	}
}

/**
 * The editor downloads the schema that the first `$schema` names, and `JSON.parse` takes the last one: a value with a member
 * of that name keeps it, behind ours.
 */
function withSchema(schema: vscode.Uri, value: JsonObject): string {
	const first = `{\n  "$schema": ${JSON.stringify(schema.toString())}`;
	return Object.keys(value).length === 0 ? `${first}\n}` : `${first},${jsonText(value, 2).slice(1)}`;
}

/** `undefined` where it is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
