/** Words for what can go wrong with resources. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { isVanished, ResourceError } from '../../core/resources/resourceContents.js';
import { NotRunningError } from '../../core/servers/serverState.js';
import { Settings } from '../../editor/contributions.js';
import { describeError, describeSize, describeState } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';

const { t } = vscode.l10n;

/** Why a resource cannot be read: a sentence. */
export function describeReadError(error: unknown, serverName: string): string {
	const server = notificationText(serverName);
	if (error instanceof NotRunningError) {
		return t(
			'The server "{0}" is not running ({1}). Start it and open the resource again.',
			server,
			describeState(error.state),
		);
	}
	if (isVanished(error)) {
		return t('{0}: the server has no such resource, or has it no more. {1}', server, describeError(error));
	}
	if (!(error instanceof ResourceError)) {
		return t('{0}: {1}', server, describeError(error));
	}
	const { problem } = error;
	switch (problem.code) {
		case 'nothing':
			return t('{0}: the server says that there is nothing in this resource.', server);
		case 'brokenBase64':
			return t('{0}: the server sent this resource in broken base64.', server);
		case 'noPart':
			return t('{0}: the server does not send this part of the resource any more.', server);
		case 'tooLarge':
			return t(
				'{0}: the resource would take {1} of one message, which may have {2} (setting "{3}").',
				server,
				describeSize(problem.size),
				describeSize(problem.limit),
				Settings.messageSize,
			);
		default:
			return assertNever(problem);
	}
}
