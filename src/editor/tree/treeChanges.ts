/**
 * Fires changes of rows to the editor, and fires those again that the editor may have lost.
 *
 * If a row changes while its children are on their way to the window, the editor drops the children in the extension host
 * but doesn't request new ones: an expanded row stays empty, or commands on the old rows come without their row. So the
 * change is fired again once the children have arrived.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';

/** Milliseconds, more than the 200 for which the editor gathers changes. */
const gatherMs = 300;

/** `undefined` is the root: all rows. */
type Parent<Row> = Row | undefined;

export class TreeChanges<Row extends object | symbol> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Row[] | undefined>());
	readonly onDidChange: Event<Row[] | undefined> = this._onDidChange.event;

	/** Parents whose children are on their way; a parent can be in it several times. */
	private readonly underWay: Parent<Row>[] = [];
	/** Parents of which the editor may have lost a change. */
	private readonly lost = new Set<Parent<Row>>();
	/** Whether the window has received the first rows. All later requests for the root follow a change. */
	private hasRows = false;
	private changedAllAt = -Infinity;
	private arrival: Promise<unknown> | undefined;

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
		this.underWay.push(parent);
		void this.follow(parent, children);
		return children;
	}

	/** Call this with each `getTreeItem`: the editor has just forgotten the children of a row that has changed. */
	didRead(row: Parent<Row>): void {
		if (this.underWay.includes(row)) {
			this.lost.add(row);
		}
	}

	private async follow(parent: Parent<Row>, children: readonly Row[] | Promise<readonly Row[]>): Promise<void> {
		await Promise.resolve(children).catch(() => undefined);
		await (this.arrival ??= this.nextArrival());
		this.underWay.splice(this.underWay.indexOf(parent), 1);
		this.hasRows ||= parent === undefined;
		if (!this.underWay.includes(parent) && this.lost.delete(parent)) {
			this._onDidChange.fire(parent === undefined ? undefined : [parent]);
		}
	}

	/** Resolves when the window has received all messages that the extension host has sent by then. */
	private async nextArrival(): Promise<void> {
		await new Promise(resolve => setImmediate(resolve));
		this.arrival = undefined;
		// A command of the editor that does nothing.
		await vscode.commands.executeCommand('noop').then(undefined, () => undefined);
	}
}
