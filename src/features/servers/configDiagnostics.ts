/** Shows problems of configuration files in the Problems view. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { describeConfigProblem } from '../../editor/l10n/configWords.js';
import type { ConfigProblem } from '../../core/config/configProblem.js';

export const diagnosticSource = 'MCP Workbench';

/** Problems of one file. The editor shows at most this many. */
const maxProblems = 1000;

/** A configuration file and its problems. */
export interface CheckedFile {
	readonly uri: vscode.Uri;
	readonly text: string;
	readonly problems: readonly ConfigProblem[];
}

export class ConfigDiagnostics extends Owner {
	private readonly collection = this.own(vscode.languages.createDiagnosticCollection('mcpWorkbench'));
	private files = new Map<string, { readonly uri: vscode.Uri; readonly all: readonly vscode.Diagnostic[] }>();

	constructor() {
		super();
		this.own(
			vscode.languages.onDidChangeDiagnostics(({ uris }) => {
				for (const uri of uris) {
					this.publish(uri.toString());
				}
			}),
		);
	}

	/** Shows these problems instead of all that were shown before. */
	show(files: readonly CheckedFile[]): void {
		const before = this.files;
		this.files = new Map(
			files.map(({ uri, text, problems }) => [uri.toString(), { uri, all: toDiagnostics(text, problems) }]),
		);
		for (const [key, { uri }] of before) {
			if (!this.files.has(key)) {
				this.collection.delete(uri);
			}
		}
		for (const key of this.files.keys()) {
			this.publish(key, true);
		}
	}

	/**
	 * Shows the problems of a file, except for variables that the editor marks, too: it does so in open files.
	 * @param isNew whether the problems may differ from those that are shown although their number is the same
	 */
	private publish(key: string, isNew = false): void {
		const file = this.files.get(key);
		if (!file) {
			return;
		}
		const others = vscode.languages.getDiagnostics(file.uri).filter(it => it.source !== diagnosticSource);
		const shown = file.all.filter(it => !isOfVariable(it) || !others.some(other => other.range.isEqual(it.range)));
		// Setting diagnostics fires the event that leads here, so unchanged ones are not set.
		if (isNew || shown.length !== this.collection.get(file.uri)?.length) {
			this.collection.set(file.uri, shown);
		}
	}
}

function isOfVariable({ code }: vscode.Diagnostic): boolean {
	return code === 'unknownVariable' || code === 'undefinedInput';
}

function toDiagnostics(text: string, problems: readonly ConfigProblem[]): vscode.Diagnostic[] {
	const lineStarts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), it => it.index + it[0].length)];
	const position = (offset: number): vscode.Position => {
		const line = lineStarts.findLastIndex(it => it <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	return problems.slice(0, maxProblems).map(problem => {
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
		case 'duplicateInput':
		case 'undefinedInput':
		case 'unknownVariable':
		case 'unknownDebugger':
		case 'cannotDebug':
			return vscode.DiagnosticSeverity.Warning;
		case 'shadowed':
			return vscode.DiagnosticSeverity.Information;
		default:
			return vscode.DiagnosticSeverity.Error;
	}
}
