/** Consent before a server of a workspace starts: what is shown is looked up here, and asked with our sheet. */
import { Consents } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { WorkspaceConsents } from '../../editor/storage/consentStore.js';
import { confirmsServers } from '../../editor/workspace/config.js';
import { type SnapshotDeps, takeSnapshot } from '../../editor/workspace/launchSnapshots.js';
import { askByRequest } from './pendingConsents.js';
import { type SheetDeps, showConsentSheet } from './sheet.js';

export interface ConsentsDeps extends SheetDeps {
	readonly state: KeptState;
	readonly pending: PendingRequests;
	readonly launching: SnapshotDeps;
}

export function createConsents(deps: ConsentsDeps): Consents {
	const { state, pending, launching } = deps;
	return new Consents({
		store: new WorkspaceConsents(state),
		isAsked: confirmsServers,
		look: definition => takeSnapshot(definition, launching),
		ask: (question, signal, isByPerson) =>
			askByRequest(pending, question, signal, isByPerson, (...shown) => showConsentSheet(...shown, deps)),
	});
}
