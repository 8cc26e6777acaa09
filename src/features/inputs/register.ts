/** The feature "inputs": shows, changes and clears the stored values of a server's inputs. */
import * as vscode from 'vscode';
import { type Disposable } from '../../base/lifecycle.js';
import type { Inputs } from '../../editor/workspace/inputs.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { quickPickText, quickPickValue, titleText } from '../../editor/ui/plainText.js';
import { describeList } from '../../editor/l10n/messages.js';
import { chooseLine, confirmAction } from '../../editor/ui/quickInput.js';
import { offerRestart, type ServerActions } from '../../editor/ui/serverActions.js';
import { inputsOf } from '../../core/config/inputs.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
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
		suits: ({ definition }) => askedInputs(definition).length > 0,
		run: server => manageInputs(server, deps),
	});
}

/** Lists the inputs of a server with their stored values, to change one or to clear all. */
async function manageInputs(server: Server, { registry, inputStore, inputs }: Deps): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	const ids = askedInputs(definition);
	const stored = inputStore.list().filter(it => it.source === definition.source.uri && ids.includes(it.id));
	const label = registry.label(server);
	const change = async (id: string): Promise<void> => {
		if (await inputs.change(definition, id)) {
			const users = registry.servers.filter(it => usesInput(it, definition.source.uri, id) && canStop(it.state));
			const names = describeList(users.map(it => registry.label(it)));
			await offerRestart(users, t('Restart {0} to use the new value.', names));
		}
	};
	const clear = async (): Promise<void> => {
		const question = t("Clear the stored input values of {0}? You'll be asked again at its next start.", label);
		if (await confirmAction(question, t('Clear All'))) {
			await Promise.all(stored.map(it => inputStore.forget(it.source, it.id)));
		}
	};
	const lines = [
		...ids.map(id => {
			const kept = stored.find(it => it.id === id);
			const value = kept?.value === undefined ? t('Kept in secret storage') : quickPickValue(kept.value);
			return { label: quickPickText(id), description: kept ? value : t('Not set'), run: () => change(id) };
		}),
		...(stored.length > 0 ? [{ label: t('Clear All'), description: '', run: clear }] : []),
	];
	const title = titleText(t('Input Values'), label);
	await (await chooseLine(lines, t('Select a value to change'), title))?.run();
}

/** The ids of the inputs that a server uses and a person answers. */
function askedInputs({ launch, inputs }: ServerDefinition): string[] {
	const used = inputsOf(launch);
	return inputs.filter(it => it.kind !== 'command' && used.has(it.id)).map(it => it.id);
}

function usesInput({ definition }: Server, source: string, id: string): boolean {
	return definition.source.uri === source && inputsOf(definition.launch).has(id);
}
