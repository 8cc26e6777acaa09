/** Mistakes in a configuration as the editor shows them. */
import * as vscode from 'vscode';
import { describeConfigProblem } from '../../host/messages.js';
import type { ConfigProblem } from '../../model/serverConfig.js';

export const diagnosticSource = 'MCP Workbench';

export function toDiagnostics(text: string, problems: readonly ConfigProblem[]): vscode.Diagnostic[] {
	const lineStarts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), it => it.index + it[0].length)];
	const position = (offset: number): vscode.Position => {
		const line = lineStarts.findLastIndex(start => start <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	return problems.map(problem => {
		const range = new vscode.Range(position(problem.offset), position(problem.offset + problem.length));
		const diagnostic = new vscode.Diagnostic(range, describeConfigProblem(problem), severityOf(problem));
		diagnostic.source = diagnosticSource;
		diagnostic.code = problem.code;
		return diagnostic;
	});
}

function severityOf({ code }: ConfigProblem): vscode.DiagnosticSeverity {
	switch (code) {
		case 'duplicate':
		case 'unknownVariable':
		case 'missingCommand':
			return vscode.DiagnosticSeverity.Warning;
		case 'shadowed':
			return vscode.DiagnosticSeverity.Information;
		case 'syntax':
		case 'wrongType':
		case 'missing':
		case 'unknownTransport':
		case 'wrongKey':
			return vscode.DiagnosticSeverity.Error;
	}
}
