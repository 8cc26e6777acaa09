/** Makes the consent that servers need before they start: snapshots, the stored consents, and the sheet. */
import { Consents } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { WorkspaceConsents } from './consentStore.js';
import { confirmsServers } from '../../editor/workspace/config.js';
import { type SnapshotDeps, takeSnapshot } from '../../editor/workspace/launchSnapshots.js';
import { askByRequest } from './pendingConsents.js';
import { type ConsentSheetDeps, showConsentSheet } from './sheet.js';

export interface ConsentsDeps extends ConsentSheetDeps {
	readonly state: VersionedState;
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
