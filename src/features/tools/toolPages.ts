/** Opens, finds and restores the pages of tools: one tab for each tool of a server. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { CallOutcome } from '../../core/calls/calls.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { toolViewType } from '../../editor/contributions.js';
import { type PageTab, quietColumn } from '../../editor/pages/pagePanel.js';
import type { LeafNode } from '../../editor/tree/treeNodes.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import { toolKey } from './lastArguments.js';
import { ToolPage, type ToolPageDeps, unknownSchema } from './toolPage.js';

export class ToolPages extends Owner {
	/** By the id of the server and the name of the tool. */
	private readonly pages = new Map<string, ToolPage>();

	constructor(private readonly deps: ToolPageDeps) {
		super();
		this.own({ dispose: () => this.pages.forEach(it => it.dispose()) });
		const refresh = (): void => this.pages.forEach(it => it.refresh());
		this.own(deps.registry.onDidChange(refresh));
		this.own(deps.toolTokens.onDidCount(refresh));
		this.own(
			vscode.window.registerWebviewPanelSerializer(toolViewType, {
				deserializeWebviewPanel: (panel, state: unknown) => this.restore(panel, state),
			}),
		);
	}

	/**
	 * Shows the page of a tool.
	 * @param isToRun whether the person wants to run the tool: the form gets the focus, or a tool without arguments runs
	 */
	show(server: Server, tool: Tool, isToRun: boolean, node?: LeafNode): void {
		const page = this.pageOf(server, tool, focusedPlace);
		page.node = node ?? page.node;
		page.reveal(isToRun);
	}

	/** Shows the page of a tool with the arguments of an earlier call in its form. */
	showArguments(server: Server, tool: Tool, args: JsonObject): void {
		const page = this.pageOf(server, tool, focusedPlace);
		page.reveal(false);
		page.useArguments(args);
	}

	/** Shows the outcome of a call that wasn't made from the page, without covering a text that the person edits. */
	showOutcome(call: CallOutcome): void {
		const place = { viewColumn: quietColumn(), preserveFocus: true };
		this.pageOf(call.server, call.tool, place).showOutcome(call);
	}

	/** Shows again that something about tools has changed: which are locked, disabled or hidden. */
	refresh(): void {
		this.pages.forEach(it => it.refresh());
	}

	/** @param place where the page opens if there is none yet */
	private pageOf(server: Server, tool: Tool, place: PageTab['place']): ToolPage {
		const key = toolKey(server, tool);
		return this.pages.get(key) ?? this.add(key, new ToolPage(this.deps, server, tool, place));
	}

	private add(key: string, page: ToolPage): ToolPage {
		this.pages.set(key, page);
		page.onDidClose(() => this.pages.delete(key));
		return page;
	}

	/** Fills a tab of an earlier session. It is closed if its server is no longer configured. */
	private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
		const { registry } = this.deps;
		await registry.configured;
		const { server: id, tool: name } = isObject(state) ? state : {};
		const server = typeof id === 'string' ? registry.serverOf({ id }) : undefined;
		if (!server || typeof name !== 'string') {
			panel.dispose();
			return;
		}
		const tool = toolNamed(server, name) ?? { name, inputSchema: unknownSchema };
		const key = toolKey(server, tool);
		if (this.pages.has(key)) {
			panel.dispose();
			return;
		}
		this.add(key, new ToolPage(this.deps, server, tool, panel));
	}
}

const focusedPlace = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
