/** The rows of the consent sheet. Every `PartKind` must be described here. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { listedName, listNames } from '../../editor/ui/exactText.js';
import { describePlaces } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { DebugDefinition } from '../../core/config/devMode.js';
import type { InputDefinition, ValuePlace } from '../../core/config/inputs.js';
import type { LaunchPart, PartKind } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import type { HttpDefinition, ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots } from '../../core/servers/serverPorts.js';
import { describeChanges, splitParts } from './changes.js';

/** A row of the sheet. Not cleaned for a sink yet: the sheet shows it with `exactLines`. */
export interface Fact {
	readonly label: string;
	readonly text: string;
	/** Whether the row opens the configuration file. */
	readonly isPlace?: boolean;
	/** The server can be started only after Show in Full. */
	readonly mustBeSeen?: boolean;
}

export interface FactDeps {
	readonly roots: Roots;
}

/** The rows of the sheet. */
export interface Facts {
	/** What has changed since the last consent; empty if nothing has, or there was none. */
	readonly changed: readonly Fact[];
	readonly others: readonly Fact[];
}

/** The rows of the sheet, the most important first. Values that may be secret are shown by name only. */
export function describeQuestion(question: ConsentQuestion, { roots }: FactDeps): Facts {
	const { t } = vscode.l10n;
	const { definition, changes = [], parts } = question;
	const { changed, others } = splitParts(question);
	const reason = describeReason(question);
	const rows = (wanted: readonly LaunchPart[]): Fact[] =>
		partKinds.flatMap(kind => describeParts(kind, wanted, parts, wanted === changed));
	return {
		changed: changes.length === 0 ? [] : [{ label: t('Summary'), text: describeChanges(changes) }, ...rows(changed)],
		others: [
			...(reason === undefined ? [] : [{ label: t('Reason'), text: reason }]),
			...rows(others),
			{ label: t('Shared folders'), text: listNames(sharedFolders(definition, roots), t('None')) || t('None') },
			{ label: t('Configured in'), text: describeSource(definition.source), isPlace: true },
		],
	};
}

/** Why the server needs consent; `undefined` if only what has changed says so. */
export function describeReason({ changes, isOlder }: ConsentQuestion): string | undefined {
	const { t } = vscode.l10n;
	if (isOlder) {
		return t('Approved in an earlier version, which showed less');
	}
	return changes === undefined ? t('New server') : undefined;
}

/** Every kind of part, in the order of the sheet. */
export const partKinds = Object.keys({
	kind: 1,
	command: 1,
	program: 1,
	args: 1,
	debug: 1,
	debugProgram: 1,
	url: 1,
	sent: 1,
	headers: 1,
	oauth: 1,
	cwd: 1,
	env: 1,
	envFile: 1,
	envFileValue: 1,
	input: 1,
	config: 1,
	folder: 1,
	watch: 1,
	other: 1,
} satisfies Record<PartKind, 1>) as PartKind[];

/**
 * The rows of the wanted parts of a kind.
 * @param all every part, for a row that shows two of them
 * @param isChanged whether common and empty values have a row as well
 */
function describeParts(
	kind: PartKind,
	wanted: readonly LaunchPart[],
	all: readonly LaunchPart[],
	isChanged: boolean,
): Fact[] {
	const { t } = vscode.l10n;
	const parts = wanted.filter(it => it.part === kind);
	const [first] = parts;
	if (!first) {
		return [];
	}
	const { shown } = first;
	switch (kind) {
		case 'kind':
			return shown === 'sse' || isChanged ? [{ label: t('Transport'), text: describeTransport(shown) }] : [];
		case 'command':
			// Shown in the row of the program.
			return [];
		case 'program': {
			const command = all.find(it => it.part === 'command')?.shown;
			return [{ label: t('Program'), text: describeProgram(String(command), shown as Program) }];
		}
		case 'args': {
			const args = shown as readonly string[];
			const none = isChanged ? t('No arguments') : '';
			const text = describeWords(args) || none;
			return text === '' ? [] : [{ label: t('Arguments'), text }];
		}
		case 'debug':
			return [{ label: t('Debugger'), text: (shown as DebugDefinition).type }];
		case 'debugProgram': {
			const debug = all.find(it => it.part === 'debug')?.shown as DebugDefinition | undefined;
			const command = debug?.type === 'debugpy' ? (debug.debugpyPath ?? '') : '';
			return [{ label: t('Debugger program'), text: describeProgram(command, shown as Program) }];
		}
		case 'url':
			return [{ label: t('URL'), text: String(shown) }];
		case 'headers':
			return [{ label: t('Headers'), text: listNames(parts.map(it => it.name ?? '')) }];
		case 'sent':
			return parts.map(it => ({ label: t('Sent to the server'), text: describeSent(it) }));
		case 'oauth':
			return describeClient(shown as NonNullable<HttpDefinition['oauth']>);
		case 'cwd':
			return [{ label: t('Working directory'), text: String(shown) }];
		case 'env':
			return describeEnvironment(parts, t('Environment'));
		case 'envFile':
			return [{ label: t('Environment file'), text: String(shown) }];
		case 'envFileValue':
			return describeEnvironment(parts, t('From environment file'));
		case 'input':
			return describeInputs(parts);
		case 'config':
			return parts.map(it => ({ label: t('Setting'), text: describeVariable(it) }));
		case 'folder':
			return parts.map(it => ({
				label: t('Folder'),
				text: `${listedName(`\${${it.name ?? ''}}`)} = ${String(it.shown)}`,
			}));
		case 'watch':
			return [{ label: t('Watched files'), text: listNames(shown as readonly string[]) }];
		case 'other':
			return parts.map(it => ({ label: listedName(it.name ?? ''), text: jsonText(it.shown), mustBeSeen: true }));
		default:
			return assertNever(kind);
	}
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
function describeEnvironment(parts: readonly LaunchPart[], label: string): Fact[] {
	const { t } = vscode.l10n;
	const names = (wanted: (shown: unknown) => boolean): string =>
		listNames(parts.flatMap(({ name, shown }) => (wanted(shown) ? (name ?? '') : [])));
	const set = names(it => it === undefined);
	const removed = names(it => it === null);
	return [
		...parts.flatMap(it => (typeof it.shown === 'string' ? [{ label, text: describeVariable(it) }] : [])),
		...(set === '' ? [] : [{ label, text: set }]),
		...(removed === '' ? [] : [{ label: t('Removed environment'), text: removed }]),
	];
}

/** `NODE_OPTIONS = --require ./x.js`, or the name alone. */
function describeVariable({ name = '', shown }: LaunchPart): string {
	return shown === undefined
		? listedName(name)
		: `${listedName(name)} = ${typeof shown === 'string' ? describeWords([shown]) : vscode.l10n.t('(no value)')}`;
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

/** The names of the folders that the server is told of. */
export function sharedFolders(definition: ServerDefinition, roots: Roots): string[] {
	return roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
}
