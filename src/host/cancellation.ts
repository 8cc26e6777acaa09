/** The only place that knows both the editor's CancellationToken and AbortSignal. */
import type { Disposable } from '../base/lifecycle.js';

/** What it needs of the editor's CancellationToken. */
export interface CancellationSource {
	readonly isCancellationRequested: boolean;
	readonly onCancellationRequested: (listener: () => void) => Disposable;
}

/** A controller that also aborts when `token` is cancelled, until disposed. */
export function abortOn(token: CancellationSource, controller: AbortController): Disposable {
	if (token.isCancellationRequested) {
		controller.abort();
	}
	return token.onCancellationRequested(() => controller.abort());
}
