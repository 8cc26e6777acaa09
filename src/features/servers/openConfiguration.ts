/** Opens the workspace's mcp.json, at a server if one is named; makes one to fill in if there is none. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { configUri } from './workspaceConfig.js';

/** @param argument `{ uri, server }` of a definition, or anything else to choose the folder */
export async function openConfiguration(argument: unknown): Promise<void> {
	const target = isObject(argument) ? argument : {};
	const uri = typeof target['uri'] === 'string' ? vscode.Uri.parse(target['uri']) : await chooseFile();
	if (!uri) {
		return;
	}
	const editor = await vscode.window.showTextDocument(await openOrCreate(uri));
	if (typeof target['server'] === 'string') {
		const offset = editor.document.getText().indexOf(JSON.stringify(target['server']));
		if (offset >= 0) {
			const position = editor.document.positionAt(offset);
			editor.selection = new vscode.Selection(position, position);
			editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
		}
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

/** A new file is only offered, not written: saving it is the person's choice. */
async function openOrCreate(uri: vscode.Uri): Promise<vscode.TextDocument> {
	try {
		await vscode.workspace.fs.stat(uri);
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, new vscode.Position(0, 0), template());
		await vscode.workspace.applyEdit(edit);
		return document;
	}
}

function template(): string {
	const { t } = vscode.l10n;
	return [
		'{',
		'\t"servers": {',
		`\t\t// ${t('The name is yours to choose. Save this file, then start the server in the MCP Workbench view.')}`,
		'\t\t"my-server": {',
		'\t\t\t"command": "npx",',
		'\t\t\t"args": ["-y", "@modelcontextprotocol/server-everything"]',
		'\t\t}',
		'\t}',
		'}',
		'',
	].join('\n');
}
