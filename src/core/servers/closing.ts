/** Errors of operations that are under way while the window closes. */
import { isAbort } from '../../base/errors.js';

/** The window is closing: the editor no longer answers requests of extensions. */
export class WindowClosingError extends Error {
	override readonly name = 'WindowClosingError';

	constructor() {
		super('The window is closing.');
	}
}

/** While the window closes, the editor fails every request of an extension with the error "Canceled". */
export function isCanceledByEditor(error: unknown): boolean {
	return error instanceof Error && error.name === 'Canceled';
}

/** The error to report: a `WindowClosingError` if the window closes, except for an AbortError. */
export function errorWhileClosing(error: unknown, isClosing: boolean): unknown {
	return isCanceledByEditor(error) || (isClosing && !isAbort(error)) ? new WindowClosingError() : error;
}
