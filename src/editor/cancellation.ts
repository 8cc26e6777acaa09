/** The only place that knows both the editor's CancellationToken and AbortSignal. */
import { raceAbort } from '../base/async.js';
import { AbortError } from '../base/errors.js';
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

/**
 * Work of somebody who may not hear that it is cancelled: then it goes on, and nobody waits for it. What was cancelled
 * before is not begun.
 * @throws AbortError once `token` is cancelled
 */
export async function orCancelled<T>(work: () => Promise<T>, token: CancellationSource): Promise<T> {
	if (token.isCancellationRequested) {
		throw new AbortError();
	}
	const controller = new AbortController();
	const listener = abortOn(token, controller);
	try {
		return await raceAbort(work(), controller.signal);
	} finally {
		listener.dispose();
	}
}
