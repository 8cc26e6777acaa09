/** PURE: `${…}` in configured values. What a variable means is the caller's to say. */

/** A variable that has no value: its text between the braces. */
export class UnresolvedVariableError extends Error {
	override readonly name = 'UnresolvedVariableError';

	constructor(readonly variable: string) {
		super(`No value for \${${variable}}.`);
	}
}

/** A path is needed of a folder that only the editor can read: its URI. */
export class NotOnDiskError extends Error {
	override readonly name = 'NotOnDiskError';

	constructor(readonly folder: string) {
		super(`${folder} is on no disk.`);
	}
}

const variables = /\$\{([^{}]*)\}/g;

/**
 * Replaces every `${name}` by what `resolve` gives for it.
 * @throws UnresolvedVariableError if it gives nothing: a server must not be started with half a path.
 */
export function substitute(text: string, resolve: (variable: string) => string | undefined): string {
	return text.replace(variables, (_, variable: string) => {
		const value = resolve(variable);
		if (value === undefined) {
			throw new UnresolvedVariableError(variable);
		}
		return value;
	});
}

/** What `substitute` would ask for, in the order of the text. */
export function variablesIn(text: string): string[] {
	return Array.from(text.matchAll(variables), it => it[1] ?? '');
}
