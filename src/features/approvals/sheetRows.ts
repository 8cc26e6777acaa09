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
/** Limits that apply if not everything fits: rows for one argument, and warnings. */
const maxRowsOfArgument = 3;
const maxWarnings = 2;

/** A fact about the call. The label is ours; the text may be a server's. */
export interface SheetFact {
	readonly label: string;
	readonly text: string;
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
 * The rows above the choices, without headings. If not all of them fit, each fact and warning gets one row, and the
 * remaining rows show arguments.
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
	const entries = Object.entries(args);
	const layOut = (rowsOfArgument: number, rowsOfFact: number): readonly (readonly Block[])[] => [
		entries.slice(0, room).map(([name, value]) => argumentBlock(name, value, rowsOfArgument)),
		facts.map(it => factBlock(it, rowsOfFact)),
		warnings.map(it => factBlock(it, rowsOfFact)),
	];
	const whole = layOut(room, room);
	const [all = [], wholeFacts = [], wholeWarnings = []] = whole;
	const height = rowsOf(whole.flat()).length + (entries.length === 0 ? 1 : 0);
	if (areNamesExact && height <= room && entries.length === all.length && whole.flat().every(it => it.isExact)) {
		const shown = { arguments: rowsOf(all), facts: wholeFacts.map(it => it.rows), warnings: rowsOf(wholeWarnings) };
		return { ...shown, hiddenArguments: 0, isExact: true };
	}
	const [blocks = [], cutFacts = [], cutWarnings = []] = layOut(maxRowsOfArgument, 1);
	const shownWarnings = cutWarnings.slice(0, maxWarnings);
	// One row says that something is missing.
	const left = room - 1 - cutFacts.length - shownWarnings.length;
	const isShown = (block: Block, index: number): boolean =>
		block.isExact && rowsOf(blocks.slice(0, index + 1)).length <= left;
	return {
		arguments: rowsOf(blocks).slice(0, left),
		facts: cutFacts.map(it => it.rows),
		warnings: rowsOf(shownWarnings),
		hiddenArguments: entries.length - blocks.filter(isShown).length,
		isExact: false,
	};
}

function rowsOf(blocks: readonly Block[]): readonly Row[] {
	return blocks.flatMap(it => it.rows);
}

function argumentBlock(name: string, value: unknown, maxRows: number): Block {
	const label = exactLines(jsonText(name), maxNameWidth, 1);
	const [shownName = ''] = label.lines;
	const text = exactLines(jsonText(value), rowWidth - Math.max(widthOf(shownName), 4), maxRows);
	return { rows: toRows(shownName, text), isExact: label.isExact && text.isExact };
}

function factBlock({ label, text }: SheetFact, maxRows: number): Block {
	const lines = exactLines(text, rowWidth - widthOf(label), maxRows);
	return { rows: toRows(label, lines), isExact: lines.isExact };
}

function toRows(label: string, { lines }: ExactLines): Row[] {
	return lines.map((text, index) => ({ label: index === 0 ? label : '', text }));
}
