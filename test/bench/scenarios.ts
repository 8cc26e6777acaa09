/**
 * What is measured. To add a row, add an entry: every client is connected to its own server, runs it once to warm up
 * (unless the row is cold), and then once a round. The targets are those of the project; the floor is in
 * `clients/floor.ts`.
 */
import type { CatalogueName } from './catalogue.js';
import type { BenchClient, ClientName } from './clients/client.js';
import type { Target } from './table.js';

/** What a scenario has to work with. */
export interface Bench {
	/** Connected. */
	readonly client: BenchClient;
	/** Connects another one, to a server of its own where that is a process; closed after the round, unmeasured. */
	open(): Promise<BenchClient>;
	/** Resolves when so many log messages have come from now on. */
	logs(count: number): Promise<void>;
}

export interface Scenario {
	readonly name: string;
	readonly over: 'stdio' | 'http';
	/** The client speaks the modern era. */
	readonly isModern?: boolean;
	/** What the server lists. */
	readonly catalogue?: CatalogueName;
	readonly target: Target;
	/** Milliseconds of CPU time of the client's process, or megabytes that its heap has grown by. */
	readonly unit?: 'ms' | 'MB';
	/** One huge message may block the event loop; nothing else may for 50 ms. */
	readonly mayBlock?: boolean;
	/** At most so many rounds, where one takes seconds. */
	readonly maxRounds?: number;
	/** Every round has a process of its own, which has connected and done nothing else: what the first use costs. */
	readonly isCold?: boolean;
	/** Counts the time for which the event loop is busy, because what another thread does delays no editor. */
	readonly isOfEventLoop?: boolean;
	/** All unless told. */
	readonly clients?: readonly ClientName[];
	readonly run: (bench: Bench) => Promise<unknown>;
}

const crowd = 100_000;
const servers = 20;
const huge = { over: 'stdio', mayBlock: true } as const;

export const tenMegabytes: Scenario = {
	...huge,
	name: 'stdio, one 10 MB result',
	target: { ratio: 1.2 },
	run: ({ client }) => client.callTool('large', { size: 10_000_000 }),
};

export const fiftyMegabytes: Scenario = {
	...huge,
	name: 'stdio, one 50 MB result',
	target: { ratio: 1.2 },
	maxRounds: 3,
	run: ({ client }) => client.callTool('large', { size: 50_000_000 }),
};

export const scenarios: readonly Scenario[] = [
	{
		name: 'stdio, sequential tools/call',
		over: 'stdio',
		target: { ratio: 1.4 },
		run: bench => callTools(bench, 2000, 1),
	},
	{
		name: 'stdio, 100 in flight',
		over: 'stdio',
		target: { ratio: 1.3 },
		run: bench => callTools(bench, 10_000, 100),
	},
	tenMegabytes,
	fiftyMegabytes,
	{
		name: 'stdio, 100,000 notifications',
		over: 'stdio',
		target: { ratio: 1.6 },
		maxRounds: 5,
		run: readCrowd,
	},
	{
		name: 'SSE stream, 100,000 events',
		over: 'http',
		target: { ratio: 1.3 },
		maxRounds: 5,
		run: readCrowd,
	},
	{
		name: 'subscription stream, 100,000 updates',
		over: 'http',
		isModern: true,
		target: { ratio: 1.5 },
		maxRounds: 5,
		// The rivals have no such client.
		clients: ['floor', 'ours'],
		run: async ({ client }) => client.readUpdates?.(crowd),
	},
	{
		name: 'HTTP, sequential calls',
		over: 'http',
		target: { ratio: 1.5 },
		run: bench => callTools(bench, 1000, 1),
	},
	{
		name: 'HTTP, 50 concurrent',
		over: 'http',
		target: { ratio: 1.5 },
		run: bench => callTools(bench, 2000, 50),
	},
	{
		name: 'tools/list, 10,000 tools in 100 pages',
		over: 'stdio',
		catalogue: 'tools',
		target: { ratio: 1.3 },
		run: ({ client }) => expectCount(client.listTools(), 10_000),
	},
	{
		name: 'cold: tools/list, 1,000 tools with outputSchema, then one call',
		over: 'stdio',
		catalogue: 'withOutputSchema',
		target: { ratio: 2.5 },
		isCold: true,
		isOfEventLoop: true,
		run: async ({ client }) => {
			await expectCount(client.listTools(), 1000);
			await client.callTool('structured_0', {});
		},
	},
	{
		name: 're-listing these ten times, heap growth',
		over: 'stdio',
		catalogue: 'withOutputSchema',
		target: { atMost: 2 },
		unit: 'MB',
		maxRounds: 1,
		run: async ({ client }) => {
			for (let i = 0; i < 10; i++) {
				await client.listTools();
				await client.callTool('structured_0', {});
			}
		},
	},
	{
		name: 'resources/list, 100,000 in 1,000 pages',
		over: 'stdio',
		catalogue: 'resources',
		target: { ratio: 1.2 },
		maxRounds: 5,
		run: ({ client }) => expectCount(client.listResources(), 100_000),
	},
	{
		name: '20 stdio servers started at once',
		over: 'stdio',
		target: { ratio: 1.35 },
		maxRounds: 25,
		run: bench => Promise.all(Array.from({ length: servers }, () => bench.open())),
	},
];

async function callTools({ client }: Bench, count: number, inFlight: number): Promise<void> {
	const callOneAfterAnother = async (): Promise<void> => {
		for (let i = 0; i < count / inFlight; i++) {
			await client.callTool('echo', { path: '/some/folder', depth: i });
		}
	};
	await Promise.all(Array.from({ length: inFlight }, callOneAfterAnother));
}

async function readCrowd(bench: Bench): Promise<void> {
	await Promise.all([bench.logs(crowd), bench.client.callTool('notify', { count: crowd })]);
}

/** A client that loses something is fast. */
async function expectCount(count: Promise<number>, expected: number): Promise<void> {
	if ((await count) !== expected) {
		throw new Error(`${await count} entries instead of ${expected}`);
	}
}
