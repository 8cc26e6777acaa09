/** The steps of JSON pointers (RFC 6901). */

/** Encodes one step. */
export function escapeStep(step: string): string {
	return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Decodes one step. */
export function unescapeStep(step: string): string {
	return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The decoded steps of a pointer. */
export function stepsOf(pointer: string): string[] {
	return pointer.split('/').slice(1).map(unescapeStep);
}
