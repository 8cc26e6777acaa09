// Servers that do what they must not, a few at a time, beside healthy ones that must not notice: all calls of these succeed,
// and take about as long as they did before.
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../../bench/median.js';
import { startFaultServers } from './faultServers.js';
import { durations, judge } from './ledger.js';
import { leaks } from './measure.js';
import type { Kind } from './orders.js';
import { planned } from './plan.js';
import { Random } from './random.js';
import { allConfigured, bothFolders, keepLedger, logFiles, measured, rest, type SoakOptions, told } from './run.js';
import { Stage } from './stage.js';

/** How much longer the common call of a healthy server may take, at the median: one thread serves all of them. */
const maxFactor = 5;
/** What is no time at all to compare with. */
const leastMs = 5;
const batchSize = 8;
/** Part of the time in which there are no faults yet. */
const calmPart = 0.3;
const workers = 6;
const settings = { 'mcpWorkbench.requestTimeout': 20 };

/** @returns what is wrong, each in a line */
export async function chaos({ minutes, seed, report }: SoakOptions): Promise<string[]> {
	const random = new Random(seed);
	const faults = await startFaultServers();
	const stage = await Stage.open(settings);
	const problems: string[] = [];
	try {
		await Promise.all(planned.map(it => stage.add(it)));
		bothFolders(stage);
		await allConfigured(stage);
		const work = async (pool: string, names: readonly (readonly [string, Kind])[]): Promise<void> => {
			const kinds = Object.fromEntries(names);
			await stage.order({ do: 'work', pool, seed: random.below(2 ** 20), workers, kinds });
		};
		await rest(stage);
		const healthy = planned.map(it => [it.name, it.kind] as const);
		await work('healthy', healthy);
		await delay(calmPart * minutes * 60_000 * 0.3);
		await rest(stage);
		const before = await measured(stage);
		const calm = Date.now();
		await work('healthy', healthy);
		await delay(calmPart * minutes * 60_000 * 0.7);
		const begin = Date.now();
		const batches = Math.ceil(faults.servers.length / batchSize);
		for (let batch = 0; batch < batches; batch++) {
			const servers = faults.servers.slice(batch * batchSize, (batch + 1) * batchSize);
			servers.forEach(it => stage.configuration.set('first', it.name, it.definition));
			stage.configuration.write('first');
			await work(
				'faults',
				servers.map(it => [it.name, 'fault']),
			);
			await delay(((1 - calmPart) * minutes * 60_000) / batches);
			servers.forEach(it => stage.configuration.remove('first', it.name));
			stage.configuration.write('first');
		}
		const end = Date.now();
		await rest(stage);
		const left = leaks(before, await measured(stage), logFiles(faults.servers.length));
		problems.push(...left.map(it => `leaked: ${it}`));
		const lines = stage.lines();
		const [was, is] = [durations(lines, 'echo', calm, begin), durations(lines, 'echo', begin, end)];
		const factor = median(is) / Math.max(leastMs, median(was));
		report(
			`${faults.servers.length} servers with faults, ${batchSize} at a time, beside ${planned.length} healthy ones`,
		);
		report(
			`echo of the healthy: ${median(was)} ms without faults (${was.length} calls), ${median(is)} ms beside them (${is.length} calls)`,
		);
		if (!(factor <= maxFactor)) {
			problems.push(`the healthy notice: ${factor.toFixed(1)} times as long, and not ${maxFactor}`);
		}
		const verdict = judge(lines, Date.now());
		report(`calls: ${told(verdict.counts)}`);
		problems.push(...verdict.problems);
	} finally {
		keepLedger(stage);
		faults.dispose();
		await stage.dispose();
	}
	return problems;
}
