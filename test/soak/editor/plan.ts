// The servers of the soak: twenty, of both eras, over all transports, in two folders of one workspace.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../../host/paths.js';
import type { Kind } from './orders.js';

/** One of them. */
export interface Planned {
	readonly name: string;
	readonly kind: Kind;
	readonly transport: 'stdio' | 'http' | 'sse';
	/** Of Node. */
	readonly args: readonly string[];
	/** Of the workspace. */
	readonly folder: 'first' | 'second';
}

const fixtures = path.join(projectRoot, 'test', 'fixtures', 'servers');
const everythingFile = path.join(
	projectRoot,
	'node_modules',
	'@modelcontextprotocol',
	'server-everything',
	'dist',
	'index.js',
);
/** Written when the process dies of something that nobody has caught. */
const preload = ['--import', path.join(fixtures, 'accidents.mjs')];

function busy(transport: Planned['transport'], era: 'legacy' | 'modern', count: number): Planned[] {
	return Array.from({ length: count }, (_, index) => ({
		name: `${transport}-${era}-${index + 1}`,
		kind: 'busy',
		transport,
		args: [path.join(fixtures, 'busy.mjs'), transport, era],
		// The first of each kind is in the folder that stays.
		folder: index === 1 ? 'second' : 'first',
	}));
}

/** Ours, and real ones. */
export const planned: readonly Planned[] = [
	...busy('stdio', 'legacy', 5),
	...busy('stdio', 'modern', 4),
	...busy('http', 'legacy', 3),
	...busy('http', 'modern', 3),
	...busy('sse', 'legacy', 1),
	{
		name: 'everything-stdio',
		kind: 'everything',
		transport: 'stdio',
		args: [everythingFile, 'stdio'],
		folder: 'first',
	},
	{
		name: 'everything-http',
		kind: 'everything',
		transport: 'http',
		args: [everythingFile, 'streamableHttp'],
		folder: 'first',
	},
	{ name: 'everything-sse', kind: 'everything', transport: 'sse', args: [everythingFile, 'sse'], folder: 'first' },
	{
		name: 'garden-stdio',
		kind: 'garden',
		transport: 'stdio',
		args: [path.join(projectRoot, 'demo', 'servers', 'garden.mjs')],
		folder: 'first',
	},
];

/** The arguments of its process, the last of which is its name: by that it is found again. */
export function argumentsOf({ args, name }: Planned, port?: number): string[] {
	return [...preload, ...args, ...(port === undefined ? [] : [String(port)]), name];
}

/** What is configured, as it is now; each change is written at once. */
export class Configuration {
	private readonly entries = new Map<string, Map<string, object>>();

	/** @param root the folder of the workspace file */
	constructor(private readonly root: string) {}

	/** Makes the folders, in which every call is allowed. */
	static prepare(root: string): void {
		for (const folder of ['first', 'second', 'third']) {
			const place = path.join(root, folder, '.vscode');
			fs.mkdirSync(place, { recursive: true });
			fs.writeFileSync(path.join(place, 'mcp-policy.json'), JSON.stringify({ rules: [{ decision: 'allow' }] }));
		}
	}

	/** Adds a server, or replaces it. */
	set(folder: string, name: string, definition: object): void {
		const entries = this.entries.get(folder) ?? new Map<string, object>();
		this.entries.set(folder, entries.set(name, definition));
	}

	get(folder: string, name: string): object | undefined {
		return this.entries.get(folder)?.get(name);
	}

	remove(folder: string, name: string): void {
		this.entries.get(folder)?.delete(name);
	}

	clear(): void {
		this.entries.forEach(it => it.clear());
	}

	/** So that nobody reads half a file; with `isBroken`, what somebody has half typed. */
	write(folder: string, isBroken = false): void {
		const file = path.join(this.root, folder, '.vscode', 'mcp.json');
		const whole = JSON.stringify({ servers: Object.fromEntries(this.entries.get(folder) ?? []) }, undefined, '\t');
		fs.writeFileSync(`${file}.new`, isBroken ? whole.slice(0, -20) : whole);
		fs.renameSync(`${file}.new`, file);
	}
}
