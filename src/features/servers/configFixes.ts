/** Quick fixes for problems in configuration files: our diagnostics, and the editor's own about unknown variables. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { lineBreakOf, smallestChange } from '../../editor/documents/fileEdit.js';
import { defineInput } from '../../core/config/configEdit.js';
import { valueAt } from '../../core/text/jsonNodes.js';
import { fromPlainVariables, nearestVariable, parseVariable } from '../../core/config/variables.js';
import type { ConfigProblem } from '../../core/config/configProblem.js';
import { diagnosticSource } from './configDiagnostics.js';

/** The files that configure servers. */
export const configFiles: readonly vscode.DocumentFilter[] = [
	{ pattern: '**/.vscode/mcp.json' },
	{ pattern: '**/.mcp.json' },
	{ pattern: '**/*.code-workspace' },
];

export function registerConfigFixes(): Disposable {
	return vscode.languages.registerCodeActionsProvider(
		configFiles,
		{ provideCodeActions: (document, _range, { diagnostics }) => diagnostics.flatMap(it => fixesFor(document, it)) },
		{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
	);
}

/** The fixes of a diagnostic, for the text that its range has now: the document may have been edited since. */
function fixesFor(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
	const { t } = vscode.l10n;
	const marked = document.getText(diagnostic.range);
	const [, variable] = /^\$\{([^{}]*)\}$/.exec(marked) ?? [];
	const value = parseString(marked);
	const fix = (title: string, text: string, range: vscode.Range = diagnostic.range): vscode.CodeAction[] => {
		const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
		action.diagnostics = [diagnostic];
		action.edit = new vscode.WorkspaceEdit();
		action.edit.replace(document.uri, range, text);
		return [action];
	};
	const replace = (text: string): vscode.CodeAction[] => fix(t('Replace with {0}', text), text);
	const replaceVariable = (): vscode.CodeAction[] => {
		const nearest = variable === undefined ? undefined : nearestVariable(variable);
		return nearest === undefined ? [] : replace(`\${${nearest}}`);
	};
	if (diagnostic.source !== diagnosticSource) {
		// The editor marks unknown variables, but has no fixes for them. In `.mcp.json`, it also marks variables that other
		// clients of that file expand.
		const isPlain = document.uri.path.endsWith('/.mcp.json') && fromPlainVariables(marked) !== marked;
		return variable === undefined || isPlain || parseVariable(variable) ? [] : replaceVariable();
	}
	switch (diagnostic.code as ConfigProblem['code']) {
		case 'unknownVariable':
			return replaceVariable();
		case 'undefinedInput': {
			const [, id] = /^input:(.+)$/s.exec(variable ?? '') ?? [];
			const edit = id === undefined ? undefined : defineInputEdit(document, id);
			return id === undefined || !edit ? [] : fix(t('Define input "{0}"', id), edit.newText, edit.range);
		}
		case 'wrongKey':
			return value === 'mcpServers' ? replace('"servers"') : [];
		case 'missingCommand': {
			// The program of this name on the PATH of the person who opens the file.
			const name = (value ?? '').split(/[\\/]/).at(-1) ?? '';
			return name === '' ? [] : replace(JSON.stringify(name));
		}
		case 'duplicate':
		case 'shadowed': {
			const free = value === undefined ? undefined : JSON.stringify(freeName(document.getText(), value));
			return free === undefined ? [] : fix(t('Rename to {0}', free), free);
		}
		default:
			return [];
	}
}

/** The edit that defines an input beside the servers; `undefined` if the document has errors. */
function defineInputEdit(document: vscode.TextDocument, id: string): vscode.TextEdit | undefined {
	const text = document.getText();
	const edited = defineInput(text, id, inputsPath(document), lineBreakOf(document));
	if (edited === undefined) {
		return undefined;
	}
	const { start, end, content } = smallestChange(text, edited);
	return new vscode.TextEdit(new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
}

/** The JSON path of the inputs, which are beside the servers. */
function inputsPath(document: vscode.TextDocument): string[] {
	if (!document.uri.path.endsWith('.code-workspace')) {
		return ['inputs'];
	}
	const isDotted = valueAt(document.getText(), ['settings', 'mcp.servers']).value !== undefined;
	return isDotted ? ['settings', 'mcp.inputs'] : ['settings', 'mcp', 'inputs'];
}

/** The value of a JSON string; `undefined` for any other text. */
function parseString(written: string): string | undefined {
	try {
		const value: unknown = JSON.parse(written);
		return typeof value === 'string' ? value : undefined;
	} catch {
		return undefined;
	}
}

function freeName(text: string, name: string): string {
	let number = 2;
	while (text.includes(JSON.stringify(`${name}-${number}`))) {
		number++;
	}
	return `${name}-${number}`;
}
