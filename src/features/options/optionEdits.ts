/** How each option of a server reads, and how it is asked for. */
import * as vscode from 'vscode';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, askForOne, askForText, back } from '../../editor/ui/quickInput.js';
import type { OptionChoice } from '../../core/config/optionChoice.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { isExposed, type JudgedFolder } from '../../core/servers/roots.js';
import type { Server } from '../../core/servers/server.js';
import {
	eraModes,
	type OptionKey,
	type ServerOptions,
	type StartMode,
	startModes,
} from '../../core/config/serverOptions.js';
import type { EraMode } from '../../mcp/index.js';

interface OptionLook {
	readonly label: string;
	/** What holds now, whoever set it. */
	readonly value: string;
	/** Of the codicons. */
	readonly icon: string;
}

/** @param folders of the workspace, as judged for the server */
export function describeOption({ options }: Server, key: OptionKey, folders: readonly JudgedFolder[]): OptionLook {
	const { t } = vscode.l10n;
	const exposed = folders.filter(isExposed).map(it => it.name);
	switch (key) {
		case 'requestTimeout':
			return { label: t('Request Time-out'), icon: 'watch', value: describeTimeout(options.requestTimeoutMs) };
		case 'toolTimeouts': {
			const count = Object.keys(options.toolTimeoutsMs).length;
			return {
				label: t('Time-outs of Tools'),
				icon: 'watch',
				value: count === 0 ? t('as the server') : describeTools(options),
			};
		}
		case 'era':
			return { label: t('Protocol Era'), icon: 'history', value: describeEra(options.era) };
		case 'start':
			return { label: t('Start'), icon: 'play', value: describeStart(options.start) };
		case 'roots':
			return {
				label: t('Exposed Folders'),
				icon: 'root-folder',
				value: options.folderChoices.length === 0 ? t('all') : exposed.join(', ') || t('none'),
			};
		case 'disabledTools':
			return { label: t('Disabled Tools'), icon: 'circle-slash', value: options.disabledTools.join(', ') || t('none') };
		case 'hiddenFromModels':
			return {
				label: t('Tools Hidden from Models'),
				icon: 'eye-closed',
				value: options.hiddenFromModels.join(', ') || t('none'),
			};
	}
}

/** Asks for another value; `undefined` if the person leaves it as it is. */
export async function editOption(
	server: Server,
	key: Exclude<OptionKey, 'roots'>,
	title: string,
): Promise<OptionChoice | undefined> {
	const { options } = server;
	const { t } = vscode.l10n;
	switch (key) {
		case 'requestTimeout': {
			const chosen = await askForSeconds(title, options.requestTimeoutMs);
			return chosen && { key, ...chosen };
		}
		case 'toolTimeouts':
			return askForToolTimeout(server, title);
		case 'era': {
			const mode = await askForMode(title, eraModes, options.era, describeEra);
			return mode && { key, mode };
		}
		case 'start': {
			const mode = await askForMode(title, startModes, options.start, describeStart);
			return mode && { key, mode };
		}
		case 'disabledTools':
			return askForTools(server, title, key, t('Tools that are checked cannot be run'));
		case 'hiddenFromModels':
			return askForTools(server, title, key, t('No model sees the tools that are checked'));
	}
}

function describeTimeout(ms: number | undefined): string {
	const { t } = vscode.l10n;
	return ms === undefined ? t('as for all servers') : ms === 0 ? t('none, it waits for ever') : t('{0} s', ms / 1000);
}

function describeTools({ toolTimeoutsMs }: ServerOptions): string {
	return Object.entries(toolTimeoutsMs)
		.map(([tool, ms]) => `${tool}: ${describeTimeout(ms)}`)
		.join(', ');
}

function describeEra(era: EraMode): string {
	const { t } = vscode.l10n;
	switch (era) {
		case 'auto':
			return t('the server is asked');
		case 'legacy':
			return t('legacy, up to 2025-11-25');
		case 'modern':
			return t('modern, from 2026-07-28 on');
	}
}

function describeStart(start: StartMode): string {
	const { t } = vscode.l10n;
	return start === 'onUse' ? t('when it is first used') : t('when the workspace is opened');
}

interface Seconds {
	/** `undefined` for an empty text: the default. */
	readonly seconds: number | undefined;
}

async function askForSeconds(title: string, ms: number | undefined): Promise<Seconds | undefined> {
	const { t } = vscode.l10n;
	const text = await askForText({
		title,
		prompt: t('Seconds without an answer or a sign of progress; 0 waits for ever. Leave it empty for the default.'),
		value: ms === undefined ? '' : String(ms / 1000),
		canGoBack: true,
		check: it => (isSeconds(it) ? undefined : t('"{0}" is not a number of seconds', it)),
	});
	if (text === undefined || text === back) {
		return undefined;
	}
	return { seconds: text.trim() === '' ? undefined : Number(text) };
}

function isSeconds(text: string): boolean {
	return text.trim() === '' || (/^\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) <= 2_000_000);
}

async function askForToolTimeout(server: Server, title: string): Promise<OptionChoice | undefined> {
	const { t } = vscode.l10n;
	const { toolTimeoutsMs } = server.options;
	const items = toolNames(server, Object.keys(toolTimeoutsMs)).map(tool => ({
		label: quickPickText(tool),
		description: Object.hasOwn(toolTimeoutsMs, tool) ? describeTimeout(toolTimeoutsMs[tool]) : '',
		tool,
	}));
	if (items.length === 0) {
		return tellNoTools();
	}
	const chosen = await askForOne({ title, placeholder: t('The time-out of which tool?'), canGoBack: true }, items);
	if (!chosen || chosen === back) {
		return undefined;
	}
	const seconds = await askForSeconds(title, toolTimeoutsMs[chosen.tool]);
	return seconds && { key: 'toolTimeouts', tool: chosen.tool, ...seconds };
}

async function askForTools(
	server: Server,
	title: string,
	key: 'disabledTools' | 'hiddenFromModels',
	placeholder: string,
): Promise<OptionChoice | undefined> {
	const set = server.options[key];
	const items = toolNames(server, set).map(tool => ({ label: quickPickText(tool), tool }));
	if (items.length === 0) {
		return tellNoTools();
	}
	const chosen = await askForMany({ title, placeholder, canGoBack: true }, items, it => set.includes(it.tool));
	if (!chosen || chosen === back) {
		return undefined;
	}
	return { key, tools: chosen.map(it => it.tool) };
}

async function askForMode<T extends string>(
	title: string,
	modes: readonly T[],
	now: T,
	describe: (mode: T) => string,
): Promise<T | undefined> {
	const { t } = vscode.l10n;
	const items = modes.map(mode => ({
		label: mode,
		description: mode === now ? t('{0} · now', describe(mode)) : describe(mode),
		mode,
	}));
	const chosen = await askForOne({ title, placeholder: t('Choose one'), canGoBack: true }, items);
	return chosen && chosen !== back ? chosen.mode : undefined;
}

/** Those the server has now, and those that something is set for. */
function toolNames({ catalog }: Server, set: readonly string[]): string[] {
	return [...new Set([...itemsOf(catalog?.tools).map(it => it.name), ...set])];
}

function tellNoTools(): undefined {
	void vscode.window.showInformationMessage(vscode.l10n.t('Start the server first: its tools are not known.'));
}
