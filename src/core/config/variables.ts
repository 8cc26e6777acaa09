/**
 * Finds and replaces the variables `${…}` in configured values, and knows their names. `editor/workspace/variables.ts` has
 * their values.
 */

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

/** All variables, in the form that messages show. */
export const knownVariables = [
	'workspaceFolder',
	'workspaceFolder:name',
	'workspaceFolderBasename',
	'workspaceFolderBasename:name',
	'userHome',
	'env:NAME',
	'config:setting',
	'input:id',
	'pathSeparator',
	'/',
] as const;

type KindOf<T extends string> = T extends `${infer Kind}:${string}` ? Kind : T;

type VariableKind = KindOf<(typeof knownVariables)[number]>;

/**
 * Splits a variable into its kind and the name after the colon. `undefined` if the variable is unknown.
 * @param variable the text between the braces
 */
export function parseVariable(variable: string): { kind: VariableKind; name: string | undefined } | undefined {
	const [, kind = variable, name] = /^(\w+):(.+)$/s.exec(variable) ?? [];
	const isKnown = knownVariables.some(it => {
		const [known, example] = it.split(':');
		return known === kind && (example === undefined) === (name === undefined);
	});
	return isKnown ? { kind: kind as VariableKind, name } : undefined;
}

/** The known variable that is probably meant by an unknown one. Most other formats have environment variables without prefix. */
export function nearestVariable(variable: string): string | undefined {
	const [, name] = /^(?:env[.:])?([A-Za-z_]\w*)$/i.exec(variable) ?? [];
	if (name === undefined) {
		return undefined;
	}
	if (/^(?:workspace|projectroot$|cwd$)/i.test(name)) {
		return 'workspaceFolder';
	}
	return /^(?:user)?home(?:dir)?$/i.test(name) ? 'userHome' : `env:${name}`;
}

/**
 * A text of `.mcp.json` in VS Code's syntax. In `.mcp.json`, which other programs read too, `${NAME}` and
 * `${NAME:-default}` are environment variables, or the input of that id.
 * @param inputs the ids of the file's inputs
 */
export function fromPlainVariables(text: string, inputs?: ReadonlySet<unknown>): string {
	return text.replace(/\$\{([A-Za-z_]\w*)(:-[^{}]*)?\}/g, (whole, name: string, otherwise = '') =>
		parseVariable(name) ? whole : inputs?.has(name) ? `\${input:${name}}` : `\${env:${name}${otherwise}}`,
	);
}

/** The opposite: writes `${env:NAME}` and the inputs as `${NAME}`. Keeps variables that can't be written in this way. */
export function toPlainVariables(text: string, inputs?: ReadonlySet<unknown>): string {
	return text.replace(/\$\{(env|input):(([A-Za-z_]\w*)(:-[^{}]*)?)\}/g, (whole, kind, written: string, name: string) =>
		parseVariable(name) || (inputs?.has(name) ?? false) !== (kind === 'input') ? whole : `\${${written}}`,
	);
}
