/**
 * PURE: which definition counts when several places configure a server of one name.
 *
 * The nearest to the folder that the person works in: `.vscode/mcp.json`, then `.mcp.json` of the same folder, then
 * the `.code-workspace` file, then the person's settings. Folders do not compete: the same name in two of them is two
 * servers.
 */
import type { ConfigSource, ServerDefinition } from './serverDefinition.js';

export interface Chosen {
	/** What counts, in the order it was given; each knows the places it stands before. */
	readonly used: readonly ServerDefinition[];
	readonly unused: readonly UnusedDefinition[];
}

export interface UnusedDefinition {
	readonly definition: ServerDefinition;
	/** The definition that counts in its place. */
	readonly by: ServerDefinition;
}

/** Smaller is nearer. */
const distances: Readonly<Record<ConfigSource['kind'], number>> = {
	vscodeFolder: 0,
	projectRoot: 1,
	workspaceFile: 2,
	userSettings: 3,
};

export function chooseDefinitions(definitions: readonly ServerDefinition[]): Chosen {
	const byName = new Map<string, ServerDefinition[]>();
	for (const definition of definitions) {
		byName.set(definition.name, [...(byName.get(definition.name) ?? []), definition]);
	}
	const used: ServerDefinition[] = [];
	const unused: UnusedDefinition[] = [];
	for (const definition of definitions) {
		const others = byName.get(definition.name) ?? [];
		const by = others.find(it => standsBefore(it.source, definition.source));
		if (by) {
			unused.push({ definition, by });
		} else {
			const shadows = others.filter(it => standsBefore(definition.source, it.source)).map(it => it.source);
			used.push(shadows.length > 0 ? { ...definition, shadows } : definition);
		}
	}
	return { used, unused };
}

function standsBefore(a: ConfigSource, b: ConfigSource): boolean {
	const competes = b.folderUri === undefined || a.folderUri === b.folderUri;
	return competes && distances[a.kind] < distances[b.kind];
}
