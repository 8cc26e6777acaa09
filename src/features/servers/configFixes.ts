/** Quick fixes for problems in configuration files: our diagnostics, and the editor's own about unknown variables. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { parseJson } from '../../base/parseJson.js';
import { lineBreakOf, smallestChange } from '../../editor/documents/fileEdit.js';
import { correctServersKey, defineInput } from '../../core/config/configEdit.js';
import { uniqueName } from '../../core/addServer/serverName.js';
import { serverNames } from '../../core/config/serverPlaces.js';
import type { ConfigSource } from '../../core/config/serverDefinition.js';
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
	const text = document.getText();
	const kind = kindOf(document);
	const [, variable] = /^\$\{([^{}]*)\}$/.exec(marked) ?? [];
	const value = parseString(marked);
	const fix = (title: string, text: string, range: vscode.Range = diagnostic.range): vscode.CodeAction[] => {
		const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
		action.diagnostics = [diagnostic];
		action.edit = new vscode.WorkspaceEdit();
		action.edit.replace(document.uri, range, text);
		return [action];
	};
	const change = (title: string, edited: string | undefined): vscode.CodeAction[] => {
		const { start, end, content } = smallestChange(text, edited ?? '');
		const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
		return edited === undefined ? [] : fix(title, content, range);
	};
	const replace = (text: string): vscode.CodeAction[] => fix(t('Replace with {0}', text), text);
	const replaceVariable = (): vscode.CodeAction[] => {
		const nearest = variable === undefined ? undefined : nearestVariable(variable);
		return nearest === undefined ? [] : replace(`\${${nearest}}`);
	};
	if (diagnostic.source !== diagnosticSource) {
		// The editor marks unknown variables, but has no fixes for them. In `.mcp.json`, it also marks variables that other
		// clients of that file expand.
		const isPlain = kind === 'projectRoot' && fromPlainVariables(marked) !== marked;
		return variable === undefined || isPlain || parseVariable(variable) ? [] : replaceVariable();
	}
	switch (diagnostic.code as ConfigProblem['code']) {
		case 'unknownVariable':
			return replaceVariable();
		case 'undefinedInput': {
			const [, id] = /^input:(.+)$/s.exec(variable ?? '') ?? [];
			const edited = id === undefined ? undefined : defineInput(text, id, kind, lineBreakOf(document));
			return id === undefined ? [] : change(t('Define input "{0}"', id), edited);
		}
		case 'wrongKey': {
			const offset = document.offsetAt(diagnostic.range.start);
			return change(t('Correct the key of the servers'), correctServersKey(text, offset, kind));
		}
		case 'duplicate':
		case 'shadowed': {
			const names = new Set(serverNames(text, kind));
			const free = value === undefined ? undefined : JSON.stringify(uniqueName(value, names));
			return free === undefined ? [] : fix(t('Rename to {0}', free), free);
		}
		default:
			return [];
	}
}

/** The kind of a file that configures servers. */
function kindOf({ uri: { path } }: vscode.TextDocument): ConfigSource['kind'] {
	return path.endsWith('.code-workspace')
		? 'workspaceFile'
		: path.endsWith('/.mcp.json')
			? 'projectRoot'
			: 'vscodeFolder';
}

/** The value of a JSON string; `undefined` for any other text. */
function parseString(written: string): string | undefined {
	const value = parseJson(written);
	return typeof value === 'string' ? value : undefined;
}
