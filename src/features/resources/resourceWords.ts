/** Messages for resources that can't be read. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { isVanished, ResourceError } from '../../core/resources/resourceContents.js';
import type { Server } from '../../core/servers/server.js';
import { NotRunningError } from '../../core/servers/serverState.js';
import { LoggedError } from '../../editor/commands.js';
import { Settings } from '../../editor/contributions.js';
import { describeError, describeSize, describeState } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';

const { t } = vscode.l10n;

/** The error of a read in words, for a message that offers the server's log. */
export function toReadError(error: unknown, { name, log }: Server, resource: string): LoggedError {
	return new LoggedError(describeReadError(error, name, resource), log);
}

/**
 * Why a resource can't be read: a sentence.
 * @param resource its name
 */
export function describeReadError(error: unknown, serverName: string, resource: string): string {
	const server = notificationText(serverName);
	const name = notificationText(resource);
	if (error instanceof NotRunningError) {
		return t(
			'Server "{0}" isn\'t running ({1}). Start the server and open the resource again.',
			server,
			describeState(error.state),
		);
	}
	if (isVanished(error)) {
		return t('{0}: "{1}" doesn\'t exist on the server. {2}', server, name, describeError(error));
	}
	if (!(error instanceof ResourceError)) {
		return t('{0}: "{1}" can\'t be read. {2}', server, name, describeError(error));
	}
	const { problem } = error;
	switch (problem.code) {
		case 'nothing':
			return t('{0}: The server returned no contents for "{1}".', server, name);
		case 'brokenBase64':
			return t('{0}: "{1}" can\'t be read because its base64 data is invalid.', server, name);
		case 'noPart':
			return t('{0}: The server no longer returns this part of "{1}".', server, name);
		case 'versionGone':
			return t('{0}: This earlier version of "{1}" is no longer available.', server, name);
		case 'tooLarge':
			return t(
				'{0}: "{1}" is too large to transfer ({2}). The limit is {3} ("messageSize" in the setting {4}).',
				server,
				name,
				describeSize(problem.size),
				describeSize(problem.limit),
				Settings.serverOptions,
			);
		default:
			return assertNever(problem);
	}
}
