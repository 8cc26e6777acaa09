/** PURE: `${…}` in configured values. What a variable means is the caller's to say. */

/** A variable that has no value: its text between the braces. */
export class UnresolvedVariableError extends Error {
	override readonly name = 'UnresolvedVariableError';

	constructor(readonly variable: string) {
		super(`No value for \${${variable}}.`);
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
