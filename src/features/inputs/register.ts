/** Values of inputs that are kept: seen, changed and forgotten. */
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
	readonly store: InputStore;
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
		// Where no server uses it, there is nothing left that says what to ask.
		...(user ? [{ label: t('Change…'), run: () => change(chosen, user, users, deps) }] : []),
		...(chosen.value === undefined ? [] : [{ label: t('Show Value'), run: () => show(chosen) }]),
		{ label: t('Forget'), run: () => forget(chosen, users, deps) },
	];
	const placeHolder = t('What to do with the value of "{0}"', quickPickText(chosen.id));
	await (await chooseLine(actions, placeHolder))?.run();
}

async function chooseStored({ registry, store }: Deps): Promise<StoredInput | undefined> {
	const { t } = vscode.l10n;
	const items = store.list().map(stored => {
		const names = usersOf(stored, registry).map(it => registry.label(it));
		return {
			label: quickPickText(stored.id),
			description: names.length > 0 ? quickPickText(names.join(', ')) : t('used by no server'),
			detail: stored.value === undefined ? t('kept as a secret') : quickPickValue(stored.value).text,
			stored,
		};
	});
	if (items.length === 0) {
		void vscode.window.showInformationMessage(t('No value of an input is kept.'));
		return undefined;
	}
	return (await chooseLine(items, t('Choose the value to change or to forget')))?.stored;
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

/** @param argument a line of the tree, or a caller's `{ server: name }` */
async function forgetInputs(argument: unknown, { registry, inputs }: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const name = isObject(argument) ? argument['server'] : undefined;
	await registry.configured;
	const server = argument instanceof ServerNode ? argument.server : registry.find(String(name));
	if (!server) {
		throw new Error(t('There is no server "{0}".', String(name)));
	}
	const { definition } = server;
	const message = t('Forget the stored input values of {0}?', notificationText(registry.label(server)));
	if (!(await confirmedByPerson(argument, message, t('Forget')))) {
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
				? t('Forgotten: {0}.', notificationText(ids.join(', ')))
				: t('Forgotten: {0}. The next start of {1} asks for it.', notificationText(ids.join(', ')), names);
	void vscode.window.showInformationMessage(message);
}

/** A running server has the old value. Not awaited by the command: the message may stand there for long. */
async function offerRestart(users: readonly Server[]): Promise<void> {
	const { t } = vscode.l10n;
	const running = users.filter(it => canStop(it.state));
	if (running.length === 0) {
		return;
	}
	const restart = t('Restart');
	const names = notificationText(running.map(it => it.name).join(', '));
	const message = t('{0} runs with the old value until it is started again.', names);
	if ((await vscode.window.showInformationMessage(message, restart)) === restart) {
		const servers = running.filter(it => canStop(it.state));
		await Promise.all(servers.map(it => vscode.commands.executeCommand(Commands.restartServer, new ServerNode(it))));
	}
}

/** The servers that a value goes to. */
function usersOf({ source, id }: StoredInput, registry: ServerRegistry): Server[] {
	return registry.servers.filter(
		({ definition }) => definition.source.uri === source && inputsOf(definition.launch).has(id),
	);
}
