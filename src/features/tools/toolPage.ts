/** The page of a tool: everything that its server says about it, marked as the server's words. */
import * as vscode from 'vscode';
import { isObject, type Tool } from '../../mcp/index.js';
import { describeHints } from '../../editor/l10n/approvalWords.js';
import { jsonText } from '../../editor/ui/plainText.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import type { PageBlock, PageContent, PageRow, PageSection } from '../../webviews/page/reading/protocol.js';

/** @param server its label */
export function toolPage(server: string, tool: Tool): PageContent {
	const { t } = vscode.l10n;
	const { description, inputSchema, outputSchema } = tool;
	const hints = describeHints(tool.annotations);
	const rows = argumentRows(inputSchema);
	return {
		title: toolTitle(tool)[0],
		summary: t("The server wrote the tool's name and everything below. MCP Workbench can't verify it."),
		tone: 'plain',
		facts: [
			{ label: t('Server'), value: server },
			{ label: t('Tool name'), value: toolName(tool.name) },
		],
		sections: [
			description === undefined
				? { title: t('Description'), blocks: [{ kind: 'text', text: t('None') }] }
				: ofServer(t('Description'), { kind: 'text', text: description }),
			...(hints.length > 0 ? [ofServer(t('Hints (unverified)'), { kind: 'list', items: hints })] : []),
			...(rows.length > 0 ? [ofServer(t('Arguments'), { kind: 'rows', rows })] : []),
			ofServer(t('Arguments (JSON Schema)'), { kind: 'code', text: jsonText(inputSchema, 2) }),
			...(outputSchema
				? [ofServer(t('Structured result (JSON Schema)'), { kind: 'code', text: jsonText(outputSchema, 2) })]
				: []),
		],
	};
}

function ofServer(title: string, block: PageBlock): PageSection {
	return { title, isServers: true, blocks: [block] };
}

/** The top-level properties of a schema. The JSON below has the rest of it. */
function argumentRows({ properties, required }: Tool['inputSchema']): PageRow[] {
	const needed = new Set(Array.isArray(required) ? required : []);
	return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
		const { type, title, description } = isObject(schema) ? schema : {};
		const types = [type].flat().filter(it => typeof it === 'string');
		const about = [title, description].filter(it => typeof it === 'string');
		return {
			label: name,
			value: describeType(types.join(' | '), needed.has(name)),
			note: about.join('\n') || undefined,
		};
	});
}

function describeType(type: string, isRequired: boolean): string {
	const { t } = vscode.l10n;
	if (type === '') {
		return isRequired ? t('Required') : t('Optional');
	}
	return isRequired ? t('{0}, required', type) : t('{0}, optional', type);
}
