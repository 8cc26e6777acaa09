/** Opens the configuration of a server at its definition, or a file of a folder, with a template if it is new. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { Settings } from '../../editor/contributions.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { openMachineSetting } from '../../editor/workspace/config.js';
import { isObject } from '../../mcp/index.js';
import { offsetOfKey } from '../../core/text/jsonNodes.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { assertUnlinked, exists } from '../../editor/documents/repositoryFiles.js';
import { isUserSettings, offeredPlaces } from './configPlaces.js';

/** Milliseconds that the settings may take to open. */
const openMs = 5000;

/** @param argument a server's row, `{ uri, offset }`, or anything else to choose the folder */
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

/** Opens the file or the settings in which a server is configured. */
export async function openDefinition({ source, name, offset }: ServerDefinition): Promise<void> {
	return source.kind === 'userSettings' ? openUserServer(name) : openConfiguration({ uri: source.uri, offset });
}

/** Opens the person's settings as JSON at one of their servers. */
export async function openUserServer(name: string): Promise<void> {
	await openMachineSetting('servers');
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

/** The chosen file of a folder. A folder without configuration files offers to create any of them. */
async function chooseFile(): Promise<vscode.Uri | undefined> {
	const { t } = vscode.l10n;
	const places = offeredPlaces().filter(it => it.source.folderUri !== undefined);
	const exist = await Promise.all(places.map(async ({ file }) => file !== undefined && (await exists(file))));
	const used = new Set(places.filter((_, index) => exist[index]).map(it => it.source.folderUri));
	const [first, ...others] = places.filter(({ source }, index) => exist[index] || !used.has(source.folderUri));
	if (!first) {
		await vscode.commands.executeCommand('workbench.action.files.openFolder');
	} else if (others.length > 0) {
		return (await chooseLine([first, ...others], t('Select the file to configure servers in')))?.file;
	}
	return first?.file;
}

/**
 * A file that doesn't exist opens as an untitled document, so the person decides whether to save it. The editor saves those
 * to the local disk, so in a folder elsewhere the file is written at once.
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
	// The untitled document may already be open, with the person's edits.
	if (document.getText() === '') {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, new vscode.Position(0, 0), template(uri));
		await vscode.workspace.applyEdit(edit);
	}
	return document;
}

/** A folder that isn't on the local disk gets a server at a URL, because no process can run there. */
function template({ scheme, path }: vscode.Uri): string {
	const { t } = vscode.l10n;
	// Other clients allow no comments in `.mcp.json`.
	const isPlain = path.endsWith('/.mcp.json');
	const hint = t('Enter a server name and save this file. Then start the server in the MCP Workbench view.');
	const process = ['"command": "npx",', '"args": ["-y", "@modelcontextprotocol/server-everything"]'];
	const entry = scheme === 'file' ? process : ['"type": "http",', '"url": "https://example.com/mcp"'];
	return [
		'{',
		`\t"${isPlain ? 'mcpServers' : 'servers'}": {`,
		...(isPlain ? [] : [`\t\t// ${hint}`]),
		'\t\t"my-server": {',
		...entry.map(it => `\t\t\t${it}`),
		'\t\t}',
		'\t}',
		'}',
		'',
	].join('\n');
}
