/**
 * What package.json, package.nls.json, .vscodeignore and the code say about the same things, compared both ways.
 * Each check gives sentences; none means all is well.
 */

import { checkWhenClauses } from './whenClauses.js';

/** package.json, as far as it is looked at. */
export interface Manifest {
	readonly contributes: {
		readonly commands: readonly ContributedCommand[];
		readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
		readonly keybindings?: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
		readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
		readonly configuration: Configuration | readonly Configuration[];
		readonly languageModelTools?: readonly { readonly name: string }[];
		readonly walkthroughs?: readonly Walkthrough[];
		readonly colors?: readonly { readonly id: string; readonly defaults: Readonly<Record<string, string>> }[];
		readonly [point: string]: unknown;
	};
	readonly engines: { readonly vscode: string };
	readonly devDependencies: Readonly<Record<string, string>>;
	readonly [key: string]: unknown;
}

interface ContributedCommand {
	readonly command: string;
	readonly title?: string;
	readonly category?: string;
	readonly icon?: unknown;
}

interface Walkthrough {
	readonly id: string;
	readonly steps: readonly { readonly id: string; readonly completionEvents?: readonly string[] }[];
}

interface MenuItem {
	readonly command?: string;
	readonly submenu?: string;
	readonly group?: string;
}

interface Configuration {
	readonly properties: Readonly<Record<string, unknown>>;
}

/** `src/editor/contributions.ts`. */
export interface Contributions {
	readonly Commands: Readonly<Record<string, string>>;
	/** Registered, and not in package.json. */
	readonly InternalCommands?: Readonly<Record<string, string>>;
	readonly Views: Readonly<Record<string, string>>;
	readonly ContextKeys: Readonly<Record<string, string>>;
	readonly TreeContexts: Readonly<Record<string, string>>;
	readonly Settings: Readonly<Record<string, string>>;
	readonly ModelTools: Readonly<Record<string, string>>;
	readonly Colors?: Readonly<Record<string, string>>;
}

export interface Project {
	readonly manifest: Manifest;
	readonly nls: Readonly<Record<string, string>>;
	readonly contributions: Contributions;
	/** Text of every source file but contributions.ts, by path. */
	readonly sources: Readonly<Record<string, string>>;
	readonly vscodeignore: string;
	/** True if the file (or a file that matches the pattern) exists, or the build makes it. */
	readonly exists: (path: string) => boolean;
}

export function checkManifest(project: Project): string[] {
	return [
		...checkCommands(project),
		...checkIds(project),
		...checkWhenClauses(project),
		...checkColors(project),
		...checkWords(project),
		...checkFiles(project),
		...checkVersions(project),
	];
}

function checkCommands({ manifest, contributions, sources }: Project): string[] {
	const problems: string[] = [];
	const { commands, menus } = manifest.contributes;
	const known = new Set(commands.map(it => it.command));
	const items = Object.entries(menus).flatMap(([menu, it]) => it.map(item => ({ menu, ...item })));
	for (const { menu, command } of items) {
		if (command !== undefined && !known.has(command)) {
			problems.push(`menu ${menu} has ${command}, which is no command`);
		}
	}
	for (const { command, key, when } of manifest.contributes.keybindings ?? []) {
		if (!known.has(command)) {
			problems.push(`key ${key} runs ${command}, which is no command`);
		}
		if (!when?.includes('mcpWorkbench.')) {
			problems.push(`key ${key} does not wait until ${command} can do something`);
		}
	}
	const hasButton = new Set(items.filter(it => /^(inline|navigation)\b/.test(it.group ?? '')).map(it => it.command));
	for (const { command, title, category, icon } of commands) {
		for (const [key, value] of Object.entries({ title, category })) {
			if (!value) {
				problems.push(`command ${command} has no ${key}`);
			}
		}
		if (hasButton.has(command) && icon === undefined) {
			problems.push(`command ${command} is a button and has no icon`);
		}
	}
	const code = Object.values(sources).join('\n');
	// The first argument of any call but the one that runs a command, and the keys of what `registerCommands` gets.
	const calls = Array.from(code.matchAll(/(\w+)\(\s*(?:Internal)?Commands\.(\w+)\s*[,)]/g));
	const keys = Array.from(code.matchAll(/\[(?:Internal)?Commands\.(\w+)\]:/g), it => it[1]);
	const registered = new Set([...calls.filter(it => it[1] !== 'executeCommand').map(it => it[2]), ...keys]);
	for (const [name, id] of Object.entries({ ...contributions.Commands, ...contributions.InternalCommands })) {
		if (!registered.has(name)) {
			problems.push(`command ${id} is declared and never registered`);
		}
	}
	return problems;
}

/** Every id is in both places, and is one of ours. */
function checkIds({ manifest, contributions, sources }: Project): string[] {
	const { commands, views } = manifest.contributes;
	const configurations = [manifest.contributes.configuration].flat();
	const problems = [
		...compare(
			'command',
			Object.values(contributions.Commands),
			commands.map(it => it.command),
		),
		...compare(
			'view',
			Object.values(contributions.Views),
			Object.values(views).flatMap(it => it.map(({ id }) => id)),
		),
		...compare(
			'setting',
			Object.values(contributions.Settings),
			configurations.flatMap(it => Object.keys(it.properties)),
		),
		...compare(
			'model tool',
			Object.values(contributions.ModelTools),
			(manifest.contributes.languageModelTools ?? []).map(it => it.name),
		),
	];
	problems.push(...checkWalkthroughs(manifest, contributions));
	const { Commands, InternalCommands = {}, Views, Settings, ContextKeys, TreeContexts, ModelTools } = contributions;
	for (const id of [Commands, InternalCommands, Views, Settings, ContextKeys].flatMap(it => Object.values(it))) {
		if (!id.startsWith('mcpWorkbench.')) {
			problems.push(`id ${id} is not in our name space`);
		}
	}
	const code = Object.values(sources).join('\n');
	for (const [group, ids] of Object.entries({ Views, Settings, ContextKeys, TreeContexts, ModelTools })) {
		for (const name of Object.keys(ids)) {
			if (!new RegExp(`\\b${group}\\.${name}\\b`).test(code) && !new RegExp(`\\b${group}\\[`).test(code)) {
				problems.push(`${group}.${name} is declared and never used`);
			}
		}
	}
	for (const [file, text] of Object.entries(sources)) {
		for (const [id] of text.matchAll(/(?<=['"`])mcpWorkbench\.[\w.]+(?=['"`])/g)) {
			problems.push(`${file} spells out ${id}`);
		}
	}
	return problems;
}

/** A step whose event names nothing is never checked, and one without an event is checked at a look. */
function checkWalkthroughs({ contributes }: Manifest, contributions: Contributions): string[] {
	const { walkthroughs = [] } = contributes;
	const { Commands, Views, ContextKeys } = contributions;
	const known = [
		...Object.values(Commands).map(it => `onCommand:${it}`),
		...Object.values(Views).map(it => `onView:${it}`),
		...Object.values(ContextKeys).map(it => `onContext:${it}`),
	];
	return walkthroughs
		.flatMap(it => it.steps)
		.filter(({ completionEvents: events = [] }) => events.length === 0 || events.some(it => !known.includes(it)))
		.map(it => `step ${it.id} ends with nothing that happens`);
}

const kindsOfTheme = ['dark', 'light', 'highContrast', 'highContrastLight'];

/** The editor's own colours of lists are none in high contrast, where a state would lose its colour. */
function checkColors({ manifest, contributions: { Colors = {} }, sources }: Project): string[] {
	const { colors = [] } = manifest.contributes;
	const isOfLists = (text: string): boolean => /\blist\.(error|warning)Foreground\b/.test(text);
	return [
		...compare(
			'colour',
			Object.values(Colors),
			colors.map(it => it.id),
		),
		...colors.flatMap(({ id, defaults }) =>
			kindsOfTheme
				.filter(it => !defaults[it] || (it.startsWith('highContrast') && isOfLists(defaults[it])))
				.map(it => `colour ${id} is none in ${it}`),
		),
		...Object.entries(sources)
			.filter(([, text]) => isOfLists(text))
			.map(([file]) => `${file} takes a colour of lists, which is none in high contrast`),
	];
}

function checkWords({ manifest, nls, contributions }: Project): string[] {
	const problems: string[] = [];
	const used = new Set<string>();
	for (const text of collect(manifest, () => true)) {
		const [, key] = /^%(.+)%$/.exec(text) ?? [];
		if (key !== undefined) {
			used.add(key);
		}
	}
	problems.push(...compare('word', [...used], Object.keys(nls), 'package.json', 'package.nls.json'));
	const focus = Object.values(contributions.Views).map(it => `${it}.focus`);
	const { Commands, InternalCommands = {} } = contributions;
	const commands = new Set([...Object.values({ ...Commands, ...InternalCommands }), ...focus]);
	for (const [key, text] of Object.entries(nls)) {
		for (const [, id = ''] of text.matchAll(/\(command:(mcpWorkbench[\w.]*)/g)) {
			if (!commands.has(id)) {
				problems.push(`${key} links to ${id}, which is no command`);
			}
		}
	}
	// What a schema of a language-model tool says is said to models.
	const { languageModelTools = [], ...others } = manifest.contributes;
	const shown = { others, tools: languageModelTools.map(it => ({ ...it, inputSchema: undefined })) };
	for (const text of collect(shown, key => wordKeys.has(key))) {
		if (!text.startsWith('%')) {
			problems.push(`"${text}" in package.json cannot be translated`);
		}
	}
	return problems;
}

/** Keys of package.json whose values people read. */
const wordKeys = new Set([
	'title',
	'category',
	'description',
	'markdownDescription',
	'contents',
	'label',
	'altText',
	'userDescription',
	'enumDescriptions',
	'markdownEnumDescriptions',
	'deprecationMessage',
	'markdownDeprecationMessage',
	'patternErrorMessage',
	'fullName',
]);
/** Keys of package.json whose values are files, unless they are icons of the editor. */
const fileKeys = new Set(['main', 'browser', 'icon', 'light', 'dark', 'path', 'markdown', 'image', 'svg', 'url']);

function checkFiles({ manifest, vscodeignore, exists }: Project): string[] {
	const problems: string[] = [];
	const [first, ...lines] = vscodeignore.split('\n').filter(it => it.trim() !== '' && !it.startsWith('#'));
	if (first !== '**') {
		problems.push('.vscodeignore is no allow-list: its first line is not **');
	}
	for (const line of lines) {
		if (!line.startsWith('!')) {
			problems.push(`.vscodeignore is no allow-list: ${line}`);
		} else if (!exists(line.slice(1))) {
			problems.push(`.vscodeignore packs ${line.slice(1)}, which does not exist`);
		}
	}
	const { l10n, scripts: _, contributes, ...others } = manifest;
	if (typeof l10n === 'string' && !lines.some(it => it.startsWith(`!${l10n.replace(/^\.\//, '')}/`))) {
		problems.push(`package.json names the folder ${l10n}, of which nothing is packed`);
	}
	for (const named of collect({ ...others, ...contributes, colors: [] }, key => fileKeys.has(key))) {
		// The last is a snippet, with places to fill in; what has a scheme is no file.
		if (/^(\$\(|%|[a-z-]+:|\$\{)/.test(named)) {
			continue;
		}
		const file = named.replace(/^\.\//, '');
		if (!exists(file)) {
			problems.push(`package.json names ${file}, which does not exist`);
		}
		if (!lines.includes(`!${file}`)) {
			problems.push(`package.json names ${file}, which is not packed`);
		}
	}
	return problems;
}

function checkVersions({ manifest }: Project): string[] {
	const problems: string[] = [];
	const types = manifest.devDependencies['@types/vscode'] ?? '';
	const [, floor] = /^\^(\d+\.\d+)\.\d+$/.exec(manifest.engines.vscode) ?? [];
	if (floor === undefined || !types.startsWith(`${floor}.`)) {
		problems.push(`engines.vscode is ${manifest.engines.vscode}, but the code is checked against ${types}`);
	}
	for (const group of ['dependencies', 'devDependencies']) {
		for (const [name, version] of Object.entries((manifest[group] ?? {}) as Record<string, string>)) {
			if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
				problems.push(`${name} ${version} is not one exact version`);
			}
		}
	}
	return problems;
}

function compare(
	what: string,
	here: readonly string[],
	there: readonly string[],
	hereName = 'contributions.ts',
	thereName = 'package.json',
): string[] {
	return [
		...here.filter(it => !there.includes(it)).map(it => `${what} ${it} is in ${hereName} only`),
		...there.filter(it => !here.includes(it)).map(it => `${what} ${it} is in ${thereName} only`),
		...there.filter((it, index) => there.indexOf(it) !== index).map(it => `${what} ${it} is in ${thereName} twice`),
	];
}

/** Every string below a key that `accept` likes, however deep. */
export function collect(value: unknown, accept: (key: string) => boolean): string[] {
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	return Object.entries(value).flatMap(([key, it]: [string, unknown]) =>
		typeof it === 'string' ? (accept(Array.isArray(value) ? '' : key) ? [it] : []) : collect(it, accept),
	);
}
