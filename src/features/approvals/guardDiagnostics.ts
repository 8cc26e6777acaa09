/** Watches the policy and lock files: reports mistakes in them as diagnostics, and fires when one changes. */
import * as vscode from 'vscode';
import { debounce, Sequencer } from '../../base/async.js';
import { DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { readGuardFile, type Storage } from '../../editor/storage/guardFiles.js';
import { watchFiles } from '../../editor/workspace/watchFiles.js';
import { LinkedFileError } from '../../editor/documents/repositoryFiles.js';
import { parseLock } from '../../core/approvals/toolLock.js';
import { parsePolicy } from '../../core/approvals/policyFile.js';
import type { TextRange } from '../../core/text/jsonNodes.js';

const fileNames = ['mcp-policy.json', 'mcp-lock.json'] as const;
/** Milliseconds that watching is delayed, so that activation doesn't wait for it. Decisions read the files themselves. */
const firstWatchMs = 500;

export class GuardDiagnostics extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A policy or lock file has changed, or the workspace folders have. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly collection = this.own(vscode.languages.createDiagnosticCollection('mcpWorkbenchPolicy'));
	private readonly watchers = this.own(new DisposableStore());
	private readonly reads = new Sequencer();

	constructor(private readonly storage: Storage) {
		super();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.watch()));
		this.own(debounce(firstWatchMs, () => this.watch())).schedule();
	}

	private watch(): void {
		this.watchers.clear();
		for (const folder of this.places()) {
			const pattern = new vscode.RelativePattern(folder, '{mcp-policy,mcp-lock}.json');
			this.watchers.add(watchFiles(pattern, () => this.refresh()));
		}
		this.refresh();
	}

	/** The folders that may hold policy or lock files. */
	private places(): vscode.Uri[] {
		const { workspaceFolders = [], workspaceFile } = vscode.workspace;
		return [
			...workspaceFolders.map(it => vscode.Uri.joinPath(it.uri, '.vscode')),
			...(workspaceFile && workspaceFile.scheme !== 'untitled' ? [vscode.Uri.joinPath(workspaceFile, '..')] : []),
			this.storage.globalStorageUri,
		];
	}

	private refresh(): void {
		void this.reads.run(async () => {
			const uris = this.places().flatMap(folder => fileNames.map(it => vscode.Uri.joinPath(folder, it)));
			const found = await Promise.all(uris.map(async uri => [uri, await problemsIn(uri)] as const));
			if (!this.owned.isDisposed) {
				this.collection.clear();
				for (const [uri, problems] of found) {
					this.collection.set(uri, problems);
				}
				this._onDidChange.fire();
			}
		});
	}
}

async function problemsIn(uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
	const { t } = vscode.l10n;
	const start = new vscode.Range(0, 0, 0, 0);
	let text: string;
	try {
		text = await readGuardFile(uri);
	} catch (error) {
		const message =
			error instanceof LinkedFileError ? error.message : t("This file can't be read, so every call needs approval.");
		return [toDiagnostic(start, message, 'unreadable')];
	}
	// Most workspaces have no such file. Returning here avoids loading the parsers.
	if (text === '') {
		return [];
	}
	if (uri.path.endsWith('lock.json')) {
		return parseLock(text).kind === 'broken' ? [toDiagnostic(start, explain('mcp-lock.json'), 'lock')] : [];
	}
	const position = (offset: number): vscode.Position => {
		const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
		return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
	};
	const rangeOf = ({ offset, length }: TextRange): vscode.Range =>
		new vscode.Range(position(offset), position(offset + length));
	const { problems, unchecked } = parsePolicy(text);
	const [first] = problems;
	const words = t(
		'Use "paths" with "root" or "outsideRoots" instead of "arguments". An "allow" rule with "arguments" never applies, and "ask" and "deny" rules ignore it.',
	);
	const { Warning } = vscode.DiagnosticSeverity;
	return [
		// The editor explains the mistakes with the JSON schema.
		...(first ? [toDiagnostic(rangeOf(first), explain('mcp-policy.json'), 'policy')] : []),
		...unchecked.map(it => toDiagnostic(rangeOf(it), words, 'arguments', Warning)),
	];
}

function explain(file: string): string {
	return vscode.l10n.t("This isn't a valid {0}. Every call needs approval until you fix or delete the file.", file);
}

function toDiagnostic(
	range: vscode.Range,
	message: string,
	code: string,
	severity = vscode.DiagnosticSeverity.Error,
): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(range, message, severity);
	diagnostic.source = 'MCP Workbench';
	diagnostic.code = code;
	return diagnostic;
}
