/**
 * The kept definitions of tools, which their calls are compared with: those that last ran here, in the editor's state, and
 * those of the lock file beside the server's definition. Calls and Accept Change keep what ran; only Update Lock File
 * writes the lock file, which never allows a call.
 */
import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { ToolStore } from '../../core/approvals/approver.js';
import {
	addToLock,
	compareTool,
	findLockProblem,
	formatLock,
	parseLock,
	type ParsedLock,
	type ToolComparison,
	type ToolLock,
	toServer,
} from '../../core/approvals/toolLock.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import { assertUnlinked } from '../../editor/documents/repositoryFiles.js';
import { lockFileOf, readGuardFile } from '../../editor/storage/guardFiles.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { isObject, textLimits, type Tool } from '../../mcp/index.js';

const key = 'ranTools';
const noLock: ParsedLock = { kind: 'read', lock: {} };

export interface ApprovedToolsDeps {
	/** The state of the workspace, for servers that it configures. */
	readonly state: EditorState;
	/** The state that all windows share, for the person's own servers. */
	readonly userState: EditorState;
	/** Fires when a lock file has changed, also by another program. */
	readonly onDidChangeFile: Event<void>;
}

export class ApprovedTools extends Owner implements ToolStore {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A kept definition has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	/** The contents of lock files by URI, until a file changes. */
	private readonly known = new Map<string, { readonly text: string; readonly lock: ParsedLock }>();
	private readonly writes = new Sequencer();

	constructor(private readonly deps: ApprovedToolsDeps) {
		super();
		this.own(
			deps.onDidChangeFile(() => {
				this.known.clear();
				this._onDidChange.fire();
			}),
		);
	}

	async compare(
		definition: ServerDefinition,
		tool: Tool,
		instructions: string | undefined,
		isFresh: boolean,
	): Promise<ToolComparison> {
		const lock = await this.readLock(definition, isFresh);
		return compareTool(lock, this.ranHere(definition), { server: definition.name, tool, instructions });
	}

	/** The names of the tools that have changed. */
	async listChanged(definition: ServerDefinition, tools: readonly Tool[], instructions?: string): Promise<string[]> {
		const { name: server } = definition;
		const lock = await this.readLock(definition, false);
		const ran = this.ranHere(definition);
		const isChanged = (tool: Tool): boolean =>
			compareTool(lock, ran, { server, tool, instructions }).state === 'changed';
		return tools.filter(isChanged).map(it => it.name);
	}

	async accept(definition: ServerDefinition, tool: Tool, instructions: string | undefined): Promise<void> {
		const { id, name: server } = definition;
		const part = { server, tool, instructions };
		if (findLockProblem(part) === undefined) {
			const ran = addToLock(this.ranHere(definition), part);
			const state = this.stateOf(definition);
			const kept = state.get(key);
			await state.update(key, { ...(isObject(kept) && kept), [id]: ran[server] });
			this._onDidChange.fire();
		}
	}

	/**
	 * Writes tools with their current definitions to the server's lock file. Entries of other tools stay.
	 * @returns the file; `undefined` if the server can't have a lock file
	 * @throws Error in the person's language, LinkedFileError; vscode.FileSystemError if the file can't be written
	 */
	async updateLock(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
	): Promise<vscode.Uri | undefined> {
		const { t } = vscode.l10n;
		const { name: server } = definition;
		const uri = lockFileOf(definition);
		return this.writes.run(async () => {
			const before = await this.readLock(definition, true);
			if (before.kind === 'broken') {
				throw new Error(t("The lock file can't be read."));
			}
			const lock = tools.reduce((it, tool) => addToLock(it, { server, tool, instructions }), before.lock);
			const bytes = new TextEncoder().encode(formatLock(lock));
			if (bytes.length > textLimits.lockFile) {
				throw new Error(t('The lock file would be too large.'));
			}
			if (uri) {
				await assertUnlinked(uri);
				await vscode.workspace.fs.writeFile(uri, bytes);
				this.known.delete(uri.toString());
				this._onDidChange.fire();
			}
			return uri;
		});
	}

	/** @throws WindowClosingError */
	private async readLock(definition: ServerDefinition, isFresh: boolean): Promise<ParsedLock> {
		const uri = lockFileOf(definition);
		if (!uri) {
			return noLock;
		}
		const known = this.known.get(uri.toString());
		if (known && !isFresh) {
			return known.lock;
		}
		try {
			const text = await readGuardFile(uri);
			const lock = known?.text === text ? known.lock : parseLock(text);
			this.known.set(uri.toString(), { text, lock });
			return lock;
		} catch (error) {
			if (error instanceof WindowClosingError) {
				throw error;
			}
			return { kind: 'broken', error: toMessage(error) };
		}
	}

	/** The definitions of a server's tools that last ran here. A value that this version doesn't know counts as none. */
	private ranHere(definition: ServerDefinition): ToolLock {
		const { id, name } = definition;
		const kept = this.stateOf(definition).get(key);
		const ran = isObject(kept) && Object.hasOwn(kept, id) ? toServer(kept[id]) : undefined;
		return ran ? { [name]: ran } : {};
	}

	private stateOf({ source }: ServerDefinition): EditorState {
		return source.kind === 'userSettings' ? this.deps.userState : this.deps.state;
	}
}
