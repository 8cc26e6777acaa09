/**
 * One code lens above each server in a configuration file: start the server, diagnose its failure, or run a tool; and one
 * above `.vscode/mcp.json` to move its servers. The titles name the Workbench, because the editor shows lenses for its own
 * copy of the server beside them.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/lifecycle.js';
import { Commands } from '../../editor/contributions.js';
import type { Server } from '../../core/servers/server.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isStartOffered } from '../../core/servers/serverState.js';
import { configFiles } from './configFixes.js';
import type { WorkspaceConfig } from './workspaceConfig.js';

export function registerConfigLenses(registry: ServerRegistry, config: WorkspaceConfig): Disposable {
	const owned = new DisposableStore();
	const changed = owned.add(new Emitter<void>());
	let shown = '';
	owned.add(
		registry.onDidChange(() => {
			// A change of the lists of a server doesn't change its lens.
			const now = registry.servers.map(({ definition, state }) => `${state.kind} ${definition.id}`).join('\n');
			if (now !== shown) {
				shown = now;
				changed.fire();
			}
		}),
	);
	owned.add(
		vscode.languages.registerCodeLensProvider([...configFiles], {
			onDidChangeCodeLenses: changed.event as vscode.Event<void>,
			provideCodeLenses(document) {
				const source = config.sourceOf(document.uri);
				// The document is parsed, because its unsaved changes move the definitions.
				const servers = source ? parseServerConfig(document.getText(), source).servers : [];
				const lenses = servers.flatMap(({ id, offset }) => {
					const server = registry.serverOf({ id });
					const command = server && commandFor(server);
					const position = document.positionAt(offset);
					return command ? [new vscode.CodeLens(new vscode.Range(position, position), command)] : [];
				});
				const move = { title: `$(move) ${vscode.l10n.t('Move to .mcp.json…')}`, command: Commands.moveServers };
				const isMovable = source?.kind === 'vscodeFolder' && servers.length > 0;
				const above = { ...move, arguments: [{ uri: document.uri.toString() }] };
				return isMovable ? [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), above), ...lenses] : lenses;
			},
		}),
	);
	return owned;
}

function commandFor(server: Server): vscode.Command | undefined {
	const { t } = vscode.l10n;
	const { state, definition } = server;
	// Other extensions can read the arguments of lenses, so these are only data.
	const argument = { server: definition.id };
	if (state.kind === 'failed') {
		return {
			title: `$(question) ${t('Diagnose in Workbench')}`,
			command: Commands.explainServer,
			arguments: [argument],
		};
	}
	if (state.kind === 'running') {
		return { title: `$(play) ${t('Run Tool in Workbench…')}`, command: Commands.runTool, arguments: [argument] };
	}
	return isStartOffered(state)
		? { title: `$(debug-start) ${t('Start in Workbench')}`, command: Commands.startServer, arguments: [argument] }
		: undefined;
}
