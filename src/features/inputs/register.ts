/** The feature "inputs": commands that show, change and forget the stored values of inputs. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { confirmedByPerson } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Inputs } from '../../editor/workspace/inputs.js';
import type { InputStore, StoredInput } from '../../editor/storage/inputStore.js';
import { notificationText, quickPickText, quickPickValue } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { isObject } from '../../mcp/index.js';
import { inputsOf } from '../../core/config/inputs.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';

interface Deps {
	readonly registry: ServerRegistry;
	readonly inputs: Inputs;
	readonly inputStore: InputStore;
}

export function registerInputs(deps: Deps): Disposable {
	const owned = new DisposableStore();
	owned.add(registerCommand(Commands.editInputs, () => editInputs(deps)));
	owned.add(registerCommand(Commands.forgetInputs, argument => forgetInputs(argument, deps)));
	return owned;
}

async function editInputs(deps: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const chosen = await chooseStored(deps);
	if (!chosen) {
		return;
	}
	const users = usersOf(chosen, deps.registry);
	const [user] = users;
	const actions = [
		// Without a server that uses the input, its definition is unknown.
		...(user ? [{ label: t('Change…'), run: () => change(chosen, user, users, deps) }] : []),
		...(chosen.value === undefined ? [] : [{ label: t('Show Value'), run: () => show(chosen) }]),
		{ label: t('Clear'), run: () => forget(chosen, users, deps) },
	];
	const placeHolder = t('Select an action for the value of "{0}"', quickPickText(chosen.id));
	await (await chooseLine(actions, placeHolder))?.run();
}

async function chooseStored({ registry, inputStore }: Deps): Promise<StoredInput | undefined> {
	const { t } = vscode.l10n;
	const items = inputStore.list().map(stored => {
		const names = usersOf(stored, registry).map(it => registry.label(it));
		return {
			label: quickPickText(stored.id),
			description: names.length > 0 ? quickPickText(names.join(', ')) : t('Not used by any server'),
			detail: stored.value === undefined ? t('Kept in secret storage') : quickPickValue(stored.value).text,
			stored,
		};
	});
	if (items.length === 0) {
		void vscode.window.showInformationMessage(t('No input values are stored.'));
		return undefined;
	}
	return (await chooseLine(items, t('Select a value to change or clear')))?.stored;
}

async function change(stored: StoredInput, user: Server, users: readonly Server[], { inputs }: Deps): Promise<void> {
	if (await inputs.change(user.definition, stored.id)) {
		await offerRestart(users);
	}
}

async function show({ id, value = '' }: StoredInput): Promise<void> {
	const { t } = vscode.l10n;
	const copy = t('Copy');
	const message = t('The value of {0} is: {1}', notificationText(id), notificationText(value));
	if ((await vscode.window.showInformationMessage(message, copy)) === copy) {
		await vscode.env.clipboard.writeText(value);
	}
}

async function forget({ source, id }: StoredInput, users: readonly Server[], { inputs }: Deps): Promise<void> {
	await inputs.forget(source, id);
	tellForgotten([id], users);
}

/** @param argument a row of the tree, or a caller's `{ server: name }` */
async function forgetInputs(argument: unknown, { registry, inputs }: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const name = isObject(argument) ? argument['server'] : undefined;
	await registry.configured;
	const server = argument instanceof ServerNode ? argument.server : registry.find(String(name));
	if (!server) {
		throw new Error(t('Server "{0}" not found.', String(name)));
	}
	const { definition } = server;
	const message = t('Clear the stored input values of {0}?', notificationText(registry.label(server)));
	if (!(await confirmedByPerson(argument, message, t('Clear')))) {
		return;
	}
	const ids = [...inputsOf(definition.launch).keys()];
	for (const id of ids) {
		await inputs.forget(definition.source.uri, id);
	}
	tellForgotten(ids, [server]);
}

function tellForgotten(ids: readonly string[], users: readonly Server[]): void {
	const { t } = vscode.l10n;
	const names = notificationText(users.map(it => it.name).join(', '));
	const message =
		ids.length === 0
			? t('{0} uses no inputs.', names)
			: users.length === 0
				? t('Cleared input values: {0}.', notificationText(ids.join(', ')))
				: t(
						"Cleared input values: {0}. You'll be asked again when {1} starts.",
						notificationText(ids.join(', ')),
						names,
					);
	void vscode.window.showInformationMessage(message);
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
