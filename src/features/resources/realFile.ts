/** Resources that are files of the workspace, or pages of the web: what they are when no server stands between. */
import * as vscode from 'vscode';
import { normalFileUri } from '../../model/roots.js';
import type { Server } from '../../model/server.js';
import { openAddress } from '../../host/pages.js';
import { notificationText } from '../../host/plainText.js';
import type { WorkspaceRoots } from '../../host/workspace.js';
import type { ChosenResource } from './openResource.js';

const { t } = vscode.l10n;

/** Whether a `file:` URI lies in a folder that the server is told of. */
export function isInRoot(roots: WorkspaceRoots, { definition }: Server, uri: string): boolean {
	const file = normalFileUri(uri);
	return (
		file !== undefined &&
		roots.list(definition).some(it => file.startsWith(it.uri.endsWith('/') ? it.uri : `${it.uri}/`))
	);
}

/** Opens the file itself, which can be edited. */
export async function openFile({ server, uri, name }: ChosenResource, roots: WorkspaceRoots): Promise<void> {
	const file = normalFileUri(uri);
	if (file === undefined || !isInRoot(roots, server, uri)) {
		throw new Error(
			t('"{0}" is no file in a folder that {1} is told of.', notificationText(name), notificationText(server.name)),
		);
	}
	const target = vscode.Uri.parse(file);
	await vscode.workspace.fs.stat(target).then(undefined, () => {
		throw new Error(t('There is no file {0}.', notificationText(vscode.workspace.asRelativePath(target))));
	});
	await vscode.commands.executeCommand('vscode.open', target);
}

/** Whether its address is one of the web. */
export function isOnWeb(uri: string): boolean {
	return /^https?:/i.test(uri);
}

/**
 * Spec, resources: servers use `https:` where "the client is able to fetch and load the resource directly from the web
 * on its own". We never do so unasked: the server is asked as for any other, and a person can go there.
 */
export async function openInBrowser({ uri, name }: ChosenResource): Promise<void> {
	if (!isOnWeb(uri)) {
		throw new Error(t('"{0}" has no address on the web.', notificationText(name)));
	}
	await openAddress(uri);
}
