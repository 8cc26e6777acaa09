/**
 * Connects the parts of consent before a start: snapshots, the sheet, and the stored consents, which are hashes of the facts
 * that the person has seen. Consents to the person's own servers are kept for all workspaces.
 */
import * as vscode from 'vscode';
import { Consents, type ConsentStore } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { type EditorState, StateList } from '../../editor/storage/editorState.js';
import { confirmsServers } from '../../editor/workspace/config.js';
import { type SnapshotDeps, takeSnapshot } from '../../editor/workspace/launchSnapshots.js';
import { askByRequest } from './pendingConsents.js';
import { type ConsentSheetDeps, showConsentSheet } from './sheet.js';
import { canonicalJson } from '../../mcp/index.js';
import type { ConsentFacts } from '../../core/launch/consentFacts.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { DemoEntry } from '../../editor/platform.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Permissions } from '../../editor/permissions.js';

interface ConsentsDeps extends ConsentSheetDeps {
	readonly state: EditorState;
	readonly userState: EditorState;
	/** The id of this machine, because each machine has its own settings. */
	readonly machineId: string;
	/** The demo server, which needs no consent because it is a part of this extension. */
	readonly demo: DemoEntry | undefined;
	readonly pending: PendingRequests;
	readonly launching: SnapshotDeps;
}

export function createConsents(deps: ConsentsDeps): Consents {
	const { state, userState, machineId, demo, pending, launching } = deps;
	return new Consents({
		store: new KeptConsents(state, userState, machineId),
		isAsked: it => confirmsServers() && !isDemo(it, demo),
		takeSnapshot: definition => takeSnapshot(definition, launching),
		ask: (question, signal, isByPerson) =>
			askByRequest(pending, question, signal, isByPerson, (...shown) => showConsentSheet(...shown, deps)),
	});
}

const key = 'consents';

type Entry = readonly [id: string, facts: ConsentFacts];

/** Whether a definition is exactly the one that this extension adds, from the same place. */
function isDemo({ launch, source, watch }: ServerDefinition, demo: DemoEntry | undefined): boolean {
	const isSame = canonicalJson(launch) === canonicalJson({ kind: 'stdio', ...demo });
	return source.kind === 'userSettings' && !watch && isSame;
}

/** Stores consents, oldest first, in the state of this workspace or of all windows. */
export class KeptConsents implements ConsentStore {
	private readonly own: StateList<Entry>;
	private readonly shared: StateList<Entry>;
	private readonly prefix: string;

	constructor(state: EditorState, userState: EditorState, machineId: string) {
		this.own = new StateList(state, key);
		this.shared = new StateList(userState, key);
		this.prefix = `${machineId}#`;
	}

	get(id: string, isShared: boolean): ConsentFacts | undefined {
		const own = isShared ? undefined : this.own.entries.find(it => it[0] === id);
		return (own ?? this.shared.entries.find(it => it[0] === this.prefix + id))?.[1];
	}

	async set(id: string, facts: ConsentFacts, isShared: boolean): Promise<void> {
		const [list, wanted] = isShared ? [this.shared, this.prefix + id] : [this.own, id];
		await list.keep([...entriesWithout(list, wanted), [wanted, facts]]);
	}

	list(): readonly string[] {
		const shared = this.shared.entries.flatMap(([id]) =>
			id.startsWith(this.prefix) ? [id.slice(this.prefix.length)] : [],
		);
		return [...new Set([...shared, ...this.own.entries.map(([id]) => id)])];
	}

	async delete(id: string): Promise<void> {
		await this.own.keep(entriesWithout(this.own, id));
		await this.shared.keep(entriesWithout(this.shared, this.prefix + id));
	}
}

function entriesWithout({ entries }: StateList<Entry>, id: string): readonly Entry[] {
	return entries.filter(it => it[0] !== id);
}

interface ConsentFeatureDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly permissions: Permissions;
}

export function registerConsent({ registry, consents, permissions }: ConsentFeatureDeps): Disposable {
	return permissions.register({
		title: vscode.l10n.t('Server consents'),
		list: () =>
			consents
				.list()
				.toReversed()
				.map(id => ({ label: registry.labelOf({ id }), revoke: () => consents.forget(id) })),
	});
}
