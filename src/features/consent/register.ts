/** Adds servers that need consent to the pending requests, and registers the command that forgets all consent. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Consents } from '../../core/launch/consents.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { HeldBackServers } from './pendingConsents.js';

export interface ConsentFeatureDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly pending: PendingRequests;
}

export function registerConsent({ registry, consents, pending }: ConsentFeatureDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(new HeldBackServers(registry, consents, pending));
	owned.add(registerCommand(Commands.forgetConsents, () => forget(consents)));
	return owned;
}

async function forget(consents: Consents): Promise<void> {
	const { t } = vscode.l10n;
	const count = await consents.forget();
	void vscode.window.showInformationMessage(
		count === 0
			? t("You haven't given consent to any server in this workspace.")
			: t("Server consents reset. You'll review each server in this workspace again before it starts."),
	);
}
