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

/** The error of a read in words, for a message that offers the server's log. Parameters as below. */
export function toReadError(error: unknown, serverLabel: string, { log }: Server, resource: string): LoggedError {
	return new LoggedError(describeReadError(error, serverLabel, resource), log);
}

/**
 * Why a resource can't be read: a sentence.
 * @param serverLabel the server's label
 * @param resource its name
 */
export function describeReadError(error: unknown, serverLabel: string, resource: string): string {
	const name = notificationText(resource);
	if (error instanceof NotRunningError) {
		return t(
			'Server "{0}" isn\'t running ({1}). Start the server and open the resource again.',
			serverLabel,
			describeState(error.state),
		);
	}
	if (isVanished(error)) {
		return t('{0}: "{1}" doesn\'t exist on the server. {2}', serverLabel, name, describeError(error));
	}
	if (!(error instanceof ResourceError)) {
		return t('{0}: "{1}" can\'t be read. {2}', serverLabel, name, describeError(error));
	}
	const { problem } = error;
	switch (problem.code) {
		case 'nothing':
			return t('{0}: The server returned no contents for "{1}".', serverLabel, name);
		case 'brokenBase64':
			return t('{0}: "{1}" can\'t be read because its base64 data is invalid.', serverLabel, name);
		case 'noPart':
			return t('{0}: The server no longer returns this part of "{1}".', serverLabel, name);
		case 'versionGone':
			return t('{0}: This earlier version of "{1}" is no longer available.', serverLabel, name);
		case 'tooLarge':
			return t(
				'{0}: "{1}" is too large to transfer ({2}). The limit is {3} ("messageSize" in the setting {4}).',
				serverLabel,
				name,
				describeSize(problem.size),
				describeSize(problem.limit),
				Settings.serverOptions,
			);
		default:
			return assertNever(problem);
	}
}
