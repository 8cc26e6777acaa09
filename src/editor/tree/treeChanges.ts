/**
 * Fires changes of rows to the editor, and fires those again that the editor may have lost.
 *
 * If a row changes while its children are on their way to the window, the editor drops the children in the extension host
 * but doesn't request new ones: an expanded row stays empty, or commands on the old rows come without their row. So the
 * change is fired again once the children have arrived.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';

/** Milliseconds, more than the 200 for which the editor gathers changes. */
const gatherMs = 300;
/** Milliseconds after which an unanswered command no longer delays later checks. */
const answerMs = 10_000;

/** `undefined` is the root: all rows. */
type Parent<Row> = Row | undefined;

export class TreeChanges<Row extends object | symbol> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Row[] | undefined>());
	readonly onDidChange: Event<Row[] | undefined> = this._onDidChange.event;

	/** Parents whose children are being created; a parent can be in it several times. */
	private readonly asked: Parent<Row>[] = [];
	/** Parents whose children have been returned to the extension host. */
	private returned = new Set<Parent<Row>>();
	/** Parents whose children have been returned, during the message to the window that shows their arrival. */
	private sent: ReadonlySet<Parent<Row>> = new Set();
	/** Parents of which the editor may have lost a change. */
	private readonly lost = new Set<Parent<Row>>();
	private isChecking = false;
	/** Whether the window has received the first rows. All later requests for the root follow a change. */
	private hasRows = false;
	private changedAllAt = -Infinity;

	/** @param rows `undefined` for all */
	fire(rows: readonly Row[] | undefined): void {
		if (rows === undefined && !this.hasRows) {
			this.changedAllAt = clock.elapsed();
			this.didRead(undefined);
		}
		this._onDidChange.fire(rows && [...rows]);
	}

	/** Call this with the result of `getChildren`. */
	send<Children extends readonly Row[] | Promise<readonly Row[]>>(parent: Parent<Row>, children: Children): Children {
		if (parent === undefined && !this.hasRows && clock.elapsed() - this.changedAllAt < gatherMs) {
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
		// Synchronously after the loop: children that are returned in the next microtask start a new check.
		this.isChecking = false;
	}
}

/** Resolves when the window has received all earlier messages of the extension host, or after `answerMs`. */
async function arrival(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
	let timer: Timer | undefined;
	const late = new Promise<void>(resolve => {
		timer = clock.setTimeout(resolve, answerMs);
	});
	// A command of the editor that does nothing.
	const answer = vscode.commands.executeCommand<void>('noop').then(undefined, () => undefined);
	await Promise.race([answer, late]);
	clock.clearTimeout(timer);
}
