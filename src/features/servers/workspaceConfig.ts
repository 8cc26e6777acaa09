/**
 * What this window configures: read from every place, watched, and checked. Gives the registry what counts and the
 * Problems view what is wrong.
 */
import * as vscode from 'vscode';
import { debounce, Sequencer, within } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Logger, nullLogger } from '../../base/log.js';
import { DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { assertBoundedFile, RefusedFileError } from '../../editor/documents/boundedFile.js';
import { workspaceFileKey } from '../../editor/workspace/config.js';
import { Settings } from '../../editor/contributions.js';
import type { FolderPresence } from '../../editor/workspace/folderPresence.js';
import { describeDuration } from '../../editor/l10n/messages.js';
import { isNotFound } from '../../editor/documents/unlinkedFiles.js';
import { watchFiles } from '../../editor/workspace/watchFiles.js';
import { textLimits } from '../../mcp/index.js';
import { chooseDefinitions, type UnusedDefinition } from '../../core/config/precedence.js';
import { type ConfigProblem, parseServerConfig, type PlacedCommand } from '../../core/config/serverConfig.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import type { DemoEntry } from '../../editor/platform.js';
import { ConfigDiagnostics } from './configDiagnostics.js';
import { configPlaces, type ConfigPlace, isInEffect, isUserSettings, unfinished } from './configPlaces.js';

/** Milliseconds after which a file that is empty or gone counts: other programs empty it first, then write it. */
const settleMs = 1000;
/** Milliseconds that reading one place may take. Other places don't wait longer for a disk that doesn't respond. */
const readMs = 5000;
/** Milliseconds that checking whether a file has changed may take. */
const statMs = 500;

/** Settings that say which servers there are. */
const watched = [Settings.servers, Settings.inputs, Settings.demoServer, workspaceFileKey];

/** What one place said at the last look. */
interface Reading {
	readonly place: ConfigPlace;
	readonly text: string | undefined;
	readonly problems: readonly ConfigProblem[];
	readonly hasSyntaxError: boolean;
	readonly servers: readonly ServerDefinition[];
}

interface LateReading {
	readonly reading: Promise<Reading>;
	/** When it began, in milliseconds since 1970. */
	readonly since: number;
}

export class WorkspaceConfig extends Owner {
	private readonly _onDidChange = this.own(new Emitter<readonly ServerDefinition[]>());
	/** What is configured now and counts, in the order of the places. */
	readonly onDidChange: Event<readonly ServerDefinition[]> = this._onDidChange.event;

	private readonly diagnostics = this.own(new ConfigDiagnostics());
	private readonly watchers = this.own(new DisposableStore());
	/** What each place last said that could be used. */
	private known = new Map<string, readonly ServerDefinition[]>();
	private readonly reads = new Sequencer();
	/** Readings that take longer than `readMs`, by the URI of their source. */
	private readonly late = new Map<string, LateReading>();
	/** Since when files that configured servers have nothing in them, in milliseconds since 1970. */
	private readonly emptied = new Map<string, number>();
	private readonly settling = this.own(debounce(settleMs, () => void this.refresh()));

	/** @param demo the server that comes with the extension, where one can run */
	constructor(
		private readonly demo: DemoEntry | undefined,
		private readonly folders: FolderPresence,
		private readonly log: Logger = nullLogger,
	) {
		super();
		this.own(folders.onDidChange(() => void this.refresh()));
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.watch()));
		this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()));
		// The editor can miss files that were moved while another program had the focus.
		this.own(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.refresh())));
		this.own(
			vscode.workspace.onDidChangeConfiguration(change => {
				if (watched.some(it => change.affectsConfiguration(it))) {
					void this.refresh();
				}
			}),
		);
		this.own(
			vscode.workspace.onDidSaveTextDocument(document => {
				// Settings mended to what the editor had made of them while they were half-typed: it sees no change then. And
				// of a file, the editor knows sooner than its watcher.
				if (isUserSettings(document) ? isInEffect(document) : this.sourceOf(document.uri) !== undefined) {
					void this.refresh();
				}
			}),
		);
	}

	/** Starts to read and watch; resolves when every place has been read once. Never rejects because of what is read. */
	watch(): Promise<void> {
		this.watchers.clear();
		this.folders.watch();
		for (const folder of vscode.workspace.workspaceFolders ?? []) {
			// A folder that is moved away takes its files along without a word about them.
			for (const path of ['.vscode/mcp.json', '.vscode', '.mcp.json']) {
				this.follow(new vscode.RelativePattern(folder, path));
			}
		}
		const { workspaceFile } = vscode.workspace;
		if (workspaceFile && workspaceFile.scheme !== 'untitled') {
			const name = workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1);
			this.follow(new vscode.RelativePattern(vscode.Uri.joinPath(workspaceFile, '..'), name));
		}
		return this.refresh();
	}

	/** The source that a file is, if it is one of this window's. */
	sourceOf(uri: vscode.Uri): ConfigSource | undefined {
		return configPlaces().find(it => it.file?.toString() === uri.toString())?.source;
	}

	private follow(pattern: vscode.RelativePattern): void {
		this.watchers.add(watchFiles(pattern, () => void this.refresh()));
	}

	/**
	 * Reads all places, one pass after another: a slow read never overwrites a later one. Never rejects because of what
	 * is read.
	 */
	refresh(): Promise<void> {
		return this.reads.run(async () => {
			const readings = await Promise.all(configPlaces(this.demo).map(place => this.read(place)));
			if (this.owned.isDisposed) {
				return;
			}
			this.known = new Map(readings.map(it => [it.place.source.uri, it.servers]));
			const { used, unused } = chooseDefinitions(readings.flatMap(it => it.servers));
			this._onDidChange.fire(used);
			try {
				this.showProblems(readings, unused);
			} catch (error) {
				this.log.error(`The problems of configurations can't be shown: ${toMessage(error)}`);
			}
		});
	}

	/** Never rejects: a place that cannot be read has a problem, leaves its own servers as they were and harms no other. */
	private async read(place: ConfigPlace): Promise<Reading> {
		try {
			return await this.readInTime(place);
		} catch (error) {
			const servers = this.known.get(place.source.uri) ?? [];
			return { place, text: '', problems: [problemOf(error)], hasSyntaxError: true, servers };
		}
	}

	/** @throws Error if the file system doesn't respond; the places are read again once it does */
	private async readInTime(place: ConfigPlace): Promise<Reading> {
		const { uri } = place.source;
		const known = this.late.get(uri);
		const late = known && !(await isReplaced(place, known.since)) ? known : undefined;
		const since = Date.now();
		const reading = late?.reading ?? this.readPlace(place);
		const result = await within(reading, late ? 0 : readMs);
		if (result) {
			return result;
		}
		if (!late) {
			this.late.set(uri, { reading, since });
			const readAgain = (): void => {
				if (this.late.get(uri)?.reading === reading) {
					this.late.delete(uri);
					void this.refresh();
				}
			};
			reading.then(readAgain, readAgain);
		}
		throw new Error(vscode.l10n.t("The file system hasn't responded for {0}.", describeDuration(readMs)));
	}

	private async readPlace(place: ConfigPlace): Promise<Reading> {
		const text = await place.read();
		const known = this.known.get(place.source.uri);
		const isBeingWritten = place.file !== undefined && this.isBeingWritten(place.source.uri, text, known);
		if (text === undefined || text === unfinished || isBeingWritten) {
			const servers = ((text === unfinished || isBeingWritten) && known) || [];
			return { place, text: undefined, problems: [], hasSyntaxError: false, servers };
		}
		const { servers, problems, hasSyntaxError, absoluteCommands } = parseServerConfig(text, place.source);
		// Nothing is looked at before the person trusts what names it.
		const missing = vscode.workspace.isTrusted ? await findMissing(absoluteCommands) : [];
		return {
			place,
			text,
			problems: [...problems, ...missing],
			hasSyntaxError,
			// Half-typed JSON reads as if servers were missing: then what was known before still holds.
			servers: (hasSyntaxError && known) || servers,
		};
	}

	/** Whether a file that had servers may only be empty, or gone, because a program is just writing it anew. */
	private isBeingWritten(
		uri: string,
		text: string | undefined | typeof unfinished,
		known: readonly ServerDefinition[] = [],
	): boolean {
		const isEmpty = text === undefined || (text !== unfinished && text.trim() === '');
		const since = this.emptied.get(uri) ?? Date.now();
		if (!isEmpty || known.length === 0 || Date.now() >= since + settleMs) {
			this.emptied.delete(uri);
			return false;
		}
		this.emptied.set(uri, since);
		this.settling.schedule();
		return true;
	}

	private showProblems(readings: readonly Reading[], unused: readonly UnusedDefinition[]): void {
		const files = readings.flatMap(({ place: { source, file: uri }, text, problems, hasSyntaxError }) => {
			// Where a text is half-typed, nobody knows where a server stands in it.
			const here = hasSyntaxError ? [] : unused.filter(it => it.definition.source.uri === source.uri);
			const shadowed = here.map(({ definition: { name, offset }, by }): ConfigProblem => {
				return { code: 'shadowed', server: name, by: by.source, offset, length: JSON.stringify(name).length };
			});
			return uri && text !== undefined ? [{ uri, text, problems: [...problems, ...shadowed] }] : [];
		});
		this.diagnostics.show(files);
	}
}

/** Why a place could not be read; it stands at the beginning of the file. */
function problemOf(error: unknown): ConfigProblem {
	const place = { offset: 0, length: 0 };
	if (!(error instanceof RefusedFileError)) {
		return { code: 'unreadable', error: toMessage(error), ...place };
	}
	const { problem } = error;
	return problem.code === 'tooLarge'
		? { code: 'tooLarge', limit: problem.maxBytes, ...place }
		: { code: 'notRegular', ...place };
}

/** Only what is cheap to know: whether there is something at a path that is spelled out. */
async function findMissing(commands: readonly PlacedCommand[]): Promise<ConfigProblem[]> {
	const found = await Promise.all(commands.map(async it => ((await isThere(it.command)) ? [] : [it])));
	return found.flat().map(it => ({ code: 'missingCommand', ...it }));
}

async function isThere(path: string): Promise<boolean> {
	if (/^[a-z]:/i.test(path) && !/\.\w+$/.test(path)) {
		// Windows finds `C:\tools\server` where there is a `server.cmd`.
		return true;
	}
	try {
		await vscode.workspace.fs.stat(vscode.Uri.file(path));
		return true;
	} catch (error) {
		return !isNotFound(error);
	}
}

/**
 * Whether the file of a place has been written since. What was a pipe when it was opened may never be read to its end.
 * @throws RefusedFileError if it is not a regular file any more
 */
async function isReplaced({ file }: ConfigPlace, since: number): Promise<boolean> {
	const stat = file && (await within(assertBoundedFile(file, textLimits.configFile), statMs));
	return stat !== undefined && Math.max(stat.mtime, stat.ctime) > since;
}
