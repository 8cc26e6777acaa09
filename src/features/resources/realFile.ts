/** Resources that are files of the workspace, or pages of the web: what they are when no server stands between. */
import * as vscode from 'vscode';
import { type FileLocation, isInFolder, pathsBelow, readFileUri } from './fileLocation.js';
import type { Server } from '../../core/servers/server.js';
import { readPage } from '../../mcp/index.js';
import { nearnessOfServer, warningsOfUrl } from '../../core/requests/urlWarnings.js';
import { describeUrlWarning, openAddress } from '../../editor/auth/pages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { closeHeldInput } from '../../editor/ui/quickInput.js';
import type { WorkspaceRoots } from '../../editor/workspace/workspace.js';
import type { ChosenResource } from './openResource.js';

const { t } = vscode.l10n;

/** Whether a `file:` URI lies in a folder that the server is told of. */
export function isInRoot(roots: WorkspaceRoots, server: Server, uri: string): boolean {
	return findFile(roots, server, uri) !== undefined;
}

/** The file that a URI names, and the folder that it lies in. */
function findFile(
	roots: WorkspaceRoots,
	{ definition }: Server,
	uri: string,
): { readonly file: FileLocation; readonly folder: FileLocation } | undefined {
	const file = readFileUri(uri);
	const folders = file ? roots.list(definition).map(it => readFileUri(it.uri)) : [];
	const folder = folders.find(it => file && it && isInFolder(file, it));
	return file && folder && { file, folder };
}

/** Opens the file itself, which can be edited. */
export async function openFile({ server, uri, name }: ChosenResource, roots: WorkspaceRoots): Promise<void> {
	const found = findFile(roots, server, uri);
	if (!found) {
		throw new Error(
			t('"{0}" is no file in a folder that {1} is told of.', notificationText(name), notificationText(server.name)),
		);
	}
	const target = uriOf(found.file);
	if ((await leadsThroughLink(found.folder, found.file)) && !(await mayFollowLink(target, server))) {
		return;
	}
	await vscode.commands.executeCommand('vscode.open', target);
}

/** What was compared with the folders, and nothing else. */
function uriOf({ host, path }: FileLocation): vscode.Uri {
	return vscode.Uri.from({ scheme: 'file', authority: host, path });
}

/** @throws Error in words, if there is no such file */
async function leadsThroughLink(folder: FileLocation, file: FileLocation): Promise<boolean> {
	const types = await Promise.all(
		pathsBelow(folder, file).map(it =>
			vscode.workspace.fs.stat(uriOf(it)).then(
				({ type }) => type,
				() => {
					const name = vscode.workspace.asRelativePath(uriOf(file));
					throw new Error(t('There is no file {0}.', notificationText(name)));
				},
			),
		),
	);
	return types.some(type => (type & vscode.FileType.SymbolicLink) !== 0);
}

/** A link in a folder may lead out of it. */
async function mayFollowLink(target: vscode.Uri, { name }: Server): Promise<boolean> {
	const open = t('Open');
	const path = notificationText(vscode.workspace.asRelativePath(target));
	const message = t("{0} is behind a symbolic link, which may lead to a file that isn't shared with {1}.", path, name);
	closeHeldInput();
	return (await vscode.window.showWarningMessage(message, { modal: true }, open)) === open;
}

/** Whether its address is one of the web. */
export function isOnWeb(uri: string): boolean {
	return /^https?:/i.test(uri);
}

/**
 * Spec, resources: servers use `https:` where "the client is able to fetch and load the resource directly from the web
 * on its own". We never do so unasked: the server is asked as for any other, and a person can go there.
 */
export async function openInBrowser({ uri, name, server }: ChosenResource): Promise<void> {
	const page = readPage(uri);
	if (page.kind === 'unsafe') {
		throw new Error(t('"{0}" has no address that can be opened in a browser.', notificationText(name)));
	}
	const warnings = warningsOfUrl(page.url, nearnessOfServer(server.definition.launch));
	if (warnings.length > 0) {
		const open = t('Open in Browser');
		const detail = [page.url.href, ...warnings.map(describeUrlWarning)].join('\n');
		const message = t('Open this page of {0} in the browser?', notificationText(server.name));
		closeHeldInput();
		if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, open)) !== open) {
			return;
		}
	}
	await openAddress(page.url.href);
}
