/** Describes each option of a server, and asks for its value. */
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
	/** The current value, from any settings. */
	readonly value: string;
	/** Id of a codicon. */
	readonly icon: string;
}

/** @param folders all folders of the workspace, with the decision whether the server may see them */
export function describeOption({ options }: Server, key: OptionKey, folders: readonly JudgedFolder[]): OptionLook {
	const { t } = vscode.l10n;
	const exposed = folders.filter(isExposed).map(it => it.name);
	const listed = (names: readonly string[]): string => names.join(', ') || t('None');
	const looks: Readonly<Record<OptionKey, OptionLook>> = {
		requestTimeout: {
			label: t('Request timeout'),
			icon: 'watch',
			value: describeTimeout(options.requestTimeoutMs),
		},
		toolTimeouts: {
			label: t('Tool timeouts'),
			icon: 'watch',
			value: describeTools(options) || t('Same as the request timeout'),
		},
		era: { label: t('Protocol era'), icon: 'history', value: describeEra(options.era) },
		start: { label: t('Start'), icon: 'play', value: describeStart(options.start) },
		roots: {
			label: t('Exposed folders'),
			icon: 'root-folder',
			value: options.folderChoices.length === 0 ? t('All') : listed(exposed),
		},
		disabledTools: { label: t('Disabled tools'), icon: 'circle-slash', value: listed(options.disabledTools) },
		hiddenFromModels: {
			label: t('Tools hidden from models'),
			icon: 'eye-closed',
			value: listed(options.hiddenFromModels),
		},
	};
	return looks[key];
}

/** Asks for a new value; `undefined` if the person doesn't change it. */
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
			return askForTools(server, title, key, t('Select the tools to disable'));
		case 'hiddenFromModels':
			return askForTools(server, title, key, t('Select the tools to hide from models'));
	}
}

function describeTimeout(ms: number | undefined): string {
	const { t } = vscode.l10n;
	return ms === undefined ? t('Default for all servers') : ms === 0 ? t('No timeout') : t('{0} s', ms / 1000);
}

function describeTools({ toolTimeoutsMs }: ServerOptions): string {
	return Object.entries(toolTimeoutsMs)
		.map(([tool, ms]) => `${tool}: ${describeTimeout(ms)}`)
		.join(', ');
}

function describeEra(era: EraMode): string {
	const { t } = vscode.l10n;
	return {
		auto: t('Automatic (asks the server)'),
		legacy: t('Legacy (up to 2025-11-25)'),
		modern: t('Modern (2026-07-28 and later)'),
	}[era];
}

function describeStart(start: StartMode): string {
	const { t } = vscode.l10n;
	return start === 'onUse' ? t('When first used') : t('When the workspace opens');
}

interface Seconds {
	/** `undefined` restores the default. */
	readonly seconds: number | undefined;
}

async function askForSeconds(title: string, ms: number | undefined): Promise<Seconds | undefined> {
	const { t } = vscode.l10n;
	const text = await askForText({
		title,
		prompt: t(
			'Enter the number of seconds to wait for a response or progress. 0 means no timeout. Leave the field empty to use the default.',
		),
		value: ms === undefined ? '' : String(ms / 1000),
		canGoBack: true,
		check: it => (isSeconds(it) ? undefined : t('"{0}" isn\'t a number of seconds', it)),
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
	const chosen = await askForOne({ title, placeholder: t('Select a tool to set its timeout'), canGoBack: true }, items);
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
		description: mode === now ? t('{0} (current)', describe(mode)) : describe(mode),
		mode,
	}));
	const chosen = await askForOne({ title, placeholder: t('Select a value'), canGoBack: true }, items);
	return chosen && chosen !== back ? chosen.mode : undefined;
}

/** The tools of the server, and those that have a setting. */
function toolNames({ catalog }: Server, set: readonly string[]): string[] {
	return [...new Set([...itemsOf(catalog?.tools).map(it => it.name), ...set])];
}

function tellNoTools(): undefined {
	void vscode.window.showInformationMessage(vscode.l10n.t("Start the server first. Its tools aren't known yet."));
}
