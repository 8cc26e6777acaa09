// The scores in test/mutation/README.md: one row for each subject that was measured as a whole.
import type { Outcome } from './report.js';

export interface Score {
	readonly subject: string;
	/** `2026-01-31` */
	readonly day: string;
	readonly minutes: number;
	readonly outcome: Pick<Outcome, 'killed' | 'total' | 'score' | 'alive'>;
}

const begin = '<!-- npm run mutate -- --record: begin -->';
const end = '<!-- npm run mutate -- --record: end -->';
const heads = ['subject', 'killed', 'mutants', 'survivors with a reason', 'without', 'minutes', 'measured'];

/**
 * The document with the row of a subject made anew, or added.
 * @param order of the subjects; rows of others are dropped
 * @throws Error if the document has no place for scores
 */
export function withScore(
	document: string,
	{ subject, day, minutes, outcome }: Score,
	order: readonly string[],
): string {
	const [from, to] = [document.indexOf(begin), document.indexOf(end)];
	if (from < 0 || to < from) {
		throw new Error(`There is no "${begin}" before an "${end}".`);
	}
	const rows = new Map(
		document
			.slice(from, to)
			.split('\n')
			.filter(it => it.startsWith('|'))
			.map(it => it.split('|').slice(1, -1))
			.map(cells => cells.map(it => it.trim()))
			.map(cells => [cells[0] ?? '', cells]),
	);
	const explained = outcome.alive.filter(it => it.why !== undefined).length;
	const numbers = [outcome.total, explained, outcome.alive.length - explained].map(String);
	// Never more than it is: 94.96 % are not 95.
	const percent = (Math.floor(outcome.score * 10) / 10).toFixed(1);
	rows.set(subject, [subject, `${percent} %`, ...numbers, minutes.toFixed(1), day]);
	const table = [heads, ...order.flatMap(it => (rows.has(it) ? [rows.get(it) ?? []] : []))];
	const widths = heads.map((_, column) => Math.max(...table.map(cells => cells[column]?.length ?? 0)));
	const lines = table.map(
		cells => `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`,
	);
	const rule = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`;
	const [head = '', ...body] = lines;
	return [document.slice(0, from) + begin, '', head, rule, ...body, '', document.slice(to)].join('\n');
}
