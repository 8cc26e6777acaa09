/**
 * What a list of 100,000 resources makes a person wait for, in this process: `node resource.js first|filter|folder|goTo`,
 * prints milliseconds. `first`: from the request to the first lines, while the rest of 1,000 pages loads. `filter`: the
 * slowest key of a filter that is typed. `folder`: the first level of folders. `goTo`: the slowest key of Go to Resource.
 * `update`: from the moment a server has answered the read of a changed resource until the editor is told and is given
 * the new text, at the worst of ten. How long the editor takes to show it is printed by `following.test.ts`.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Emitter } from '../../src/base/lifecycle.js';
import { nullLogger } from '../../src/base/log.js';
import { Client, type Resource } from '../../src/mcp/index.js';
import { Catalog } from '../../src/core/servers/catalog.js';
import { contentOf, rootFolder } from '../../src/editor/tree/treeNodes.js';
import { EntryFilter, findBest, wordsOf } from '../../src/core/search/matcher.js';
import { LiveResources } from '../../src/core/resources/liveResources.js';
import type { Server } from '../../src/core/servers/server.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { projectRoot } from '../host/paths.js';
import { catalogues } from './catalogue.js';
import { maxMessageBytes } from './clients/client.js';
import { personReads } from '../support/personReads.js';

const typed = [
	'f',
	'fi',
	'fil',
	'file',
	'file_',
	'file_9',
	'file_99',
	'file_999',
	'file_999 m',
	'file_999 md',
	'f9m',
	'xyz',
];

async function connect(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Client> {
	const inherited = Object.entries(process.env).filter((it): it is [string, string] => !!it[1]);
	const env = { ...Object.fromEntries(inherited), ...more };
	const launch = { command: process.execPath, args: [...args], cwd: undefined, env };
	const client = new Client({
		clientInfo: { name: 'mcp-workbench-bench', version: '1.0.0' },
		open: () => new StdioTransport(launch, { graceMs: 3000, onStderr: () => undefined, maxMessageBytes }),
		mode: 'legacy',
		timeoutMs: 60_000,
		log: nullLogger,
	});
	await client.connect(new AbortController().signal);
	return client;
}

async function first(): Promise<number> {
	const client = await connect([path.join(projectRoot, 'out', 'bench', 'server.js'), 'stdio', 'resources']);
	const catalog = new Catalog(client, nullLogger);
	const startedAt = performance.now();
	let firstAt: number | undefined;
	catalog.onDidChange(() => {
		if (firstAt === undefined && catalog.resources.kind === 'growing') {
			firstAt = performance.now();
		}
	});
	await catalog.loadAll();
	const list = catalog.resources;
	if (firstAt === undefined || list.kind !== 'loaded' || list.items.length !== 100_000) {
		throw new Error('Nothing was shown before all was there.');
	}
	catalog.dispose();
	await client.close();
	client.dispose();
	return firstAt - startedAt;
}

function resources(): Resource[] {
	return catalogues.resources().flatMap(it => (JSON.parse(it) as { readonly resources: Resource[] }).resources);
}

/** CPU time of the slowest of several. */
function slowest(runs: readonly (() => number)[]): number {
	let worst = 0;
	for (const run of runs) {
		const startedAt = process.cpuUsage();
		run();
		const { user, system } = process.cpuUsage(startedAt);
		worst = Math.max(worst, (user + system) / 1000);
	}
	return worst;
}

function filter(): number {
	const list = resources();
	let before: EntryFilter | undefined;
	return slowest(
		typed.map(query => () => {
			before = new EntryFilter(query, before);
			const search = ({
				name,
				title,
				uri,
				description,
			}: Resource): { names: (string | undefined)[]; description: string | undefined } => ({
				names: [title, name, uri],
				description,
			});
			return before.hits(list, search).length;
		}),
	);
}

function goTo(): number {
	const list = resources();
	return slowest(
		typed.map(
			query => () =>
				findBest(list, wordsOf(query), 100, it => ({ names: [it.title ?? it.name, it.name, it.uri] })).length,
		),
	);
}

function folder(): number {
	const list = resources();
	return slowest([() => contentOf(rootFolder(list), it => it.uri).folders.length]);
}

async function update(): Promise<number> {
	const file = path.join(os.tmpdir(), `mcp-workbench-bench-${process.pid}.jsonl`);
	const server = path.join(projectRoot, 'test', 'fixtures', 'servers', 'library.mjs');
	const client = await connect([server], { RECORD_FILE: file });
	const changed = new Emitter<Server | undefined>();
	const played = { definition: { id: 'id' }, options: { messageBytes: 1e9 }, client } as unknown as Server;
	const live = new LiveResources({
		...personReads,
		registry: { servers: [played], serverOf: () => played, onDidChange: changed.event },
		onDidChangeIdentity: () => ({ dispose() {} }),
		isSeen: () => true,
	});
	const key = { serverId: 'id', uri: 'lib://docs/guide' };
	await live.read(key);
	const following = live.follow(key);
	let worst = 0;
	for (let round = 0; round < 10; round++) {
		const text = `round ${round}`;
		const told = new Promise<number>(resolve => {
			const subscription = live.onDidChange(() => {
				const [content] = live.find(key)?.contents ?? [];
				if (content && Buffer.from(content.bytes).toString() === text) {
					subscription.dispose();
					resolve(Date.now());
				}
			});
		});
		await client.readResource(`lib://do/change?${encodeURIComponent(JSON.stringify({ uri: key.uri, text }))}`);
		const at = await told;
		const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
		const reads = lines.map(
			it => JSON.parse(it) as { readonly at: number; readonly method: string; readonly uri?: string },
		);
		worst = Math.max(worst, at - (reads.findLast(it => it.method === 'resources/read' && it.uri === key.uri)?.at ?? 0));
	}
	following.dispose();
	live.dispose();
	changed.dispose();
	await client.close();
	client.dispose();
	fs.rmSync(file);
	return worst;
}

async function main(): Promise<void> {
	const kinds = { first, filter, folder, goTo, update };
	const kind = kinds[process.argv[2] as keyof typeof kinds];
	process.stdout.write(String(await kind()));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
