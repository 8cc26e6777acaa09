/**
 * PURE: which `${…}` have a meaning, and what was probably meant by one that has none. What they mean is said by
 * `editor/workspace/variables.ts`.
 */

/** What people may write, for messages. */
export const knownVariables: readonly string[] = [
	'workspaceFolder',
	'workspaceFolder:name',
	'userHome',
	'env:NAME',
	'config:setting',
	'input:id',
];

/** What other programs call the same things, in lower case; names that are spelled alike are found without. */
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

/** @param variable the text between the braces */
export function isKnownVariable(variable: string): boolean {
	return known.test(variable);
}

/** The known variable that an unknown one comes nearest to, if any does. */
export function nearestVariable(variable: string): string | undefined {
	const [, kind = variable, name] = /^(\w+)[:.](.+)$/s.exec(variable) ?? [];
	if (name !== undefined) {
		const meant = nearestOf(kind, ['env', 'config', 'input', 'workspaceFolder']);
		return meant && `${meant}:${name}`;
	}
	const meant = nearestOf(variable, ['workspaceFolder', 'userHome']);
	// Most formats but VS Code's write variables of the environment without a prefix.
	return meant ?? (word.test(variable) ? `env:${variable}` : undefined);
}

/**
 * `.mcp.json` is read by other programs too, and means variables of the environment by `${NAME}` and
 * `${NAME:-default}`: the same text as VS Code would write it.
 */
export function fromPlainVariables(text: string): string {
	return text.replace(/\$\{([A-Za-z_]\w*)(:-[^{}]*)?\}/g, (whole, name: string, otherwise: string | undefined) =>
		isKnownVariable(name) ? whole : `\${env:${name}${otherwise ?? ''}}`,
	);
}

/** What a `type` comes nearest to; `url` and `command` are what people mix it up with. */
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
	// A third of the letters may be wrong: `workspaceFoldr`, but not `files` for `userHome`.
	return candidates
		.map(candidate => ({ candidate, distance: distance(lower, candidate.toLowerCase()) }))
		.filter(it => it.distance <= it.candidate.length / 3)
		.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** How many letters must be put in, taken out or changed to make one of the other. */
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
