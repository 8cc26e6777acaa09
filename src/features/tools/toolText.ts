/** Tools as plain text. */
import * as vscode from 'vscode';
import type { Tool } from '../../mcp/index.js';
import { describeHints } from '../../editor/l10n/approvalWords.js';
import { jsonText, sectionsText } from '../../editor/ui/plainText.js';
import { displayName } from '../../core/approvals/toolNames.js';

/** Everything the server says about a tool, marked as its own words. */
export function describeTool(server: string, tool: Tool): string {
	const { t } = vscode.l10n;
	const title = displayName(tool);
	const hints = describeHints(tool.annotations);
	return sectionsText([
		[
			title === tool.name ? title : `${title} (${tool.name})`,
			t('A tool of the server "{0}".\nEverything below is what the server says.', server),
		],
		[t('Description'), tool.description ?? t('none')],
		...(hints.length > 0 ? [[t('Hints (unverified)'), hints.join('\n')] as const] : []),
		[t('Arguments (JSON Schema)'), json(tool.inputSchema)],
		...(tool.outputSchema ? [[t('Structured result (JSON Schema)'), json(tool.outputSchema)] as const] : []),
	]);
}

function json(value: unknown): string {
	return jsonText(value, 2);
}
