/**
 * Runs scenarios: one process for each client (for each round of it, where a scenario is cold), all of them taking turns,
 * and the median of their rounds.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { type ClientName, clientNames } from './clients/client.js';
import { median, rounded } from './median.js';
import { fiftyMegabytes, type Scenario, tenMegabytes } from './scenarios.js';
import type { Row } from './table.js';
import type { Order, Report } from './worker.js';

export interface Measured {
	readonly row: Row;
	/** One line for each client that did not get through. */
	readonly failures: readonly string[];
}

/** A client in its process, or in one process after another; `failure` is set when it is of no use any more. */
class Runner {
	readonly values: number[] = [];
	/** Of the event loop, in milliseconds: one of each process. */
	readonly delays: number[] = [];
	failure: string | undefined;
	private child: ChildProcess | undefined;

	constructor(
		readonly client: ClientName,
		private readonly scenario: Scenario,
		private readonly profileFolder: string | undefined,
	) {}

	/** Its process has connected, and warmed up unless the scenario is cold. */
	async start(): Promise<void> {
		const name = `${this.client}, ${this.scenario.name}.cpuprofile`.replaceAll('/', ' ');
		const folder = this.profileFolder;
		const profiling = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}`] : [];
		const child = fork(path.join(projectRoot, 'out', 'bench', 'worker.js'), [this.client, this.scenario.name], {
			execArgv: ['--expose-gc', '--no-warnings', ...profiling],
			// The rivals talk on stdout.
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		this.child = child;
		await this.hear(child);
	}

	async round(): Promise<void> {
		const report = await this.order('round');
		if (report?.kind === 'round') {
			this.values.push(report.value);
		}
	}

	/** What has come to its end exits by itself, and may have a profile to write. */
	async end(): Promise<void> {
		const report = await this.order('end');
		if (report?.kind === 'end') {
			this.delays.push(report.delayMs);
			await this.gone();
		}
	}

	/** Ends a process that is still there. */
	async kill(): Promise<void> {
		this.child?.kill('SIGKILL');
		await this.gone();
	}

	private async order(order: Order): Promise<Report | undefined> {
		if (!this.child || this.failure !== undefined) {
			return undefined;
		}
		const answer = this.hear(this.child);
		this.child.send(order);
		return answer;
	}

	/** What it says next. */
	private hear(child: ChildProcess): Promise<Report> {
		return new Promise(resolve => {
			const settle = (report: Report): void => {
				child.off('message', settle);
				child.off('exit', gone);
				if (report.kind === 'failed') {
					this.failure = report.why;
				}
				resolve(report);
			};
			const gone = (code: number | null, signal: string | null): void =>
				settle({ kind: 'failed', why: `it ended with ${signal ?? code}` });
			child.on('message', settle);
			child.on('exit', gone);
		});
	}

	private async gone(): Promise<void> {
		if (this.child?.exitCode === null && this.child.signalCode === null) {
			await once(this.child, 'exit');
		}
	}
}

export interface MeasureOptions {
	/** At most; a scenario may take fewer. */
	readonly rounds: number;
	/** Where every client leaves a CPU profile, which costs time itself. */
	readonly profileFolder?: string | undefined;
}

export async function measure(scenario: Scenario, options: MeasureOptions): Promise<Measured> {
	const rounds = Math.min(options.rounds, scenario.maxRounds ?? Infinity);
	const runners = (scenario.clients ?? clientNames).map(it => new Runner(it, scenario, options.profileFolder));
	const inTurns = async (by: number, use: (runner: Runner) => Promise<void>): Promise<void> => {
		for (const runner of rotate(runners, by).filter(it => it.failure === undefined)) {
			await use(runner);
		}
	};
	try {
		// How many rounds each process has.
		const lives = scenario.isCold ? Array.from({ length: rounds }, () => 1) : [rounds];
		for (const [life, count] of lives.entries()) {
			// One after another: warming up at once, they would be in each other's way.
			await inTurns(0, runner => runner.start());
			for (let round = 0; round < count; round++) {
				await inTurns(life + round, runner => runner.round());
			}
			await inTurns(0, runner => runner.end());
		}
	} finally {
		await Promise.all(runners.map(it => it.kill()));
	}
	const measured = runners.filter(it => it.failure === undefined);
	const delays = measured.find(it => it.client === 'ours')?.delays;
	const { name, target, unit = 'ms', mayBlock } = scenario;
	return {
		row: {
			name,
			unit,
			target,
			values: Object.fromEntries(measured.map(it => [it.client, rounded(median(it.values))])),
			...(delays === undefined || unit !== 'ms' ? {} : { delayMs: rounded(median(delays)) }),
			...(mayBlock === undefined ? {} : { mayBlock }),
		},
		failures: runners.filter(it => it.failure !== undefined).map(it => `${it.client}: ${it.failure}`),
	};
}

/**
 * How much longer five times the bytes take: 5 is linear, and whatever the floor has (its garbage too) is the machine's.
 * `undefined` if one of the two was not measured.
 */
export function growthRow(rows: readonly Row[]): Row | undefined {
	const ten = rows.find(it => it.name === tenMegabytes.name);
	const fifty = rows.find(it => it.name === fiftyMegabytes.name);
	if (!ten || !fifty) {
		return undefined;
	}
	const growth = clientNames.flatMap(it => {
		const [small, large] = [ten.values[it], fifty.values[it]];
		return small === undefined || large === undefined ? [] : [[it, rounded(large / small)] as const];
	});
	return {
		name: 'stdio, growth of the time from 10 MB to 50 MB',
		unit: '×',
		target: { ratio: 1.2 },
		values: Object.fromEntries(growth),
	};
}

function rotate<T>(items: readonly T[], by: number): T[] {
	const at = by % items.length;
	return [...items.slice(at), ...items.slice(0, at)];
}
