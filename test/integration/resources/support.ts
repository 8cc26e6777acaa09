/** What the tests of resources share. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import type { QuickInputs } from '../quickInputs.js';
import { activate, callTool, eventually, inState } from '../support.js';

/** Starts servers and waits for their lists. */
export async function startServers(...names: readonly string[]): Promise<ExtensionApi> {
	const api = await activate();
	for (const server of names) {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		await inState(api, server, 'running');
	}
	return api;
}

/**
 * Opens a resource, listed or not, as if the person had entered its URI in the list of *Go to Resource…*. The
 * list isn't shown.
 */
export async function open(uri: string, server = 'library'): Promise<void> {
	const { createQuickPick } = vscode.window;
	const window = vscode.window as { createQuickPick: unknown };
	window.createQuickPick = () => {
		window.createQuickPick = createQuickPick;
		const pick = createQuickPick();
		const [changing, accepting] = [new vscode.EventEmitter<string>(), new vscode.EventEmitter<void>()];
		const isChosen = ({ label, description, detail }: vscode.QuickPickItem): boolean =>
			(detail === uri && description?.split(' · ')[0] === server) || label === `Read from "${server}"`;
		return Object.assign(pick, {
			onDidChangeValue: changing.event,
			onDidAccept: accepting.event,
			show: () => {
				pick.value = uri;
				changing.fire(uri);
				pick.selectedItems = pick.items.filter(isChosen).slice(0, 1);
				accepting.fire();
			},
		});
	};
	await vscode.commands.executeCommand('mcpWorkbench.resource.goTo');
}

export function activeEditor(): vscode.TextEditor {
	const editor = vscode.window.activeTextEditor;
	assert.ok(editor, 'no editor is active');
	return editor;
}

export function activeTab(): vscode.Tab {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	assert.ok(tab, 'no tab is active');
	return tab;
}

/** Has a fixture server do something to its resources. The policy must allow its tools. */
export async function act(
	api: ExtensionApi,
	action: 'change' | 'vanish' | 'die',
	args: Readonly<Record<string, string>>,
	server = 'library',
): Promise<void> {
	await callTool(api, server, action, args);
}

/** Resolves when the active editor has this text. */
export async function hasText(text: string): Promise<void> {
	await eventually(`the text "${text}"`, () =>
		vscode.window.activeTextEditor?.document.getText() === text ? true : undefined,
	);
}

/** Chooses one of the uses of a resource, and waits until it is done. */
export async function useResource(inputs: QuickInputs, label: string, argument?: unknown): Promise<void> {
	const using = vscode.commands.executeCommand('mcpWorkbench.resource.use', argument);
	await inputs.pick(it => it.label === label);
	await using;
}
