/** Finds the resource that the argument of a command means, reads it, and opens it in the best of the editor's views. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import type { LiveResource, ResourceKey } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { hasViewer } from '../../core/resources/contentView.js';
import { type ReadContent, ResourceError } from '../../core/resources/resourceContents.js';
import { Server } from '../../core/servers/server.js';
import { Commands, InternalCommands } from '../../editor/contributions.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { notificationText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { LeafNode, ServerNode } from '../../editor/tree/treeNodes.js';
import type { OpenedByPerson } from './openedByPerson.js';
import { chooseView, type ExternalFiles, offerAlternatives } from './externalFiles.js';
import { addressOfPart } from './resourceFileSystem.js';
import { parseAddress, readableName, resourceUri } from '../../editor/documents/resourceUri.js';
import { toReadError } from './resourceWords.js';
import { isObject, type Resource } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

/** A resource that a command acts on. Its server may not list it. */
export interface ChosenResource {
	readonly server: Server;
	readonly uri: string;
	/** The title or name for the person; not cleaned. */
	readonly name: string;
	/** Number of bytes, from the server's list. */
	readonly size: number | undefined;
}

export function toResourceKey({ server, uri }: ChosenResource): ResourceKey {
	return { serverId: server.definition.id, uri };
}

export interface ReadingDeps {
	readonly registry: Pick<ServerRegistry, 'label'>;
	readonly live: LiveResources;
	readonly byPerson: OpenedByPerson;
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
}

export interface OpeningDeps extends ReadingDeps {
	readonly external: ExternalFiles;
}

/** Reads a resource, with progress and Cancel, and opens it. Several contents are offered in a list. */
export async function openResource(chosen: ChosenResource, deps: OpeningDeps): Promise<void> {
	if (!(await prepareRead(chosen, deps))) {
		return;
	}
	// Followed here, so that a change before the tab opens isn't missed.
	const following = deps.live.follow(toResourceKey(chosen));
	try {
		const { contents = [] } = await readContents(chosen, deps);
		const content =
			contents.length > 1 ? await chooseContent(chosen, deps.registry.label(chosen.server), contents) : contents[0];
		if (!content && contents.length === 0) {
			throw toReadError(
				new ResourceError({ code: 'nothing' }),
				deps.registry.label(chosen.server),
				chosen.server,
				chosen.name,
			);
		}
		if (content) {
			await openContent(chosen, contents, content, deps);
		}
	} finally {
		following.dispose();
	}
}

/** Starts the server of a resource if the person has opened the resource. False if the start fails; the person has been notified. */
export async function prepareRead(chosen: ChosenResource, { byPerson }: ReadingDeps): Promise<boolean> {
	return !byPerson.has(toResourceKey(chosen)) || ensureRunning(chosen.server);
}

/** Starts the server if it isn't running. False if the start fails; the person has been notified. */
export async function ensureRunning(server: Server): Promise<boolean> {
	if (!server.client) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	}
	return server.state.kind !== 'failed';
}

/**
 * Reads a resource, with progress and Cancel.
 * @throws LoggedError in the person's language; AbortError if cancelled
 */
export async function readContents(
	chosen: ChosenResource,
	{ registry, live, pending }: ReadingDeps,
): Promise<LiveResource> {
	const { server, name, size } = chosen;
	const startedAt = clock.now();
	const serverLabel = registry.label(server);
	const title = `${serverLabel}: ${notificationText(name)}`;
	try {
		return await withProgress(
			title,
			signal => live.read(toResourceKey(chosen), { signal, size, mayStart: true }),
			() => pending.mayHoldUp(server.definition, startedAt),
		);
	} catch (error) {
		throw isAbort(error) ? error : toReadError(error, serverLabel, server, name);
	}
}

async function chooseContent(
	{ name }: ChosenResource,
	serverLabel: string,
	contents: readonly ReadContent[],
): Promise<ReadContent | undefined> {
	const items = contents.map(content => ({
		label: quickPickText(readableName(content.uri)),
		description: quickPickText([content.mimeType, describeSize(content.bytes.length)].filter(Boolean).join(' · ')),
		detail: quickPickText(content.uri),
		content,
	}));
	const placeholder = vscode.l10n.t('The server sent {0} items. Select one to open.', contents.length);
	const chosen = await askForOne({ title: titleText(name, serverLabel), placeholder }, items);
	return chosen === back ? undefined : chosen?.content;
}

async function openContent(
	chosen: ChosenResource,
	contents: readonly ReadContent[],
	content: ReadContent,
	{ external, registry }: OpeningDeps,
): Promise<void> {
	const { server } = chosen;
	const address = addressOfPart(toResourceKey(chosen), contents, content);
	const shown = chooseView(content, readableName(address.part?.uri ?? chosen.uri));
	if (shown.kind !== 'editor') {
		await offerAlternatives(content, shown, registry.label(server), external);
		return;
	}
	const target = resourceUri(address, server.name, shown.extension);
	await vscode.commands.executeCommand('vscode.open', target, openOptions(target));
}

/** Options for `vscode.open` and `vscode.diff`. Texts open in the text editor, even if a custom editor claims their names. */
export function openOptions({ path }: vscode.Uri): object {
	return hasViewer(path) ? { preview: true } : { preview: true, override: false };
}

/** Opens a resource that the person has chosen. */
export async function openForPerson(server: Server, uri: string): Promise<void> {
	await vscode.commands.executeCommand(InternalCommands.openResource, { server, uri });
}

/** @param argument a row of the tree, the URI of an editor, or `{ server, uri }` with the server or its name */
export function resolveResource(registry: ServerRegistry, argument: unknown): ChosenResource | undefined {
	if (argument instanceof LeafNode) {
		// The rows of our groups have resources as entries.
		return chooseListed(argument.server, argument.entry as Resource);
	}
	const address = argument instanceof vscode.Uri ? parseAddress(argument) : undefined;
	if (address) {
		const server = registry.serverOf({ id: address.serverId });
		return server && chooseUri(server, address.uri);
	}
	const { server: name, uri } = isObject(argument) ? argument : {};
	const server = name instanceof Server ? name : typeof name === 'string' ? registry.find(name) : undefined;
	return server && typeof uri === 'string' ? chooseUri(server, uri) : undefined;
}

/** A resource of its server's list. */
function chooseListed(server: Server, { uri, name, title, size }: Resource): ChosenResource {
	return { server, uri, name: title ?? name, size };
}

function chooseUri(server: Server, uri: string): ChosenResource {
	const listed = itemsOf(server.catalog?.resources).find(it => it.uri === uri);
	return listed ? chooseListed(server, listed) : { server, uri, name: readableName(uri), size: undefined };
}
