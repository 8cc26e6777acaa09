/**
 * Holds 100,000 resources and 10,000 tools in this process and prints what they cost of its heap, in MB:
 * `node --expose-gc hold.js plain|catalog`. `plain` is the parsed lists in an array, the least there is; `catalog` is what
 * the extension's tree reads from, listed by our client over stdio.
 */
import * as path from 'node:path';
import { nullLogger } from '../../src/base/log.js';
import { Client } from '../../src/mcp/index.js';
import { Catalog } from '../../src/model/catalog.js';
import { StdioTransport } from '../../src/node/stdioTransport.js';
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
	return {
		count: () =>
			[catalog.tools, catalog.resources].reduce((sum, it) => sum + (it.kind === 'loaded' ? it.items.length : 0), 0),
		end: async () => {
			catalog.dispose();
			await client.close();
			client.dispose();
		},
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
