/** The only place that knows both the editor's CancellationToken and AbortSignal. */
import type { CancellationToken } from 'vscode';
import type { Disposable } from '../base/lifecycle.js';

/** A controller that also aborts when `token` is cancelled, until disposed. */
export function abortOn(token: CancellationToken, controller: AbortController): Disposable {
	if (token.isCancellationRequested) {
		controller.abort();
	}
	return token.onCancellationRequested(() => controller.abort());
}
