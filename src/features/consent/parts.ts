/** Describes a server that needs consent: its facts, and its changes since the last consent. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { findSecret } from '../../core/text/secretNames.js';
import { listedName, listNames } from '../../editor/ui/exactText.js';
import { describeList, describePlaces } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type {
	DebugDefinition,
	HttpDefinition,
	InputOption,
	LaunchDefinition,
	ServerDefinition,
} from '../../core/config/serverDefinition.js';
import type { ValuePlace } from '../../core/config/inputs.js';
import type { LaunchPart, PartKind, ShownInput } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import type { ConsentChange } from '../../core/launch/consentFacts.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { Roots } from '../../core/servers/serverPorts.js';

const { t } = vscode.l10n;

/** A row of the sheet, or a text of the full view. The text isn't cleaned yet, and has no line breaks. */
export interface ConsentFact {
	readonly label: string;
	readonly text: string;
	/** Whether the row opens the configuration file. */
	readonly isPlace?: boolean;
	/** A sentence of ours below the row. */
	readonly note?: string;
	/** The server can be started only after Show in Full. */
	readonly mustBeSeen?: boolean;
}

/** A row, or only its text if the title of its part is the label. */
type Row = (Partial<ConsentFact> & Pick<ConsentFact, 'text'>) | string;

interface PartWords {
	/** The default label of rows. */
	readonly title: string;
	/** The name of a part in a list of changes; the title if left out. */
	readonly change?: (name: string) => string;
	/**
	 * @param shown the `shown` of the first part
	 * @param parts the wanted parts of the kind, at least one
	 */
	readonly rows: (shown: unknown, parts: readonly LaunchPart[], context: RowContext) => readonly Row[];
}

interface RowContext {
	/** Every part, for a row that shows two of them. */
	readonly all: readonly LaunchPart[];
	/** Whether common and empty values also get a row, as they do among changes and in the full view. */
	readonly isWhole: boolean;
}

/** The texts of every kind of part, in the order of the sheet. */
function partWords(): Readonly<Record<PartKind, PartWords>> {
	return {
		kind: {
			title: t('Transport'),
			rows: (shown, _, { isWhole }) =>
				shown === 'sse' || isWhole ? [transports[shown as LaunchDefinition['kind']]] : [],
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
			rows: (shown, _, { isWhole }) => {
				const none = isWhole ? [t('No arguments')] : [];
				const text = describeWords(shown as readonly string[]);
				return text === '' ? none : [text];
			},
		},
		debug: {
			title: t('Debugger'),
			rows: shown => [(shown as DebugDefinition).type],
		},
		url: { title: t('URL'), rows: shown => [listedName(String(shown))] },
		headers: {
			title: t('Headers'),
			change: name => t('Header {0}', name),
			rows: (_, parts) => describeValues(parts),
		},
		oauth: {
			title: t('OAuth client'),
			rows: shown => describeClient(shown as NonNullable<HttpDefinition['oauth']>),
		},
		cwd: { title: t('Working directory'), rows: shown => [listedName(String(shown))] },
		env: {
			title: t('Environment'),
			change: name => t('Environment variable {0}', name),
			rows: (_, parts) => describeValues(parts),
		},
		envFile: { title: t('Environment file'), rows: shown => [listedName(String(shown))] },
		envFileValue: {
			title: t('From environment file'),
			change: name => t('Variable {0} in the environment file', name),
			rows: (_, parts) => describeValues(parts),
		},
		input: {
			title: t('Inputs'),
			change: name => t('Input {0}', name),
			rows: (_, parts, { isWhole }) => parts.flatMap(it => describeInput(it, isWhole)),
		},
		config: {
			title: t('Settings'),
			change: name => t('Setting {0}', name),
			rows: (_, parts) => parts.map(it => ({ ...describeValue(it), label: t('Setting') })),
		},
		folder: {
			title: t('Folders'),
			change: name => t('Folder {0}', name),
			// An unchanged folder is shown only within the values that contain it.
			rows: (_, parts, { isWhole }) =>
				isWhole ? parts.map(it => ({ label: t('Folder'), text: describeFolder(it) })) : [],
		},
		watch: {
			title: t('Watched files'),
			rows: shown => [listNames(shown as readonly string[])],
		},
	};
}

/** The rows of the wanted parts. */
function describeParts(wanted: readonly LaunchPart[], all: readonly LaunchPart[], isWhole: boolean): ConsentFact[] {
	return Object.entries(partWords()).flatMap(([kind, { title, rows }]) => {
		const parts = wanted.filter(it => it.part === kind);
		const shown = parts.length > 0 ? rows(parts[0]?.shown, parts, { all, isWhole }) : [];
		return shown.map(it => (typeof it === 'string' ? { label: title, text: it } : { label: title, ...it }));
	});
}

/** "Environment variable B" */
function describeLaunchPart({ part, name = '' }: Pick<LaunchPart, 'part' | 'name'>): string {
	const { title, change } = partWords()[part];
	return change ? change(listedName(name)) : title;
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

/** The places of a variable, so that a name can't be mistaken for our own words. */
function describeNamedPlaces(places: readonly ValuePlace[]): string {
	return describePlaces(places.map(it => ('name' in it ? { ...it, name: listedName(it.name) } : it)));
}

function describeClient({ clientId, scopes }: NonNullable<HttpDefinition['oauth']>): ConsentFact[] {
	return [
		...(clientId === undefined ? [] : [{ label: t('OAuth client ID'), text: clientId }]),
		...(scopes === undefined ? [] : [{ label: t('OAuth scopes'), text: describeWords(scopes) || t('None') }]),
	];
}

/** One row for each variable or header, and one with the names of the variables that are removed. */
function describeValues(parts: readonly LaunchPart[]): Row[] {
	const removed = parts.filter(it => it.shown === null).map(it => it.name ?? '');
	return [
		...parts.filter(it => it.shown !== null).map(describeValue),
		...(removed.length > 0 ? [{ label: t('Removed variables'), text: listNames(removed) }] : []),
	];
}

/** `NODE_OPTIONS = --require ./x.js`, or the name alone. */
function describeValue(part: LaunchPart): Exclude<Row, string> {
	const { name = '', shown } = part;
	if (shown === undefined) {
		return { text: listedName(name), note: t("The value in your settings isn't shown.") };
	}
	const text = `${listedName(name)} = ${typeof shown === 'string' ? describeWords([shown]) : t('(no value)')}`;
	const isSecret =
		/^(?:env|envFileValue|headers)$/.test(part.part) &&
		typeof shown === 'string' &&
		findSecret(shown, name)?.why === 'secret';
	return isSecret ? { text, note: t('This value looks like a secret and is readable in the file.') } : { text };
}

/** `${workspaceFolder} = /w` */
function describeFolder({ name = '', shown }: LaunchPart): string {
	return `${listedName(`\${${name}}`)} = ${listedName(String(shown))}`;
}

/** An input with its places, default, and options, and the description if the input has changed: one row each. */
function describeInput({ name = '', shown }: LaunchPart, isWhole: boolean): ConsentFact[] {
	const { input, places, isAnswered } = shown as ShownInput;
	if (input?.kind === 'command') {
		const text = describeCommand(name, input.command, input.args);
		return [{ label: t('Editor command'), text, mustBeSeen: true }];
	}
	const words = (text: string): string => `${listedName(name)} = ${text}`;
	const use = [listedName(name), describeNamedPlaces(places)] as const;
	return [
		{
			label: input?.kind === 'promptString' && input.password ? t('Masked input') : t('Input'),
			text: isAnswered ? t('{0} → {1} (entered before)', ...use) : t('{0} → {1}', ...use),
		},
		...(input?.kind === 'pickString'
			? [{ label: t('Input options'), text: words(input.options.map(describeOption).join(', ')) }]
			: []),
		...(input?.default === undefined ? [] : [{ label: t('Input default'), text: words(listedName(input.default)) }]),
		...(isWhole && input?.description !== undefined
			? [{ label: t('Input description'), text: words(listedName(input.description)) }]
			: []),
	];
}

function describeOption({ label, value }: InputOption): string {
	return label === value ? listedName(value) : t('{0} → {1}', listedName(label), listedName(value));
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
const shownWith: Partial<Record<PartKind, PartKind>> = { program: 'command' };

export interface FactDeps {
	readonly roots: Roots;
}

/**
 * The rows of the sheet, the most important first.
 * @returns `changed` is empty if nothing has changed since the last consent, or there was none
 */
export function describeQuestion(
	question: ConsentQuestion,
	{ roots }: FactDeps,
): Readonly<Record<'changed' | 'others', readonly ConsentFact[]>> {
	const { definition, changes = [], parts } = question;
	const { changed, others } = splitParts(question);
	const rows = (wanted: readonly LaunchPart[]): ConsentFact[] => describeParts(wanted, parts, wanted === changed);
	return {
		changed:
			changes.length === 0
				? []
				: [{ label: t('Summary'), text: describeList(changes.map(describeConsentChange)) }, ...rows(changed)],
		others: [
			...(question.changes ? [] : [{ label: t('Reason'), text: t('New server: not allowed before') }]),
			...rows(others),
			{ label: t('Exposed folders'), text: describeFolders(definition, roots) },
			{ label: t('Configured in'), text: describeSource(definition.source), isPlace: true },
		],
	};
}

/** Every part of the server, for the full view. */
export function describeAll({ definition, parts }: ConsentQuestion, { roots }: FactDeps): readonly ConsentFact[] {
	return [
		{ label: t('Server'), text: jsonText(definition.name) },
		...describeParts(parts, parts, true),
		{ label: t('Exposed folders'), text: describeFolders(definition, roots) },
		{ label: t('Configuration file'), text: jsonText(definition.source.uri) },
	];
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
function describeConsentChange(change: ConsentChange): string {
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

/** The names of the folders that the server gets as roots. */
function describeFolders(definition: ServerDefinition, roots: Roots): string {
	const names = roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
	return listNames(names, t('None')) || t('None');
}
