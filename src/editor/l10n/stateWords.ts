/** Describes the state of a server, with the diagnosed cause if it failed. Texts are clauses without a period. */
import * as vscode from 'vscode';
import { type Cause, diagnose } from '../../core/diagnosis/diagnosis.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerFailure, ServerState } from '../../core/servers/serverState.js';
import { describeFailure, describeState } from './messages.js';
import { notificationText as plain } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** Texts of failed states. States are immutable, and a diagnosis matches many lines against many patterns. */
const known = new WeakMap<ServerState, string>();

/** The state as a server's row shows it. */
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

/**
 * A sentence about a failed start. Failures to reach a URL carry advice, which the report of the cause gives as well, so
 * they are replaced by a shorter text.
 * @param name the server's label, cleaned for where the sentence is shown
 */
export function describeFailedStart(name: string, cause: Cause, failure: ServerFailure): string {
	return t('{0} failed: {1}.', name, describeUrlHeadline(cause) ?? describeFailure(failure));
}

/** The cause in a few words; `undefined` if the failure already says it. */
function describeHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'missingProgram':
			return t('command not found: {0}', plain(cause.program));
		case 'missingModule':
			return t('module not found: {0}', plain(cause.module));
		case 'missingFile':
			return t('file not found: {0}', plain(cause.path));
		case 'noPackage':
			return t('package not found: {0}', plain(cause.name));
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
			return t('key or token not accepted');
		case 'addressInUse':
			return t('port already in use');
		case 'dockerDown':
			return t("Docker isn't running");
		case 'dockerDenied':
			return t('no permission to use Docker');
		case 'dockerTerminal':
			return t('Docker needs a terminal for "-t"');
		case 'noImage':
			return t('image not found: {0}', plain(cause.name));
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
			return t('still downloading');
		case 'asks':
			return t('the program is waiting for an answer');
		case 'listens':
			return t('listening at {0} instead of using stdio', plain(cause.at));
		case 'dockerWithoutInput':
			return t('"docker run" needs "-i"');
		case 'argumentsInCommand':
			return t('"command" contains arguments');
		default:
			return describeUrlHeadline(cause);
	}
}

function describeUrlHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'notRunning':
			return t('nothing answers at {0}', plain(cause.url));
		case 'unknownHost':
			return t('unknown host: {0}', plain(cause.url));
		case 'tls':
			return cause.isPlain ? t('the server does not use HTTPS') : undefined;
		default:
			return undefined;
	}
}
