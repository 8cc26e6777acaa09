/** What a person is to know of a server before it starts for the first time, in words. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { describeSource } from '../../host/configWords.js';
import { describeList } from '../../host/messages.js';
import { describePlace, settingText } from '../../host/variables.js';
import type { ConsentChange } from '../../model/consent.js';
import { settingsOf } from '../../model/consent.js';
import type { ConsentQuestion } from '../../model/consents.js';
import type { DebugDefinition } from '../../model/devMode.js';
import type { Environment } from '../../model/environment.js';
import { type InputDefinition, inputsOf } from '../../model/inputs.js';
import type { LaunchDefinition, ServerDefinition } from '../../model/serverDefinition.js';
import { describeEntry } from '../../model/serverEntry.js';
import type { Roots } from '../../model/serverPorts.js';

/** Not yet cleaned for a sink. */
export interface Fact {
	readonly label: string;
	readonly text: string;
	/** It can be opened there. */
	readonly isPlace?: boolean;
}

export interface FactDeps {
	readonly environment: Environment;
	readonly roots: Roots;
}

/** The most telling first. Of values that are passed on (environment, headers), only the names. */
export function describeQuestion({ definition, changes }: ConsentQuestion, deps: FactDeps): Fact[] {
	const { t } = vscode.l10n;
	const { source } = definition;
	const why =
		changes === undefined
			? t('it is new')
			: t('changed since you allowed it: {0}', describeList(changes.map(describeChange)));
	return [
		{ label: t('why asked'), text: why },
		...describeLaunch(definition, deps),
		...describeValues(definition),
		{ label: t('sees the folders'), text: rootsOf(definition, deps).join(', ') || t('none') },
		{ label: t('configured in'), text: describeSource(source), isPlace: true },
	];
}

/** The same as data, nothing cut. */
export function questionData({ definition, changes }: ConsentQuestion, deps: FactDeps): unknown {
	const { name, source, launch, watch } = definition;
	return {
		name,
		file: source.uri,
		changes: changes?.map(describeChange),
		...(launch.kind === 'stdio'
			? {
					command: launch.command,
					args: launch.args,
					folder: folderOf(definition, deps),
					environment: Object.keys(launch.env),
					envFile: launch.envFile,
					debug: launch.debug,
					watch,
				}
			: { transport: launch.kind, url: launch.url, headers: Object.keys(launch.headers) }),
		inputs: inputsIn(definition).map(it =>
			it.kind === 'command' ? { id: it.id, command: it.command, args: it.args } : { id: it.id },
		),
		settings: Object.fromEntries(settingsOf(definition).map(it => [it, settingText(it, source)])),
		roots: rootsOf(definition, deps),
	};
}

function describeLaunch(definition: ServerDefinition, deps: FactDeps): Fact[] {
	const { t } = vscode.l10n;
	const { launch, watch } = definition;
	if (launch.kind !== 'stdio') {
		const headers = Object.keys(launch.headers);
		return [
			{ label: t('connects to'), text: launch.url },
			...(headers.length > 0 ? [{ label: t('with headers'), text: headers.join(', ') }] : []),
		];
	}
	const { env, envFile, command, args, debug } = launch;
	const set = Object.keys(env).filter(it => env[it] !== null);
	const removed = Object.keys(env).filter(it => env[it] === null);
	return [
		{ label: t('runs'), text: describeEntry({ type: 'stdio', command, args }) },
		{ label: t('in folder'), text: folderOf(definition, deps) },
		...(set.length > 0 ? [{ label: t('with environment'), text: set.join(', ') }] : []),
		...(removed.length > 0 ? [{ label: t('without environment'), text: removed.join(', ') }] : []),
		...(envFile === undefined ? [] : [{ label: t('environment from file'), text: envFile }]),
		...(debug ? [{ label: t('under the debugger'), text: describeDebugger(debug) }] : []),
		...(watch ? [{ label: t('restarts on changes of'), text: watch.join(', ') }] : []),
	];
}

/** `debugpyPath` is a program, and is run in place of the command. */
function describeDebugger(debug: DebugDefinition): string {
	return debug.type === 'debugpy' && debug.debugpyPath !== undefined
		? vscode.l10n.t('{0}, run as {1}', debug.type, debug.debugpyPath)
		: debug.type;
}

/** Where its values come from besides its own lines. */
function describeValues(definition: ServerDefinition): Fact[] {
	const { t } = vscode.l10n;
	const inputs = inputsIn(definition);
	const asked = inputs.filter(it => it.kind !== 'command').map(it => it.id);
	return [
		...(asked.length > 0 ? [{ label: t('asks you for'), text: asked.join(', ') }] : []),
		...inputs.flatMap(it => (it.kind === 'command' ? [{ label: t('runs the editor command'), text: it.command }] : [])),
		...settingsOf(definition).map(name => {
			const value = settingText(name, definition.source) ?? t('no text');
			return { label: t('reads the setting'), text: isShown(name, definition.launch) ? `${name} = ${value}` : name };
		}),
	];
}

/** A setting that goes only where values are secret is not shown either. */
function isShown(setting: string, launch: LaunchDefinition): boolean {
	const { env: _, headers: __, ...shown } = { env: {}, headers: {}, ...launch };
	return JSON.stringify(shown).includes(`\${config:${setting}}`);
}

function inputsIn({ launch, inputs }: ServerDefinition): InputDefinition[] {
	const used = inputsOf(launch);
	return inputs.filter(it => used.has(it.id));
}

function folderOf(definition: ServerDefinition, { environment }: FactDeps): string {
	const { launch } = definition;
	return launch.kind === 'stdio' ? describePlace(definition, launch, environment).folder : '';
}

function rootsOf(definition: ServerDefinition, { roots }: FactDeps): string[] {
	return roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
}

function describeChange(change: ConsentChange): string {
	const { t } = vscode.l10n;
	const part = describePart(change);
	switch (change.how) {
		case 'added':
			return t('{0} (new)', part);
		case 'removed':
			return t('{0} (gone)', part);
		case 'changed':
			return part;
		default:
			return assertNever(change.how);
	}
}

function describePart({ part, name = '' }: ConsentChange): string {
	const { t } = vscode.l10n;
	switch (part) {
		case 'kind':
			return t('kind of server');
		case 'command':
			return t('command');
		case 'args':
			return t('arguments');
		case 'cwd':
			return t('folder');
		case 'url':
			return t('URL');
		case 'env':
			return t('environment variable {0}', name);
		case 'headers':
			return t('header {0}', name);
		case 'input':
			return t('input {0}', name);
		case 'config':
			return t('setting {0}', name);
		case 'debug':
			return t('debugger');
		case 'watch':
			return t('watched files');
		default:
			return `"${part}"`;
	}
}
