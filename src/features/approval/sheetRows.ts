/**
 * The rows of the approval sheet above its choices. Their number is limited, so that "Allow Once" and "Deny" are visible
 * without scrolling. Everything that doesn't fit is counted, and the result says so.
 */
import { exactLines, type ExactLines, exactValue, isPlainLabel, isPlainName, widthOf } from '../../host/exactText.js';
import type { JsonObject } from '../../mcp/index.js';

/** Rows above "Allow Once". A quick pick shows 12 rows where the window is 720 pixels high, and 11 where it is 650. */
export const rowsBeforeChoices = 9;
/**
 * Letters of common width in a row, label and description together. The editor cuts what is wider without a word; this
 * fits beside a heading where the window is 700 pixels wide.
 */
const rowWidth = 50;
const maxNameWidth = 20;
const maxRowsOfArgument = 3;
const maxRowsOfFact = 2;
/** Rows that arguments have at least, if they take as many. */
const minRowsOfArguments = 2;

/** One of our own facts. The text is ours, or a server's. */
export interface Fact {
	readonly label: string;
	readonly text: string;
}

export interface Row {
	/** An argument's name is quoted, and ours are not. Empty where a row goes on with the one above. */
	readonly label: string;
	readonly text: string;
}

export interface SheetRows {
	readonly arguments: readonly Row[];
	/** By fact, in the order they were given. */
	readonly facts: readonly (readonly Row[])[];
	readonly warnings: readonly Row[];
	/** Arguments that are not shown at all, or not exactly. */
	readonly hiddenArguments: number;
	/** Whether every character of everything is shown. */
	readonly isExact: boolean;
}

export interface TitleName {
	readonly text: string;
	readonly maxLength: number;
	/** What a server is known by. */
	readonly isLabel?: boolean;
}

interface Block {
	readonly rows: readonly Row[];
	readonly isExact: boolean;
}

/**
 * @param taken rows that something else needs above the choices
 * @param names what the title names: it has room for short ones only, and for none that passes for more than a name
 */
export function sheetRows(
	args: JsonObject,
	facts: readonly Fact[],
	warnings: readonly Fact[],
	taken: number,
	names: readonly TitleName[],
): SheetRows {
	const areNamesExact = names.every(({ text, maxLength, isLabel }) =>
		(isLabel ? isPlainLabel : isPlainName)(text, maxLength),
	);
	return (
		(areNamesExact ? wholeRows(args, facts, warnings, rowsBeforeChoices - taken) : undefined) ??
		cutRows(args, facts, warnings, rowsBeforeChoices - taken, areNamesExact)
	);
}

/** All rows, if there is room for them; each fact and each argument has as many as it takes. */
function wholeRows(
	args: JsonObject,
	facts: readonly Fact[],
	warnings: readonly Fact[],
	room: number,
): SheetRows | undefined {
	const factBlocks = facts.map(it => factBlock(it, room));
	const warningBlocks = warnings.map(it => factBlock(it, room));
	const blocks = [...factBlocks, ...warningBlocks];
	const { rows, hidden } = argumentBlocks(args, room - rowCount(blocks), room);
	return rowCount(blocks) + Math.max(1, rows.length) <= room && hidden === 0 && blocks.every(it => it.isExact)
		? {
				arguments: rows,
				facts: factBlocks.map(it => it.rows),
				warnings: warningBlocks.flatMap(it => it.rows),
				hiddenArguments: 0,
				isExact: true,
			}
		: undefined;
}

/** As many rows of each as there is room for. */
function cutRows(
	args: JsonObject,
	facts: readonly Fact[],
	warnings: readonly Fact[],
	all: number,
	areNamesExact: boolean,
): SheetRows {
	// One row is for what announces that something is missing.
	const room =
		all - 1 - Math.min(minRowsOfArguments, Math.max(1, argumentBlocks(args, minRowsOfArguments).rows.length));
	const spacious = [facts, warnings].map(it => it.map(fact => factBlock(fact, maxRowsOfFact)));
	const isTight = rowCount(spacious.flat()) > room;
	const [factBlocks = [], warningBlocks = []] = isTight
		? [facts, warnings].map(it => it.map(fact => factBlock(fact, 1)))
		: spacious;
	const shownWarnings = warningBlocks.slice(0, Math.max(0, isTight ? room - factBlocks.length : warnings.length));
	const ofFacts = [...factBlocks, ...shownWarnings];
	const areFactsExact = ofFacts.every(it => it.isExact) && shownWarnings.length === warnings.length && areNamesExact;
	const left = all - rowCount(ofFacts);
	const whole = argumentBlocks(args, left);
	const isExact = areFactsExact && whole.hidden === 0;
	// The row that announces what is missing takes the place of one.
	const { rows, hidden } = isExact ? whole : argumentBlocks(args, left - 1);
	return {
		arguments: rows,
		facts: factBlocks.map(it => it.rows),
		warnings: shownWarnings.flatMap(it => it.rows),
		hiddenArguments: hidden,
		isExact,
	};
}

function rowCount(blocks: readonly Block[]): number {
	return blocks.reduce((sum, it) => sum + it.rows.length, 0);
}

/** At least one row, whatever room there is. */
function argumentBlocks(
	args: JsonObject,
	room: number,
	maxRows = maxRowsOfArgument,
): { readonly rows: readonly Row[]; readonly hidden: number } {
	const rows: Row[] = [];
	const entries = Object.entries(args);
	let exact = 0;
	for (const [name, value] of entries) {
		const left = Math.max(1, room) - rows.length;
		if (left <= 0) {
			break;
		}
		const block = argumentBlock(name, value, Math.min(left, maxRows));
		rows.push(...block.rows);
		exact += block.isExact ? 1 : 0;
	}
	return { rows, hidden: entries.length - exact };
}

function argumentBlock(name: string, value: unknown, maxRows: number): Block {
	const label = exactValue(name, maxNameWidth, 1);
	const [shownName = ''] = label.lines;
	const text = exactValue(value, rowWidth - Math.max(widthOf(shownName), 4), maxRows);
	return { rows: toRows(shownName, text), isExact: label.isExact && text.isExact };
}

function factBlock({ label, text }: Fact, maxRows: number): Block {
	const lines = exactLines(text, rowWidth - widthOf(label), maxRows);
	return { rows: toRows(label, lines), isExact: lines.isExact };
}

function toRows(label: string, { lines }: ExactLines): Row[] {
	return lines.map((text, index) => ({ label: index === 0 ? label : '', text }));
}
