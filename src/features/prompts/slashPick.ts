/** Asks for a prompt of a running server, from a list that works like slash commands. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle.js';
import type { Prompt } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isStartOffered } from '../../core/servers/serverState.js';
import { findCommands, parseSlash, slashText, typedArguments } from '../../core/search/slash.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { Commands } from '../../editor/contributions.js';
import { keepOrder } from '../../editor/newerApi.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { argumentNames, type PromptCommand, promptCommands } from './promptList.js';

export interface ChosenPrompt {
	readonly server: Server;
	readonly prompt: Prompt;
	/** The arguments that were typed. */
	readonly given: Readonly<Record<string, string>>;
	/** The text of the input, for a way back. */
	readonly typed: string;
}

interface SlashItem extends vscode.QuickPickItem {
	/** Identifies the line when the list is created again. */
	readonly key: string;
	readonly command?: PromptCommand;
	/** A server that choosing this line starts. */
	readonly start?: Server;
}

/** Further typing finds the others. */
const maxLines = 1000;

/** Key of the line that says that no running server offers a prompt. */
const noPrompts = 'noPrompts';

/** Also offers to start servers, whose prompts are then in the list. @param typed the initial text of the input */
export async function pickPrompt(registry: ServerRegistry, typed = '/'): Promise<ChosenPrompt | undefined> {
	await registry.configured;
	if (registry.servers.length === 0) {
		showNoMatch(registry, '');
		return undefined;
	}
	let text = typed;
	let start = onlyStart(registry);
	for (;;) {
		if (!start) {
			const chosen = await ask(registry, text);
			if (!chosen) {
				return undefined;
			}
			text = chosen.text;
			const { command } = chosen.item;
			if (command) {
				const { server, prompt, name } = command;
				const given = typedArguments(parseSlash(text), name, argumentNames(prompt));
				return { server, prompt, given, typed: text };
			}
			({ start } = chosen.item);
		}
		if (!start) {
			return undefined;
		}
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(start));
		const { catalog } = registry.current(start) ?? start;
		if (!catalog) {
			// The command has reported why the server didn't start.
			return undefined;
		}
		// Waits for the first prompts. The list shows later ones as they arrive.
		await catalog.findPrompt(() => true);
		start = undefined;
	}
}

/** The server to start, if starting it is the only choice. */
function onlyStart(registry: ServerRegistry): Server | undefined {
	const [first, ...others] = registry.servers.filter(it => isStartOffered(it.state));
	return others.length === 0 && promptCommands(registry).length === 0 ? first : undefined;
}

async function ask(
	registry: ServerRegistry,
	typed: string,
): Promise<{ readonly item: SlashItem; readonly text: string } | undefined> {
	const { t } = vscode.l10n;
	const owned = new DisposableStore();
	const pick = vscode.window.createQuickPick<SlashItem>();
	owned.add({ dispose: () => closeInput(pick) });
	pick.title = t('Run Prompt');
	pick.placeholder = t('Enter /server.prompt argument="value"');
	pick.keepScrollPosition = true;
	keepOrder(pick);
	pick.value = typed;
	const draw = (isTyped: boolean): void => {
		const [before] = pick.activeItems;
		pick.items = linesFor(registry, pick.value);
		// Typing activates the first match. A list that changes by itself keeps the active line.
		const active = (isTyped ? undefined : pick.items.find(it => it.key === before?.key)) ?? firstLine(pick.items);
		pick.activeItems = active ? [active] : [];
	};
	draw(true);
	owned.add(registry.onDidChange(() => draw(false)));
	owned.add(pick.onDidChangeValue(() => draw(true)));
	return new Promise<{ item: SlashItem; text: string } | undefined>(resolve => {
		owned.add(
			pick.onDidAccept(() => {
				const item = pick.selectedItems[0] ?? pick.activeItems[0];
				if (item && (item.command ?? item.start)) {
					resolve({ item, text: pick.value });
				}
			}),
		);
		owned.add(pick.onDidHide(() => resolve(undefined)));
		openInput(pick);
	}).finally(() => owned.dispose());
}

/** The line to activate: the first one, or the first server to start if no running server offers a prompt. */
function firstLine(lines: readonly SlashItem[]): SlashItem | undefined {
	const [first] = lines;
	return first?.key === noPrompts ? (lines.find(it => it.start) ?? first) : first;
}

function linesFor(registry: ServerRegistry, typed: string): SlashItem[] {
	const { t } = vscode.l10n;
	const commands = promptCommands(registry);
	const found = findCommands(commands, parseSlash(typed), maxLines);
	const stopped = registry.servers.filter(it => isStartOffered(it.state));
	const lines = found.map(it => commandLine(it, typed));
	if (lines.length === 0) {
		lines.push(
			commands.length > 0
				? { key: 'noMatch', label: t('No matching prompts') }
				: { key: noPrompts, label: t('No running server offers prompts') },
		);
	}
	if (stopped.length > 0) {
		lines.push({ key: 'separator', label: t('Not running'), kind: vscode.QuickPickItemKind.Separator });
	}
	for (const server of stopped) {
		lines.push({
			key: `start ${server.definition.id}`,
			label: t('Start "{0}"', registry.label(server)),
			description: t('Shows its prompts'),
			iconPath: new vscode.ThemeIcon('debug-start'),
			start: server,
		});
	}
	return lines.map(it => ({ ...it, alwaysShow: true }));
}

function commandLine(command: PromptCommand, typed: string): SlashItem {
	const { server, prompt, name } = command;
	const given = typedArguments(parseSlash(typed), name, argumentNames(prompt));
	return {
		key: `${server.definition.id} ${prompt.name}`,
		label: quickPickText(slashText(name, {})),
		description: quickPickText(usage(prompt, given)),
		...detailOf(prompt),
		command,
	};
}

/** `city state? language="de"`: a question mark means optional. */
function usage({ arguments: list = [] }: Prompt, given: Readonly<Record<string, string>>): string {
	return list
		.map(({ name, required }) =>
			Object.hasOwn(given, name) ? `${name}=${JSON.stringify(given[name])}` : `${name}${required === true ? '' : '?'}`,
		)
		.join(' ');
}

function detailOf({ name, title, description }: Prompt): { detail?: string } {
	const said = [...(title === undefined || title === name ? [] : [title]), ...(description ? [description] : [])];
	return said.length > 0 ? { detail: quickPickText(said.join(' — ')) } : {};
}
