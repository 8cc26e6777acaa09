// The books of the soak: everything that was begun, how it ended and what was done to whom, a line of JSON each, written
// by the editor's extension host, by servers and by the program that disturbs them. What the books say is wrong.
import * as fs from 'node:fs';
import { recordedLines } from '../../support/recordedLines.js';

export type Line =
	/** Another extension host; whatever the one before had begun is cut off. */
	| { readonly kind: 'life'; readonly at: number; readonly life: number }
	/** A promise: a call, or news that must come. `isFault`: of a server that does what it must not. */
	| {
			readonly kind: 'began';
			readonly at: number;
			/** Unique within its life. */
			readonly id: number;
			readonly server: string;
			readonly what: string;
			readonly isFault?: true;
	  }
	| { readonly kind: 'ended'; readonly at: number; readonly id: number; readonly outcome: Outcome }
	/** Something was done to a server, or to all; until it has `settled` nobody can know how calls end. */
	| {
			readonly kind: 'trouble';
			readonly at: number;
			readonly what: string;
			readonly server?: string;
			readonly settled: number;
	  }
	/** Nobody caught it. */
	| { readonly kind: 'accident'; readonly at: number; readonly where: string; readonly text: string };

export type Outcome =
	| { readonly kind: 'right' }
	/** We gave it up ourselves. */
	| { readonly kind: 'cancelled' }
	/** An error with a code and words. */
	| { readonly kind: 'error'; readonly code: string; readonly message: string }
	/** An answer, but to something else; or an error that does not say what it is. */
	| { readonly kind: 'wrong'; readonly why: string };

export interface Verdict {
	/** Each in a line; none if all is well. */
	readonly problems: readonly string[];
	/** How many ended in which way, and how many were cut off by a reload. */
	readonly counts: Readonly<Record<string, number>>;
	/** Milliseconds from the first trouble of a server to the next call that succeeded, the longest. */
	readonly longestRecoveryMs: number;
}

/** How long anything may take to end. */
const maxWaitMs = 90_000;
/** How long a server that was disturbed may fail: the longest delay before a start, and a slow start. */
const recoveryMs = 90_000;

interface Promised {
	readonly server: string;
	readonly what: string;
	readonly isFault: boolean;
	readonly life: number;
	readonly from: number;
	to?: number;
	outcome?: Outcome;
}

/** @param end when the books were closed */
export function judge(lines: readonly Line[], end: number): Verdict {
	const promised = read(lines);
	const lives = lines.filter(it => it.kind === 'life');
	const troubles = lines.filter(it => it.kind === 'trouble');
	const counts: Record<string, number> = {};
	const problems = lines.flatMap(it => (it.kind === 'accident' ? [`accident in ${it.where}: ${it.text}`] : []));
	const count = (name: string): number => (counts[name] = (counts[name] ?? 0) + 1);
	const windows = new Map<string, Window[]>();
	const windowsOf = (server: string): Window[] => {
		const known = windows.get(server) ?? troublesOf(server, troubles, promised);
		windows.set(server, known);
		return known;
	};
	for (const it of promised) {
		const { outcome, from, to, server, what } = it;
		const name = `${what} of ${server}, begun at ${time(from)}`;
		const lifeEnd = lives.find(({ life }) => life > it.life)?.at;
		if (outcome === undefined) {
			if (lifeEnd === undefined || lifeEnd - from > maxWaitMs) {
				problems.push(`hung: ${name}, has not ended by ${time(lifeEnd ?? end)}`);
			}
			count('cut off');
			continue;
		}
		count(it.isFault ? `${outcome.kind} (fault)` : outcome.kind);
		if (to !== undefined && to - from > maxWaitMs) {
			problems.push(`hung: ${name}, took ${((to - from) / 1000).toFixed(0)} s`);
		}
		if (outcome.kind === 'wrong') {
			problems.push(`wrong: ${name}: ${outcome.why}`);
		} else if (outcome.kind === 'error' && !it.isFault) {
			const excuse = windowsOf(server).find(window => window.from <= (to ?? end) && from <= window.to);
			if (!excuse) {
				problems.push(`failed without a reason: ${name}, at ${time(to ?? end)}: ${outcome.code}, ${outcome.message}`);
			}
		}
	}
	const all = new Set(promised.filter(it => !it.isFault).map(it => it.server));
	const recoveries = [...all].flatMap(windowsOf);
	for (const it of recoveries.filter(({ isOver, to }) => !isOver && end > to)) {
		problems.push(`did not recover: ${it.server}, ${it.what} at ${time(it.from)}`);
	}
	return {
		problems,
		counts,
		longestRecoveryMs: Math.max(0, ...recoveries.map(it => (it.isOver ? it.to - it.from : 0))),
	};
}

/** The lines of a file; of the last one only if it is whole. */
export function readLedger(file: string): Line[] {
	return recordedLines(file).map(it => JSON.parse(it) as Line);
}

/** Appends a line. Synchronous: whoever writes may be killed at any moment. */
export function enter(file: string, line: Line): void {
	fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Milliseconds that what succeeded took, within a span of time. */
export function durations(lines: readonly Line[], what: string, from: number, to: number): number[] {
	return read(lines)
		.filter(it => it.what === what && !it.isFault && it.outcome?.kind === 'right' && it.from >= from && it.from < to)
		.map(it => (it.to ?? it.from) - it.from);
}

function read(lines: readonly Line[]): Promised[] {
	let life = 0;
	const all: Promised[] = [];
	const open = new Map<number, Promised>();
	for (const line of lines) {
		if (line.kind === 'life') {
			life = line.life;
			open.clear();
		} else if (line.kind === 'began') {
			const { server, what, isFault = false } = line;
			const it: Promised = { server, what, isFault, life, from: line.at };
			open.set(line.id, it);
			all.push(it);
		} else if (line.kind === 'ended') {
			const it = open.get(line.id);
			if (it) {
				it.to = line.at;
				it.outcome = line.outcome;
				open.delete(line.id);
			}
		}
	}
	return all;
}

interface Window {
	readonly server: string;
	readonly what: string;
	readonly from: number;
	readonly to: number;
	/** It has answered again. */
	readonly isOver: boolean;
}

/** When what failed has an excuse: from each trouble to the first call after it that succeeded. */
function troublesOf(
	server: string,
	troubles: readonly Extract<Line, { kind: 'trouble' }>[],
	promised: readonly Promised[],
): Window[] {
	const successes = promised.filter(it => it.server === server && it.outcome?.kind === 'right').map(it => it.from);
	return troubles
		.filter(it => it.server === undefined || it.server === server)
		.map(({ at, what, settled }) => {
			const success = successes.find(it => it >= settled) ?? Infinity;
			const to = Math.min(success, settled + recoveryMs);
			return { server, what, from: at, to, isOver: to === success };
		});
}

function time(at: number): string {
	return new Date(at).toISOString().slice(11, 23);
}
