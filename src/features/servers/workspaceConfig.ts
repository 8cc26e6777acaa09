/**
 * Reads and watches all places that configure servers in this window. Fires the definitions that count, and shows problems
 * of files in the Problems view.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { debounce, Sequencer, within } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Logger, nullLogger } from '../../base/log.js';
import { DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { RefusedFileError } from '../../editor/documents/repositoryFiles.js';
import { workspaceFileKey } from '../../editor/workspace/config.js';
import { Settings } from '../../editor/contributions.js';
import { describeDuration } from '../../editor/l10n/messages.js';
import { watchFiles } from '../../editor/workspace/watchFiles.js';
import { chooseDefinitions, type UnusedDefinition } from '../../core/config/precedence.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import type { ConfigProblem } from '../../core/config/configProblem.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import { ConfigDiagnostics } from './configDiagnostics.js';
import { configPlaces, type ConfigPlace, isInEffect, isUserSettings, unfinished, userSource } from './configPlaces.js';
import type { DemoState } from './demoState.js';

/** Milliseconds after which an empty or missing file counts. Programs that rewrite a file empty or remove it first. */
const settleMs = 1000;
/** Milliseconds that reading one place may take. Other places don't wait longer for a disk that doesn't respond. */
const readMs = 5000;

const demoSource: ConfigSource = { ...userSource, isDemo: true };

/** Settings that configure servers. */
const watched = [Settings.servers, Settings.inputs, workspaceFileKey];

/** The result of reading one place. */
interface Reading {
	readonly place: ConfigPlace;
	readonly text: string | undefined;
	readonly problems: readonly ConfigProblem[];
	readonly hasSyntaxError: boolean;
	readonly servers: readonly ServerDefinition[];
}

export class WorkspaceConfig extends Owner {
	private readonly _onDidChange = this.own(new Emitter<readonly ServerDefinition[]>());
	/** The definitions that count, in the order of the places. */
	readonly onDidChange: Event<readonly ServerDefinition[]> = this._onDidChange.event;

	private readonly diagnostics = this.own(new ConfigDiagnostics());
	private readonly watchers = this.own(new DisposableStore());
	/** The last usable definitions of each place, by the URI of its source. */
	private known = new Map<string, readonly ServerDefinition[]>();
	private readonly reads = new Sequencer();
	/** Readings that take longer than `readMs`, by the URI of their source. */
	private readonly late = new Map<string, Promise<Reading>>();
	/** When files that had servers were first found empty or missing, in milliseconds since 1970, by URI. */
	private readonly emptied = new Map<string, number>();
	private readonly settling = this.own(debounce(settleMs, () => void this.refresh()));

	constructor(
		private readonly demo: DemoState | undefined,
		private readonly log: Logger = nullLogger,
	) {
		super();
		if (demo) {
			this.own(demo.onDidChange(() => void this.refresh()));
		}
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.watch()));
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
				// The editor reports no change of settings if the fixed text means what it had read from the half-typed text.
				// For a file, this event comes sooner than that of the watcher.
				if (isUserSettings(document) ? isInEffect(document) : this.sourceOf(document.uri) !== undefined) {
					void this.refresh();
				}
			}),
		);
	}

	/** Starts watching; resolves when every place has been read once. Unreadable places don't make it reject. */
	watch(): Promise<void> {
		this.watchers.clear();
		for (const folder of vscode.workspace.workspaceFolders ?? []) {
			// The folder is watched, too, because moving it reports no change of its files.
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

	/** The source of a file; `undefined` if the file doesn't configure this window. */
	sourceOf(uri: vscode.Uri): ConfigSource | undefined {
		return configPlaces().find(it => it.file?.toString() === uri.toString())?.source;
	}

	private follow(pattern: vscode.RelativePattern): void {
		this.watchers.add(watchFiles(pattern, () => void this.refresh()));
	}

	/** Reads all places. Passes run one after another, so that a slow one can't overwrite a later result. Never rejects. */
	refresh(): Promise<void> {
		return this.reads.run(async () => {
			const readings = await Promise.all(configPlaces(this.demo).map(place => this.read(place)));
			if (this.owned.isDisposed) {
				return;
			}
			this.known = new Map(readings.map(it => [it.place.source.uri, it.servers]));
			const { used, unused } = chooseDefinitions(readings.flatMap(it => it.servers));
			this._onDidChange.fire(used.map(it => (this.demo?.isDemo(it) === true ? { ...it, source: demoSource } : it)));
			try {
				this.showProblems(readings, unused);
			} catch (error) {
				this.log.error(`The problems of configurations can't be shown: ${toMessage(error)}`);
			}
		});
	}

	/** Never rejects: a place that can't be read has a problem and keeps its servers, and other places aren't affected. */
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
		const late = this.late.get(uri);
		const reading = late ?? this.readPlace(place);
		const result = await within(reading, late ? 0 : readMs);
		if (result) {
			return result;
		}
		if (!late) {
			this.late.set(uri, reading);
			const readAgain = (): void => {
				this.late.delete(uri);
				void this.refresh();
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
		const { servers, problems, hasSyntaxError } = parseServerConfig(text, place.source);
		return {
			place,
			text,
			problems,
			hasSyntaxError,
			// Half-typed JSON looks as if servers were missing, so the last usable definitions still count.
			servers: (hasSyntaxError && known) || servers,
		};
	}

	/** Whether a file that had servers is empty or missing perhaps only because a program is rewriting it. */
	private isBeingWritten(
		uri: string,
		text: string | undefined | typeof unfinished,
		known: readonly ServerDefinition[] = [],
	): boolean {
		const isEmpty = text === undefined || (text !== unfinished && text.trim() === '');
		const since = this.emptied.get(uri) ?? clock.now();
		if (!isEmpty || known.length === 0 || clock.now() >= since + settleMs) {
			this.emptied.delete(uri);
			return false;
		}
		this.emptied.set(uri, since);
		this.settling.schedule();
		return true;
	}

	private showProblems(readings: readonly Reading[], unused: readonly UnusedDefinition[]): void {
		const files = readings.flatMap(({ place: { source, file: uri }, text, problems, hasSyntaxError }) => {
			// The offsets of the last usable definitions don't fit a half-typed text.
			const here = hasSyntaxError ? [] : unused.filter(it => it.definition.source.uri === source.uri);
			const shadowed = here.map(({ definition: { name, offset }, by }): ConfigProblem => {
				return { code: 'shadowed', server: name, by: by.source, offset, length: JSON.stringify(name).length };
			});
			return uri && text !== undefined ? [{ uri, text, problems: [...problems, ...shadowed] }] : [];
		});
		this.diagnostics.show(files);
	}
}

/** The problem of a place that can't be read, at the beginning of the file. */
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
