/**
 * Shows the author of a server one message about all changes of its tools, and accepts all of them. The author's own calls
 * don't need this; calls by models and other extensions ask until then.
 */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { compareLists, lockedParts, type LockedDefinition, type ToolChanges } from '../../core/approvals/toolLock.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { reportErrors } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { describeList, describeNumber } from '../../editor/l10n/messages.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { canonicalJson, type Tool } from '../../mcp/index.js';
import type { ApprovedTools } from './approvedTools.js';
import type { ChangedTools, ComparedTools } from './changedTools.js';
import { definitionsText } from './definitionText.js';

const { t } = vscode.l10n;

/** Names in the message for each kind of change. */
const maxNames = 5;

interface ToolUpdatesDeps {
	readonly registry: Pick<ServerRegistry, 'label'>;
	readonly documents: Pick<Documents, 'showDiff'>;
	readonly approved: Pick<ApprovedTools, 'accept' | 'compare' | 'listChanged'>;
	readonly changed: Pick<ChangedTools, 'onDidCompare'>;
}

interface KnownTools {
	/** The first list in this window, or the list that the person accepted last. */
	readonly accepted: readonly Tool[];
	/** The newest list, and its definitions as text. */
	readonly tools: readonly Tool[];
	readonly text: string;
}

export class ToolUpdates extends Owner {
	/** By the id of the server's definition. */
	private readonly known = new Map<string, KnownTools>();

	constructor(private readonly deps: ToolUpdatesDeps) {
		super();
		this.own(deps.changed.onDidCompare(it => it.isAuthored && this.didCompare(it)));
	}

	/** Accepts the tools of a running server as they are now. @throws Error in the person's language */
	async acceptAll(server: Server): Promise<void> {
		const { approved, registry } = this.deps;
		const { client, catalog, definition } = server;
		const label = registry.label(server);
		const list = await catalog?.currentTools();
		if (!client || list?.kind !== 'loaded') {
			throw new Error(t('Start {0} to accept its tools.', label));
		}
		const { items } = list;
		const { instructions } = client.session;
		const listChanged = (): Promise<string[]> => approved.listChanged(definition, items, instructions);
		const changed = await listChanged();
		for (const tool of items.filter(it => changed.includes(it.name))) {
			await approved.accept(definition, tool, instructions);
		}
		this.known.set(definition.id, { accepted: items, tools: items, text: '' });
		server.log.info(`All tools were accepted as they are. Changed: ${JSON.stringify(changed)}`);
		const left = await listChanged();
		if (left.length === 0) {
			void vscode.window.showInformationMessage(t('Accepted the current tools of {0}.', label));
			return;
		}
		const update = t('Update Lock File');
		const message = t('{0} tools of {1} still differ from mcp-lock.json.', describeNumber(left.length), label);
		if ((await vscode.window.showWarningMessage(message, update)) === update) {
			await vscode.commands.executeCommand(Commands.lockTools, new ServerNode(server));
		}
	}

	private didCompare({ server, tools, changed }: ComparedTools): void {
		const { id } = server.definition;
		const known = this.known.get(id);
		if (known?.tools === tools) {
			return;
		}
		const instructions = server.client?.session.instructions ?? null;
		const text = canonicalJson([instructions, tools.map(it => [it.name, lockedParts(it)])]);
		const accepted = known?.accepted ?? tools;
		this.known.set(id, { accepted, tools, text });
		const sentences = describe(compareLists(accepted, tools, [...changed]));
		if (text !== known?.text && sentences.length > 0) {
			const asks = t('Until you accept the changes, calls by models and extensions need your approval.');
			const message = [t('The tools of {0} have changed.', this.deps.registry.label(server)), ...sentences];
			void reportErrors(() => this.tell(server, [...message, ...(changed.size > 0 ? [asks] : [])].join(' ')));
		}
	}

	/** Shows the message again after the changes were shown. The editor replaces a message with the same text and buttons. */
	private async tell(server: Server, message: string): Promise<void> {
		const [show, accept] = [t('Show Changes'), t('Accept All')];
		const ask = (): Thenable<string | undefined> => vscode.window.showInformationMessage(message, show, accept);
		let chosen = await ask();
		while (chosen === show) {
			await this.show(server);
			chosen = await ask();
		}
		if (chosen === accept) {
			await this.acceptAll(server);
		}
	}

	/** Shows all changes since the accepted list in the diff view. */
	private async show(server: Server): Promise<void> {
		const { approved, documents, registry } = this.deps;
		const { client, definition } = server;
		const { accepted, tools } = this.known.get(definition.id) ?? { accepted: [], tools: [] };
		const instructions = client?.session.instructions;
		const toDefinition = (tool: Tool): [string, LockedDefinition] => [
			tool.name,
			{ tool: lockedParts(tool), instructions },
		];
		const [before, now] = [new Map(accepted.map(toDefinition)), new Map(tools.map(toDefinition))];
		const differing = await approved.listChanged(definition, tools, instructions);
		for (const tool of tools.filter(it => differing.includes(it.name))) {
			const { locked } = await approved.compare(definition, tool, instructions, false);
			before.set(tool.name, locked ?? toDefinition(tool)[1]);
		}
		const names = Object.values(compareLists(accepted, tools, differing)).flat();
		const title = titleText(t('{0} (before ↔ now)', t('Tools')), registry.label(server));
		await documents.showDiff(title, definitionsText(names, before), definitionsText(names, now), true);
	}
}

function sentence(names: readonly string[], word: (count: string, names: string) => string): string[] {
	const shown = names.slice(0, maxNames).map(it => toolName(it));
	const more = names.length > maxNames ? [t('{0} more', describeNumber(names.length - maxNames))] : [];
	return names.length === 0 ? [] : [word(describeNumber(names.length), describeList([...shown, ...more]))];
}

/** A sentence for each kind of change. */
function describe({ changed, added, removed }: ToolChanges): string[] {
	return [
		...sentence(changed, (...it) => t('{0} changed: {1}.', ...it)),
		...sentence(added, (...it) => t('{0} new: {1}.', ...it)),
		...sentence(removed, (...it) => t('{0} removed: {1}.', ...it)),
	];
}
