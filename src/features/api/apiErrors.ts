/** Errors as other extensions get them: a code, and a message in the person's language. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { RpcError } from '../../mcp/index.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import { CallDeniedError, ToolDisabledError, UnknownToolError } from '../../core/calls/toolAccess.js';
import { NotRunningError } from '../../core/servers/serverState.js';
import { describeError } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { ApiError } from '../../api.js';

class CodedError extends Error implements ApiError {
	override readonly name = 'McpWorkbenchError';

	constructor(
		readonly code: ApiError['code'],
		message: string,
		readonly rpcCode?: number,
	) {
		super(message);
	}
}

export function notFoundError(server: string): ApiError {
	return new CodedError('notFound', vscode.l10n.t('Server "{0}" not found.', notificationText(server)));
}

/** The error that the API throws for `error`. */
export function toApiError(error: unknown): Error {
	if (error instanceof CodedError) {
		return error;
	}
	if (isAbort(error)) {
		return new CodedError('cancelled', vscode.l10n.t('The call was canceled.'));
	}
	if (error instanceof WindowClosingError) {
		return new CodedError('cancelled', describeError(error));
	}
	if (error instanceof RpcError) {
		return new CodedError('refused', describeError(error), error.code);
	}
	return new CodedError(codeOf(error), describeError(error));
}

function codeOf(error: unknown): ApiError['code'] {
	if (error instanceof NotRunningError) {
		return 'notRunning';
	}
	if (error instanceof ToolDisabledError) {
		return 'disabled';
	}
	if (error instanceof UnknownToolError) {
		return 'notFound';
	}
	return error instanceof CallDeniedError ? 'denied' : 'failed';
}
