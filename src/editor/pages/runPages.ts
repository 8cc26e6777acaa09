/** Opens, finds and restores the pages of one kind: one tab for each tool, prompt or resource template of a server. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { CallOutcome } from '../../core/calls/calls.js';
import type { Server } from '../../core/servers/server.js';
import { canonicalJson, isObject, type JsonObject } from '../../mcp/index.js';
import type { LeafNode } from '../tree/treeNodes.js';
import { type PageTab, quietColumn } from './pagePanel.js';
import { type Described, type RunKind, RunPage, type RunPageDeps } from './runPage.js';

export class RunPages<T extends Described> extends Owner {
	/** By the id of the server's definition and the name of the entry. */
	private readonly pages = new Map<string, RunPage<T>>();

	constructor(
		private readonly deps: RunPageDeps,
		private readonly kind: RunKind<T>,
	) {
		super();
		this.own({ dispose: () => this.pages.forEach(it => it.dispose()) });
		this.own(deps.registry.onDidChange(() => this.refresh()));
		this.own(
			vscode.window.registerWebviewPanelSerializer(kind.viewType, {
				deserializeWebviewPanel: (panel, state: unknown) => this.restore(panel, state),
			}),
		);
	}

	/**
	 * Shows a page.
	 * @param runsAtOnce whether to run an entry without arguments; otherwise, the form gets the focus
	 */
	show(server: Server, entry: T, runsAtOnce: boolean, node?: LeafNode): void {
		const page = this.pageOf(server, entry, focusedPlace);
		page.node = node ?? page.node;
		page.reveal(runsAtOnce);
	}

	/** Shows a page with the arguments of an earlier call in its form. */
	showArguments(server: Server, entry: T, args: JsonObject): void {
		const page = this.pageOf(server, entry, focusedPlace);
		page.reveal(false);
		page.useArguments(args);
	}

	/**
	 * Shows the outcome of a call that wasn't made from the page, without covering a text that the person edits.
	 * @param id of the call, as in the origin of its messages
	 */
	showOutcome(entry: T, call: CallOutcome, id = call.id): void {
		const place = { viewColumn: quietColumn(), preserveFocus: true };
		this.pageOf(call.server, entry, place).showOutcome(call, id);
	}

	/** Updates all pages after a change elsewhere, such as in the settings. */
	refresh(): void {
		this.pages.forEach(it => it.refresh());
	}

	/** @param place where to open the page if it isn't open yet */
	private pageOf(server: Server, entry: T, place: PageTab['place']): RunPage<T> {
		const key = this.keyOf(server, entry);
		return this.pages.get(key) ?? this.add(key, new RunPage(this.deps, this.kind, server, entry, place));
	}

	private keyOf({ definition }: Server, entry: T): string {
		return canonicalJson([definition.id, this.kind.getName(entry)]);
	}

	private add(key: string, page: RunPage<T>): RunPage<T> {
		this.pages.set(key, page);
		page.onDidClose(() => this.pages.delete(key));
		return page;
	}

	/** Restores a tab of an earlier session, or closes it if its server is no longer configured. */
	private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
		const { registry } = this.deps;
		await registry.configured;
		const { server: id, name } = isObject(state) ? state : {};
		const server = typeof id === 'string' ? registry.serverOf({ id }) : undefined;
		if (!server || typeof name !== 'string') {
			panel.dispose();
			return;
		}
		const entry = this.kind.find(server, name) ?? this.kind.createUnlisted(name);
		const key = this.keyOf(server, entry);
		if (this.pages.has(key)) {
			panel.dispose();
			return;
		}
		this.add(key, new RunPage(this.deps, this.kind, server, entry, panel));
	}
}

const focusedPlace = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
