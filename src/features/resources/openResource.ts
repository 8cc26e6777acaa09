/** Opens a resource where it can be seen best, and says in words why it cannot. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import type { LiveResource } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { hasViewer } from '../../core/resources/contentView.js';
import { type ReadContent, ResourceError } from '../../core/resources/resourceContents.js';
import type { Server } from '../../core/servers/server.js';
import { Commands } from '../../editor/contributions.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { notificationText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { shownAs } from './contentShown.js';
import { addressOfPart } from './resourceFileSystem.js';
import { readableName, resourceUri } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';
import { type ExternalFiles, offerOthers } from './takeOut.js';

/** A resource that a person has chosen, listed or not. */
export interface ChosenResource {
	readonly server: Server;
	readonly uri: string;
	/** For titles. */
	readonly name: string;
	/** Bytes, as it is listed. */
	readonly size: number | undefined;
}

export interface ReadingDeps {
	readonly live: LiveResources;
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
}

export interface OpeningDeps extends ReadingDeps {
	readonly external: ExternalFiles;
}

/** Reads it where the person can see and cancel, then opens what was read. */
export async function openResource(chosen: ChosenResource, deps: OpeningDeps): Promise<void> {
	const { server, uri } = chosen;
	const key = { serverId: server.definition.id, uri };
	if (!(await ensureRunning(server))) {
		return;
	}
	// What changes before its tab is there is not missed.
	const following = deps.live.follow(key);
	try {
		const { contents = [] } = await readResource(chosen, deps);
		const content = contents.length > 1 ? await chooseContent(chosen, contents) : contents[0];
		if (!content && contents.length === 0) {
			throw new Error(describeReadError(new ResourceError({ code: 'nothing' }), server.name));
		}
		if (content) {
			await openContent(chosen, contents, content, deps);
		}
	} finally {
		following.dispose();
	}
}

/** Starts the server if it has to; false if that failed, which has been said by then. */
export async function ensureRunning(server: Server): Promise<boolean> {
	if (!server.client) {
		// Asked for by a person or a caller: that is its first use. A tab that the editor restores starts nothing.
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	}
	return server.state.kind !== 'failed';
}

/** @throws Error in words */
export async function readResource(
	{ server, uri, name, size }: ChosenResource,
	{ live, pending }: ReadingDeps,
): Promise<LiveResource> {
	const startedAt = Date.now();
	const title = `${notificationText(server.name)}: ${notificationText(name)}`;
	const key = { serverId: server.definition.id, uri };
	try {
		return await withProgress(
			title,
			signal => live.read(key, { signal, size }),
			() => pending.mayHoldUp(server.definition, startedAt),
		);
	} catch (error) {
		throw isAbort(error) ? error : new Error(describeReadError(error, server.name));
	}
}

/** Of several contents of one read. */
async function chooseContent(
	{ server, name }: ChosenResource,
	contents: readonly ReadContent[],
): Promise<ReadContent | undefined> {
	const items = contents.map(content => ({
		label: quickPickText(readableName(content.uri)),
		description: quickPickText([content.mimeType, describeSize(content.bytes.length)].filter(Boolean).join(' · ')),
		detail: quickPickText(content.uri),
		content,
	}));
	const placeholder = vscode.l10n.t('The server sent {0} contents. Choose one to open', contents.length);
	const chosen = await askForOne({ title: titleText(name, server.name), placeholder }, items);
	return chosen === back ? undefined : chosen?.content;
}

async function openContent(
	{ server, uri }: ChosenResource,
	contents: readonly ReadContent[],
	content: ReadContent,
	{ external }: OpeningDeps,
): Promise<void> {
	const address = addressOfPart({ serverId: server.definition.id, uri }, contents, content);
	const shown = shownAs(content, readableName(address.part?.uri ?? uri));
	if (shown.kind !== 'editor') {
		await offerOthers(content, shown, server.name, external);
		return;
	}
	const target = resourceUri(address, server.name, shown.extension);
	await vscode.commands.executeCommand('vscode.open', target, openingOf(target));
}

/** For `vscode.open` and `vscode.diff`: a text opens in the text editor, though another may claim its name. */
export function openingOf({ path }: vscode.Uri): object {
	return hasViewer(path) ? { preview: true } : { preview: true, override: false };
}
