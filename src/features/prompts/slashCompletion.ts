/**
 * Completes prompts in documents, after a slash at the start of a line. Accepting one runs it and replaces the line by the
 * result; if it is cancelled or fails, the line stays.
 */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { isObject } from '../../mcp/index.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { findCommands, parseSlash, slashText, typedArguments } from '../../core/search/slash.js';
import { Commands } from '../../editor/contributions.js';
import { documentText, oneLine } from '../../editor/ui/plainText.js';
import { argumentNames, type PromptCommand, promptCommands } from './promptList.js';

/** A slash command before the cursor. Two slashes are a path or a comment. */
const beginning = /^\s*(\/(?!\/).*)$/;
/** Languages of documents that people write texts in. */
const languages = ['markdown', 'plaintext', 'git-commit'];
/** Longer lines aren't completed. */
const maxLine = 2000;
/** Further typing finds the others. */
const maxItems = 200;

export class SlashCompletion extends Owner implements vscode.CompletionItemProvider {
	constructor(private readonly registry: ServerRegistry) {
		super();
		this.own(vscode.languages.registerCompletionItemProvider(languages, this, '/', ' ', '.', '-'));
	}

	provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionList | undefined {
		const before = document.lineAt(position).text.slice(0, position.character);
		const [, typed] = (before.length <= maxLine && beginning.exec(before)) || [];
		if (typed === undefined) {
			return undefined;
		}
		const start = position.translate(0, -typed.length);
		const found = findCommands(promptCommands(this.registry), parseSlash(typed), maxItems);
		const items = found.map((it, index) => toItem(it, typed, document.uri, new vscode.Range(start, position), index));
		// Incomplete, so that the editor asks again at each key instead of filtering by itself.
		return items.length > 0 ? new vscode.CompletionList(items, true) : undefined;
	}
}

function toItem(
	{ server, prompt, name }: PromptCommand,
	typed: string,
	uri: vscode.Uri,
	range: vscode.Range,
	index: number,
): vscode.CompletionItem {
	const { title, description } = prompt;
	const given = typedArguments(parseSlash(typed), name, argumentNames(prompt));
	const text = slashText(name, given);
	const label = { label: slashText(name, {}), description: oneLine(title ?? description ?? '', 60) };
	const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Event);
	const { line, character } = range.start;
	// Plain data: other extensions can read the argument and run the command, so the command asks before it sends anything.
	const where: SlashLine = { uri: uri.toString(), line, character, text };
	const accepted = { server: server.definition.id, name: prompt.name, arguments: given, line: where };
	item.range = range;
	item.insertText = text;
	item.filterText = typed;
	item.sortText = String(index).padStart(4, '0');
	item.documentation = documentText(description ?? '');
	item.command = { title: vscode.l10n.t('Run Prompt'), command: Commands.runPrompt, arguments: [accepted] };
	return item;
}

/** A slash command in a document. */
export interface SlashLine {
	readonly uri: string;
	readonly line: number;
	readonly character: number;
	readonly text: string;
}

/** The slash command in the argument of a command; `undefined` if the argument isn't one. */
export function toSlashLine(value: unknown): SlashLine | undefined {
	const { uri, line, character, text } = isObject(value) ? value : {};
	const isLine = typeof uri === 'string' && typeof text === 'string' && [line, character].every(Number.isSafeInteger);
	return isLine ? { uri, line: Number(line), character: Number(character), text } : undefined;
}

/** Replaces a slash command by `text`, as one edit. False if the command is no longer in the document. */
export async function replaceLine(line: SlashLine, text: string): Promise<boolean> {
	const document = vscode.workspace.textDocuments.find(it => it.uri.toString() === line.uri);
	const start = document && findLine(document, line);
	if (!document || !start) {
		return false;
	}
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(start, start.translate(0, line.text.length)), text);
	return vscode.workspace.applyEdit(edit);
}

/** The position of the command: where it was, or on the first other line with the same text. */
function findLine(
	document: vscode.TextDocument,
	{ line: first, character, text }: SlashLine,
): vscode.Position | undefined {
	const isAt = (line: number): boolean =>
		line >= 0 && line < document.lineCount && document.lineAt(line).text.startsWith(text, character);
	const lines = [first, ...Array.from({ length: document.lineCount }, (_, line) => line)];
	const found = lines.find(isAt);
	return found === undefined ? undefined : new vscode.Position(found, character);
}
