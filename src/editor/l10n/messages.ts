/**
 * Words. The rooms below return codes with data; here they become sentences in the person's language.
 * Server-provided parts pass through plainText's function for the sink, and are quoted.
 */
import * as vscode from 'vscode';
import { assertNever, toMessage } from '../../base/errors.js';
import { type Field, type FieldProblem, McpError, type McpFailure, type Progress, RpcError } from '../../mcp/index.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { ValuePlace } from '../../core/config/inputs.js';
import { PlainDataError } from '../../core/text/plainData.js';
import { NotRunningError, type ServerFailure, type ServerState } from '../../core/servers/serverState.js';
import { CallDeniedError, ReadDeniedError, ToolDisabledError, UnknownToolError } from '../../core/calls/toolAccess.js';
import { describeReason } from './approvalWords.js';
import { describeAuthFailure } from './authWords.js';
import { Settings } from '../contributions.js';
import { describeEnvFile, describeFileError } from './fileWords.js';
import { describeNetworkFailure, describeProxyStatus } from './networkWords.js';
import { describePlainDataProblem } from './plainDataWords.js';
import { notificationText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/**
 * One word (or few) for a server's state; stands beside its icon.
 * @param failure why it failed, if it did
 */
export function describeState(
	state: ServerState,
	failure = 'failure' in state ? describeFailure(state.failure) : '',
): string {
	switch (state.kind) {
		case 'stopped':
			return t('stopped');
		case 'untrusted':
			return t('needs trust');
		case 'waiting':
			return state.what === 'consent'
				? t('needs your consent')
				: state.what === 'signIn'
					? t('needs sign-in')
					: t('needs input');
		case 'starting':
			return t('starting');
		case 'running':
			return describeRunning(state);
		case 'stopping':
			return t('stopping');
		case 'reconnecting':
			return t('reconnecting: {0}', failure);
		case 'failed':
			return state.times === undefined
				? t('failed: {0}', failure)
				: t('failed {0} times in a row: {1}', state.times, failure);
		default:
			return assertNever(state);
	}
}

function describeRunning({ signIn }: Extract<ServerState, { kind: 'running' }>): string {
	return !signIn ? t('running') : signIn.why === 'moreScopes' ? t('needs more scopes') : t('needs sign-in');
}

/** Why a server did not start or does not run any more: a clause without a full stop. */
export function describeFailure(failure: ServerFailure): string {
	switch (failure.kind) {
		case 'protocol':
			return describeMcpFailure(failure.failure);
		case 'refused':
			return t('it refused to start: "{0}"', notificationText(failure.message));
		case 'exited':
			if (failure.signal === undefined && failure.exitCode === undefined) {
				return t('it does not answer any more');
			}
			return failure.signal === undefined
				? t('exited with code {0}', String(failure.exitCode))
				: t('it was ended by {0}', failure.signal);
		case 'variable':
			return describeVariable(failure.variable);
		case 'notOnDisk':
			return t('its folder is on no disk: {0}', notificationText(failure.folder));
		case 'envFile':
			return describeEnvFile(failure.problem, notificationText(failure.path));
		case 'inputCommand': {
			const command = notificationText(failure.command);
			return failure.why === undefined
				? t('the command {0} of its input "{1}" gave no text', command, notificationText(failure.input))
				: t(
						'the command {0} of its input "{1}" failed: "{2}"',
						command,
						notificationText(failure.input),
						notificationText(failure.why),
					);
		}
		case 'other':
			return notificationText(failure.message);
		default:
			return assertNever(failure);
	}
}

/** Why a variable has no value. */
function describeVariable(variable: string): string {
	const [, kind, name = ''] = /^(input|config):(.*)$/.exec(variable) ?? [];
	switch (kind) {
		case 'input':
			return t('no input "{0}" is defined in its file', notificationText(name));
		case 'config':
			return t('the setting "{0}" has no value that is a text', notificationText(name));
		default:
			return t('unknown variable {0}', `\${${notificationText(variable)}}`);
	}
}

/** "environment variable KEY, argument 2" */
export function describePlaces(places: readonly ValuePlace[]): string {
	return describeList(places.map(describePlace));
}

/** Words of ours side by side: "title, description". What is no word of ours is joined with a comma everywhere. */
export function describeList(words: readonly string[]): string {
	return words.join(t(', '));
}

function describePlace(place: ValuePlace): string {
	switch (place.kind) {
		case 'command':
			return t('command');
		case 'folder':
			return t('folder');
		case 'envFile':
			return t('path of its "envFile"');
		case 'debugger':
			return t('debugger');
		case 'url':
			return t('URL');
		case 'argument':
			return t('argument {0}', place.number);
		case 'environment':
			return t('environment variable {0}', place.name);
		case 'header':
			return t('header {0}', place.name);
		default:
			return assertNever(place);
	}
}

function describeMcpFailure(failure: McpFailure): string {
	switch (failure.code) {
		case 'spawn':
			return failure.errno === 'ENOENT'
				? t('command not found: {0}', notificationText(failure.command))
				: t('{0} could not be started ({1})', notificationText(failure.command), failure.errno);
		case 'noFolder':
			return t('its folder does not exist: {0}', notificationText(failure.path));
		case 'closed':
			return t('the connection was closed');
		case 'network':
			return describeNetworkFailure(failure.why);
		case 'http':
			if (failure.retryAfterMs !== undefined && failure.retryAfterMs > 0) {
				const wait = describeDuration(failure.retryAfterMs);
				return t('it is busy (HTTP status {0}) and asks to be left alone for {1}', failure.status, wait);
			}
			if (failure.status === 407) {
				return describeProxyStatus(failure.status);
			}
			return failure.error
				? t('it answered with HTTP status {0}: "{1}"', failure.status, notificationText(failure.error.message))
				: t('it answered with HTTP status {0}', failure.status);
		case 'authorization':
			return describeAuthFailure(failure.failure);
		case 'tooManyRounds':
			return t('{0} asked for input more than {1} times', failure.method, failure.limit);
		case 'taskCancelled':
			return t('it cancelled the task {0}', notificationText(failure.taskId));
		case 'inputRefused':
			return t('{0} needs input that was refused', failure.method);
		case 'sessionLost':
			return t('it no longer knows this session');
		case 'tooLarge':
			return failure.isDecoded
				? t('a compressed answer is larger than {0}', describeSize(failure.limit))
				: t('a message is larger than {0} (setting "{1}")', describeSize(failure.limit), Settings.messageSize);
		case 'tooManyRedirects':
			return t('it redirected a request more than {0} times, last to {1}', failure.limit, notificationText(failure.to));
		case 'redirected':
			return t('it redirects to another address: {0}', notificationText(failure.to));
		case 'timeout':
			return t('no answer to {0} within {1}', failure.method, describeDuration(failure.ms));
		case 'unsupportedVersion':
			return t('it speaks an unknown protocol revision: "{0}"', notificationText(failure.version));
		case 'invalidResult':
			return t('it gave an invalid answer to {0}', failure.method);
		case 'tooManyPages':
			return t('its answer to {0} has more than {1} pages', failure.method, failure.limit);
		case 'tooManyRequests':
			return t('{0} requests to it wait for their answers already', failure.limit);
		case 'tooManyItems':
			return t('its answer to {0} has more than {1} entries', failure.method, failure.limit);
		default:
			return assertNever(failure);
	}
}

/** What went wrong, for a message: a sentence. */
export function describeError(error: unknown): string {
	if (error instanceof RpcError) {
		return t('The server answered with an error: "{0}" ({1}).', notificationText(error.message), String(error.code));
	}
	if (error instanceof McpError) {
		return t('The request failed: {0}.', describeMcpFailure(error.failure));
	}
	if (error instanceof NotRunningError) {
		return t('The server is not running ({0}).', describeState(error.state));
	}
	if (error instanceof CallDeniedError) {
		const { decision } = error.approval;
		return decision.kind === 'deny'
			? t('The call was denied: {0}.', describeReason(decision.reason))
			: t('The call was denied.');
	}
	if (error instanceof WindowClosingError) {
		return t('The window is closing.');
	}
	if (error instanceof ReadDeniedError) {
		return t('A rule denies everything of this server.');
	}
	if (error instanceof ToolDisabledError) {
		return t('The tool {0} is disabled.', notificationText(error.tool));
	}
	if (error instanceof UnknownToolError) {
		return t('The server has no tool {0}.', notificationText(error.tool));
	}
	if (error instanceof PlainDataError) {
		return describePlainDataProblem(error.problem);
	}
	return describeFileError(error) ?? notificationText(toMessage(error));
}

/** "required, a number" */
export function describeField(field: Field): string {
	const kinds = {
		string: t('text'),
		number: t('a number'),
		integer: t('a whole number'),
		boolean: t('yes or no'),
		choice: t('choose one'),
		json: t('JSON'),
	};
	const what = field.kind === 'choices' ? howMany(field) : kinds[field.kind];
	return field.required ? t('required, {0}', what) : t('optional, {0}', what);
}

function howMany({ minItems = 0, maxItems }: Extract<Field, { kind: 'choices' }>): string {
	if (maxItems === undefined) {
		return minItems > 0 ? t('choose at least {0}', minItems) : t('choose any number');
	}
	if (minItems === maxItems) {
		return t('choose {0}', minItems);
	}
	return minItems > 0 ? t('choose {0} to {1}', minItems, maxItems) : t('choose up to {0}', maxItems);
}

/** Why a value does not fit its field, shown while typing. */
export function describeFieldProblem(problem: FieldProblem): string {
	switch (problem.code) {
		case 'required':
			return t('required');
		case 'notANumber':
			return problem.text === '' ? t('a number is required') : t('"{0}" is not a number', problem.text);
		case 'notAnInteger':
			return t('"{0}" is not a whole number', problem.text);
		case 'notJson':
			return t('not valid JSON');
		case 'notAString':
			return t('must be text');
		case 'notABoolean':
			return t('must be yes or no');
		case 'notAnOption':
			return t('not one of the choices');
		case 'format':
			return t('not a valid {0}', problem.format);
		case 'tooShort':
			return problem.limit === 1 ? t('Enter a value') : t('at least {0} characters', problem.limit);
		case 'tooLong':
			return t('at most {0} characters', problem.limit);
		case 'tooSmall':
			return t('at least {0}', problem.limit);
		case 'tooLarge':
			return t('at most {0}', problem.limit);
		case 'tooFew':
			return t('choose at least {0}', problem.limit);
		case 'tooMany':
			return t('choose at most {0}', problem.limit);
		case 'notAbove':
			return t('more than {0}', problem.limit);
		case 'notBelow':
			return t('less than {0}', problem.limit);
		case 'notAMultiple':
			return t('a multiple of {0}', problem.of);
		case 'pattern':
			return t('does not match the pattern {0}', problem.pattern);
		case 'duplicate':
			return t('choose nothing twice');
		case 'inexact':
			return t('"{0}" has more digits than can be sent', problem.text);
		case 'notFlat':
			return t('only text, numbers, yes or no, and lists of texts can be sent');
		default:
			return assertNever(problem);
	}
}

/** For example: 5 s · 2 of 10 · "reading files". */
export function describeProgress(
	elapsedMs: number,
	known: Partial<Progress> = {},
	state: 'working' | 'waitingForPerson' | 'cancelling' = 'working',
): string {
	const parts = [t('{0} s', Math.round(elapsedMs / 1000))];
	const { progress, total, message } = known;
	if (state === 'cancelling') {
		return [...parts, t('cancelling')].join(' · ');
	}
	if (state === 'waitingForPerson') {
		// First: a narrow view cuts the end.
		parts.unshift(t('server is waiting for you'));
	}
	if (progress !== undefined) {
		parts.push(total === undefined ? String(progress) : t('{0} of {1}', progress, total));
	}
	if (message) {
		parts.push(`"${notificationText(message)}"`);
	}
	return parts.join(' · ');
}

/** "12,345" */
export function describeNumber(count: number): string {
	return count.toLocaleString(vscode.env.language);
}

/** How many servers wait for a person. */
export function describeNeeds(count: number): string {
	return count === 1 ? t('1 server needs you') : t('{0} servers need you', describeNumber(count));
}

/** For the status bar and the badge. */
export function describePending(count: number): string {
	return count === 1 ? t('1 request is waiting for you') : t('{0} requests are waiting for you', describeNumber(count));
}

/** "1.2 KB" */
export function describeSize(bytes: number): string {
	const units = ['B', 'KB', 'MB', 'GB'];
	let size = bytes;
	let unit = 0;
	while (size >= 1000 && unit < units.length - 1) {
		size /= 1000;
		unit++;
	}
	const digits = unit === 0 || size >= 100 ? 0 : 1;
	return `${size.toLocaleString(vscode.env.language, { maximumFractionDigits: digits })} ${units[unit]}`;
}

/** "12 ms", "3.4 s", "60 s" */
export function describeDuration(ms: number): string {
	return ms < 1000 ? t('{0} ms', Math.round(ms)) : t('{0} s', (ms / 1000).toFixed(1).replace(/\.0$/, ''));
}
