/** Converts the editor's CancellationToken to an AbortSignal. No other file uses both. */
import { raceAbort } from '../base/async.js';
import { AbortError } from '../base/errors.js';
import type { Disposable } from '../base/lifecycle.js';

/** The part of the editor's CancellationToken that is used. */
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
 * Waits for work that can't be cancelled, such as that of another extension. After a cancellation it continues, but its
 * result is ignored. If `token` is already cancelled, the work isn't started.
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
