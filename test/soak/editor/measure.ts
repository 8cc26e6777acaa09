// What an extension host holds at a quiet moment: memory after a full collection, what keeps it alive, file handles and
// listeners. Whether more is held than before.
import * as fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Measure {
	readonly heapMb: number;
	/** By kind: timers, processes, sockets and pipes as Node counts them. */
	readonly resources: Readonly<Record<string, number>>;
	/** Open files by kind; only Linux tells. */
	readonly files: Readonly<Record<string, number>>;
	/** Of the process itself, by event. */
	readonly listeners: Readonly<Record<string, number>>;
}

/** How much more of the heap is no leak: 10 %. */
const heapFactor = 1.1;
/**
 * The editor has timers and requests of its own, which come and go; so has each of the twenty servers: a connection's one
 * timer of its requests (`jsonrpc/pending.ts`) is left to run out when none waits any more.
 */
const tolerance: Readonly<Record<string, number>> = { Timeout: 25, Immediate: 3, FSReqPromise: 3, FSReqCallback: 3 };

/** Takes the least of several looks, so that what only passes counts for nothing. */
export async function measure(rounds = 10): Promise<Measure> {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const looks: Measure[] = [];
	for (let round = 0; round < rounds; round++) {
		// What a collection frees may free more: finalizers and closed sockets need a turn.
		await delay(100);
		collect();
		looks.push(look());
	}
	const least = (pick: (it: Measure) => Readonly<Record<string, number>>): Record<string, number> => {
		const kinds = new Set(looks.flatMap(it => Object.keys(pick(it))));
		return Object.fromEntries([...kinds].map(kind => [kind, Math.min(...looks.map(it => pick(it)[kind] ?? 0))]));
	};
	return {
		heapMb: Math.min(...looks.map(it => it.heapMb)),
		resources: least(it => it.resources),
		files: least(it => it.files),
		listeners: least(it => it.listeners),
	};
}

/**
 * What there is more of than before, in words.
 * @param allowed by kind, so much more is none
 */
export function leaks(before: Measure, after: Measure, allowed: Readonly<Record<string, number>> = {}): string[] {
	const heap =
		after.heapMb > before.heapMb * heapFactor
			? [`heap: ${after.heapMb.toFixed(1)} MB, was ${before.heapMb.toFixed(1)} MB`]
			: [];
	const more = (what: string, pick: (it: Measure) => Readonly<Record<string, number>>): string[] =>
		Object.entries(pick(after))
			.map(([kind, count]) => [kind, count, pick(before)[kind] ?? 0] as const)
			.filter(([kind, count, was]) => count > was + (tolerance[kind] ?? 0) + (allowed[kind] ?? 0))
			.map(([kind, count, was]) => `${what} ${kind}: ${count}, was ${was}`);
	return [
		...heap,
		...more('resource', it => it.resources),
		...more('file', it => it.files),
		...more('listener', it => it.listeners),
	];
}

function look(): Measure {
	const listeners = process.eventNames().map(it => [String(it), process.listenerCount(it)] as const);
	return {
		heapMb: process.memoryUsage().heapUsed / 2 ** 20,
		resources: countBy(process.getActiveResourcesInfo()),
		files: countBy(openFiles()),
		listeners: Object.fromEntries(listeners),
	};
}

function openFiles(): string[] {
	const folder = '/proc/self/fd';
	const links = fs.existsSync(folder) ? fs.readdirSync(folder).map(it => linkOf(`${folder}/${it}`)) : [];
	return links.map(it => (it.startsWith('/') ? 'file' : it.replace(/:?\[.*/, '')));
}

/** It may be the very one by which the folder was read. */
function linkOf(link: string): string {
	try {
		return fs.readlinkSync(link);
	} catch {
		return 'closed';
	}
}

function countBy(kinds: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const kind of kinds) {
		counts[kind] = (counts[kind] ?? 0) + 1;
	}
	return counts;
}
