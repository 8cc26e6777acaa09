/** What the tests of all windows share besides `test/integration/support.ts`. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi, ServerSnapshot } from '../../src/api.js';
import type { QuickInputs } from '../integration/quickInputs.js';
import { activate, eventually, extensionId, inState, workspaceFolder } from '../integration/support.js';

/** Runs a command of the extension, whose id is given without `mcpWorkbench.`. */
export function run(command: string, argument?: unknown): Thenable<unknown> {
	return vscode.commands.executeCommand(`mcpWorkbench.${command}`, argument);
}

/** Starts servers and waits until their lists are there. */
export async function start(...servers: readonly string[]): Promise<ExtensionApi> {
	const api = await activate();
	for (const server of servers) {
		await run('server.start', { server });
		await inState(api, server, 'running');
	}
	return api;
}

export function snapshotOf(api: ExtensionApi, name: string): ServerSnapshot | undefined {
	return api.servers().find(it => it.name === name);
}

/** Sets a user setting of the extension; `undefined` removes it. */
export function set(name: string, value: unknown): Thenable<void> {
	return vscode.workspace.getConfiguration('mcpWorkbench').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Writes the policy of the workspace, which counts from the next call on. */
export function writePolicy(...rules: readonly object[]): void {
	fs.writeFileSync(policyFile(), JSON.stringify({ rules }));
}

export function removePolicy(): void {
	fs.rmSync(policyFile(), { force: true });
}

function policyFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp-policy.json');
}

/** Takes back everything that was allowed or denied for later; gives the lines of the list. */
export async function revokeApprovals(inputs: QuickInputs): Promise<string[]> {
	const managing = run('approvals.manage');
	const isPermission = (it: vscode.QuickPickItem): boolean => it.kind !== vscode.QuickPickItemKind.Separator;
	const { lines } = await inputs.pick(isPermission);
	await managing;
	return lines.filter(it => it !== 'Tool calls');
}

/** Ends what a test file has left: servers, editors, the panel and notifications. */
export async function putAway(): Promise<void> {
	const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
	if (extension?.isActive !== true) {
		return;
	}
	const ended = ['stopped', 'failed', 'untrusted', 'waiting'];
	const isEnded = ({ state }: ServerSnapshot): boolean => ended.includes(state);
	for (const { id } of extension.exports.servers().filter(it => !isEnded(it))) {
		await run('server.stop', { server: id });
	}
	await eventually('the end of all servers', () => extension.exports.servers().every(isEnded) || undefined);
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	// A log that stays visible is drawn again with every line.
	await vscode.commands.executeCommand('workbench.action.closePanel');
	await vscode.commands.executeCommand('notifications.clearAll');
}
