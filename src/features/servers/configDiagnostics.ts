/** Mistakes in configurations as the editor shows them. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { describeConfigProblem } from '../../editor/l10n/configWords.js';
import type { ConfigProblem } from '../../core/config/serverConfig.js';

export const diagnosticSource = 'MCP Workbench';

/** Shown of one file; the editor shows no more of one either. */
const maxProblems = 1000;

/** A file with what is wrong in it. */
export interface CheckedFile {
	readonly uri: vscode.Uri;
	readonly text: string;
	readonly problems: readonly ConfigProblem[];
}

/** Our part of the Problems view. */
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

	/** Takes the place of everything that was shown before. */
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
	 * The editor marks unknown variables itself, in files that are open: nothing is said twice.
	 * @param isNew whether there is something to show even if it is as many as before
	 */
	private publish(key: string, isNew = false): void {
		const file = this.files.get(key);
		if (!file) {
			return;
		}
		const others = vscode.languages.getDiagnostics(file.uri).filter(it => it.source !== diagnosticSource);
		const shown = file.all.filter(it => !isOfVariable(it) || !others.some(other => other.range.isEqual(it.range)));
		// Our own news comes back as news: it must end here.
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
		const line = lineOf(lineStarts, offset);
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

/** The last line that starts at the offset or before it. */
function lineOf(lineStarts: readonly number[], offset: number): number {
	let low = 0;
	let high = lineStarts.length - 1;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((lineStarts[middle] ?? 0) <= offset) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	return low;
}

function severityOf({ code }: ConfigProblem): vscode.DiagnosticSeverity {
	switch (code) {
		case 'duplicate':
		case 'duplicateInput':
		case 'undefinedInput':
		case 'unknownVariable':
		case 'missingCommand':
		case 'unknownDebugger':
		case 'cannotDebug':
			return vscode.DiagnosticSeverity.Warning;
		case 'shadowed':
			return vscode.DiagnosticSeverity.Information;
		case 'syntax':
		case 'tooDeep':
		case 'tooLong':
		case 'tooLarge':
		case 'notRegular':
		case 'unreadable':
		case 'wrongType':
		case 'missing':
		case 'unknownTransport':
		case 'wrongKey':
		case 'wrongInput':
		case 'missingInInput':
		case 'unknownInputType':
			return vscode.DiagnosticSeverity.Error;
	}
}
