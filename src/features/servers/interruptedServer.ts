/** The message about a running server that was stopped because its definition changed. */
import * as vscode from 'vscode';
import type { Server } from '../../core/servers/server.js';
import type { Interruption, ServerRegistry } from '../../core/servers/serverRegistry.js';
import { didUseButton } from '../../editor/commands.js';
import type { Documents } from '../../editor/documents/documents.js';
import { exactJson } from '../../editor/ui/exactText.js';

interface InterruptionDeps {
	readonly registry: Pick<ServerRegistry, 'current' | 'label'>;
	readonly documents: Pick<Documents, 'showDiff'>;
}

/**
 * Offers to start a server that was stopped because its definition has changed: the new one may run another program. Once the
 * person has seen the change, the message comes back with the other button.
 */
export async function tellInterrupted(
	{ registry, documents }: InterruptionDeps,
	{ server, before }: Interruption,
	start: (server: Server) => Promise<void>,
): Promise<void> {
	const { t } = vscode.l10n;
	const [startAgain, review] = [t('Start'), t('Review Change')];
	const serverLabel = registry.label(server);
	const message = t('{0} was stopped because its configuration has changed.', serverLabel);
	let chosen = await vscode.window.showInformationMessage(message, startAgain, review);
	if (chosen === review) {
		const [old, now] = [before, server.definition].map(it => exactJson(it.launch));
		await documents.showDiff(t('{0} (before ↔ now)', serverLabel), old ?? '', now ?? '', true);
		chosen = await vscode.window.showInformationMessage(message, startAgain);
	}
	if (chosen === startAgain) {
		didUseButton();
		const current = registry.current(server);
		await (current && start(current));
	}
}
