/** How the kinds of parts of a launch are worded: in the sheet, in the full view, and where a change is named. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { listedName, listNames } from '../../editor/ui/exactText.js';
import { describePlaces } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type { DebugDefinition } from '../../core/config/devMode.js';
import type { InputDefinition, ValuePlace } from '../../core/config/inputs.js';
import type { LaunchPart, PartKind } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import type { HttpDefinition } from '../../core/config/serverDefinition.js';

/** A row of the sheet. Not cleaned for a sink yet: the sheet shows it with `exactLines`. */
export interface Fact {
	readonly label: string;
	readonly text: string;
	/** Whether the row opens the configuration file. */
	readonly isPlace?: boolean;
	/** The server can be started only after Show in Full. */
	readonly mustBeSeen?: boolean;
}

export interface PartWords {
	/** The heading in the full view, and the label of rows that have none of their own. */
	readonly title: string;
	/** What has changed, within a sentence. `bare` is the name without quotation marks. */
	readonly change: (name: string, bare: string) => string;
	/**
	 * The rows in the sheet, or their texts where the label is the title.
	 * @param shown what the first of the parts shows
	 * @param parts the wanted parts of the kind, at least one
	 */
	readonly rows: (shown: unknown, parts: readonly LaunchPart[], context: RowContext) => readonly (Fact | string)[];
}

interface RowContext {
	/** Every part, for a row that shows two of them. */
	readonly all: readonly LaunchPart[];
	/** Whether common and empty values have a row as well. */
	readonly isChanged: boolean;
}

/** Every kind of part, in the order of the sheet. */
function partWords(): Readonly<Record<PartKind, PartWords>> {
	const { t } = vscode.l10n;
	return {
		kind: {
			title: t('Transport'),
			change: () => t('transport'),
			rows: (shown, _, { isChanged }) => (shown === 'sse' || isChanged ? [describeTransport(shown)] : []),
		},
		// Shown in the row of the program.
		command: { title: t('Command'), change: () => t('command'), rows: () => [] },
		program: {
			title: t('Program'),
			change: () => t('path of the program'),
			rows: (shown, _, { all }) => {
				const command = all.find(it => it.part === 'command')?.shown;
				return [describeProgram(String(command), shown as Program)];
			},
		},
		args: {
			title: t('Arguments'),
			change: () => t('arguments'),
			rows: (shown, _, { isChanged }) => {
				const none = isChanged ? [t('No arguments')] : [];
				const text = describeWords(shown as readonly string[]);
				return text === '' ? none : [text];
			},
		},
		debug: {
			title: t('Debugger'),
			change: () => t('debugger'),
			rows: shown => [(shown as DebugDefinition).type],
		},
		debugProgram: {
			title: t('Debugger program'),
			change: () => t('debugger program'),
			rows: (shown, _, { all }) => {
				const debug = all.find(it => it.part === 'debug')?.shown as DebugDefinition | undefined;
				const command = debug?.type === 'debugpy' ? (debug.debugpyPath ?? '') : '';
				return [describeProgram(command, shown as Program)];
			},
		},
		url: { title: t('URL'), change: () => t('URL'), rows: shown => [String(shown)] },
		sent: {
			title: t('Sent to the server'),
			change: name => t('sent value {0}', name),
			rows: (_, parts) => parts.map(describeSent),
		},
		headers: {
			title: t('Headers'),
			change: name => t('header {0}', name),
			rows: (_, parts) => [listNames(parts.map(it => it.name ?? ''))],
		},
		oauth: {
			title: t('OAuth client'),
			change: () => t('OAuth client'),
			rows: shown => describeClient(shown as NonNullable<HttpDefinition['oauth']>),
		},
		cwd: { title: t('Working directory'), change: () => t('working directory'), rows: shown => [String(shown)] },
		env: {
			title: t('Environment'),
			change: name => t('environment variable {0}', name),
			rows: (_, parts) => describeEnvironment(parts),
		},
		envFile: { title: t('Environment file'), change: () => t('environment file'), rows: shown => [String(shown)] },
		envFileValue: {
			title: t('From environment file'),
			change: name => t('variable {0} of the environment file', name),
			rows: (_, parts) => describeEnvironment(parts),
		},
		input: {
			title: t('Inputs'),
			change: name => t('input {0}', name),
			rows: (_, parts) => describeInputs(parts),
		},
		config: {
			title: t('Settings'),
			change: name => t('setting {0}', name),
			rows: (_, parts) => parts.map(it => ({ label: t('Setting'), text: describeVariable(it) })),
		},
		folder: {
			title: t('Folders'),
			change: name => t('folder {0}', name),
			rows: (_, parts) => parts.map(it => ({ label: t('Folder'), text: describeFolder(it) })),
		},
		watch: {
			title: t('Watched files'),
			change: () => t('watched files'),
			rows: shown => [listNames(shown as readonly string[])],
		},
		other: {
			title: t('Other keys'),
			change: (_, bare) => JSON.stringify(bare),
			rows: (_, parts) =>
				parts.map(it => ({ label: listedName(it.name ?? ''), text: jsonText(it.shown), mustBeSeen: true })),
		},
	};
}

/** The parts by their kinds, in the order of the sheet. No group is empty. */
export function groupParts(parts: readonly LaunchPart[]): (PartWords & { readonly parts: readonly LaunchPart[] })[] {
	return Object.entries(partWords())
		.map(([kind, words]) => ({ ...words, parts: parts.filter(it => it.part === kind) }))
		.filter(it => it.parts.length > 0);
}

/** The rows of the wanted parts. */
export function describeParts(wanted: readonly LaunchPart[], all: readonly LaunchPart[], isChanged: boolean): Fact[] {
	return groupParts(wanted).flatMap(({ title, rows, parts }) =>
		rows(parts[0]?.shown, parts, { all, isChanged }).map(it =>
			typeof it === 'string' ? { label: title, text: it } : it,
		),
	);
}

/** "environment variable B" */
export function describePart({ part, name = '' }: Pick<LaunchPart, 'part' | 'name'>): string {
	return partWords()[part].change(listedName(name), name);
}

function describeTransport(kind: unknown): string {
	return kind === 'sse' ? 'HTTP+SSE' : kind === 'http' ? 'HTTP' : 'stdio';
}

/** `npx → /usr/bin/npx` */
function describeProgram(command: string, program: Program): string {
	const { t } = vscode.l10n;
	const quoted = describeWords([command]);
	switch (program.kind) {
		case 'found':
			return program.path === command ? quoted : t('{0} → {1}', quoted, describeWords([program.path]));
		case 'missing':
			return t('{0} (not found)', quoted);
		case 'unresolved':
			return t('{0} (found when the server starts)', quoted);
		default:
			return assertNever(program);
	}
}

/** `AWS_SECRET_ACCESS_KEY → header X-Client` */
export function describeSent({ name = '', shown }: LaunchPart): string {
	const { t } = vscode.l10n;
	const places = describePlaces(
		(shown as readonly ValuePlace[]).map(it => ('name' in it ? { ...it, name: listedName(it.name) } : it)),
	);
	const [, kind, bare = name] = /^(env|input|config):(.*)$/s.exec(name) ?? [];
	const variable = listedName(bare);
	switch (kind) {
		case 'input':
			return t('Input {0} → {1}', variable, places);
		case 'config':
			return t('Setting {0} → {1}', variable, places);
		default:
			return t('Environment variable {0} → {1}', variable, places);
	}
}

function describeClient({ clientId, scopes }: NonNullable<HttpDefinition['oauth']>): Fact[] {
	const { t } = vscode.l10n;
	return [
		...(clientId === undefined ? [] : [{ label: t('OAuth client ID'), text: clientId }]),
		...(scopes === undefined ? [] : [{ label: t('OAuth scopes'), text: describeWords(scopes) || t('None') }]),
	];
}

/** One row for each variable whose value is shown, and one with the names of the others. */
function describeEnvironment(parts: readonly LaunchPart[]): (Fact | string)[] {
	const { t } = vscode.l10n;
	const names = (wanted: (shown: unknown) => boolean): string =>
		listNames(parts.flatMap(({ name, shown }) => (wanted(shown) ? (name ?? '') : [])));
	const set = names(it => it === undefined);
	const removed = names(it => it === null);
	return [
		...parts.filter(it => typeof it.shown === 'string').map(describeVariable),
		...(set === '' ? [] : [set]),
		...(removed === '' ? [] : [{ label: t('Removed environment'), text: removed }]),
	];
}

/** `NODE_OPTIONS = --require ./x.js`, or the name alone. */
function describeVariable({ name = '', shown }: LaunchPart): string {
	return shown === undefined
		? listedName(name)
		: `${listedName(name)} = ${typeof shown === 'string' ? describeWords([shown]) : vscode.l10n.t('(no value)')}`;
}

/** `${workspaceFolder} = /w` */
function describeFolder({ name = '', shown }: LaunchPart): string {
	return `${listedName(`\${${name}}`)} = ${String(shown)}`;
}

function describeInputs(parts: readonly LaunchPart[]): Fact[] {
	const { t } = vscode.l10n;
	const inputs = parts.map(({ name = '', shown }) => ({ name, input: shown as InputDefinition | null }));
	const asked = inputs.filter(it => it.input?.kind !== 'command').map(it => it.name);
	return [
		...(asked.length > 0 ? [{ label: t('Inputs'), text: listNames(asked) }] : []),
		...inputs.flatMap(({ name, input }) =>
			input?.kind === 'command'
				? [{ label: t('Editor command'), text: describeCommand(name, input.command, input.args), mustBeSeen: true }]
				: [],
		),
	];
}

function describeCommand(input: string, command: string, args: unknown): string {
	const { t } = vscode.l10n;
	const names = [listedName(command), listedName(input)] as const;
	return args === undefined
		? t('{0} for input {1}', ...names)
		: t('{0} {1} for input {2}', names[0], jsonText(args), names[1]);
}

function describeWords(words: readonly string[]): string {
	return words.map(listedName).join(' ');
}
