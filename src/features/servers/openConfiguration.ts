/** Opens what configures a server, at its place; or the workspace's mcp.json, made to fill in if there is none. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { Settings } from '../../editor/contributions.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { isObject } from '../../mcp/index.js';
import { offsetOfKey } from '../../core/text/jsonNodes.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { assertUnlinked, exists } from '../../editor/documents/unlinkedFiles.js';
import { configUri, isUserSettings } from './configPlaces.js';

/** How long the settings may take to open, in milliseconds. */
const openMs = 5000;

/** @param argument a server's line, `{ uri, offset }`, or anything else to choose the folder */
export async function openConfiguration(argument: unknown): Promise<void> {
	if (argument instanceof ServerNode) {
		return openDefinition(argument.server.definition);
	}
	const target = isObject(argument) ? argument : {};
	const uri = typeof target['uri'] === 'string' ? vscode.Uri.parse(target['uri']) : await chooseFile();
	if (uri) {
		const editor = await vscode.window.showTextDocument(await openOrCreate(uri));
		reveal(editor, typeof target['offset'] === 'number' ? target['offset'] : undefined);
	}
}

/** Where a server is configured: the file, or the settings as JSON. */
export async function openDefinition({ source, name, offset }: ServerDefinition): Promise<void> {
	switch (source.kind) {
		case 'vscodeFolder':
		case 'projectRoot':
		case 'workspaceFile':
			return openConfiguration({ uri: source.uri, offset });
		case 'userSettings':
			return openUserServer(name);
	}
}

/** Opens the person's settings as JSON at one of their servers; in a remote window these are of that machine. */
export async function openUserServer(name: string): Promise<void> {
	await vscode.commands.executeCommand(
		vscode.env.remoteName === undefined
			? 'workbench.action.openSettingsJson'
			: 'workbench.action.openRemoteSettingsFile',
		{ revealSetting: { key: Settings.servers } },
	);
	// The command for a remote returns before anything is open.
	const editor = await firstFound(vscode.window.onDidChangeActiveTextEditor, settingsEditor, openMs);
	if (editor) {
		reveal(editor, offsetOfKey(editor.document.getText(), [Settings.servers, name]));
	}
}

function settingsEditor(): vscode.TextEditor | undefined {
	const { activeTextEditor } = vscode.window;
	return activeTextEditor && isUserSettings(activeTextEditor.document) ? activeTextEditor : undefined;
}

function reveal(editor: vscode.TextEditor, offset: number | undefined): void {
	if (offset !== undefined) {
		const position = editor.document.positionAt(offset);
		editor.selection = new vscode.Selection(position, position);
		editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
	}
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	if (folders.length > 1) {
		const folder = await vscode.window.showWorkspaceFolderPick({
			placeHolder: vscode.l10n.t('Choose the folder whose servers to configure'),
		});
		return folder && configUri(folder);
	}
	const [folder] = folders;
	if (!folder) {
		await vscode.commands.executeCommand('workbench.action.files.openFolder');
	}
	return folder && configUri(folder);
}

/**
 * A new file is only offered, not written: saving it is the person's choice. The editor would save it to the disk, though,
 * so where its folder is on none it is written at once.
 */
async function openOrCreate(uri: vscode.Uri): Promise<vscode.TextDocument> {
	if (await exists(uri)) {
		return vscode.workspace.openTextDocument(uri);
	}
	await assertUnlinked(uri);
	if (uri.scheme !== 'file') {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(template(uri)));
		return vscode.workspace.openTextDocument(uri);
	}
	const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
	// It may be open already, with what the person has made of it.
	if (document.getText() === '') {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, new vscode.Position(0, 0), template(uri));
		await vscode.workspace.applyEdit(edit);
	}
	return document;
}

/** Where there is no disk, no process can run. */
function template({ scheme }: vscode.Uri): string {
	const { t } = vscode.l10n;
	const process = ['"command": "npx",', '"args": ["-y", "@modelcontextprotocol/server-everything"]'];
	const entry = scheme === 'file' ? process : ['"type": "http",', '"url": "https://example.com/mcp"'];
	return [
		'{',
		'\t"servers": {',
		`\t\t// ${t('The name is yours to choose. Save this file, then start the server in the MCP Workbench view.')}`,
		'\t\t"my-server": {',
		...entry.map(it => `\t\t\t${it}`),
		'\t\t}',
		'\t}',
		'}',
		'',
	].join('\n');
}
