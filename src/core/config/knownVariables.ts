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

/** Names of other programs for our variables, in lower case. Names with a similar spelling needn't be here. */
const otherNames: Readonly<Record<string, string>> = {
	workspace: 'workspaceFolder',
	projectroot: 'workspaceFolder',
	cwd: 'workspaceFolder',
	home: 'userHome',
	homedir: 'userHome',
	userprofile: 'userHome',
	environment: 'env',
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

function nearestOf(text: string, candidates: readonly string[]): string | undefined {
	const lower = text.toLowerCase();
	const other = Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
	if (other !== undefined && candidates.includes(other)) {
		return other;
	}
	// Up to a third of the letters may differ: `workspaceFoldr`, but not `files` for `userHome`.
	return candidates
		.map(candidate => ({ candidate, distance: distance(lower, candidate.toLowerCase()) }))
		.filter(it => it.distance <= it.candidate.length / 3)
		.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** The Levenshtein distance: how many letters must be inserted, removed or replaced. */
export function distance(a: string, b: string): number {
	let before = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const change = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
			current.push(Math.min(change, (before[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
		}
		before = current;
	}
	return before[b.length] ?? 0;
}
