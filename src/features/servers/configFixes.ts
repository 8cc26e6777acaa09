/** Quick fixes for the mistakes that we mark in configuration files. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { nearestTransport, nearestVariable } from '../../model/knownVariables.js';
import type { ConfigProblem } from '../../model/serverConfig.js';
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
				diagnostics.filter(it => it.source === diagnosticSource).flatMap(it => fixesOf(document, it)),
		},
		{ providedCodeActionKinds: [QuickFix] },
	);
}

/** What the mark covers may have been edited since: each fix looks at what is there now. */
function fixesOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
	const { t } = vscode.l10n;
	const written = document.getText(diagnostic.range);
	const [, variable] = /^\$\{([^{}]*)\}$/.exec(written) ?? [];
	const value = parse(written);
	const replace = (text: string): vscode.CodeAction[] => [fix(document, diagnostic, t('Replace by {0}', text), text)];
	switch (diagnostic.code as ConfigProblem['code']) {
		case 'unknownVariable': {
			const nearest = variable === undefined ? undefined : nearestVariable(variable);
			return nearest === undefined ? [] : replace(`\${${nearest}}`);
		}
		case 'unknownTransport':
			return value === undefined ? [] : replace(JSON.stringify(nearestTransport(value)));
		case 'wrongKey':
			return value === 'mcpServers' ? replace('"servers"') : [];
		case 'missingCommand': {
			// The one on the PATH of whoever opens this file.
			const [name] = /[^\\/]+$/.exec(value ?? '') ?? [];
			return name === undefined ? [] : replace(JSON.stringify(name));
		}
		case 'duplicate':
		case 'shadowed': {
			const free = value === undefined ? undefined : JSON.stringify(freeName(document.getText(), value));
			return free === undefined ? [] : [fix(document, diagnostic, t('Rename to {0}', free), free)];
		}
		case 'syntax':
		case 'wrongType':
		case 'missing':
			return [];
	}
}

function fix(
	document: vscode.TextDocument,
	diagnostic: vscode.Diagnostic,
	title: string,
	text: string,
): vscode.CodeAction {
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	action.diagnostics = [diagnostic];
	action.edit = new vscode.WorkspaceEdit();
	action.edit.replace(document.uri, diagnostic.range, text);
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
