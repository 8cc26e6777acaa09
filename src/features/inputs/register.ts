/** The feature "inputs": shows, changes and clears the stored values of a server's inputs. */
import * as vscode from 'vscode';
import { type Disposable } from '../../base/lifecycle.js';
import type { Inputs } from '../../editor/workspace/inputs.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { notificationText, quickPickText, quickPickValue, titleText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { offerRestart, type ServerActions } from '../../editor/ui/serverActions.js';
import { inputsOf } from '../../core/config/inputs.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';

interface Deps {
	readonly registry: ServerRegistry;
	readonly inputs: Inputs;
	readonly inputStore: InputStore;
	readonly serverActions: ServerActions;
}

export function registerInputs(deps: Deps): Disposable {
	return deps.serverActions.register({
		icon: 'symbol-variable',
		label: () => vscode.l10n.t('Input Values…'),
		suits: ({ definition }) => inputsOf(definition.launch).size > 0,
		run: server => manageInputs(server, deps),
	});
}

/** Lists the stored values of a server to change one, or to clear all. */
async function manageInputs(server: Server, { registry, inputStore, inputs }: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	const ids = [...inputsOf(definition.launch).keys()];
	const stored = inputStore.list().filter(it => it.source === definition.source.uri && ids.includes(it.id));
	const change = async (id: string): Promise<void> => {
		if (await inputs.change(definition, id)) {
			const users = registry.servers.filter(it => usesInput(it, definition.source.uri, id) && canStop(it.state));
			const names = notificationText(users.map(it => it.name).join(', '));
			await offerRestart(users, t('Restart {0} to use the new value.', names));
		}
	};
	const clear = async (): Promise<void> => {
		// Also drops the results of commands, which aren't stored.
		for (const id of ids) {
			await inputs.forget(definition.source.uri, id);
		}
		const [cleared, name] = [notificationText(ids.join(', ')), notificationText(server.name)];
		void vscode.window.showInformationMessage(
			t("Cleared input values: {0}. You'll be asked again when {1} starts.", cleared, name),
		);
	};
	const lines = [
		...stored.map(({ id, value }) => ({
			label: quickPickText(id),
			description: value === undefined ? t('Kept in secret storage') : quickPickValue(value).text,
			run: () => change(id),
		})),
		{ label: t('Clear All'), description: '', run: clear },
	];
	const title = titleText(t('Input Values'), registry.label(server));
	await (await chooseLine(lines, t('Select a value to change'), title))?.run();
}

function usesInput({ definition }: Server, source: string, id: string): boolean {
	return definition.source.uri === source && inputsOf(definition.launch).has(id);
}
