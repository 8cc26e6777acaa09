/**
 * Makes the consent that servers need before they start: snapshots, the sheet, and the stored consents. The state of the
 * workspace keeps them as hashes of the facts that the person has seen.
 */
import * as vscode from 'vscode';
import { Consents, type ConsentStore } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { StateList, EditorState } from '../../editor/storage/editorState.js';
import { confirmsServers } from '../../editor/workspace/config.js';
import { type SnapshotDeps, takeSnapshot } from '../../editor/workspace/launchSnapshots.js';
import { askByRequest, HeldBackServers } from './pendingConsents.js';
import { type ConsentSheetDeps, showConsentSheet } from './sheet.js';
import { isObject } from '../../mcp/index.js';
import type { ConsentFacts } from '../../core/launch/consentFacts.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Permissions } from '../../editor/permissions.js';
import { quickPickText } from '../../editor/ui/plainText.js';

interface ConsentsDeps extends ConsentSheetDeps {
	readonly state: EditorState;
	readonly pending: PendingRequests;
	readonly launching: SnapshotDeps;
}

export function createConsents(deps: ConsentsDeps): Consents {
	const { state, pending, launching } = deps;
	return new Consents({
		store: new WorkspaceConsents(state),
		isAsked: confirmsServers,
		takeSnapshot: definition => takeSnapshot(definition, launching),
		ask: (question, signal, isByPerson) =>
			askByRequest(pending, question, signal, isByPerson, (...shown) => showConsentSheet(...shown, deps)),
	});
}

const key = 'consents';

/** Number of servers. Beyond it, the oldest consent is dropped, and its server needs consent again. */
const maxEntries = 500;

type Entry = readonly [id: string, facts: ConsentFacts];

/** Entries are in the order of their consent. */
export class WorkspaceConsents implements ConsentStore {
	private readonly kept: StateList<Entry>;

	constructor(state: EditorState) {
		this.kept = state.list(key, isEntry);
	}

	get(id: string): ConsentFacts | undefined {
		return this.kept.entries.find(it => it[0] === id)?.[1];
	}

	set(id: string, facts: ConsentFacts): PromiseLike<void> {
		const others = this.kept.entries.filter(it => it[0] !== id);
		return this.kept.keep([...others, [id, facts] as const].slice(-maxEntries));
	}

	list(): readonly string[] {
		return this.kept.entries.map(([id]) => id);
	}

	delete(id: string): PromiseLike<void> {
		return this.kept.keep(this.kept.entries.filter(it => it[0] !== id));
	}
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && isObject(entry[1]);
}

interface ConsentFeatureDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly pending: PendingRequests;
	readonly permissions: Permissions;
}

export function registerConsent({ registry, consents, pending, permissions }: ConsentFeatureDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(new HeldBackServers(registry, consents, pending));
	owned.add(
		permissions.register({
			title: vscode.l10n.t('Server consents'),
			list: () =>
				consents
					.list()
					.toReversed()
					.map(id => ({ label: quickPickText(registry.labelOf({ id }), 60), revoke: () => consents.forget(id) })),
		}),
	);
	return owned;
}
