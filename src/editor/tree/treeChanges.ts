/**
 * Tells the editor which rows of a tree have changed, and tells it again where the editor may have lost a change.
 *
 * When the person opens a row and the row changes before its children have reached the window, the editor forgets the
 * children in the extension host, but doesn't ask for the new ones: it keeps the old rows, and commands on them come
 * without their row until the next change. So a row that the editor reads as changed in that time is told once more as
 * soon as the children have arrived.
 */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';

/** The editor gathers changes for 200 ms. */
const gatherMs = 300;
/** Milliseconds after which a command that the editor doesn't answer no longer holds up later checks. */
const answerMs = 10_000;

/** `undefined` is the root: all rows. */
type Parent<Row> = Row | undefined;

export class TreeChanges<Row extends object | symbol> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Row[] | undefined>());
	readonly onDidChange: Event<Row[] | undefined> = this._onDidChange.event;

	/** Parents whose children are still being found, and how often. */
	private readonly asked: Parent<Row>[] = [];
	/** Parents whose children have been returned to the extension host. */
	private returned = new Set<Parent<Row>>();
	/** The same, while a message to the window and back shows that the children have arrived. */
	private sent: ReadonlySet<Parent<Row>> = new Set();
	/** Parents of which the editor may have lost a change. */
	private readonly lost = new Set<Parent<Row>>();
	private isChecking = false;
	/** Whether the window has received the first rows. All later rows of the root come because of a change. */
	private hasRows = false;
	private changedAllAt = -Infinity;

	/** @param rows `undefined` for all */
	fire(rows: readonly Row[] | undefined): void {
		if (rows === undefined && !this.hasRows) {
			this.changedAllAt = performance.now();
			this.didRead(undefined);
		}
		this._onDidChange.fire(rows && [...rows]);
	}

	/** Call this with what `getChildren` returns. */
	send<Children extends readonly Row[] | Promise<readonly Row[]>>(parent: Parent<Row>, children: Children): Children {
		if (parent === undefined && !this.hasRows && performance.now() - this.changedAllAt < gatherMs) {
			this.lost.add(undefined);
		}
		if (!(children instanceof Promise)) {
			this.didReturn(parent);
			return children;
		}
		this.asked.push(parent);
		const didFind = (): void => {
			this.asked.splice(this.asked.indexOf(parent), 1);
			this.didReturn(parent);
		};
		children.then(didFind, didFind);
		return children;
	}

	/** Call this with each `getTreeItem`: the editor has just forgotten the children of a row that has changed. */
	didRead(row: Parent<Row>): void {
		if (this.asked.includes(row) || this.returned.has(row) || this.sent.has(row)) {
			this.lost.add(row);
		}
	}

	private didReturn(parent: Parent<Row>): void {
		this.returned.add(parent);
		if (!this.isChecking) {
			this.isChecking = true;
			void this.check();
		}
	}

	private async check(): Promise<void> {
		while (this.returned.size > 0 && !this.owned.isDisposed) {
			this.sent = this.returned;
			this.returned = new Set();
			await arrival();
			this.hasRows ||= this.sent.has(undefined);
			this.sent = new Set();
			const rows = [...this.lost].filter(it => !this.asked.includes(it) && !this.returned.has(it));
			rows.forEach(it => this.lost.delete(it));
			if (rows.includes(undefined)) {
				this._onDidChange.fire(undefined);
			} else if (rows.length > 0) {
				this._onDidChange.fire(rows.filter(it => it !== undefined));
			}
		}
		// At once: what is returned in the next microtask begins the next check.
		this.isChecking = false;
	}
}

/** Resolves when the window has received what the extension host has sent until now, and answered a command in time. */
async function arrival(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<void>(resolve => {
		timer = setTimeout(resolve, answerMs);
	});
	// A command of the editor that does nothing.
	const answer = vscode.commands.executeCommand<void>('noop').then(undefined, () => undefined);
	await Promise.race([answer, late]);
	clearTimeout(timer);
}
