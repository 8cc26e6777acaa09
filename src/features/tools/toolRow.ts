/** The row of a tool in the tree. The server's claims about the tool are marked as unverified. */
import * as vscode from 'vscode';
import { isObject, type Tool } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import { isForModels, isHiddenFromModels, isToolDisabled } from '../../core/calls/toolAccess.js';
import { describeHints } from '../../editor/l10n/approvalWords.js';
import { TreeContexts } from '../../editor/contributions.js';
import { describeList, describeNumber, describeTokens } from '../../editor/l10n/messages.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import { oneLine, tooltipText } from '../../editor/ui/plainText.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import { warningIcon } from '../../editor/tree/treeItems.js';
import type { GroupSummary, LeafLook } from '../../editor/tree/treeNodes.js';

export interface ToolState {
	/** Whether the tool's definition has changed since it was locked. */
	readonly isChanged: boolean;
	/** Whether the person writes the server, so that changed tools run without a question. */
	readonly isAuthored: boolean;
	readonly isRunning: boolean;
}

type ToolIcon = Pick<LeafLook, 'icon' | 'context' | 'spoken'>;

/** Arguments that the tooltip lists; further ones are counted. */
const maxArguments = 12;

/** "19 · 4 off · ≈ 3,100 tokens": what models get. `undefined` if there are no tools. */
export function summarizeTools(
	server: Server,
	tools: readonly Tool[],
	tokens: Pick<ToolTokens, 'sum'>,
): GroupSummary | undefined {
	const { t } = vscode.l10n;
	const given = tools.filter(it => isForModels(server, it));
	const off = tools.filter(it => !given.includes(it)).map(it => toolName(it.name));
	const [all, cost] = [describeNumber(tools.length), describeTokens(tokens.sum(given))];
	const summary = t('Models get {0} of {1} tools ({2}).', describeNumber(given.length), all, cost);
	return tools.length === 0
		? undefined
		: {
				description: [all, ...(off.length > 0 ? [t('{0} off', describeNumber(off.length))] : []), cost].join(' · '),
				tooltip: tooltipText([summary, ...(off.length > 0 ? [t('Off: {0}', describeList(off))] : [])].join('\n')),
			};
}

export function toolRow(tool: Tool, server: Server, { isChanged, isAuthored, isRunning }: ToolState): LeafLook {
	const { t } = vscode.l10n;
	const isDisabled = isToolDisabled(server, tool);
	const isHidden = isHiddenFromModels(server, tool);
	const notes = isDisabled
		? [t('Disabled')]
		: [...(isChanged ? [t('Definition changed')] : []), ...(isHidden ? [t('Off for models')] : [])];
	const [title, ...name] = toolTitle(tool);
	const look = isDisabled ? disabledLook() : isChanged ? changedLook(isAuthored) : usualLook(tool, isHidden);
	return {
		key: tool.name,
		label: title,
		description: [...name, ...notes, ...(isRunning ? [t('Running')] : [])].join(' · ') || undefined,
		tooltip: tooltipOf(tool),
		...look,
		...(isRunning && { icon: new vscode.ThemeIcon('loading~spin') }),
		spoken: describeClaim(tool),
	};
}

function disabledLook(): ToolIcon {
	const icon = new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
	return { icon, context: TreeContexts.toolDisabled };
}

function changedLook(isAuthored: boolean): ToolIcon {
	return { icon: warningIcon(), context: isAuthored ? TreeContexts.toolChangedHere : TreeContexts.toolChanged };
}

function usualLook(tool: Tool, isHidden: boolean): ToolIcon {
	const icon = { readOnly: 'book', destructive: 'flame', none: 'tools' }[claimOf(tool)];
	return { icon: new vscode.ThemeIcon(isHidden ? 'eye-closed' : icon), context: TreeContexts.tool };
}

/** By the spec, `destructiveHint` is true by default. The icon shows only explicit claims, as most tools make none. */
function claimOf({ annotations }: Tool): 'readOnly' | 'destructive' | 'none' {
	return annotations?.readOnlyHint === true
		? 'readOnly'
		: annotations?.destructiveHint === true
			? 'destructive'
			: 'none';
}

function describeClaim(tool: Tool): string | undefined {
	const { t } = vscode.l10n;
	const claims = {
		readOnly: t('Read-only (unverified)'),
		destructive: t('May delete or overwrite data (unverified)'),
		none: undefined,
	};
	return claims[claimOf(tool)];
}

function tooltipOf(tool: Tool): string {
	const { t } = vscode.l10n;
	const { annotations, description, inputSchema } = tool;
	const { properties } = inputSchema;
	const required: unknown[] = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
	const all = isObject(properties) ? Object.entries(properties) : [];
	const lines = all
		.slice(0, maxArguments)
		.map(([name, schema]) => `    ${describeArgument(name, schema, required.includes(name))}`);
	const left = all.length - lines.length;
	const hints = describeHints(annotations);
	return [
		toolTitle(tool).join(' · '),
		...(description === undefined ? [] : [description.slice(0, 1000)]),
		'',
		...(all.length > 0 ? [t('Arguments:'), ...lines] : [t('No arguments')]),
		...(left > 0 ? [`    ${t('{0} more', describeNumber(left))}`] : []),
		...(hints.length > 0 ? ['', t('The server claims (unverified): {0}', describeList(hints))] : []),
	].join('\n');
}

/** "path (string, required)" */
function describeArgument(name: string, schema: unknown, isRequired: boolean): string {
	const { t } = vscode.l10n;
	const type = isObject(schema) ? schema['type'] : undefined;
	const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(it => typeof it === 'string');
	const facts = [...(types.length > 0 ? [oneLine(types.join(' | '), 40)] : []), ...(isRequired ? [t('required')] : [])];
	return facts.length > 0 ? `${oneLine(name, 60)} (${describeList(facts)})` : oneLine(name, 60);
}
