/** The state of a server in words, with the diagnosis of a failed start where there is one. Clauses without a full stop. */
import * as vscode from 'vscode';
import { type Cause, diagnose } from '../model/diagnosis.js';
import type { Server } from '../model/server.js';
import type { ServerState } from '../model/serverState.js';
import { describeFailure, describeState } from './messages.js';
import { notificationText } from './plainText.js';

const { t } = vscode.l10n;

/** A state never changes, and its diagnosis reads many lines with many patterns. */
const known = new WeakMap<ServerState, string>();

/** What a server's row says of its state. */
export function describeServer({ state, definition }: Pick<Server, 'state' | 'definition'>): string {
	if (state.kind !== 'failed' && state.kind !== 'reconnecting') {
		return describeState(state);
	}
	let words = known.get(state);
	if (words === undefined) {
		const { failure, stderr, noise = [] } = state;
		const { cause } = diagnose({ failure, stderr, noise, launch: definition.launch }, undefined);
		words = describeState(state, describeHeadline(cause) ?? describeFailure(failure));
		known.set(state, words);
	}
	return words;
}

/** The cause in a few words; `undefined` where the failure itself says as much. */
export function describeHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'missingProgram':
			return t('command not found: {0}', plain(cause.program));
		case 'missingModule':
			return t('module not found: {0}', plain(cause.module));
		case 'missingFile':
			return t('file not found: {0}', plain(cause.path));
		case 'noPackage':
			return t('no such package: {0}', plain(cause.name));
		case 'noExecutable':
			return t('the package contains no program to run');
		case 'registryAway':
			return t('the package registry could not be reached');
		case 'cacheDenied':
			return t("npm can't write to its folders");
		case 'syntax':
			return t('syntax error');
		case 'oldRuntime':
			return t('a newer version of {0} is needed', plain(cause.program));
		case 'missingVariable':
			return cause.name === undefined
				? t('a variable, key or token is missing')
				: t('{0} is missing', plain(cause.name));
		case 'badCredentials':
			return t('its key or token was not accepted');
		case 'addressInUse':
			return t('its port is in use');
		case 'dockerDown':
			return t("Docker isn't running");
		case 'dockerDenied':
			return t('you may not use Docker');
		case 'dockerTerminal':
			return t('Docker needs a terminal for "-t"');
		case 'noImage':
			return t('no such image: {0}', plain(cause.name));
		case 'memory':
			return t('out of memory');
		case 'permission':
			return t('permission denied');
		case 'usage':
			return t('unexpected arguments');
		default:
			return describeOtherHeadline(cause);
	}
}

function describeOtherHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'killed':
			return t('the process was killed');
		case 'crashed':
			return t('the process crashed ({0})', plain(cause.signal));
		case 'noise':
			return t('invalid output on stdout');
		case 'downloading':
			return t('it is still downloading');
		case 'asks':
			return t('it waits for an answer');
		case 'listens':
			return t('it listens at {0} and does not use stdio', plain(cause.at));
		case 'dockerWithoutInput':
			return t('"docker run" needs "-i"');
		case 'argumentsInCommand':
			return t('"command" contains arguments');
		default:
			return describeUrlHeadline(cause);
	}
}

/** Their failures carry advice, which the cause gives as well: only one of the two is said. */
export function describeUrlHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'notRunning':
			return t('nothing answers at {0}', plain(cause.url));
		case 'unknownHost':
			return t('the host of {0} is not known', plain(cause.url));
		case 'tls':
			return cause.isPlain ? t('the server does not use HTTPS') : undefined;
		default:
			return undefined;
	}
}

function plain(text: string): string {
	return notificationText(text);
}
