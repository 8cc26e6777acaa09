/** The command *Choose Tools…*: one list of the tools that models get, with the tokens that each costs them. */
import * as vscode from 'vscode';
import { isForModels, isToolDisabled } from '../../core/calls/toolAccess.js';
import { settingPlaces } from '../../core/config/serverOptions.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { reportErrors } from '../../editor/commands.js';
import { describeSettingPlace } from '../../editor/l10n/configWords.js';
import { describeList, describeNumber, describeTokens } from '../../editor/l10n/messages.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import { GroupNode, LeafNode, ServerNode } from '../../editor/tree/treeNodes.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { quickPickText, titleText } from '../../editor/ui/plainText.js';
import { offerUndo } from '../../editor/ui/offerUndo.js';
import { confirmAction, untilAnswered } from '../../editor/ui/quickInput.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import {
	choicePlaces,
	editToolLists,
	listIn,
	type Scope,
	usualScope,
	type WrittenList,
} from '../../editor/workspace/serverOptions.js';
import type { Tool } from '../../mcp/index.js';

const { t } = vscode.l10n;

interface ToolLine extends vscode.QuickPickItem {
	readonly server: Server;
	readonly tool: Tool;
	/** Whether models get the tool. False if `lock` is set. */
	readonly isOn: boolean;
	/** Why the tool stays off regardless of the scope: User Settings, or because the tool is disabled. */
	readonly lock: 'user' | 'disabled' | undefined;
}

interface Choice {
	readonly scope: Scope;
	/** The lines that the person has checked, and the lines that they have unchecked. */
	readonly on: readonly ToolLine[];
	readonly off: readonly ToolLine[];
}

/** @param argument a row of the tree, or anything else for the tools of all running servers */
export async function chooseTools(registry: ServerRegistry, tokens: ToolTokens, argument: unknown): Promise<void> {
	await registry.configured;
	const isRow = argument instanceof ServerNode || argument instanceof GroupNode || argument instanceof LeafNode;
	const servers = (isRow ? [argument.server] : registry.servers).filter(it => itemsOf(it.catalog?.tools).length > 0);
	const [only] = servers.length === 1 ? servers : [];
	if (servers.length === 0) {
		showNoMatch(registry, t('Start a server first. Only tools of running servers can be selected.'));
		return;
	}
	const linesIn = (scope: Scope): ToolLine[] =>
		servers.flatMap(server => toolLines(server, scope, tokens, only ? [] : [registry.label(server)]));
	const titleOf = (tools: readonly Tool[]): string => {
		const total = t('Tools for models: {0}', describeTokens(tokens.sum(tools)));
		return only ? titleText(total, registry.label(only)) : total;
	};
	const choice = await askForTools(linesIn, titleOf, argument instanceof LeafNode ? argument.entry : undefined);
	const written = choice ? await write(choice) : [];
	if (written.length > 0) {
		void reportErrors(() => reportChange(servers, tokens, written));
	}
}

/** @param labels the label of the server, or nothing if the list is for one server */
function toolLines(server: Server, scope: Scope, tokens: ToolTokens, labels: readonly string[]): ToolLine[] {
	const hiddenIn = (it: Scope): Set<string> =>
		new Set(choicePlaces[it].flatMap(place => listIn(server.definition, place, 'hiddenFromModels')));
	const [here, elsewhere] = [hiddenIn(scope), hiddenIn(scope === 'user' ? 'workspace' : 'user')];
	const noteElsewhere = scope === 'user' ? t('Off in this workspace') : t('Off in all workspaces');
	return itemsOf(server.catalog?.tools).map(tool => {
		const isDisabled = isToolDisabled(server, tool);
		const isElsewhere = elsewhere.has(tool.name);
		const lock = isDisabled ? 'disabled' : isElsewhere && scope === 'workspace' ? 'user' : undefined;
		const notes = isDisabled ? [t('Disabled for everyone')] : isElsewhere ? [noteElsewhere] : [];
		const [label, ...name] = toolTitle(tool);
		return {
			label,
			description: [...labels, ...name, describeTokens(tokens.of(tool)), ...notes].join(' · '),
			...(tool.description ? { detail: quickPickText(tool.description) } : {}),
			server,
			tool,
			isOn: lock === undefined && !here.has(tool.name),
			lock,
		};
	});
}

/** @param first the tool whose line is active at first */
function askForTools(
	linesIn: (scope: Scope) => ToolLine[],
	titleOf: (tools: readonly Tool[]) => string,
	first: unknown,
): Promise<Choice | undefined> {
	let scope = usualScope();
	const hasWorkspace = scope === 'workspace';
	const pick = vscode.window.createQuickPick<ToolLine>();
	const changed = (): ToolLine[] => pick.items.filter(it => it.isOn !== pick.selectedItems.includes(it));
	const showTotal = (): void => {
		pick.title = titleOf(pick.selectedItems.map(it => it.tool));
	};
	/** Shows the lines of the scope. Keeps changes by the person. */
	const show = (): void => {
		const kept = new Map(changed().map(it => [it.tool, !it.isOn]));
		const lines = linesIn(scope);
		const file = describeSettingPlace(scope);
		[pick.placeholder, pick.buttons] =
			scope === 'user'
				? [t('Select tools for all workspaces ({0})', file), hasWorkspace ? [workspaceButton()] : []]
				: [t('Select tools for this workspace ({0})', file), [everywhereButton()]];
		pick.items = lines;
		pick.selectedItems = lines.filter(it => kept.get(it.tool) ?? it.isOn);
		showTotal();
	};
	pick.canSelectMany = true;
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	show();
	pick.activeItems = pick.items.filter(it => it.tool === first);
	const listen = (answer: (choice: Choice | undefined) => void): void => {
		pick.onDidChangeSelection(showTotal);
		pick.onDidTriggerButton(() => {
			scope = scope === 'user' ? 'workspace' : 'user';
			show();
		});
		pick.onDidAccept(() => {
			answer({ scope, on: changed().filter(it => !it.isOn), off: changed().filter(it => it.isOn) });
		});
	};
	return untilAnswered<Choice | undefined>(pick, listen, () => undefined);
}

function workspaceButton(): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon('root-folder'), tooltip: t('Choose for This Workspace') };
}

function everywhereButton(): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon('globe'), tooltip: t('Choose for All Workspaces') };
}

/** @returns the lists that have changed */
async function write({ scope, on, off }: Choice): Promise<readonly WrittenList[]> {
	const may = { user: await mayUnlock('user', on), disabled: await mayUnlock('disabled', on) };
	const allowed = on.filter(it => it.lock === undefined || may[it.lock]);
	const written: WrittenList[] = [];
	for (const server of new Set([...allowed, ...off].map(it => it.server))) {
		const namesOf = (lines: readonly ToolLine[]): string[] =>
			lines.filter(it => it.server === server).map(it => it.tool.name);
		const { definition } = server;
		const change = { add: namesOf(off), remove: namesOf(allowed) };
		const unlocked = { remove: namesOf(allowed.filter(it => it.lock !== undefined)) };
		written.push(
			...(await editToolLists(definition, 'hiddenFromModels', choicePlaces[scope], change)),
			...(await editToolLists(definition, 'hiddenFromModels', choicePlaces.user, unlocked)),
			...(await editToolLists(definition, 'disabled', settingPlaces, unlocked)),
		);
	}
	return written;
}

/** Asks whether to turn on tools that are off outside of the scope. */
async function mayUnlock(lock: 'user' | 'disabled', lines: readonly ToolLine[]): Promise<boolean> {
	const names = describeList(lines.filter(it => it.lock === lock).map(it => toolName(it.tool.name)));
	const [message, action] =
		lock === 'user'
			? [t("Tools that are off in all workspaces can't be turned on for one workspace only."), t('Turn On Everywhere')]
			: [t('These tools are disabled for everyone. Enable them?'), t('Enable')];
	return names !== '' && confirmAction(message, action, names);
}

/** Tells what models get now, and offers to undo the change. */
function reportChange(servers: readonly Server[], tokens: ToolTokens, written: readonly WrittenList[]): Promise<void> {
	const tools = servers.flatMap(server => itemsOf(server.catalog?.tools).map(tool => ({ server, tool })));
	const given = tools.filter(it => isForModels(it.server, it.tool)).map(it => it.tool);
	const [some, all] = [describeNumber(given.length), describeNumber(tools.length)];
	const cost = describeTokens(tokens.sum(given));
	return offerUndo(written, it => t('Models now get {0} of {1} tools ({2}). Written to {3}.', some, all, cost, it));
}
