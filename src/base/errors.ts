/** Helpers for errors of every kind. */

/** For the default branch of a switch over a union: a new member of the union becomes a compile error. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

/** Thrown when work was cancelled by its AbortSignal. Never shown to a person. */
export class AbortError extends Error {
	override readonly name = 'AbortError';

	constructor(message = 'The operation was cancelled.') {
		super(message);
	}
}

/** True for this AbortError and for that of the platform. */
export function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}

/** The message of an Error; any other thrown value as text. */
export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, which is more precise than its text and the same in every language; otherwise the message. */
export function toCode(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : toMessage(error);
}

/** @throws the reason of the first rejected result, if there is one */
export function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
	const failed = results.find(it => it.status === 'rejected');
	if (failed) {
		throw failed.reason;
	}
}
