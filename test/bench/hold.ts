/**
 * Holds 100,000 resources and 10,000 tools in this process and prints what they cost of its heap, in MB:
 * `node --expose-gc hold.js plain|catalog`. `plain` is the parsed lists in an array, the least there is; `catalog` is what
 * the extension's tree reads from, listed by our client over stdio, with what the tree keeps of it: a page of each folder
 * that is open, and what a filter has found while it was typed.
 */
import * as path from 'node:path';
import { nullLogger } from '../../src/base/log.js';
import { Client, type Resource } from '../../src/mcp/index.js';
import { Catalog, itemsOf } from '../../src/core/servers/catalog.js';
import { EntryFilter } from '../../src/core/search/entryFilter.js';
import { contentOf, type EntryFolder, type FolderContent, rootFolder } from '../../src/editor/tree/entryFolders.js';
import { pageSize } from '../../src/editor/tree/entryPage.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { projectRoot } from '../host/paths.js';
import { catalogues } from './catalogue.js';
import { maxMessageBytes } from './clients/client.js';

interface Held {
	/** How many entries, so that nothing is measured that is not there. */
	readonly count: () => number;
	readonly end?: () => Promise<void>;
}

type Page = Readonly<Record<'tools' | 'resources', readonly unknown[]>>;

async function holdPlain(): Promise<Held> {
	const tools: unknown[] = [];
	const resources: unknown[] = [];
	for (const text of catalogues.everything()) {
		const page = JSON.parse(text) as Page;
		tools.push(...page.tools);
		resources.push(...page.resources);
	}
	return { count: () => tools.length + resources.length };
}

async function holdCatalog(): Promise<Held> {
	const args = [path.join(projectRoot, 'out', 'bench', 'server.js'), 'stdio', 'everything'];
	const env = Object.fromEntries(Object.entries(process.env).filter((it): it is [string, string] => !!it[1]));
	const launch = { command: process.execPath, args, cwd: undefined, env };
	const client = new Client({
		clientInfo: { name: 'mcp-workbench-bench', version: '1.0.0' },
		open: () => new StdioTransport(launch, { graceMs: 3000, onStderr: () => undefined, maxMessageBytes }),
		mode: 'legacy',
		timeoutMs: 60_000,
		log: nullLogger,
	});
	await client.connect(new AbortController().signal);
	const catalog = new Catalog(client, nullLogger);
	await catalog.loadAll();
	const shown = showTree(itemsOf(catalog.resources));
	return {
		count: () => {
			if (shown.lines() <= pageSize || shown.hits() === 0) {
				throw new Error('The tree shows nothing of it.');
			}
			return itemsOf(catalog.tools).length + itemsOf(catalog.resources).length;
		},
		end: async () => {
			catalog.dispose();
			await client.close();
			client.dispose();
		},
	};
}

/** Opens the first folder of each level, and types a filter. */
function showTree(resources: readonly Resource[]): { readonly lines: () => number; readonly hits: () => number } {
	const levels: FolderContent<Resource>[] = [];
	for (let folder: EntryFolder<Resource> | undefined = rootFolder(resources); folder;) {
		const { folders, entries }: FolderContent<Resource> = contentOf(folder, it => it.uri);
		levels.push({ folders: folders.slice(0, pageSize), entries: entries.slice(0, pageSize) });
		[folder] = folders;
	}
	let filter: EntryFilter | undefined;
	for (const query of ['f', 'fi', 'fil', 'file']) {
		filter = new EntryFilter(query, filter);
		filter.hits(resources, it => ({ names: [it.title, it.name, it.uri], description: it.description }));
	}
	return {
		lines: () => levels.reduce((sum, it) => sum + it.folders.length + it.entries.length, 0),
		hits: () => filter?.hits(resources, () => ({ names: [] })).length ?? 0,
	};
}

async function heapMegabytes(): Promise<number> {
	// What waits to be let go is let go in the turns between.
	for (let turn = 0; turn < 3; turn++) {
		globalThis.gc?.();
		await new Promise(resolve => {
			setImmediate(resolve);
		});
	}
	return process.memoryUsage().heapUsed / 1e6;
}

async function main(): Promise<void> {
	if (!globalThis.gc) {
		throw new Error('Start it with --expose-gc.');
	}
	const before = await heapMegabytes();
	const held = await (process.argv[2] === 'plain' ? holdPlain() : holdCatalog());
	const grown = (await heapMegabytes()) - before;
	if (held.count() !== 110_000) {
		throw new Error(`${held.count()} entries instead of 110,000`);
	}
	await held.end?.();
	process.stdout.write(String(grown));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
