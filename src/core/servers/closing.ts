/** The end of the window, as those are told who still wanted something of it. */
import { isAbort } from '../../base/errors.js';

/** The window is closing: the editor answers nothing any more, so nothing can be decided, asked or sent. */
export class WindowClosingError extends Error {
	override readonly name = 'WindowClosingError';

	constructor() {
		super('The window is closing.');
	}
}

/** The editor hangs up on extensions before it lets them end: then whatever they ask of it is "Canceled". */
export function isHungUp(error: unknown): boolean {
	return error instanceof Error && error.name === 'Canceled';
}

/**
 * PURE: why somebody did not get what they wanted. Whatever fails while the window closes fails for that: rules that cannot
 * be read any more deny, and servers are gone. Who has given up themselves is told so as ever.
 */
export function reasonOf(error: unknown, isClosing: boolean): unknown {
	return isHungUp(error) || (isClosing && !isAbort(error)) ? new WindowClosingError() : error;
}
