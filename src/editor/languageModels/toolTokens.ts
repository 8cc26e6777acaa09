/**
 * Counts the tokens of tools by a model that the person has already allowed for this extension. Without such a model, they
 * are estimated, because the editor asks the person before an extension uses another model.
 */
import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { definitionText, estimateTokens, type TokenCount } from '../../core/calls/modelTools.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Tool } from '../../mcp/index.js';

/** The newest list of a server, and its counts. */
interface CountedList {
	readonly tools: readonly Tool[];
	/** Tokens by text of the definition, because a list that is loaded again has new objects. */
	readonly tokens: ReadonlyMap<string, number>;
}

export class ToolTokens extends Owner {
	private readonly _onDidCount = this.own(new Emitter<void>());
	/** Fires when a model has counted tools that were estimated before. */
	readonly onDidCount: Event<void> = this._onDidCount.event;

	private readonly counts = new WeakMap<Tool, TokenCount>();
	private readonly lists = new WeakMap<Server, CountedList>();
	private readonly counting = new Sequencer();

	/** @param access `undefined` in editors without models */
	constructor(
		registry: ServerRegistry,
		private readonly access: vscode.LanguageModelAccessInformation | undefined,
	) {
		super();
		if (access) {
			this.own(registry.onDidChange(server => void (server && this.count(server))));
			this.own(access.onDidChange(() => registry.servers.forEach(it => void this.count(it, true))));
		}
	}

	of(tool: Tool): TokenCount {
		const count = this.counts.get(tool) ?? { tokens: estimateTokens(definitionText(tool)), isEstimate: true };
		this.counts.set(tool, count);
		return count;
	}

	sum(tools: readonly Tool[]): TokenCount {
		const counts = tools.map(it => this.of(it));
		return { tokens: counts.reduce((sum, it) => sum + it.tokens, 0), isEstimate: counts.some(it => it.isEstimate) };
	}

	/** @param isForced whether to count an unchanged list again, because another model may be allowed now */
	private async count(server: Server, isForced = false): Promise<void> {
		const tools = itemsOf(server.catalog?.tools);
		const list = this.lists.get(server);
		if (tools.length > 0 && (tools !== list?.tools || isForced)) {
			this.lists.set(server, { tools, tokens: list?.tokens ?? new Map() });
			await this.counting.run(() => this.countBy(server, tools));
		}
	}

	private async countBy(server: Server, tools: readonly Tool[]): Promise<void> {
		try {
			const model = (await vscode.lm.selectChatModels()).find(it => this.access?.canSendRequest(it) === true);
			if (!model) {
				return;
			}
			const tokens = new Map<string, number>();
			for (const tool of tools) {
				const text = definitionText(tool);
				const count = this.lists.get(server)?.tokens.get(text) ?? (await model.countTokens(text));
				tokens.set(text, count);
				this.counts.set(tool, { tokens: count, isEstimate: false });
			}
			this.lists.set(server, { tools, tokens });
			this._onDidCount.fire();
		} catch {
			// The model is gone, or the editor has no models. The estimates stay.
		}
	}
}
