/**
 * The rows of the approval sheet above its choices. Their number is limited, so that "Allow Once" and "Deny" are visible
 * without scrolling. The result tells whether anything is cut or left out.
 */
import { exactLines, type ExactLines, widthOf } from '../../editor/ui/exactText.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type { JsonObject } from '../../mcp/index.js';

/** Rows above "Allow Once". A quick pick shows 12 rows where the window is 720 pixels high, and 11 where it is 650. */
export const rowsBeforeChoices = 9;
/**
 * Width of a row, label and description together, in letters of common width. The editor cuts wider rows without a mark;
 * this width fits beside a heading in a window of 700 pixels.
 */
const rowWidth = 50;
const maxNameWidth = 20;
const maxRowsOfArgument = 3;
const maxRowsOfFact = 2;
/** Rows reserved for arguments, if they need that many. */
const minRowsOfArguments = 2;

/** A fact about the call. The label is ours; the text may be a server's. */
export interface SheetFact {
	readonly label: string;
	readonly text: string;
	/** Whether the text is exact although an ellipsis in it stands for the end of a name that isn't part of the call. */
	readonly mayAbbreviate?: boolean;
}

export interface Row {
	/** Names of arguments are in quotation marks, our labels aren't. Empty for a row that continues the one above. */
	readonly label: string;
	readonly text: string;
}

export interface SheetRows {
	readonly arguments: readonly Row[];
	/** The rows of each fact, in the order of the facts. */
	readonly facts: readonly (readonly Row[])[];
	readonly warnings: readonly Row[];
	/** Number of arguments that aren't shown, or not exactly. */
	readonly hiddenArguments: number;
	/** Whether everything is shown, every character as it is. */
	readonly isExact: boolean;
}

interface Block {
	readonly rows: readonly Row[];
	readonly isExact: boolean;
}

/**
 * The rows above the choices, without headings.
 * @param taken rows above the choices that are needed for something else
 * @param areNamesExact whether the title shows the names in it exactly
 */
export function sheetRows(
	args: JsonObject,
	facts: readonly SheetFact[],
	warnings: readonly SheetFact[],
	taken: number,
	areNamesExact: boolean,
): SheetRows {
	const room = rowsBeforeChoices - taken;
	const blocks = new ArgumentBlocks(args);
	return (
		(areNamesExact ? wholeRows(blocks, facts, warnings, room) : undefined) ??
		cutRows(blocks, facts, warnings, room, areNamesExact)
	);
}

/** All rows, uncut; `undefined` if there is no room for them. */
function wholeRows(
	args: ArgumentBlocks,
	facts: readonly SheetFact[],
	warnings: readonly SheetFact[],
	room: number,
): SheetRows | undefined {
	const factBlocks = facts.map(it => factBlock(it, room));
	const warningBlocks = warnings.map(it => factBlock(it, room));
	const blocks = [...factBlocks, ...warningBlocks];
	const { rows, hidden } = args.fit(room - rowCount(blocks), room);
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

/** Rows that fit, with facts, warnings and arguments cut as needed. */
function cutRows(
	args: ArgumentBlocks,
	facts: readonly SheetFact[],
	warnings: readonly SheetFact[],
	all: number,
	areNamesExact: boolean,
): SheetRows {
	// One row announces that something is missing.
	const room = all - 1 - Math.min(minRowsOfArguments, Math.max(1, args.fit(minRowsOfArguments).rows.length));
	const spacious = [facts, warnings].map(it => it.map(fact => factBlock(fact, maxRowsOfFact)));
	const isTight = rowCount(spacious.flat()) > room;
	const [factBlocks = [], warningBlocks = []] = isTight
		? [facts, warnings].map(it => it.map(fact => factBlock(fact, 1)))
		: spacious;
	const shownWarnings = warningBlocks.slice(0, Math.max(0, isTight ? room - factBlocks.length : warnings.length));
	const ofFacts = [...factBlocks, ...shownWarnings];
	const areFactsExact = ofFacts.every(it => it.isExact) && shownWarnings.length === warnings.length && areNamesExact;
	const left = all - rowCount(ofFacts);
	const whole = args.fit(left);
	const isExact = areFactsExact && whole.hidden === 0;
	// The announcement takes one row.
	const { rows, hidden } = isExact ? whole : args.fit(left - 1);
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

/** The rows of all arguments, for any number of rows. An argument can be large, so its rows are computed once. */
class ArgumentBlocks {
	private readonly entries: readonly (readonly [name: string, value: unknown])[];
	/** Computed blocks by argument and number of rows. */
	private readonly blocks = new Map<string, Block>();

	constructor(args: JsonObject) {
		this.entries = Object.entries(args);
	}

	/** The rows of the first arguments that fit, at least one. `hidden` is the number of arguments that aren't shown exactly. */
	fit(room: number, maxRows = maxRowsOfArgument): { readonly rows: readonly Row[]; readonly hidden: number } {
		const rows: Row[] = [];
		let exact = 0;
		for (const index of this.entries.keys()) {
			const left = Math.max(1, room) - rows.length;
			if (left <= 0) {
				break;
			}
			const block = this.block(index, Math.min(left, maxRows));
			rows.push(...block.rows);
			exact += block.isExact ? 1 : 0;
		}
		return { rows, hidden: this.entries.length - exact };
	}

	private block(index: number, maxRows: number): Block {
		const key = `${index} ${maxRows}`;
		const [name, value] = this.entries[index] ?? ['', undefined];
		const block = this.blocks.get(key) ?? argumentBlock(name, value, maxRows);
		this.blocks.set(key, block);
		return block;
	}
}

function argumentBlock(name: string, value: unknown, maxRows: number): Block {
	const label = exactLines(jsonText(name), maxNameWidth, 1);
	const [shownName = ''] = label.lines;
	const text = exactLines(jsonText(value), rowWidth - Math.max(widthOf(shownName), 4), maxRows);
	return { rows: toRows(shownName, text), isExact: label.isExact && text.isExact };
}

function factBlock({ label, text, mayAbbreviate = false }: SheetFact, maxRows: number): Block {
	const width = rowWidth - widthOf(label);
	const lines = exactLines(text, width, maxRows);
	// A letter as wide as the ellipsis leaves the same lines, so everything else is checked as usual.
	const isExact = lines.isExact || (mayAbbreviate && exactLines(text.replaceAll('…', 'M'), width, maxRows).isExact);
	return { rows: toRows(label, lines), isExact };
}

function toRows(label: string, { lines }: ExactLines): Row[] {
	return lines.map((text, index) => ({ label: index === 0 ? label : '', text }));
}
