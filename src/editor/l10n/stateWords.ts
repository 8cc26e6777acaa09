/** Describes the state of a server, with the diagnosed cause if it failed. Texts are clauses without a period. */
import * as vscode from 'vscode';
import { type Cause, diagnose } from '../../core/diagnosis/diagnosis.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerFailure, ServerState } from '../../core/servers/serverState.js';
import { describeFailure, describeState } from './messages.js';
import { chooseKnownText } from './chooseText.js';
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
 * A sentence about a failed start. Failures to reach a URL carry advice, which the report of the cause gives as well,
 * so they are replaced by a shorter text.
 * @param name the server's label, cleaned for where the sentence is shown
 */
export function describeFailedStart(name: string, cause: Cause, failure: ServerFailure): string {
	// A message of a library may end with its own period.
	const why = (describeUrlHeadline(cause) ?? describeFailure(failure)).replace(/[.。]$/, '');
	return t('{0} failed. {1}.', name, why);
}

/** The cause in a few words; `undefined` if the failure already says it. */
function describeHeadline(cause: Cause): string | undefined {
	const text = chooseKnownText(cause, {
		missingProgram: ({ program }) => t('Command not found: {0}', plain(program)),
		missingModule: ({ module }) => t('Module not found: {0}', plain(module)),
		missingFile: ({ path }) => t('File not found: {0}', plain(path)),
		noPackage: ({ name }) => t('Package not found: {0}', plain(name)),
		registryAway: () => t("The package registry can't be reached"),
		oldRuntime: ({ program }) => t('A newer version of {0} is needed', plain(program)),
		missingVariable: ({ name }) =>
			name === undefined ? t('A variable, key, or token is missing') : t('{0} is missing', plain(name)),
		badCredentials: () => t('Key or token rejected'),
		addressInUse: () => t('Port already in use'),
		dockerDown: () => t("Docker isn't running"),
		killed: () => t('The process was killed'),
		noise: () => t('Invalid output on stdout'),
		downloading: () => t('Still downloading'),
		asks: () => t('The program is waiting for an answer'),
		listens: ({ at }) => t('Listening at {0} instead of using stdio', plain(at)),
		dockerWithoutInput: () => t('"docker run" needs "-i"'),
		argumentsInCommand: () => t('"command" contains arguments'),
	});
	return text ?? describeUrlHeadline(cause);
}

function describeUrlHeadline(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'notRunning':
			return t('No server responds at {0}', plain(cause.url));
		case 'unknownHost':
			return t('Unknown host: {0}', plain(cause.url));
		case 'tls':
			return cause.isPlain ? t("The server doesn't use HTTPS") : undefined;
		default:
			return undefined;
	}
}
