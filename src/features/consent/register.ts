/** Adds servers that need consent to the pending requests, and lists their consents for Manage Approvals. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Consents } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Permissions } from '../../editor/permissions.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { HeldBackServers } from './pendingConsents.js';

export interface ConsentFeatureDeps {
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
