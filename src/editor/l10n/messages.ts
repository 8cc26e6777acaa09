/**
 * Describes states, failures, errors and quantities in the person's language. The layers below return codes with data.
 * Text of servers must be cleaned by a function of `plainText.ts`, and quoted.
 */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { McpError, type McpFailure, type Progress, RpcError } from '../../mcp/index.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { ValuePlace } from '../../core/config/inputs.js';
import { PlainDataError, type PlainDataProblem } from '../../core/text/callArguments.js';
import {
	NotRunningError,
	ServerEndedError,
	type ServerFailure,
	type ServerState,
	type ServerWarning,
} from '../../core/servers/serverState.js';
import type { TokenCount } from '../../core/calls/modelTools.js';
import { CallDeniedError, ReadDeniedError, ToolDisabledError, UnknownToolError } from '../../core/calls/toolAccess.js';
import { describeReason } from './approvalWords.js';
import { describeAuthFailure } from './authWords.js';
import { Settings } from '../contributions.js';
import { notificationText, oneLine } from '../ui/plainText.js';
import { toolName } from '../ui/shownNames.js';
import { chooseText } from './chooseText.js';
import type { EnvFileProblem } from '../../core/config/envFile.js';
import { RefusedFileError } from '../documents/repositoryFiles.js';

const { t } = vscode.l10n;

/** A server's state in one word or a few. @param failure text for the failure of the state, if it has one */
export function describeState(
	state: ServerState,
	failure = 'failure' in state ? describeFailure(state.failure) : '',
): string {
	return chooseText(state, {
		stopped: ({ hasChanged }) => (hasChanged ? t('Stopped: configuration changed') : t('Stopped')),
		untrusted: () => t('Needs trust'),
		waiting: ({ what }) =>
			what === 'consent' ? t('Needs consent') : what === 'signIn' ? t('Needs sign-in') : t('Needs input'),
		starting: () => t('Starting'),
		running: ({ signIn }) =>
			!signIn ? t('Running') : signIn.why === 'moreScopes' ? t('Needs more permissions') : t('Needs sign-in'),
		stopping: () => t('Stopping'),
		// The message begins with what happened, because the end of a long row is cut.
		reconnecting: () => t('{0}, reconnecting', failure),
		failed: ({ times }) =>
			times === undefined ? t('Failed: {0}', failure) : t('Failed {0} times in a row: {1}', times, failure),
	});
}

/** Describes a violation of the protocol by a server: a clause without a period. */
export function describeWarning({ kind, text, count = 1 }: ServerWarning): string {
	const shown = oneLine(text, 300);
	const lines = describeNumber(count);
	return {
		noise:
			count === 1
				? t('The server wrote a line to stdout that isn\'t a message: "{0}"', shown)
				: t('The server wrote {0} lines to stdout that aren\'t messages. The first: "{1}"', lines, shown),
		unknownId: t('The server answered a request that was never sent. Its id: {0}', shown),
		unknownContent: t("Content types that the protocol doesn't define: {0}", shown),
		unknownMember: t("Result members that the protocol doesn't define: {0}", shown),
		noContent: t('The result has no "content", which the protocol requires'),
	}[kind];
}

/** Why a server didn't start, or stopped: a clause without a period. */
export function describeFailure(failure: ServerFailure): string {
	return chooseText(failure, {
		protocol: failure => describeMcpFailure(failure.failure),
		refused: ({ message }) => t('The server refused to start: "{0}"', notificationText(message)),
		exited: ({ signal, exitCode }) => {
			const exit = exitCode === undefined ? t("The server doesn't respond") : t('Exit code {0}', String(exitCode));
			return signal === undefined ? exit : t('Ended by signal {0}', signal);
		},
		variable: ({ variable }) => describeVariable(variable),
		unset: ({ variable, places }) =>
			t(
				"The environment variable {0} isn't set ({1})",
				notificationText(variable),
				notificationText(describePlaces(places)),
			),
		notOnDisk: ({ folder }) => t("The working directory isn't on the local file system: {0}", notificationText(folder)),
		envFile: ({ problem, path }) => describeEnvFile(problem, notificationText(path)),
		inputCommand: ({ why, ...failed }) => {
			const [command, input] = [notificationText(failed.command), notificationText(failed.input)];
			return why === undefined
				? t('The command {0} for the input "{1}" returned no text', command, input)
				: t('The command {0} for the input "{1}" failed: "{2}"', command, input, notificationText(why));
		},
		other: ({ message }) => notificationText(message),
	});
}

/** Why a variable has no value. */
function describeVariable(variable: string): string {
	const [, kind, name = ''] = /^(input|config):(.*)$/.exec(variable) ?? [];
	switch (kind) {
		case 'input':
			return t('Input "{0}" isn\'t defined in the configuration file', notificationText(name));
		case 'config':
			return t('The setting "{0}" isn\'t a string', notificationText(name));
		default:
			return t('Unknown variable {0}', `\${${notificationText(variable)}}`);
	}
}

/** For example: Environment variable KEY, Argument 2. */
export function describePlaces(places: readonly ValuePlace[]): string {
	return describeList(places.map(describePlace));
}

/** Joins translated words with the separator of the language. Join names and other text with a plain comma. */
export function describeList(words: readonly string[]): string {
	return words.join(t(', '));
}

function describePlace(place: ValuePlace): string {
	return chooseText(place, {
		command: () => t('Command'),
		folder: () => t('Working directory'),
		envFile: () => t('Path of "envFile"'),
		url: () => t('URL'),
		argument: ({ number }) => t('Argument {0}', number),
		environment: ({ name }) => t('Environment variable {0}', name),
		header: ({ name }) => t('Header {0}', name),
	});
}

function describeMcpFailure(failure: McpFailure): string {
	return chooseText(failure, {
		spawn: ({ errno, command }) =>
			errno === 'ENOENT'
				? t('Command not found: {0}', notificationText(command))
				: t("Can't start {0} ({1})", notificationText(command), errno),
		noFolder: ({ path }) => t("The working directory doesn't exist: {0}", notificationText(path)),
		closed: () => t('The connection was closed'),
		network: ({ why }) => describeNetworkFailure(why),
		http: ({ retryAfterMs, status, error }) => {
			if (retryAfterMs !== undefined && retryAfterMs > 0) {
				const wait = describeDuration(retryAfterMs);
				return t('The server is busy (HTTP {0}). Retry after {1}', status, wait);
			}
			if (status === 407) {
				return describeProxyStatus(status);
			}
			return error
				? t('The server returned HTTP status {0}: "{1}"', status, notificationText(error.message))
				: t('The server returned HTTP status {0}', status);
		},
		authorization: failure => describeAuthFailure(failure.failure),
		tooManyRounds: ({ method, limit }) => t('{0} asked for input more than {1} times', method, limit),
		legacySse: () => t('The server uses HTTP+SSE: set its "type" to "sse"'),
		taskCancelled: ({ taskId }) => t('The server canceled the task {0}', notificationText(taskId)),
		inputRefused: ({ method }) => t('{0} needs input that was declined', method),
		sessionLost: () => t('The server no longer recognizes this session'),
		tooLarge: ({ limit }) =>
			t('A message is larger than {0} ("messageSize" in the setting {1})', describeSize(limit), Settings.serverOptions),
		tooManyRedirects: ({ limit, to }) =>
			t('The server redirected a request more than {0} times, last to {1}', limit, notificationText(to)),
		redirected: ({ to }) => t('The server redirects to another address: {0}', notificationText(to)),
		timeout: ({ method, ms }) => t('No response to {0} within {1}', method, describeDuration(ms)),
		unsupportedVersion: ({ version }) =>
			t('The server uses an unknown protocol revision: "{0}"', notificationText(version)),
		invalidResult: ({ method }) => t('The server sent an invalid response to {0}', method),
		tooManyPages: ({ method, limit }) => t('The response to {0} has more than {1} pages', method, limit),
		tooManyItems: ({ method, limit }) => t('The response to {0} has more than {1} entries', method, limit),
	});
}

/** A sentence about an error, for a notification. */
export function describeError(error: unknown): string {
	if (error instanceof RpcError) {
		return t('The server answered with an error: "{0}" ({1}).', notificationText(error.message), String(error.code));
	}
	if (error instanceof McpError) {
		return t('The request failed: {0}.', describeMcpFailure(error.failure));
	}
	if (error instanceof ServerEndedError) {
		return t('The server ended during the request: {0}.', describeFailure(error.failure));
	}
	if (error instanceof NotRunningError) {
		return t("The server isn't running ({0}).", describeState(error.state));
	}
	if (error instanceof CallDeniedError) {
		const { decision } = error.approval;
		const shownTool = toolName(error.tool);
		return decision.kind === 'deny'
			? t('The call to {0} was denied: {1}.', shownTool, describeReason(decision.reason))
			: t('The call to {0} was denied.', shownTool);
	}
	if (error instanceof WindowClosingError) {
		return t('The window is closing.');
	}
	if (error instanceof ReadDeniedError) {
		return error.reason === 'rule'
			? t('A rule denies this server to extensions and keybindings. Use the MCP Workbench view.')
			: t('Extensions and keybindings can read only listed resources. Select "Go to Resource…" instead.');
	}
	if (error instanceof ToolDisabledError) {
		return t('The tool {0} is disabled.', toolName(error.tool));
	}
	if (error instanceof UnknownToolError) {
		return t('The server has no tool {0}.', toolName(error.tool));
	}
	if (error instanceof PlainDataError) {
		return describePlainDataProblem(error.problem);
	}
	return error instanceof RefusedFileError ? describeRefusedFile(error) : notificationText(toMessage(error));
}

/** A sentence about the arguments of a call. */
function describePlainDataProblem(problem: PlainDataProblem): string {
	return {
		notObject: t('The arguments must be a JSON object.'),
		notJson: t('The arguments must be JSON data.'),
		tooLarge: t('The arguments are too large or nested too deeply.'),
	}[problem];
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
		return [...parts, t('Canceling')].join(' · ');
	}
	if (state === 'waitingForPerson') {
		// Comes first, because a narrow view cuts the end.
		parts.unshift(t('Server is waiting for you'));
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

/** "≈ 3,100 tokens" */
export function describeTokens({ tokens, isEstimate }: TokenCount): string {
	return isEstimate ? t('≈ {0} tokens', describeNumber(tokens)) : t('{0} tokens', describeNumber(tokens));
}

/** How many servers need the person before they can start. */
export function describeNeeds(count: number): string {
	return count === 1 ? t('1 server needs your attention') : t('{0} servers need your attention', describeNumber(count));
}

/** How many requests wait for the person, for the status bar and the badge. */
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

/** A sentence for a notification. */
function describeRefusedFile({ uri, problem }: RefusedFileError): string {
	const path = notificationText(vscode.workspace.asRelativePath(uri));
	return problem.code === 'notRegular'
		? t("{0} can't be read because it isn't a regular file.", path)
		: t("{0} can't be read because it has more than {1} bytes.", path, problem.maxBytes);
}

/** Why the environment file of a server can't be used: a sentence without a period. */
function describeEnvFile(problem: EnvFileProblem, path: string): string {
	return chooseText(problem, {
		line: ({ line }) => t('Line {0} of the "envFile" {1} can\'t be read', line, path),
		unreadable: () => t('The "envFile" {0} is missing or can\'t be read', path),
		tooLarge: ({ maxBytes }) => t('The "envFile" {0} has more than {1} bytes', path, maxBytes),
	});
}

/**
 * Why a server can't be reached, and what the person can do: a clause without a period.
 * @param why a code of the system, of TLS or of `node/http/httpFetch.ts`, or any other text
 */
function describeNetworkFailure(why: string): string {
	const [, proxy] = /^PROXY_(.+)$/.exec(why) ?? [];
	if (proxy !== undefined) {
		return /^\d+$/.test(proxy)
			? describeProxyStatus(Number(proxy))
			: t('The proxy can\'t be reached ({0}). Check the setting "http.proxy"', notificationText(proxy));
	}
	switch (why) {
		case 'DEPTH_ZERO_SELF_SIGNED_CERT':
		case 'SELF_SIGNED_CERT_IN_CHAIN':
		case 'UNABLE_TO_GET_ISSUER_CERT':
		case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
		case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
			return t(
				"The server's certificate authority isn't trusted ({0}). Add it to the operating system's certificates and check the setting \"http.systemCertificates\"",
				why,
			);
		case 'CERT_HAS_EXPIRED':
		case 'CERT_NOT_YET_VALID':
			return t(
				"The server's certificate isn't currently valid ({0}). Renew the certificate, or correct the clock of this computer",
				why,
			);
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return t('The server\'s certificate is for another host ({0}). Check the "url"', why);
		case 'EPROTO':
		case 'ERR_SSL_WRONG_VERSION_NUMBER':
			return t('The encrypted connection failed ({0}). Check whether the "url" should begin with "http:"', why);
		case 'ECONNREFUSED':
			return t(
				'The connection was refused ({0}). Check that the server is running and that the port in the "url" is correct',
				why,
			);
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return t('The host is unknown ({0}). Check the "url", the network and the setting "http.proxy"', why);
		case 'ETIMEDOUT':
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return t('The host doesn\'t respond ({0}). Check the network and the setting "http.proxy"', why);
		case 'ECONNRESET':
		case 'EPIPE':
			return t('The connection was interrupted, possibly by a proxy or firewall ({0}). Try again', why);
		default:
			return t("The server can't be reached ({0})", notificationText(why));
	}
}

/** Why a proxy refused the connection. @param status HTTP status of its response */
function describeProxyStatus(status: number): string {
	return status === 407
		? t(
				'The proxy requires authentication (HTTP {0}). Sign in when prompted, or set credentials in "http.proxy"',
				status,
			)
		: t('The proxy refused the connection (HTTP {0}). Check the setting "http.proxy"', status);
}
