/** What was measured, as a table for people. Rows in, verdicts and text out. */
import { type ClientName, clientNames } from './clients/client.js';

/** A factor over another column's value (the floor's unless told), or the largest value itself. */
export type Target = { readonly ratio: number; readonly over?: ClientName } | { readonly atMost: number };

export interface Row {
	readonly name: string;
	/** Of CPU time, heap, file size; `×` is a factor without one. */
	readonly unit: 'ms' | 'MB' | 'KB' | '×';
	readonly target: Target;
	/** The median of each client; a client that failed or cannot do it has none. */
	readonly values: Readonly<Partial<Record<ClientName, number>>>;
	/** Of ours: how late the event loop was at p99. */
	readonly delayMs?: number | undefined;
	/** A single huge message may block the event loop. */
	readonly mayBlock?: boolean;
}

/** A run that is kept to compare with. */
export interface Recording {
	/** `2026-11-21`. */
	readonly date: string;
	/** In neutral words: `2 cores, Linux, Node 20.20`. */
	readonly machine: string;
	readonly rows: readonly Row[];
}

const titles: Readonly<Record<ClientName, string>> = {
	floor: 'floor',
	sdkV1: 'SDK v1',
	sdkV2: 'SDK v2',
	ours: 'ours',
};
const maxDelayMs = 50;
/** More than this over the recorded figure is worse; below, it is the weather. */
const tolerance = 1.2;
/** Less than this is nothing, whatever the factor. */
const negligibleMegabytes = 0.5;

/** The number that is judged: a factor, or the value where the target is one. */
export function figureOf({ values, target }: Row, client: ClientName): number | undefined {
	const value = values[client];
	if (value === undefined || 'atMost' in target) {
		return value;
	}
	const base = values[target.over ?? 'floor'];
	return base === undefined ? undefined : value / base;
}

/** Whether ours reached the target; not if there is no figure. */
export function isMet(row: Row): boolean {
	const limit = 'atMost' in row.target ? row.target.atMost : row.target.ratio;
	return (figureOf(row, 'ours') ?? Infinity) <= limit;
}

/** Whether ours is more than 20 % worse than it was, or does not come to an end any more. */
export function isWorse(row: Row, recorded: Row | undefined): boolean {
	const before = recorded && figureOf(recorded, 'ours');
	const now = figureOf(row, 'ours') ?? Infinity;
	const isNegligible = row.unit === 'MB' && now < negligibleMegabytes;
	return before !== undefined && now > before * tolerance && !isNegligible;
}

/** A Markdown table that reads well on a terminal too; with a recording, its figures stand beside the new ones. */
export function renderTable(rows: readonly Row[], recording?: Recording): string {
	const recordedColumn = recording ? [`recorded ${recording.date}`] : [];
	const head = [
		'scenario',
		...clientNames.map(it => titles[it]),
		...recordedColumn,
		'target',
		'loop delay p99',
		'verdict',
	];
	const body = rows.map(row => {
		const recorded = recording?.rows.find(it => it.name === row.name);
		return [
			row.name,
			...clientNames.map(it => cell(row, it)),
			...(recording ? [recorded ? cell(recorded, 'ours') : ''] : []),
			describeTarget(row),
			row.delayMs === undefined ? '' : `${row.delayMs.toFixed(0)} ms`,
			describeVerdict(row, recorded),
		];
	});
	const widths = head.map((title, column) =>
		Math.max(...[head, ...body].map(it => it[column]?.length ?? title.length)),
	);
	const line = (cells: readonly string[]): string =>
		`| ${cells.map((it, column) => it.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	return [line(head), line(widths.map(it => '-'.repeat(it))), ...body.map(line)].join('\n');
}

function cell(row: Row, client: ClientName): string {
	const { target, unit, values } = row;
	const value = values[client];
	const figure = figureOf(row, client);
	if (value === undefined) {
		return '–';
	}
	const isQuantity = 'atMost' in target || client === (target.over ?? 'floor');
	return isQuantity ? quantity(value, unit) : figure === undefined ? '–' : quantity(figure, '×');
}

function quantity(value: number, unit: Row['unit']): string {
	const text = value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
	return unit === '×' ? `${text}×` : `${text} ${unit}`;
}

function describeTarget({ target, unit }: Row): string {
	if ('atMost' in target) {
		return `≤ ${target.atMost}${unit === '×' ? '' : ' '}${unit}`;
	}
	return `≤ ${target.ratio}×${target.over === undefined ? '' : ` ${titles[target.over]}`}`;
}

function describeVerdict(row: Row, recorded: Row | undefined): string {
	const isBlocked = row.mayBlock !== true && (row.delayMs ?? 0) >= maxDelayMs;
	return [
		row.values.ours === undefined ? 'failed' : isMet(row) ? 'met' : 'MISSED',
		...(isBlocked ? ['LOOP BLOCKED'] : []),
		...(isWorse(row, recorded) ? ['WORSE THAN RECORDED'] : []),
	].join(', ');
}
