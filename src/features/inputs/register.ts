/** The feature "inputs": shows, changes and clears the stored values of a server's inputs. */
import * as vscode from 'vscode';
import { type Disposable } from '../../base/lifecycle.js';
import { Commands } from '../../editor/contributions.js';
import type { Inputs } from '../../editor/workspace/inputs.js';
import type { InputStore, StoredInput } from '../../editor/storage/inputStore.js';
import { notificationText, quickPickText, quickPickValue, titleText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { ServerActions } from '../../editor/ui/serverActions.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
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
		icon: 'key',
		label: () => vscode.l10n.t('Input Values…'),
		suits: ({ definition }) => inputsOf(definition.launch).size > 0,
		run: server => manageInputs(server, deps),
	});
}

/** Lists the stored values of a server, and what can be done with each. */
async function manageInputs(server: Server, deps: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const { registry, inputStore, inputs } = deps;
	const { definition } = server;
	const ids = [...inputsOf(definition.launch).keys()];
	const stored = inputStore.list().filter(it => it.source === definition.source.uri && ids.includes(it.id));
	const clear = async (cleared: readonly string[]): Promise<void> => {
		for (const id of cleared) {
			await inputs.forget(definition.source.uri, id);
		}
		tellCleared(cleared, server);
	};
	const lines = [
		...stored.map(it => ({
			label: quickPickText(it.id),
			description: it.value === undefined ? t('Kept in secret storage') : quickPickValue(it.value).text,
			run: () => manageInput(it, server, deps, clear),
		})),
		// Also drops the results of commands, which aren't stored.
		{ label: t('Clear All'), description: '', run: () => clear(ids) },
	];
	const title = titleText(t('Input Values'), registry.label(server));
	await (await chooseLine(lines, t('Select a value to change or clear'), title))?.run();
}

async function manageInput(
	stored: StoredInput,
	{ definition }: Server,
	{ inputs, registry }: Deps,
	clear: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
	const { t } = vscode.l10n;
	const { id, value } = stored;
	const change = async (): Promise<void> => {
		if (await inputs.change(definition, id)) {
			await offerRestart(usersOf(stored, registry));
		}
	};
	const actions = [
		{ label: t('Change…'), run: change },
		...(value === undefined ? [] : [{ label: t('Show Value'), run: () => show(id, value) }]),
		{ label: t('Clear'), run: () => clear([id]) },
	];
	const placeHolder = t('Select an action for the value of "{0}"', quickPickText(id));
	await (await chooseLine(actions, placeHolder))?.run();
}

async function show(id: string, value: string): Promise<void> {
	const { t } = vscode.l10n;
	const copy = t('Copy');
	const message = t('The value of {0} is: {1}', notificationText(id), notificationText(value));
	if ((await vscode.window.showInformationMessage(message, copy)) === copy) {
		await vscode.env.clipboard.writeText(value);
	}
}

function tellCleared(ids: readonly string[], { name }: Server): void {
	const cleared = notificationText(ids.join(', '));
	void vscode.window.showInformationMessage(
		vscode.l10n.t("Cleared input values: {0}. You'll be asked again when {1} starts.", cleared, notificationText(name)),
	);
}

/** Offers to restart the running servers, which have the old value. */
async function offerRestart(users: readonly Server[]): Promise<void> {
	const { t } = vscode.l10n;
	const running = users.filter(it => canStop(it.state));
	if (running.length === 0) {
		return;
	}
	const restart = t('Restart');
	const names = notificationText(running.map(it => it.name).join(', '));
	const message = t('Restart {0} to use the new value.', names);
	if ((await vscode.window.showInformationMessage(message, restart)) === restart) {
		const servers = running.filter(it => canStop(it.state));
		await Promise.all(servers.map(it => vscode.commands.executeCommand(Commands.restartServer, new ServerNode(it))));
	}
}

/** The servers that use an input. */
function usersOf({ source, id }: StoredInput, registry: ServerRegistry): Server[] {
	return registry.servers.filter(
		({ definition }) => definition.source.uri === source && inputsOf(definition.launch).has(id),
	);
}
