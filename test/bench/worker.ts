/**
 * One client in one scenario, in a process of its own: its CPU time is the client's, and no client warms up another's
 * code. node --expose-gc worker.js <client> <scenario>; rounds on demand over IPC, so that clients take turns.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { projectRoot } from '../host/paths.js';
import type { Address, BenchClient, ClientName, OpenClient } from './clients/client.js';
import { median } from './median.js';
import { type Bench, type Scenario, scenarios } from './scenarios.js';

/** What the parent asks for. */
export type Order = 'round' | 'end';
/** What it is told. */
export type Report =
	| { readonly kind: 'ready' }
	/** In the unit of the scenario. */
	| { readonly kind: 'round'; readonly value: number }
	/** 99 of 100 times, the event loop came round within so many milliseconds of when it should have; a median too. */
	| { readonly kind: 'end'; readonly delayMs: number }
	| { readonly kind: 'failed'; readonly why: string };

/** Of the clock that measures the event loop's delay. */
const resolutionMs = 5;

// Imported when asked for: a process holds one client.
const clients: Readonly<Record<ClientName, () => Promise<OpenClient>>> = {
	floor: async () => (await import('./clients/floor.js')).openFloor,
	sdkV1: async () => (await import('./clients/sdkV1.js')).openSdkV1,
	sdkV2: async () => (await import('./clients/sdkV2.js')).openSdkV2,
	ours: async () => (await import('./clients/ours.js')).openOurs,
};

class Work {
	private readonly delays: number[] = [];
	private readonly others: BenchClient[] = [];

	private constructor(
		private readonly scenario: Scenario,
		private readonly bench: Bench,
	) {}

	static async begin(name: ClientName, scenario: Scenario): Promise<Work> {
		const openClient = await clients[name]();
		const address = await serve(scenario);
		const client = await openClient(address);
		const work: Work = new Work(scenario, {
			client,
			logs: countLogs(client),
			open: async () => {
				const other = await openClient(address);
				work.others.push(other);
				return other;
			},
		});
		if (!scenario.isCold) {
			await scenario.run(work.bench);
			await work.tidy();
		}
		return work;
	}

	async round(): Promise<number> {
		const isOfHeap = this.scenario.unit === 'MB';
		// Only there: it also discards compiled code, and what would be measured is to compile it once more.
		if (isOfHeap) {
			collectGarbage();
		}
		const heap = process.memoryUsage().heapUsed;
		const cpu = process.cpuUsage();
		const loop = performance.eventLoopUtilization();
		// A new one each time: one that is enabled again counts the time between.
		const delay = monitorEventLoopDelay({ resolution: resolutionMs });
		delay.enable();
		await this.scenario.run(this.bench);
		const { user, system } = process.cpuUsage(cpu);
		const { active } = performance.eventLoopUtilization(loop);
		// What was blocked until now is only seen when the event loop comes round.
		await pause(2 * resolutionMs);
		delay.disable();
		if (isOfHeap) {
			collectGarbage();
		}
		this.delays.push(Math.max(0, delay.percentile(99) / 1e6 - resolutionMs));
		const grown = process.memoryUsage().heapUsed - heap;
		await this.tidy();
		if (isOfHeap) {
			return Math.max(grown, 0) / 1e6;
		}
		return this.scenario.isOfEventLoop === true ? active : (user + system) / 1000;
	}

	async end(): Promise<number> {
		await this.bench.client.close();
		return median(this.delays);
	}

	private async tidy(): Promise<void> {
		await Promise.all(this.others.splice(0).map(it => it.close()));
	}
}

function collectGarbage(): void {
	if (!globalThis.gc) {
		throw new Error('Start it with --expose-gc.');
	}
	globalThis.gc();
}

/** Listens once: not every client takes a second listener. */
function countLogs(client: BenchClient): (count: number) => Promise<void> {
	let missing = 0;
	let finished = (): void => undefined;
	client.onLog(() => {
		if (--missing === 0) {
			finished();
		}
	});
	return count =>
		new Promise(resolve => {
			missing = count;
			finished = resolve;
		});
}

/** Starts an HTTP server; a stdio server is started by the client. */
async function serve({ over, catalogue = 'small', isModern = false }: Scenario): Promise<Address> {
	const args = [path.join(projectRoot, 'out', 'bench', 'server.js'), over, catalogue];
	if (over === 'stdio') {
		return { over, args };
	}
	// It ends when its stdin does: with this process.
	const server: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
	const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
	return { over, url: line.toString().trim(), isModern };
}

function tell(report: Report): Promise<void> {
	return new Promise(resolve => {
		process.send?.(report, () => resolve());
	});
}

async function fail(error: unknown): Promise<never> {
	await tell({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
	process.exit(1);
}

async function main(): Promise<void> {
	const [, , client, name] = process.argv;
	const scenario = scenarios.find(it => it.name === name);
	if (!scenario || client === undefined) {
		throw new Error('Name a client and a scenario.');
	}
	const work = await Work.begin(client as ClientName, scenario);
	process.on('message', (order: Order) => {
		const obey = async (): Promise<void> => {
			if (order === 'round') {
				await tell({ kind: 'round', value: await work.round() });
			} else {
				await tell({ kind: 'end', delayMs: await work.end() });
				process.exit();
			}
		};
		obey().catch(fail);
	});
	await tell({ kind: 'ready' });
}

// A parent that was killed cannot tell us to stop.
process.on('disconnect', () => process.exit(1));
main().catch(fail);
