// The soak: an editor at work for minutes, while servers die, files change and the window is reloaded.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder } from '../../host/paths.js';
import { disturb, editMs } from './disturb.js';
import { judge } from './ledger.js';
import { leaks, type Measure } from './measure.js';
import { planned } from './plan.js';
import { Random } from './random.js';
import { Stage } from './stage.js';

export interface SoakOptions {
	readonly minutes: number;
	readonly seed: number;
	/** Keeps a snapshot of the heap of the look after warming, and of the last, to be compared by the browser's tools. */
	readonly hasSnapshots: boolean;
	readonly report: (line: string) => void;
}

/** The window is reloaded after these parts of the time; the last extension host has the rest. */
const reloads = [0.08, 0.16, 0.28, 0.4];
/** Of the time: what is held from then on must not grow. In the middle is a look that tells growth from a late warming. */
const warm = 0.6;
const middle = 0.8;
const workers = 12;
/** An idle connection over HTTP is kept for four seconds (`node/http/httpFetch.ts`). */
const idleMs = 6000;
const settings = { 'mcpWorkbench.requestTimeout': 30 };

/** @returns what is wrong, each in a line */
export async function soak({ minutes, seed, hasSnapshots, report }: SoakOptions): Promise<string[]> {
	const random = new Random(seed);
	const stage = await Stage.open(settings);
	const problems: string[] = [];
	const counts: Record<string, number> = {};
	const snapshotOf = (look: string): string | undefined =>
		hasSnapshots ? path.join(cacheFolder, `soak-${look}.heapsnapshot`) : undefined;
	try {
		await Promise.all(planned.map(it => stage.add(it)));
		bothFolders(stage);
		await allConfigured(stage);
		const begin = Date.now();
		const at = (part: number): number => begin + part * minutes * 60_000;
		const workUntil = async (end: number): Promise<void> => {
			const kinds = Object.fromEntries(planned.map(it => [it.name, it.kind]));
			await stage.order({ do: 'work', pool: 'all', seed: random.below(2 ** 20), workers, kinds });
			await disturb(stage, random, counts, () => Date.now() > end);
			report(`${((Date.now() - begin) / 60_000).toFixed(1)} min: ${stage.lines().length} entries, ${told(counts)}`);
		};
		for (const part of reloads) {
			await workUntil(at(part));
			stage.trouble('reload', undefined, 8000);
			const before = stage.serverProcesses();
			await stage.reload();
			counts['reloads'] = (counts['reloads'] ?? 0) + 1;
			stage.trouble('another window', undefined, 5000);
			problems.push(...(await survivors(stage, before)));
			await allConfigured(stage);
		}
		const cold = await measured(stage);
		await workUntil(at(warm));
		await rest(stage);
		const before = await measured(stage, snapshotOf('warm'));
		await workUntil(at(middle));
		await rest(stage);
		const between = await measured(stage);
		await workUntil(at(1));
		await rest(stage);
		const after = await measured(stage, snapshotOf('end'));
		problems.push(...leaks(before, after).map(it => `leaked: ${it}`));
		const verdict = judge(stage.lines(), Date.now());
		problems.push(...verdict.problems);
		problems.push(...(await end(stage, cold)));
		report(`calls: ${told(verdict.counts)}; the longest recovery took ${verdict.longestRecoveryMs} ms`);
		report(`disturbances: ${told(counts)}`);
		const looks = { cold, warm: before, middle: between, end: after };
		Object.entries(looks).forEach(([name, it]) => report(`${name}: ${JSON.stringify(it)}`));
	} finally {
		keepLedger(stage);
		await stage.dispose();
	}
	return problems;
}

/** Writes the configuration of both. */
export function bothFolders({ configuration }: Stage): void {
	['first', 'second'].forEach(it => configuration.write(it));
}

/** To look at what led to what. */
export function keepLedger({ ledger }: Stage): void {
	fs.cpSync(ledger, path.join(cacheFolder, 'soak-ledger.jsonl'));
}

/** Every server of the plan is there. */
export async function allConfigured(stage: Stage): Promise<void> {
	await stage.eventually('every server in the list', async () => {
		const { states = {} } = await stage.order({ do: 'states' });
		return planned.every(it => states[it.name] !== undefined);
	});
}

/** Everything has ended, what was done to servers last is over, and every one of them runs. */
export async function rest(stage: Stage): Promise<void> {
	await stage.order({ do: 'rest' });
	await delay(editMs);
	const children = planned.filter(it => it.transport === 'stdio').length;
	let seen = '';
	const isReady = async (): Promise<boolean> => {
		const { states = {} } = await stage.order({ do: 'use' });
		const idle = planned.filter(it => states[it.name] !== 'running').map(it => `${it.name} is ${states[it.name]}`);
		const processes = stage.serverProcesses();
		seen = [...idle, `${processes.length} processes of ${children}: ${processes.map(it => it.name).join()}`].join(', ');
		return idle.length === 0 && processes.length === children;
	};
	await stage.eventually(() => `every server at work (${seen})`, isReady);
	await delay(idleMs);
}

export async function measured(stage: Stage, snapshot?: string): Promise<Measure> {
	const { measure } = await stage.order({ do: 'measure', ...(snapshot !== undefined && { snapshot }) });
	if (!measure) {
		throw new Error('nothing was measured');
	}
	return measure;
}

/** Processes that are left of the extension host before. */
async function survivors(stage: Stage, before: ReturnType<Stage['serverProcesses']>): Promise<string[]> {
	const left = (): typeof before => {
		const now = new Set(stage.serverProcesses().map(it => it.pid));
		return before.filter(it => now.has(it.pid));
	};
	for (const limit = Date.now() + 10_000; left().length > 0 && Date.now() < limit;) {
		await delay(100);
	}
	return left().map(it => `survived a reload: ${it.name}, process ${it.pid}`);
}

/** Takes every server away: nothing of them may be left. */
async function end(stage: Stage, cold: Measure): Promise<string[]> {
	stage.configuration.clear();
	bothFolders(stage);
	await stage.eventually('an empty list', async () => {
		const { states = {} } = await stage.order({ do: 'states' });
		return Object.keys(states).length === 0;
	});
	await stage.eventually('the end of all servers', () => stage.serverProcesses().length === 0);
	// What has been learnt stays in the heap, and the one listener that would end processes with the host.
	const before = { ...cold, heapMb: Infinity, listeners: { ...cold.listeners, exit: Infinity } };
	let left: string[] = [];
	// An idle connection is kept for a few seconds.
	for (const limit = Date.now() + 30_000; Date.now() < limit;) {
		left = leaks(before, await measured(stage), logFiles(planned.length));
		if (left.length === 0) {
			break;
		}
	}
	return left.map(it => `left of servers: ${it}`);
}

/** What a server has said can be read as long as its window is open: its log stays, and with it a file. */
export function logFiles(servers: number): Readonly<Record<string, number>> {
	return { file: servers };
}

export function told(counts: Readonly<Record<string, number>>): string {
	return Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');
}
