/** Finds and replaces the variables `${…}` in configured values. Callers know the values of variables. */

/** A variable has no value. `variable` is the text between the braces. */
export class UnresolvedVariableError extends Error {
	override readonly name = 'UnresolvedVariableError';

	constructor(readonly variable: string) {
		super(`No value for \${${variable}}.`);
	}
}

/** A variable stands for the path of a folder that isn't on the local file system. `folder` is its URI. */
export class NotOnDiskError extends Error {
	override readonly name = 'NotOnDiskError';

	constructor(readonly folder: string) {
		super(`${folder} is on no disk.`);
	}
}

const variables = /\$\{([^{}]*)\}/g;

/**
 * Replaces every variable by the value that `resolve` returns.
 * @throws UnresolvedVariableError if `resolve` returns `undefined`, so that no server starts with an incomplete value
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

/** The variables of a text, in its order. */
export function variablesIn(text: string): string[] {
	return Array.from(text.matchAll(variables), it => it[1] ?? '');
}
