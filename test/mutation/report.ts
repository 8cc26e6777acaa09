// What came of the mutants of a subject: the score, and those that no test has noticed.
import type { Survivor } from './survivors.js';

/** A part of the mutation testing report, schema version 2, that Stryker writes. */
export interface MutationReport {
	readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
	readonly mutatorName: string;
	readonly replacement?: string;
	readonly status:
		| 'Killed'
		| 'Survived'
		| 'NoCoverage'
		| 'Timeout'
		| 'RuntimeError'
		| 'CompileError'
		| 'Ignored'
		| 'Pending';
	readonly location: { readonly start: Position; readonly end: Position };
}

/** Counted from 1. */
interface Position {
	readonly line: number;
	readonly column: number;
}

export interface Outcome {
	readonly killed: number;
	/** Mutants that count: all but those that could not be run. */
	readonly total: number;
	/** Percent. */
	readonly score: number;
	/** Mutants that could not be run, or were switched off. */
	readonly invalid: number;
	readonly alive: readonly Alive[];
}

export interface Alive {
	readonly file: string;
	/** The line it begins in, without blanks around it. */
	readonly line: string;
	readonly number: number;
	readonly mutator: string;
	readonly code: string;
	readonly replacement: string;
	readonly isCovered: boolean;
	/** From `survivors.ts`. */
	readonly why: string | undefined;
}

export function outcomeOf({ files }: MutationReport, survivors: readonly Survivor[]): Outcome {
	const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants.map(mutant => ({ file, source, mutant })),
	);
	const killed = all.filter(({ mutant: { status } }) => status === 'Killed' || status === 'Timeout').length;
	const living = all.filter(({ mutant: { status } }) => status === 'Survived' || status === 'NoCoverage');
	const total = killed + living.length;
	const alive = living.map(({ file, source, mutant }): Alive => {
		const code = textAt(source, mutant.location);
		const line = (source.split('\n')[mutant.location.start.line - 1] ?? '').trim();
		const replacement = mutant.replacement ?? '';
		return {
			file,
			line,
			number: mutant.location.start.line,
			mutator: mutant.mutatorName,
			code,
			replacement,
			isCovered: mutant.status === 'Survived',
			why: survivors.find(
				it => it.file === file && it.line === line && it.code === code && it.replacement === replacement,
			)?.why,
		};
	});
	return {
		killed,
		total,
		score: total === 0 ? 0 : (100 * killed) / total,
		invalid: all.length - total,
		alive: alive.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.number - b.number)),
	};
}

export function describeAlive({ file, number, mutator, code, replacement, isCovered, why }: Alive): string {
	const reason = why === undefined ? '' : `\n    ${why}`;
	const reached = isCovered ? '' : ', reached by no test';
	return `${file}:${number} (${mutator}${reached})\n  - ${oneLine(code)}\n  + ${oneLine(replacement)}${reason}`;
}

function textAt(source: string, { start, end }: Mutant['location']): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	const last = lines.length - 1;
	lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
	lines[0] = (lines[0] ?? '').slice(start.column - 1);
	return lines.join('\n');
}

function oneLine(code: string): string {
	const line = code.replaceAll(/\s+/g, ' ');
	return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
