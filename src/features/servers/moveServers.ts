/** The command Move to .mcp.json: moves servers of `.vscode/mcp.json` to the file that other clients read, too. */
import * as vscode from 'vscode';
import { uniqueName } from '../../core/addServer/serverName.js';
import { type MovableServer, movableServers, moveServers, type ServerMove } from '../../core/config/moveServers.js';
import { inputsOf } from '../../core/config/inputs.js';
import { serverNames } from '../../core/config/serverPlaces.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';
import { lineBreakOf, openCurrent, openIfExists, saveAll } from '../../editor/documents/fileEdit.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, askForOne, back, chooseLine } from '../../editor/ui/quickInput.js';
import { isObject } from '../../mcp/index.js';
import type { AddingDeps } from './addSteps.js';
import { type OfferedPlace, offeredPlaces } from './configPlaces.js';
import { openConfiguration } from './openConfiguration.js';
import { describeRefusal } from './targets.js';

/**
 * Moves servers with their inputs, and keeps the entered values. A moved server counts as new, so it needs consent again.
 * @param argument a server's row, `{ uri }` of a file, or anything else to choose the file
 * @throws Error in the person's language
 */
export async function moveToRoot(argument: unknown, { registry, inputStore }: AddingDeps): Promise<void> {
	const { t } = vscode.l10n;
	const row = argument instanceof ServerNode ? argument.server.definition : undefined;
	const place = await choosePlace(registry, row?.source.uri ?? (isObject(argument) ? argument['uri'] : undefined));
	const other = offeredPlaces().find(it => it.source.folderUri === place?.source.folderUri);
	const target = other?.file;
	if (!place?.file || !other || !target) {
		return;
	}
	const { uri } = place.source;
	const from = await openCurrent(place.file);
	const to = await openIfExists(target);
	const servers = movableServers(from.getText(), place.source);
	if (servers.length === 0) {
		await openConfiguration({ uri });
		throw new Error(t("The configuration wasn't changed because it has errors or no longer contains the server."));
	}
	const moves = await chooseNames(
		await chooseServers(servers, row?.name),
		new Set(serverNames(to?.getText() ?? '', 'projectRoot')),
	);
	if (moves.length === 0) {
		return;
	}
	const theirs = movableServers(to?.getText() ?? '', other.source);
	const values = { from: await keptValues(inputStore, servers), to: await keptValues(inputStore, theirs) };
	const eol = to ? lineBreakOf(to) : '\n';
	const { edit, left } = moveServers(from.getText(), to?.getText() ?? '', moves, eol, values);
	const reveal = (): Promise<void> => openConfiguration({ uri: target.toString(), offset: edit.offset });
	if (edit.kind === 'refused') {
		await reveal();
		throw new Error(describeRefusal(edit, '.mcp.json'));
	}
	const running = moves.flatMap(it => registry.serverOf(it.definition) ?? []).filter(it => canStop(it.state));
	await Promise.all(running.map(it => it.stop()));
	const isSaved = await saveAll([
		[from, left],
		[to ?? target, edit.text],
	]);
	if (!isSaved) {
		throw new Error(t("Can't write {0}.", '.mcp.json'));
	}
	const used = new Set(moves.flatMap(it => [...inputsOf(it.definition.launch).keys()]));
	for (const input of servers[0]?.definition.inputs.filter(it => used.has(it.id)) ?? []) {
		const value = values.from.get(input.id);
		const id = edit.renamed.get(input.id) ?? input.id;
		await (value !== undefined && inputStore.set(target.toString(), { ...input, id }, value));
	}
	await reveal();
	const names = notificationText(moves.map(it => labelOfName(it.newName)).join(', '));
	void vscode.window.showInformationMessage(t('Moved to {0}: {1}', '.mcp.json', names));
}

/** The values of the inputs of a file, by id. @param servers the servers of the file */
async function keptValues(store: InputStore, [first]: readonly MovableServer[]): Promise<ReadonlyMap<string, string>> {
	const { inputs = [], source } = first?.definition ?? {};
	const values = inputs.map(async it => [it.id, await store.get(source?.uri ?? '', it)] as const);
	return new Map((await Promise.all(values)).flatMap(([id, it]) => (it === undefined ? [] : [[id, it]])));
}

/** The `.vscode/mcp.json` to move servers from. @param uri the URI of the file, if it is known */
async function choosePlace(registry: ServerRegistry, uri: unknown): Promise<OfferedPlace | undefined> {
	const { t } = vscode.l10n;
	const used = new Set(registry.servers.map(it => it.definition.source.uri));
	const places = offeredPlaces().filter(it => it.source.kind === 'vscodeFolder' && used.has(it.source.uri));
	const [first, second] = places.filter(it => uri === undefined || it.source.uri === uri);
	if (!first) {
		throw new Error(t('{0} has no servers to move.', '.vscode/mcp.json'));
	}
	return second ? chooseLine(places, t('Select the file to move servers from')) : first;
}

/** Asks which servers to move, and says what other clients don't read. @param only the name of the server that is preselected */
async function chooseServers(servers: readonly MovableServer[], only?: string): Promise<readonly MovableServer[]> {
	const { t } = vscode.l10n;
	const items = servers.map((server): vscode.QuickPickItem & { readonly server: MovableServer } => {
		const { name, unread } = server;
		const detail = unread.length === 0 ? '' : quickPickText(t("Other clients don't read {0}", unread.join(', ')));
		return { label: labelOfName(name), detail, picked: only === undefined || name === only, server };
	});
	const placeholder = t('Select servers to move. Moved servers need your consent again');
	const chosen = await askForMany({ title: t('Move to .mcp.json'), placeholder }, items, it => it.picked === true);
	return chosen === undefined || chosen === back ? [] : chosen.map(it => it.server);
}

/** Asks about each name that `.mcp.json` already has. Returns no moves if the person cancels. */
async function chooseNames(servers: readonly MovableServer[], taken: Set<string>): Promise<readonly ServerMove[]> {
	const { t } = vscode.l10n;
	const moves: ServerMove[] = [];
	for (const server of servers) {
		const { name } = server;
		let newName = name;
		if (taken.has(name)) {
			const free = uniqueName(name, new Set([...taken, ...servers.map(it => it.name)]));
			const choices = [
				{ label: t('Move as "{0}"', labelOfName(free)), newName: free },
				{ label: t('Replace the server in {0}', '.mcp.json'), newName: name },
			];
			const placeholder = t('{0} already has a server named "{1}"', '.mcp.json', labelOfName(name));
			const chosen = await askForOne({ title: t('Move to .mcp.json'), placeholder }, choices);
			if (chosen === undefined || chosen === back) {
				return [];
			}
			({ newName } = chosen);
		}
		taken.add(newName);
		moves.push({ ...server, newName });
	}
	return moves;
}
