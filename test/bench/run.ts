/** Runs scenarios: one process for each client, all of them taking turns, and the median of their rounds. */
import { type ChildProcess, fork } from 'node:child_process';
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
	private readonly child: ChildProcess;

	constructor(
		readonly client: ClientName,
		scenario: Scenario,
	) {
		this.child = fork(path.join(projectRoot, 'out', 'bench', 'worker.js'), [client, scenario.name], {
			execArgv: ['--expose-gc', '--no-deprecation'],
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

	kill(): void {
		this.child.kill('SIGKILL');
	}
}

/** @param rounds at most; a scenario may take fewer */
export async function measure(scenario: Scenario, rounds: number): Promise<Measured> {
	const runners: Runner[] = [];
	let delayMs: number | undefined;
	try {
		// One after another: warming up at once, they would be in each other's way.
		for (const client of scenario.clients ?? clientNames) {
			const runner = new Runner(client, scenario);
			runners.push(runner);
			await runner.hear();
		}
		for (let round = 0; round < Math.min(rounds, scenario.maxRounds ?? Infinity); round++) {
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
		for (const runner of runners) {
			runner.kill();
		}
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

/** How much longer five times the bytes take: 5 is linear. `undefined` if one of the two was not measured. */
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
		name: 'stdio, 50 MB over 10 MB (5 is linear)',
		unit: '×',
		target: { atMost: 6 },
		values: Object.fromEntries(growth),
	};
}

function rotate<T>(items: readonly T[], by: number): T[] {
	const at = by % items.length;
	return [...items.slice(at), ...items.slice(0, at)];
}
