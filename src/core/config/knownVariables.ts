/**
 * Knows the names of the variables `${…}`, and suggests a known variable for an unknown one. `editor/workspace/variables.ts`
 * has their values.
 */

/** The variables in the form that messages show. */
export const knownVariables: readonly string[] = [
	'workspaceFolder',
	'workspaceFolder:name',
	'userHome',
	'env:NAME',
	'config:setting',
	'input:id',
];

/** Names of other programs for our variables, in lower case. Names with the same beginning needn't be here. */
const otherNames: Readonly<Record<string, string>> = {
	projectroot: 'workspaceFolder',
	cwd: 'workspaceFolder',
	home: 'userHome',
	homedir: 'userHome',
	userprofile: 'userHome',
	prompt: 'input',
	setting: 'config',
	settings: 'config',
};

const known = /^(workspaceFolder(:.+)?|userHome|(env|config|input):.+)$/s;
const word = /^[A-Za-z_]\w*$/;

/**
 * Whether a variable is known.
 * @param variable the text between the braces
 */
export function isKnownVariable(variable: string): boolean {
	return known.test(variable);
}

/** The known variable that is most similar to an unknown one, if any is. */
export function nearestVariable(variable: string): string | undefined {
	const [, kind = variable, name] = /^(\w+)[:.](.+)$/s.exec(variable) ?? [];
	if (name !== undefined) {
		const meant = nearestOf(kind, ['env', 'config', 'input', 'workspaceFolder']);
		return meant && `${meant}:${name}`;
	}
	const meant = nearestOf(variable, ['workspaceFolder', 'userHome']);
	// Most other formats have environment variables without a prefix.
	return meant ?? (word.test(variable) ? `env:${variable}` : undefined);
}

/**
 * A text of `.mcp.json` in VS Code's syntax. In `.mcp.json`, which other programs read too, `${NAME}` and
 * `${NAME:-default}` are environment variables.
 */
export function fromPlainVariables(text: string): string {
	return text.replace(/\$\{([A-Za-z_]\w*)(:-[^{}]*)?\}/g, (whole, name: string, otherwise: string | undefined) =>
		isKnownVariable(name) ? whole : `\${env:${name}${otherwise ?? ''}}`,
	);
}

/** The transport that is most similar to an unknown `type`. */
export function nearestTransport(type: string): 'stdio' | 'http' | 'sse' {
	const lower = type.toLowerCase();
	if (lower.includes('sse')) {
		return 'sse';
	}
	return /http|url|web|ws|stream|remote/.test(lower) ? 'http' : 'stdio';
}

/** The candidate that another name stands for, or that the text begins with. */
function nearestOf(text: string, candidates: readonly string[]): string | undefined {
	const lower = text.toLowerCase();
	const other = Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
	// "workspace" is enough for `workspaceFolder`.
	return candidates.find(it => it === other || lower.startsWith(it.toLowerCase().slice(0, 'workspace'.length)));
}
