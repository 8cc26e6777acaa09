/** Quick fixes for the mistakes that we mark in configuration files. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { lineBreakOf } from '../../editor/documents/fileEdit.js';
import { smallestChange } from '../../editor/documents/textChange.js';
import { defineInput } from '../../core/config/configEdit.js';
import { valueAt } from '../../core/text/jsonNodes.js';
import {
	fromPlainVariables,
	isKnownVariable,
	nearestTransport,
	nearestVariable,
} from '../../core/config/knownVariables.js';
import type { ConfigProblem } from '../../core/config/serverConfig.js';
import { diagnosticSource } from './configDiagnostics.js';

/** The files that configure servers. */
export const configFiles: readonly vscode.DocumentFilter[] = [
	{ pattern: '**/.vscode/mcp.json' },
	{ pattern: '**/.mcp.json' },
	{ pattern: '**/*.code-workspace' },
];

export function registerConfigFixes(): Disposable {
	const { QuickFix } = vscode.CodeActionKind;
	return vscode.languages.registerCodeActionsProvider(
		configFiles,
		{
			provideCodeActions: (document, _range, { diagnostics }) =>
				diagnostics.flatMap(it =>
					it.source === diagnosticSource ? fixesOf(document, it) : fixesOfOther(document, it),
				),
		},
		{ providedCodeActionKinds: [QuickFix] },
	);
}

/** The editor marks unknown variables itself, and has no fix for them. */
function fixesOfOther(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
	const written = document.getText(diagnostic.range);
	const [, variable] = /^\$\{([^{}]*)\}$/.exec(written) ?? [];
	// In `.mcp.json` it marks those that every other client of that file understands.
	const isPlain = document.uri.path.endsWith('/.mcp.json') && fromPlainVariables(written) !== written;
	return variable === undefined || isPlain || isKnownVariable(variable)
		? []
		: fixesOfVariable(document, diagnostic, variable);
}

function fixesOfVariable(
	document: vscode.TextDocument,
	diagnostic: vscode.Diagnostic,
	variable: string,
): vscode.CodeAction[] {
	const nearest = nearestVariable(variable);
	return nearest === undefined ? [] : [replacement(document, diagnostic, `\${${nearest}}`)];
}

/** What the mark covers may have been edited since: each fix looks at what is there now. */
function fixesOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
	const { t } = vscode.l10n;
	const written = document.getText(diagnostic.range);
	const [, variable] = /^\$\{([^{}]*)\}$/.exec(written) ?? [];
	const value = parse(written);
	const replace = (text: string): vscode.CodeAction[] => [fix(document, diagnostic, t('Replace by {0}', text), text)];
	switch (diagnostic.code as ConfigProblem['code']) {
		case 'unknownVariable':
			return variable === undefined ? [] : fixesOfVariable(document, diagnostic, variable);
		case 'undefinedInput':
			return definition(document, diagnostic, variable);
		case 'unknownTransport':
			return value === undefined ? [] : replace(JSON.stringify(nearestTransport(value)));
		case 'wrongKey':
			return value === 'mcpServers' ? replace('"servers"') : [];
		case 'missingCommand': {
			// The one on the PATH of whoever opens this file.
			const name = (value ?? '').split(/[\\/]/).at(-1) ?? '';
			return name === '' ? [] : replace(JSON.stringify(name));
		}
		case 'duplicate':
		case 'shadowed': {
			const free = value === undefined ? undefined : JSON.stringify(freeName(document.getText(), value));
			return free === undefined ? [] : [fix(document, diagnostic, t('Rename to {0}', free), free)];
		}
		case 'unknownDebugger':
		case 'cannotDebug':
		case 'syntax':
		case 'tooDeep':
		case 'tooLong':
		case 'tooLarge':
		case 'notRegular':
		case 'unreadable':
		case 'wrongType':
		case 'missing':
		case 'wrongInput':
		case 'missingInInput':
		case 'unknownInputType':
		case 'duplicateInput':
			return [];
	}
}

/** An input that is named and not defined: asked for as what its name says. */
function definition(
	document: vscode.TextDocument,
	diagnostic: vscode.Diagnostic,
	variable: string | undefined,
): vscode.CodeAction[] {
	const [, id] = /^input:(.+)$/s.exec(variable ?? '') ?? [];
	const text = document.getText();
	const edited = id === undefined ? undefined : defineInput(text, id, inputsPath(document), lineBreakOf(document));
	if (id === undefined || edited === undefined) {
		return [];
	}
	const { start, end, content } = smallestChange(text, edited);
	const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
	return [fix(document, diagnostic, vscode.l10n.t('Define input "{0}"', id), content, range)];
}

/** Beside the servers, where the file has them. */
function inputsPath(document: vscode.TextDocument): string[] {
	if (!document.uri.path.endsWith('.code-workspace')) {
		return ['inputs'];
	}
	const isDotted = valueAt(document.getText(), ['settings', 'mcp.servers']).value !== undefined;
	return isDotted ? ['settings', 'mcp.inputs'] : ['settings', 'mcp', 'inputs'];
}

function replacement(document: vscode.TextDocument, diagnostic: vscode.Diagnostic, text: string): vscode.CodeAction {
	return fix(document, diagnostic, vscode.l10n.t('Replace by {0}', text), text);
}

function fix(
	document: vscode.TextDocument,
	diagnostic: vscode.Diagnostic,
	title: string,
	text: string,
	range: vscode.Range = diagnostic.range,
): vscode.CodeAction {
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	action.diagnostics = [diagnostic];
	action.edit = new vscode.WorkspaceEdit();
	action.edit.replace(document.uri, range, text);
	return action;
}

/** The text that a JSON string stands for. */
function parse(written: string): string | undefined {
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
