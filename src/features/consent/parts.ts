/** The rows of the consent sheet, the headings of the full view, and the changes since the last consent in words. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { listedName, listNames } from '../../editor/ui/exactText.js';
import { describeList, describePlaces } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type {
	DebugDefinition,
	HttpDefinition,
	InputDefinition,
	LaunchDefinition,
	ServerDefinition,
} from '../../core/config/serverDefinition.js';
import type { ValuePlace } from '../../core/config/inputs.js';
import type { LaunchPart, PartKind } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import type { ConsentChange } from '../../core/launch/consentFacts.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { Roots } from '../../core/servers/serverPorts.js';

const { t } = vscode.l10n;

/** A row of the sheet. The text isn't cleaned yet: the sheet cleans it with `exactLines`. */
export interface ConsentFact {
	readonly label: string;
	readonly text: string;
	/** Whether the row opens the configuration file. */
	readonly isPlace?: boolean;
	/** The server can be started only after Show in Full. */
	readonly mustBeSeen?: boolean;
}

interface PartWords {
	/** The heading in the full view, and the default label of rows. */
	readonly title: string;
	/** The name of a part in a list of changes; the title if left out. `bare` is its name without quotation marks. */
	readonly change?: (name: string, bare: string) => string;
	/**
	 * The rows in the sheet, or only their texts if the title is the label.
	 * @param shown the `shown` of the first part
	 * @param parts the wanted parts of the kind, at least one
	 */
	readonly rows: (
		shown: unknown,
		parts: readonly LaunchPart[],
		context: RowContext,
	) => readonly (ConsentFact | string)[];
}

interface RowContext {
	/** Every part, for a row that shows two of them. */
	readonly all: readonly LaunchPart[];
	/** Whether the rows are about changes: then common and empty values have a row as well. */
	readonly isChanged: boolean;
}

/** The texts of every kind of part, in the order of the sheet. */
function partWords(): Readonly<Record<PartKind, PartWords>> {
	return {
		kind: {
			title: t('Transport'),
			rows: (shown, _, { isChanged }) =>
				shown === 'sse' || isChanged ? [transports[shown as LaunchDefinition['kind']]] : [],
		},
		// Shown in the row of the program.
		command: { title: t('Command'), rows: () => [] },
		program: {
			title: t('Program'),
			change: () => t('Program path'),
			rows: (shown, _, { all }) => {
				const command = all.find(it => it.part === 'command')?.shown;
				return [describeProgram(String(command), shown as Program)];
			},
		},
		args: {
			title: t('Arguments'),
			rows: (shown, _, { isChanged }) => {
				const none = isChanged ? [t('No arguments')] : [];
				const text = describeWords(shown as readonly string[]);
				return text === '' ? none : [text];
			},
		},
		debug: {
			title: t('Debugger'),
			rows: shown => [(shown as DebugDefinition).type],
		},
		debugProgram: {
			title: t('Debugger program'),
			rows: (shown, _, { all }) => {
				const debug = all.find(it => it.part === 'debug')?.shown as DebugDefinition | undefined;
				const command = debug?.type === 'debugpy' ? (debug.debugpyPath ?? '') : '';
				return [describeProgram(command, shown as Program)];
			},
		},
		url: { title: t('URL'), rows: shown => [String(shown)] },
		sent: {
			title: t('Sent to the server'),
			change: name => t('Sent value {0}', name),
			rows: (_, parts) => parts.map(describeSent),
		},
		headers: {
			title: t('Headers'),
			change: name => t('Header {0}', name),
			rows: (_, parts) => [listNames(parts.map(it => it.name ?? ''))],
		},
		oauth: {
			title: t('OAuth client'),
			rows: shown => describeClient(shown as NonNullable<HttpDefinition['oauth']>),
		},
		cwd: { title: t('Working directory'), rows: shown => [String(shown)] },
		env: {
			title: t('Environment'),
			change: name => t('Environment variable {0}', name),
			rows: (_, parts) => describeEnvironment(parts),
		},
		envFile: { title: t('Environment file'), rows: shown => [String(shown)] },
		envFileValue: {
			title: t('From environment file'),
			change: name => t('Variable {0} in the environment file', name),
			rows: (_, parts) => describeEnvironment(parts),
		},
		input: {
			title: t('Inputs'),
			change: name => t('Input {0}', name),
			rows: (_, parts) => describeInputs(parts),
		},
		config: {
			title: t('Settings'),
			change: name => t('Setting {0}', name),
			rows: (_, parts) => parts.map(it => ({ label: t('Setting'), text: describeVariable(it) })),
		},
		folder: {
			title: t('Folders'),
			change: name => t('Folder {0}', name),
			rows: (_, parts) => parts.map(it => ({ label: t('Folder'), text: describeFolder(it) })),
		},
		watch: {
			title: t('Watched files'),
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
function describeParts(wanted: readonly LaunchPart[], all: readonly LaunchPart[], isChanged: boolean): ConsentFact[] {
	return groupParts(wanted).flatMap(({ title, rows, parts }) =>
		rows(parts[0]?.shown, parts, { all, isChanged }).map(it =>
			typeof it === 'string' ? { label: title, text: it } : it,
		),
	);
}

/** "Environment variable B" */
function describeLaunchPart({ part, name = '' }: Pick<LaunchPart, 'part' | 'name'>): string {
	const { title, change } = partWords()[part];
	return change ? change(listedName(name), name) : title;
}

const transports: Readonly<Record<LaunchDefinition['kind'], string>> = {
	stdio: 'stdio',
	http: 'HTTP',
	sse: 'HTTP+SSE',
};

/** `npx → /usr/bin/npx` */
function describeProgram(command: string, program: Program): string {
	const quoted = describeWords([command]);
	switch (program.kind) {
		case 'found':
			return program.path === command ? quoted : t('{0} → {1}', quoted, describeWords([program.path]));
		case 'missing':
			return t('{0} (not found)', quoted);
		case 'unresolved':
			return t('{0} (located when the server starts)', quoted);
		default:
			return assertNever(program);
	}
}

/** `AWS_SECRET_ACCESS_KEY → header X-Client` */
export function describeSent({ name = '', shown }: LaunchPart): string {
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

function describeClient({ clientId, scopes }: NonNullable<HttpDefinition['oauth']>): ConsentFact[] {
	return [
		...(clientId === undefined ? [] : [{ label: t('OAuth client ID'), text: clientId }]),
		...(scopes === undefined ? [] : [{ label: t('OAuth scopes'), text: describeWords(scopes) || t('None') }]),
	];
}

/** One row for each variable whose value is shown, and one with the names of the others. */
function describeEnvironment(parts: readonly LaunchPart[]): (ConsentFact | string)[] {
	const names = (wanted: (shown: unknown) => boolean): string =>
		listNames(parts.flatMap(({ name, shown }) => (wanted(shown) ? (name ?? '') : [])));
	const set = names(it => it === undefined);
	const removed = names(it => it === null);
	return [
		...parts.filter(it => typeof it.shown === 'string').map(describeVariable),
		...(set === '' ? [] : [set]),
		...(removed === '' ? [] : [{ label: t('Removed variables'), text: removed }]),
	];
}

/** `NODE_OPTIONS = --require ./x.js`, or the name alone. */
function describeVariable({ name = '', shown }: LaunchPart): string {
	return shown === undefined
		? listedName(name)
		: `${listedName(name)} = ${typeof shown === 'string' ? describeWords([shown]) : t('(no value)')}`;
}

/** `${workspaceFolder} = /w` */
function describeFolder({ name = '', shown }: LaunchPart): string {
	return `${listedName(`\${${name}}`)} = ${String(shown)}`;
}

function describeInputs(parts: readonly LaunchPart[]): ConsentFact[] {
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
	const names = [listedName(command), listedName(input)] as const;
	return args === undefined
		? t('{0} for input {1}', ...names)
		: t('{0} {1} for input {2}', names[0], jsonText(args), names[1]);
}

function describeWords(words: readonly string[]): string {
	return words.map(listedName).join(' ');
}

/** Parts that share the row of another part. The row counts as changed if either part has changed. */
const shownWith: Partial<Record<PartKind, PartKind>> = { program: 'command', debugProgram: 'debug' };

export interface FactDeps {
	readonly roots: Roots;
}

/**
 * The rows of the sheet, the most important first. Values that may be secret are shown by name only.
 * @returns `changed` is empty if nothing has changed since the last consent, or there was none
 */
export function describeQuestion(
	question: ConsentQuestion,
	{ roots }: FactDeps,
): Readonly<Record<'changed' | 'others', readonly ConsentFact[]>> {
	const { definition, changes = [], parts } = question;
	const { changed, others } = splitParts(question);
	const reason = describeConsentReason(question);
	const rows = (wanted: readonly LaunchPart[]): ConsentFact[] => describeParts(wanted, parts, wanted === changed);
	return {
		changed:
			changes.length === 0
				? []
				: [{ label: t('Summary'), text: describeList(changes.map(describeConsentChange)) }, ...rows(changed)],
		others: [
			...(reason === undefined ? [] : [{ label: t('Reason'), text: reason }]),
			...rows(others),
			{ label: t('Exposed folders'), text: listNames(sharedFolders(definition, roots), t('None')) || t('None') },
			{ label: t('Configured in'), text: describeSource(definition.source), isPlace: true },
		],
	};
}

/** Divides the parts of a question into changed and unchanged ones. */
function splitParts({ parts, changes = [] }: ConsentQuestion): Record<'changed' | 'others', LaunchPart[]> {
	const keys = new Set(changes.map(partKey));
	const isChanged = (it: LaunchPart): boolean => {
		const holder = shownWith[it.part];
		return keys.has(partKey(it)) || (holder !== undefined && keys.has(holder));
	};
	return { changed: parts.filter(isChanged), others: parts.filter(it => !isChanged(it)) };
}

function partKey({ part, name }: Pick<LaunchPart, 'part' | 'name'>): string {
	return name === undefined ? part : `${part}:${name}`;
}

/** "Environment variable B (new)" */
export function describeConsentChange(change: ConsentChange): string {
	const part = describeLaunchPart(change);
	switch (change.how) {
		case 'added':
			return t('{0} (new)', part);
		case 'removed':
			return t('{0} (removed)', part);
		case 'changed':
			return part;
		default:
			return assertNever(change.how);
	}
}

/** Why the server needs consent; `undefined` if the changes are the reason. */
export function describeConsentReason({ changes, isOlder }: ConsentQuestion): string | undefined {
	if (isOlder) {
		return t('Allowed in an earlier version that showed fewer details');
	}
	return changes === undefined ? t('New server') : undefined;
}

/** The names of the folders that the server gets as roots. */
export function sharedFolders(definition: ServerDefinition, roots: Roots): string[] {
	return roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
}
