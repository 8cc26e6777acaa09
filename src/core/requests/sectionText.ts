/**
 * PURE: messages as one text that a person edits. Each message is a section under a line with its title; what is no text
 * (an image, a call of a tool) stands as a line that names it, and can be moved or taken out, not made up. A line of a
 * message that looks like one of these has a backslash before it.
 */

/** A message, or the system prompt. */
export interface Section<B> {
	readonly title: string;
	readonly blocks: readonly B[];
}

/** How a block is shown: as its text, or as a line that says what it is. */
export type BlockView = { readonly text: string } | { readonly label: string };

export interface SectionProblem {
	/** From 1. */
	readonly line: number;
	readonly kind: 'noSection' | 'unknownTitle' | 'unknownBlock';
}

export class SectionError extends Error {
	override readonly name = 'SectionError';
	constructor(readonly problem: SectionProblem) {
		super(`${problem.kind} in line ${problem.line}`);
	}
}

const between = '⟦next⟧';
const titleLine = /^──── (.+) ────$/;
const blockLine = /^⟦(\d+)(?: .*)?⟧$/;
const looksLikeOurs = /^\\*(?:────|⟦)/;
const isEscaped = /^\\+(?:────|⟦)/;

export function sectionsText<B>(sections: readonly Section<B>[], view: (block: B) => BlockView): string {
	const count = { next: 1 };
	return sections.map(it => `──── ${it.title} ────\n${bodyText(it.blocks, view, count)}`).join('\n');
}

/** What is under one title, with no title above it. */
export function bodyText<B>(blocks: readonly B[], view: (block: B) => BlockView, count = { next: 1 }): string {
	const lines: string[] = [];
	let wasText = false;
	for (const block of blocks) {
		const shown = view(block);
		if ('text' in shown) {
			lines.push(...(wasText ? [between] : []), ...shown.text.split('\n').map(escapeLine));
		} else {
			lines.push(`⟦${count.next++} · ${shown.label.replaceAll(/[\r\n⟧]/g, ' ')}⟧`);
		}
		wasText = 'text' in shown;
	}
	return `${lines.join('\n')}\n`;
}

/** What texts are made into blocks with, and what else may stand in a text. */
export interface SectionParts<B> {
	readonly view: (block: B) => BlockView;
	/** Where the lines that name a block lead. */
	readonly originals: readonly B[];
	readonly toBlock: (text: string) => B;
}

/** @throws SectionError */
export function parseSections<B>(text: string, titles: readonly string[], parts: SectionParts<B>): Section<B>[] {
	const sections: { title: string; lines: string[]; first: number }[] = [];
	for (const [index, line] of linesOf(text).entries()) {
		const [, title] = titleLine.exec(line) ?? [];
		const current = sections.at(-1);
		if (title !== undefined) {
			if (!titles.includes(title)) {
				throw new SectionError({ line: index + 1, kind: 'unknownTitle' });
			}
			sections.push({ title, lines: [], first: index + 1 });
		} else if (current) {
			current.lines.push(line);
		} else if (line.trim() !== '') {
			throw new SectionError({ line: index + 1, kind: 'noSection' });
		}
	}
	return sections.map(({ title, lines, first }) => ({ title, blocks: blocksOf(lines, first, parts) }));
}

/** @throws SectionError */
export function parseBody<B>(text: string, parts: SectionParts<B>): readonly B[] {
	return blocksOf(linesOf(text), 0, parts);
}

/** @param first how many lines are above them */
function blocksOf<B>(lines: readonly string[], first: number, parts: SectionParts<B>): B[] {
	const named = parts.originals.filter(it => !('text' in parts.view(it)));
	const blocks: B[] = [];
	let text: string[] = [];
	const flush = (isLast: boolean): void => {
		const written = (isLast && text.at(-1) === '' ? text.slice(0, -1) : text).join('\n');
		text = [];
		if (written !== '' || (isLast && blocks.length === 0)) {
			blocks.push(parts.toBlock(written));
		}
	};
	for (const [index, line] of lines.entries()) {
		const [, number] = blockLine.exec(line) ?? [];
		if (number !== undefined) {
			const block = named[Number(number) - 1];
			if (block === undefined) {
				throw new SectionError({ line: first + index + 1, kind: 'unknownBlock' });
			}
			flush(false);
			blocks.push(block);
		} else if (line === between) {
			flush(false);
		} else {
			text.push(isEscaped.test(line) ? line.slice(1) : line);
		}
	}
	flush(true);
	return blocks;
}

function linesOf(text: string): string[] {
	return text.split(/\r?\n/);
}

function escapeLine(line: string): string {
	return looksLikeOurs.test(line) ? `\\${line}` : line;
}
