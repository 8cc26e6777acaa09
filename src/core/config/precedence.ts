/**
 * Chooses the definition to use if several places configure a server of the same name: the place nearest to the folder
 * that the person works in. That is `.vscode/mcp.json`, then `.mcp.json` of the same folder, then the `.code-workspace`
 * file, then the person's settings. The same name in two folders is two servers.
 */
import type { ConfigSource, ServerDefinition } from './serverDefinition.js';

export interface Chosen {
	/** The definitions to use, in the order given, with the places that each of them shadows. */
	readonly used: readonly ServerDefinition[];
	readonly unused: readonly UnusedDefinition[];
}

export interface UnusedDefinition {
	readonly definition: ServerDefinition;
	/** The definition that is used instead. */
	readonly by: ServerDefinition;
}

/** The distance of each place; the smallest wins. */
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
		const by = others.find(it => takesPrecedence(it.source, definition.source));
		if (by) {
			unused.push({ definition, by });
		} else {
			const shadows = others.filter(it => takesPrecedence(definition.source, it.source)).map(it => it.source);
			used.push(shadows.length > 0 ? { ...definition, shadows } : definition);
		}
	}
	return { used, unused };
}

function takesPrecedence(a: ConfigSource, b: ConfigSource): boolean {
	const competes = b.folderUri === undefined || a.folderUri === b.folderUri;
	return competes && distances[a.kind] < distances[b.kind];
}
