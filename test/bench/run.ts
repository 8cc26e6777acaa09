/** Runs scenarios: one process for each client, all of them taking turns, and the median of their rounds. */
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

/** A client in its process; `failure` is set when it is of no use any more. */
class Runner {
	readonly values: number[] = [];
	failure: string | undefined;
	private isDone = false;
	private readonly child: ChildProcess;

	constructor(
		readonly client: ClientName,
		scenario: Scenario,
		profileFolder: string | undefined,
	) {
		const name = `${client}, ${scenario.name}.cpuprofile`.replaceAll('/', ' ');
		const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${name}`] : [];
		this.child = fork(path.join(projectRoot, 'out', 'bench', 'worker.js'), [client, scenario.name], {
			execArgv: ['--expose-gc', '--no-warnings', ...profiling],
			// The rivals talk on stdout.
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
	}

	/** What it says next. */
	hear(): Promise<Report> {
		return new Promise(resolve => {
			const settle = (report: Report): void => {
				this.child.off('message', settle);
				this.child.off('exit', gone);
				this.isDone = report.kind === 'end';
				if (report.kind === 'failed') {
					this.failure = report.why;
				}
				resolve(report);
			};
			const gone = (code: number | null, signal: string | null): void =>
				settle({ kind: 'failed', why: `it ended with ${signal ?? code}` });
			this.child.on('message', settle);
			this.child.on('exit', gone);
		});
	}

	async order(order: Order): Promise<Report> {
		const answer = this.hear();
		this.child.send(order);
		return answer;
	}

	/** What has come to its end exits by itself, and may have a profile to write. */
	async gone(): Promise<void> {
		if (!this.isDone) {
			this.child.kill('SIGKILL');
		}
		if (this.child.exitCode === null && this.child.signalCode === null) {
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
	const runners: Runner[] = [];
	let delayMs: number | undefined;
	try {
		// One after another: warming up at once, they would be in each other's way.
		for (const client of scenario.clients ?? clientNames) {
			const runner = new Runner(client, scenario, options.profileFolder);
			runners.push(runner);
			await runner.hear();
		}
		for (let round = 0; round < rounds; round++) {
			for (const runner of rotate(runners, round).filter(it => it.failure === undefined)) {
				const report = await runner.order('round');
				if (report.kind === 'round') {
					runner.values.push(report.value);
				}
			}
		}
		for (const runner of runners.filter(it => it.failure === undefined)) {
			const report = await runner.order('end');
			if (report.kind === 'end' && runner.client === 'ours') {
				({ delayMs } = report);
			}
		}
	} finally {
		await Promise.all(runners.map(it => it.gone()));
	}
	const measured = runners.filter(it => it.failure === undefined);
	const { name, target, unit = 'ms', mayBlock } = scenario;
	return {
		row: {
			name,
			unit,
			target,
			values: Object.fromEntries(measured.map(it => [it.client, rounded(median(it.values))])),
			...(delayMs === undefined || unit !== 'ms' ? {} : { delayMs: rounded(delayMs) }),
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
