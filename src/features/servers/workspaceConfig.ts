/**
 * The configuration files of the workspace: read, watched, and checked. Gives the registry what is
 * configured and the Problems view what is wrong with it.
 */
import * as vscode from 'vscode';
import { DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { Sequencer } from '../../base/async.js';
import { describeConfigProblem } from '../../host/messages.js';
import {
	type ConfigProblem,
	type ParsedConfig,
	parseServerConfig,
	type ServerDefinition,
} from '../../model/serverConfig.js';

/** Where a folder's configuration stands. */
export function configUri(folder: vscode.WorkspaceFolder): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

export class WorkspaceConfig extends Owner {
	private readonly _onDidChange = this.own(new Emitter<readonly ServerDefinition[]>());
	/** What is configured now, in the order of the folders. */
	readonly onDidChange: Event<readonly ServerDefinition[]> = this._onDidChange.event;

	private readonly diagnostics = this.own(vscode.languages.createDiagnosticCollection('mcpWorkbench'));
	private readonly watchers = this.own(new DisposableStore());
	/** What each file last said that could be used. */
	private readonly known = new Map<string, readonly ServerDefinition[]>();
	private readonly reads = new Sequencer();

	constructor() {
		super();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.watch()));
	}

	/** Starts to read and watch; resolves when every file has been read once. */
	watch(): Promise<void> {
		this.watchers.clear();
		for (const folder of vscode.workspace.workspaceFolders ?? []) {
			// A folder that is moved away takes its files along without a word about them.
			for (const path of ['.vscode/mcp.json', '.vscode']) {
				const pattern = new vscode.RelativePattern(folder, path);
				const watcher = this.watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
				for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
					this.watchers.add(event(() => this.refresh()));
				}
			}
		}
		return this.refresh();
	}

	/** Reads all files, one pass after another: a slow read never overwrites a later one. */
	private refresh(): Promise<void> {
		return this.reads.run(async () => {
			const folders = vscode.workspace.workspaceFolders ?? [];
			const definitions = await Promise.all(folders.map(folder => this.read(folder)));
			if (this.owned.isDisposed) {
				return;
			}
			this.forget(new Set(folders.map(folder => configUri(folder).toString())));
			this._onDidChange.fire(definitions.flat());
		});
	}

	private async read(folder: vscode.WorkspaceFolder): Promise<readonly ServerDefinition[]> {
		const uri = configUri(folder);
		const key = uri.toString();
		const text = await readText(uri);
		if (this.owned.isDisposed) {
			return [];
		}
		if (text === undefined) {
			this.known.delete(key);
			this.diagnostics.delete(uri);
			return [];
		}
		const source = { uri: key, folderUri: folder.uri.toString(), folderName: folder.name };
		const parsed = parseServerConfig(text, source);
		this.diagnostics.set(uri, toDiagnostics(text, parsed.problems));
		const usable = this.usable(key, parsed);
		this.known.set(key, usable);
		return usable;
	}

	/** Half-typed JSON reads as if servers were missing: then what was known before still holds. */
	private usable(key: string, { servers, hasSyntaxError }: ParsedConfig): readonly ServerDefinition[] {
		return hasSyntaxError ? (this.known.get(key) ?? servers) : servers;
	}

	private forget(keep: ReadonlySet<string>): void {
		for (const key of this.known.keys()) {
			if (!keep.has(key)) {
				this.known.delete(key);
				this.diagnostics.delete(vscode.Uri.parse(key));
			}
		}
	}
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
	try {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	} catch {
		// Most often there is none. A file that cannot be read has no servers either.
		return undefined;
	}
}

function toDiagnostics(text: string, problems: readonly ConfigProblem[]): vscode.Diagnostic[] {
	const lineStarts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), it => it.index + it[0].length)];
	const position = (offset: number): vscode.Position => {
		const line = lineStarts.findLastIndex(start => start <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	return problems.map(problem => {
		const range = new vscode.Range(position(problem.offset), position(problem.offset + problem.length));
		const severity =
			problem.code === 'duplicate' || problem.code === 'duplicateInput'
				? vscode.DiagnosticSeverity.Warning
				: vscode.DiagnosticSeverity.Error;
		const diagnostic = new vscode.Diagnostic(range, describeConfigProblem(problem), severity);
		diagnostic.source = 'MCP Workbench';
		diagnostic.code = problem.code;
		return diagnostic;
	});
}
