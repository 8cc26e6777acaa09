/** `docs/settings.md`: every setting of package.json in the words of package.nls.json. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

/** Where `npm run docs` writes the page. */
export const settingsPage = path.join(projectRoot, 'docs', 'settings.md');

/** A setting or a part of one: as much of JSON Schema as package.json uses. */
interface Schema {
	readonly type?: string | readonly string[];
	readonly scope?: string;
	readonly default?: unknown;
	readonly enum?: readonly unknown[];
	readonly minimum?: number;
	readonly maximum?: number;
	readonly description?: string;
	readonly markdownDescription?: string;
	readonly markdownEnumDescriptions?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly additionalProperties?: Schema | boolean;
	readonly items?: Schema;
}

export interface SettingsManifest {
	readonly contributes: {
		readonly configuration: readonly Section[];
	};
}

/** A section of the Settings editor. */
interface Section {
	readonly title: string;
	readonly properties: Readonly<Record<string, Schema>>;
}

type Words = Readonly<Record<string, string>>;

const head = `# Settings

After reading this page you know what each setting does, what its default is, and where you can set it.

<!-- Written by \`npm run docs\` from package.json and package.nls.json. Change those instead of this file. -->

A workspace can't change your settings, except for [\`mcpWorkbench.tools\`](#mcpworkbenchtools), by which it can only disable, hide, or
limit more. A value that isn't valid counts as the default. In a remote window, the settings of the remote machine are read where this
page says so.
`;

/** By the scope of a setting: where it can be set. */
const places: Readonly<Record<string, string>> = {
	application: 'your settings',
	machine: 'your settings, or those of the remote machine',
	resource: 'your settings, a workspace, and its folders',
};

/** Sentences in place of the properties of a setting that another page describes. */
const pages: Readonly<Record<string, string>> = {
	'mcpWorkbench.policy': '[Approvals](approvals.md#rules) describes `rules` and `default`.',
};

/** The settings in the order of package.json. */
export function listSettings({ contributes }: SettingsManifest): (readonly [name: string, setting: Schema])[] {
	return contributes.configuration.flatMap(it => Object.entries(it.properties));
}

/**
 * The text of the page.
 * @param words texts of package.nls.json by key
 * @throws Error if a setting has a scope that the page has no words for
 */
export function renderSettings(manifest: SettingsManifest, words: Words): string {
	const sections = manifest.contributes.configuration.flatMap(({ title, properties }) => [
		'',
		`## ${inWords(title, words)}`,
		...Object.entries(properties).map(it => renderSetting(...it, words)),
	]);
	return [head.trimEnd(), ...sections, ''].join('\n');
}

/** The page from the files of this project. */
export function createSettingsPage(): string {
	const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(projectRoot, name), 'utf8'));
	return renderSettings(read('package.json') as SettingsManifest, read('package.nls.json') as Words);
}

function renderSetting(name: string, setting: Schema, words: Words): string {
	const place = places[setting.scope ?? ''];
	if (place === undefined) {
		throw new Error(`${name} has the scope ${setting.scope}`);
	}
	const facts = [`Default: \`${JSON.stringify(setting.default)}\`. ${rangeOf(setting)}Set in ${place}.`];
	const values = renderValues(setting, words, '');
	const page = pages[name];
	const parts = page === undefined ? renderParts(setting, words, '') : [page];
	return [
		'',
		`### ${name}`,
		'',
		wrap(describe(setting, words), '', ''),
		'',
		...facts,
		...(values.length > 0 ? ['', 'Values:', '', ...values] : []),
		...(parts.length > 0 ? ['', ...(page === undefined ? ['Properties:', ''] : []), ...parts] : []),
	].join('\n');
}

function rangeOf({ minimum, maximum }: Schema): string {
	return minimum === undefined || maximum === undefined ? '' : `From ${minimum} to ${maximum}. `;
}

/** Lines for the values to choose from that have descriptions. */
function renderValues(
	{ enum: values = [], markdownEnumDescriptions: all = [] }: Schema,
	words: Words,
	indent: string,
): string[] {
	return all.map((it, index) => item(indent, `\`${JSON.stringify(values[index])}\``, toMarkdown(inWords(it, words))));
}

/** Lines for the properties of the entries of a setting, or of its own if it is an object. */
function renderParts(schema: Schema, words: Words, indent: string): string[] {
	const { additionalProperties, items, properties } = schema;
	const parts =
		properties ??
		items?.properties ??
		(typeof additionalProperties === 'object' ? additionalProperties.properties : {});
	return Object.entries(parts ?? {}).flatMap(([name, part]) => [
		item(indent, `\`${name}\``, [describe(part, words), ...choicesOf(part)].filter(it => it !== '').join(' ')),
		...renderValues(part, words, `${indent}  `),
		...renderParts(part, words, `${indent}  `),
	]);
}

/** The values to choose from, where nothing describes them one by one. */
function choicesOf({ enum: values, markdownEnumDescriptions }: Schema): string[] {
	return values && !markdownEnumDescriptions
		? [`One of ${values.map(it => `\`${JSON.stringify(it)}\``).join(', ')}.`]
		: [];
}

function item(indent: string, name: string, text: string): string {
	return wrap(text === '' ? name : `${name}: ${text}`, `${indent}- `, `${indent}  `);
}

/** Breaks a text into lines of 120 characters. */
function wrap(text: string, firstIndent: string, indent: string): string {
	const lines: string[] = [];
	let line = firstIndent;
	let isEmpty = true;
	for (const word of text.split(' ')) {
		if (!isEmpty && line.length + 1 + word.length > 120) {
			lines.push(line);
			line = indent;
			isEmpty = true;
		}
		line += isEmpty ? word : ` ${word}`;
		isEmpty = false;
	}
	return [...lines, line].join('\n');
}

function describe({ description, markdownDescription }: Schema, words: Words): string {
	// Plain text has no markup: its asterisks are patterns.
	return markdownDescription === undefined
		? inWords(description ?? '', words).replaceAll('*', String.raw`\*`)
		: toMarkdown(inWords(markdownDescription, words));
}

function inWords(text: string, words: Words): string {
	return text.replace(/^%(.+)%$/, (_, key: string) => words[key] ?? '');
}

/** Links to settings lead to their headings on this page instead of into the Settings editor. */
function toMarkdown(text: string): string {
	return text.replaceAll(/`#(mcpWorkbench\.[\w.]+)#`/g, (_, name: string) => linkTo(name));
}

function linkTo(name: string): string {
	return `[\`${name}\`](#${name.toLowerCase().replaceAll('.', '')})`;
}
