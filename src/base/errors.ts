/** Small truths about errors that every room needs. */

/** Closes a switch over a union: a new member becomes a compile error here. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

/** Thrown when work was given up because its AbortSignal said so; never shown to a person. */
export class AbortError extends Error {
	override readonly name = 'AbortError';

	constructor(message = 'The operation was cancelled.') {
		super(message);
	}
}

/** True for our AbortError and for the platform's. */
export function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}

/** The text of anything that was thrown. */
export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** @throws the reason of the first that was rejected, if one was */
export function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
	const failed = results.find(it => it.status === 'rejected');
	if (failed) {
		throw failed.reason;
	}
}
