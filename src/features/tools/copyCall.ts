/** Copies a call that isn't made yet, in a format that the person chooses. */
import * as vscode from 'vscode';
import { sdkCall } from '../../core/history/historyEntry.js';
import { copyText } from '../../editor/documents/export.js';
import { jsonText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { JsonObject } from '../../mcp/index.js';

interface Format extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** Asks for a format and copies. Gives false if the person chose none. */
export async function copyCall(name: string, args: JsonObject): Promise<boolean> {
	const { t } = vscode.l10n;
	const formats: readonly Format[] = [
		{ label: t('Arguments'), description: t('As JSON'), text: () => jsonText(args, 2) },
		{
			label: t('JSON-RPC request'),
			text: () => jsonText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, 2),
		},
		{ label: t('SDK call'), text: () => sdkCall({ tool: name, arguments: args }) },
	];
	const chosen = await chooseLine(formats, t('Select a format'));
	if (chosen) {
		await copyText(chosen.text());
	}
	return chosen !== undefined;
}
