/** The command *Server Options…*: lists the options of a server and what other features can do with it. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { quickPickText, titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { askForOne, askForText, back } from '../../editor/ui/quickInput.js';
import { offerRestart, type ServerActions } from '../../editor/ui/serverActions.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';
import { openMachineSetting } from '../../editor/workspace/config.js';
import { writeOption, writtenOptions } from '../../editor/workspace/serverOptions.js';
import { eraModes, type StartMode, startModes, withMember } from '../../core/config/serverOptions.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { EraMode } from '../../mcp/index.js';

const { t } = vscode.l10n;

interface OptionsDeps {
	readonly registry: ServerRegistry;
	readonly serverActions: ServerActions;
}

export function registerOptions(deps: OptionsDeps): Disposable {
	return registerCommand(Commands.serverOptions, async argument => {
		const title = t('Server Options');
		const server = await chooseServer(deps.registry, argument, () => true, { title });
		await (server && showOptions(deps, server));
	});
}

interface Item extends vscode.QuickPickItem {
	readonly option?: Option;
	readonly run?: () => unknown;
}

/** Lists everything, again after each change of an option, until the person leaves the list or selects an action. */
async function showOptions({ registry, serverActions }: OptionsDeps, server: Server): Promise<void> {
	const title = titleText(t('Server Options'), registry.label(server));
	let needsRestart = false;
	for (;;) {
		const items: readonly Item[] = [
			...options().map(option => ({
				label: option.label,
				description: quickPickText(option.describe(server)),
				iconPath: new vscode.ThemeIcon(option.icon),
				option,
			})),
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			...serverActions.of(server).map(action => ({
				label: action.label(server),
				description: quickPickText(action.value?.(server) ?? ''),
				iconPath: new vscode.ThemeIcon(action.icon),
				run: () => action.run(server),
			})),
			{
				label: t('Open in settings.json'),
				iconPath: new vscode.ThemeIcon('json'),
				run: () => openMachineSetting('serverOptions'),
			},
		];
		const chosen = await askForOne({ title, placeholder: t('Select an option or an action') }, items);
		if (!chosen || chosen === back) {
			break;
		}
		if (!chosen.option) {
			await chosen.run?.();
			break;
		}
		const isChanged = await chosen.option.edit(server, title);
		needsRestart ||= isChanged && chosen.option.needsRestart === true;
	}
	if (needsRestart && canStop(server.state)) {
		await offerRestart([server], t('Restart {0} to apply the new options.', registry.label(server)));
	}
}

interface Option {
	readonly label: string;
	/** Id of a codicon. */
	readonly icon: string;
	/** Whether a running server gets the option at its next start. */
	readonly needsRestart?: boolean;
	/** The current value. */
	describe(server: Server): string;
	/** Asks for a new value and writes it. False if the person didn't change it. */
	edit(server: Server, title: string): Promise<boolean>;
}

function options(): readonly Option[] {
	return [
		{
			label: t('Request timeout'),
			icon: 'watch',
			needsRestart: true,
			describe: ({ options: { requestTimeoutMs } }) => describeTimeout(requestTimeoutMs),
			edit: ({ name }, title) =>
				editSeconds(title, writtenOptions(name)['requestTimeout'], it => writeOption(name, 'requestTimeout', it)),
		},
		{
			label: t('Tool timeouts'),
			icon: 'watch',
			describe: ({ options: { toolTimeoutsMs } }) =>
				Object.entries(toolTimeoutsMs)
					.map(([tool, ms]) => `${toolName(tool)}: ${describeTimeout(ms)}`)
					.join(', ') || t('Same as the request timeout'),
			edit: editToolTimeout,
		},
		{
			label: t('Protocol era'),
			icon: 'history',
			needsRestart: true,
			describe: server => describeEra(server.options.era),
			edit: (server, title) => editMode(server, title, 'era', eraModes, describeEra),
		},
		{
			label: t('Start'),
			icon: 'play',
			describe: server => describeStart(server.options.start),
			edit: (server, title) => editMode(server, title, 'start', startModes, describeStart),
		},
	];
}

function describeTimeout(ms: number): string {
	return ms === 0 ? t('No timeout') : t('{0} s', ms / 1000);
}

function describeEra(era: EraMode): string {
	return {
		auto: t('Automatic (asks the server)'),
		legacy: t('Legacy (up to 2025-11-25)'),
		modern: t('Modern (2026-07-28 and later)'),
	}[era];
}

function describeStart(start: StartMode): string {
	return start === 'onUse' ? t('When first used') : t('When the workspace opens');
}

/** @param written the value in the settings, valid or not */
async function editSeconds(
	title: string,
	written: unknown,
	write: (seconds: number | undefined) => Promise<void>,
): Promise<boolean> {
	const text = await askForText({
		title,
		prompt: t(
			'Enter the number of seconds to wait for a response or progress. 0 means no timeout. Leave the field empty to use the default.',
		),
		value: typeof written === 'number' ? String(written) : '',
		canGoBack: true,
		check: it => (isSeconds(it) ? undefined : t('"{0}" isn\'t a number of seconds', it)),
	});
	if (text === undefined || text === back) {
		return false;
	}
	await write(text.trim() === '' ? undefined : Number(text));
	return true;
}

function isSeconds(text: string): boolean {
	return text.trim() === '' || (/^\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) <= 2_000_000);
}

async function editToolTimeout(server: Server, title: string): Promise<boolean> {
	const { name } = server;
	const { toolTimeoutsMs } = server.options;
	const items = toolNames(server, Object.keys(toolTimeoutsMs)).map(tool => ({
		label: toolName(tool),
		description: describeTimeout(
			Object.hasOwn(toolTimeoutsMs, tool) ? (toolTimeoutsMs[tool] ?? 0) : server.options.requestTimeoutMs,
		),
		tool,
	}));
	if (items.length === 0) {
		return tellNoTools();
	}
	const chosen = await askForOne({ title, placeholder: t('Select a tool to set its timeout'), canGoBack: true }, items);
	if (!chosen || chosen === back) {
		return false;
	}
	const { tool } = chosen;
	const written = writtenOptions(name)['toolTimeouts'];
	const own = Object.hasOwn(toolTimeoutsMs, tool) ? (toolTimeoutsMs[tool] ?? 0) / 1000 : undefined;
	return editSeconds(title, own, it => writeOption(name, 'toolTimeouts', withMember(written, tool, it)));
}

async function editMode<T extends string>(
	{ name, options: now }: Server,
	title: string,
	key: 'era' | 'start',
	modes: readonly T[],
	describe: (mode: T) => string,
): Promise<boolean> {
	const items = modes.map(mode => ({
		label: mode,
		description: mode === now[key] ? t('{0} (current)', describe(mode)) : describe(mode),
		mode,
	}));
	const chosen = await askForOne({ title, placeholder: t('Select a value'), canGoBack: true }, items);
	if (!chosen || chosen === back) {
		return false;
	}
	await writeOption(name, key, chosen.mode);
	return true;
}

/** The tools of the server, and those that have a setting. */
function toolNames({ catalog }: Server, set: readonly string[]): string[] {
	return [...new Set([...itemsOf(catalog?.tools).map(it => it.name), ...set])];
}

function tellNoTools(): false {
	void vscode.window.showInformationMessage(t("Start the server first. Its tools aren't known yet."));
	return false;
}
