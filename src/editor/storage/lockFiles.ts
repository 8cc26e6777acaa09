/** Reads and writes locked tool definitions in lock files. They are read for every call, and writes are serialized. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { Sequencer } from '../../base/async.js';
import { AbortError, toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { textLimits, type Tool } from '../../mcp/index.js';
import type { LockStore, WrittenLocks } from '../../core/approvals/approver.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import {
	dayOf,
	formatLock,
	parseLock,
	type ParsedLock,
	findLockProblem,
	addToLock,
} from '../../core/approvals/toolLock.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { type Guarded, readGuardFile } from './guardFiles.js';
import { assertUnlinked } from '../documents/unlinkedFiles.js';

/** `unreadable`: the file can't be read. `fileTooLarge`: it would exceed the read limit. `definition`: see `findLockProblem`. */
export type LockProblem = 'unreadable' | 'fileTooLarge' | 'definition';

/** The lock file was not written. */
export class LockError extends Error {
	override readonly name = 'LockError';

	constructor(readonly problem: LockProblem) {
		super(problem);
	}
}

export interface LockFilesOptions {
	/** The lock file of a server. */
	readonly fileOf: (definition: Guarded) => vscode.Uri | Promise<vscode.Uri>;
	/** Fires when a lock file has changed, also by another program. */
	readonly onDidChangeFile: Event<void>;
	/**
	 * Whether the file is replaced by renaming a new one, so that a crash leaves the old one. Not for files of the
	 * workspace: a rename looks like a deletion to other programs that watch them.
	 */
	readonly isReplaced: boolean;
}

/** There are two instances: for the lock files of workspaces, and for those in our storage. */
export class LockFiles extends Owner implements LockStore {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A lock file has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly writes = new Sequencer();
	/** The last text by URI, with its parsed lock. */
	private readonly known = new Map<string, { readonly text: string; readonly lock: ParsedLock }>();

	constructor(private readonly options: LockFilesOptions) {
		super();
		this.own(options.onDidChangeFile(() => this._onDidChange.fire()));
	}

	async fileOf(definition: Guarded): Promise<vscode.Uri> {
		return this.options.fileOf(definition);
	}

	/** @throws WindowClosingError */
	async read(definition: Guarded): Promise<ParsedLock> {
		const uri = await this.fileOf(definition);
		let text: string;
		try {
			text = await readGuardFile(uri);
		} catch (error) {
			if (error instanceof WindowClosingError) {
				throw error;
			}
			return { kind: 'broken', error: toMessage(error) };
		}
		const known = this.known.get(uri.toString());
		if (known?.text === text) {
			return known.lock;
		}
		const lock = parseLock(text);
		this.known.set(uri.toString(), { text, lock });
		return lock;
	}

	/** @throws LockError, LinkedFileError, AbortError; vscode.FileSystemError if the file cannot be written */
	async lock(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
		signal?: AbortSignal,
	): Promise<WrittenLocks> {
		const written = await this.writes.run(async () => {
			if (signal?.aborted) {
				throw new AbortError();
			}
			return this.write(definition, tools, instructions);
		});
		this._onDidChange.fire();
		return written;
	}

	private async write(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
	): Promise<WrittenLocks> {
		const before = await this.read(definition);
		const { name: server } = definition;
		if (before.kind === 'broken') {
			throw new LockError('unreadable');
		}
		if (tools.some(tool => findLockProblem({ server, tool, instructions }) !== undefined)) {
			throw new LockError('definition');
		}
		const day = dayOf(new Date(clock.now()));
		const lock = tools.reduce((it, tool) => addToLock(it, { server, tool, instructions }, day), before.lock);
		const bytes = new TextEncoder().encode(formatLock(lock));
		if (bytes.length > textLimits.lockFile) {
			throw new LockError('fileTooLarge');
		}
		const uri = await this.fileOf(definition);
		const already = before.lock[server]?.tools ?? {};
		await this.writeFile(uri, bytes);
		return { file: uri.toString(), added: tools.map(it => it.name).filter(it => !Object.hasOwn(already, it)) };
	}

	private async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
		const { fs } = vscode.workspace;
		await assertUnlinked(uri);
		if (!this.options.isReplaced) {
			await fs.writeFile(uri, bytes);
			return;
		}
		const next = uri.with({ path: `${uri.path}.${crypto.randomUUID()}` });
		await fs.writeFile(next, bytes);
		try {
			await fs.rename(next, uri, { overwrite: true });
		} catch (error) {
			await Promise.resolve(fs.delete(next)).catch(() => undefined);
			throw error;
		}
	}
}
