/** The pages of tools: the parts that only they have, such as hints, tokens and schemas, and how a tool runs. */
import * as vscode from 'vscode';
import { isForModels, isHiddenFromModels, isToolDisabled } from '../../core/calls/toolAccess.js';
import { settingPlaces } from '../../core/config/serverOptions.js';
import type { CallEnd } from '../../core/calls/calls.js';
import type { History } from '../../core/history/history.js';
import { type HistoryEnd, type HistoryEntry, sdkCall } from '../../core/history/historyEntry.js';
import type { Accounts } from '../../core/servers/accounts.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { reportErrors } from '../../editor/commands.js';
import { Commands, toolViewType } from '../../editor/contributions.js';
import { describeCaller, describeHints } from '../../editor/l10n/approvalWords.js';
import { describeTokens } from '../../editor/l10n/messages.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import type { PageRun, Run, RunKind, RunPageDeps } from '../../editor/pages/runPage.js';
import { RunPages } from '../../editor/pages/runPages.js';
import { offerUndo } from '../../editor/ui/offerUndo.js';
import { jsonText, webviewText } from '../../editor/ui/plainText.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import { choicePlaces, editToolLists, usualScope } from '../../editor/workspace/serverOptions.js';
import { type JsonObject, readToolResult, type Tool } from '../../mcp/index.js';
import { curlCall } from './copyCall.js';
import { enableTool } from './enableTool.js';
import type { LastArguments } from './lastArguments.js';

const { t } = vscode.l10n;

const maxSchema = 200_000;
/** The schema of a restored page's tool, until its server runs and lists the tool. */
const unknownSchema: JsonObject = {};

export interface ToolPagesDeps extends RunPageDeps {
	readonly accounts: Pick<Accounts, 'of'>;
	readonly history: Pick<History, 'entries' | 'loadMore'>;
	readonly last: Pick<LastArguments, 'get'>;
	readonly changed: { has(server: Server, tool: Tool): boolean };
	readonly toolTokens: Pick<ToolTokens, 'of'>;
	/** @throws Error with a message for the person; AbortError if they cancelled before the call was sent */
	readonly run: (server: Server, tool: Tool, args: JsonObject, pageRun: PageRun) => Promise<void>;
}

export function createToolPages(deps: ToolPagesDeps): RunPages<Tool> {
	const { registry, last, changed, toolTokens, accounts, history } = deps;
	let loading: Promise<unknown> | undefined;
	const kind: RunKind<Tool> = {
		viewType: toolViewType,
		list: 'tools',
		find: toolNamed,
		createUnlisted: name => ({ name, inputSchema: unknownSchema }),
		getName: tool => tool.name,
		getTabName: tool => tool.name,
		getSchema: tool => tool.inputSchema,
		describeHead: (server, tool, { node }) => {
			const [title, ...names] = toolTitle(tool);
			const isDisabled = isToolDisabled(server, tool);
			const isChanged = changed.has(server, tool);
			const isListed = tool.inputSchema !== unknownSchema;
			return {
				title,
				facts: [...names, registry.label(server), ...(isListed ? [describeTokens(toolTokens.of(tool))] : [])],
				hints: describeHints(tool.annotations),
				notice: isDisabled
					? t('The tool is disabled.')
					: isChanged
						? t('The definition of the tool has changed since it was approved.')
						: '',
				noticeAction: isDisabled ? 'enable' : isChanged && node ? 'review' : 'none',
				isForModels: isDisabled ? undefined : isForModels(server, tool),
				hasLastArguments: last.get(server, tool) !== undefined,
				inputSchema: isListed ? webviewText(jsonText(tool.inputSchema, 2), maxSchema) : '',
				outputSchema: tool.outputSchema ? webviewText(jsonText(tool.outputSchema, 2), maxSchema) : '',
			};
		},
		goneText: t('The server no longer offers this tool.'),
		createRequest: ({ name }, args) => ({ method: 'tools/call', params: { name, arguments: args } }),
		getCopyFormats: (server, tool, args) => {
			const isSignedIn = accounts.of(server.definition)?.state.kind === 'signedIn';
			const curl = curlCall(server, tool, args, isSignedIn, text => registry.redact(text, server));
			const sdk = { label: t('SDK call'), text: () => sdkCall({ tool: tool.name, arguments: args }) };
			return curl === undefined ? [sdk] : [sdk, { label: 'curl', text: () => curl }];
		},
		getEarlierRuns: (server, tool) => {
			// Reads the entries of earlier sessions once. The pages are refreshed afterwards.
			loading ??= reportErrors(() => history.loadMore());
			return history.entries.flatMap(it => earlierRun(server, tool, it));
		},
		actions: {
			lastArguments: (server, tool, page) => page.useArguments(last.get(server, tool) ?? {}),
			review: (_server, _tool, { node }) => vscode.commands.executeCommand(Commands.reviewTool, node),
			enable: async (server, tool, page) => {
				await enableTool(server, tool.name, true);
				page.showError('');
			},
			toggleModels: toggleForModels,
		},
		run: async (server, tool, args, pageRun) => {
			if (isToolDisabled(server, tool)) {
				throw new Error(t('The tool is disabled.'));
			}
			await deps.run(server, tool, args, pageRun);
		},
	};
	return new RunPages(deps, kind);
}

/** Converts a history entry to a run. Returns none if the entry isn't a call of the tool that was sent and recorded. */
function earlierRun(server: Server, tool: Tool, entry: HistoryEntry): readonly Run[] {
	const { id, time: startedAt, durationMs, isCut, end } = entry;
	const isCallOfTool = entry.kind === 'call' && entry.tool === tool.name && entry.serverId === server.definition.id;
	if (!isCallOfTool || entry.isDecisionOnly || end.kind === 'denied') {
		return [];
	}
	const args = entry.arguments;
	const call = { id, server, tool, arguments: args, durationMs, end: toCallEnd(end) };
	const caller = entry.caller.kind === 'person' ? undefined : describeCaller(entry.caller);
	return [{ id, startedAt, args, isCut: isCut.arguments, caller, end: call }];
}

function toCallEnd(end: HistoryEnd): CallEnd {
	if (end.kind === 'answered') {
		const result = readToolResult({ ...end.result, isError: end.isError });
		const text = end.source === undefined ? undefined : `{"result":${end.source}}`;
		return { kind: 'answered', result, text, warnings: [] };
	}
	return end.kind === 'failed' ? { kind: 'failed', error: new Error(end.message) } : { kind: 'cancelled' };
}

async function toggleForModels(server: Server, tool: Tool): Promise<void> {
	const { definition } = server;
	const [name, isOff] = [toolName(tool.name), isHiddenFromModels(server, tool)];
	const written = await (isOff
		? editToolLists(definition, 'hiddenFromModels', settingPlaces, { remove: [tool.name] })
		: editToolLists(definition, 'hiddenFromModels', choicePlaces[usualScope()], { add: [tool.name] }));
	const messageOf = (file: string): string =>
		isOff
			? t('{0} is on for models. Written to {1}.', name, file)
			: t('{0} is off for models. Written to {1}.', name, file);
	void reportErrors(() => offerUndo(written, messageOf));
}
