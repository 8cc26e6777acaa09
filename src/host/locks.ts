/** The lock files: what tools were when they were approved. Read for every call, written one after another. */
import * as vscode from 'vscode';
import { Sequencer } from '../base/async.js';
import { toMessage } from '../base/errors.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import type { LockStore } from '../model/approver.js';
import { WindowClosingError } from '../model/closing.js';
import { dayOf, formatLock, parseLock, type ParsedLock, type PinnedPart, withPin } from '../model/pins.js';
import type { ServerDefinition } from '../model/serverDefinition.js';
import { guardFileOf, readGuardFile, type Storage } from './guardFiles.js';

/** There is a lock, and nobody can tell what it says: it is not written over. */
export class BrokenLockError extends Error {
	override readonly name = 'BrokenLockError';
}

export class Locks extends Owner implements LockStore {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** Some lock is another now. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly writes = new Sequencer();
	/** By URI, the last text: the same text is the same lock. */
	private readonly known = new Map<string, { readonly text: string; readonly lock: ParsedLock }>();

	/** @param onDidChangeFile some file is another now; tells of what others have written */
	constructor(
		private readonly storage: Storage,
		onDidChangeFile: Event<void>,
	) {
		super();
		this.own(onDidChangeFile(() => this._onDidChange.fire()));
	}

	fileOf({ source }: Pick<ServerDefinition, 'source'>): vscode.Uri {
		return guardFileOf(source, 'mcp-lock.json', this.storage);
	}

	/** @throws WindowClosingError */
	async read(definition: Pick<ServerDefinition, 'source'>): Promise<ParsedLock> {
		const uri = this.fileOf(definition);
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

	async pin(definition: ServerDefinition, part: PinnedPart): Promise<void> {
		await this.writes.run(async () => {
			const before = await this.read(definition);
			if (before.kind === 'broken') {
				throw new BrokenLockError('The lock cannot be read.');
			}
			const text = formatLock(withPin(before.lock, part, dayOf(new Date())));
			await vscode.workspace.fs.writeFile(this.fileOf(definition), new TextEncoder().encode(text));
		});
		this._onDidChange.fire();
	}
}
