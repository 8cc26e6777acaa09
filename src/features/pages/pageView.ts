/** Cuts and cleans the texts of pages, and formats pages as plain text for Copy as Text. */
import * as vscode from 'vscode';
import type { PageBlock, PageContent, PageRow, PageSection, Strings } from '../../webviews/page/reading/protocol.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { oneLine, webviewText } from '../../editor/ui/plainText.js';

/** Characters of the longest text, and of all texts of a page together; then items of the longest list. */
const maxText = 100_000;
const maxPage = 1_000_000;
const maxItems = 500;
const maxTitle = 200;

function cleanItems<T>(items: readonly T[], cleanItem: (item: T) => T, more: (text: string) => T): T[] {
	const left = items.length - maxItems;
	return [
		...items.slice(0, maxItems).map(cleanItem),
		...(left > 0 ? [more(vscode.l10n.t('{0} more', describeNumber(left)))] : []),
	];
}

/** The content with nothing too long, nothing invisible and nothing that turns the reading direction around. */
export function cleanPage({ title, summary, tone, facts, sections }: PageContent): PageContent {
	let left = maxPage;
	const clean = (text: string): string => {
		const max = Math.min(maxText, left);
		const shown = webviewText(text.slice(0, max), max);
		left = Math.max(0, left - shown.length);
		return text.length > max && max > 0
			? `${shown}\n${vscode.l10n.t('Only the first {0} characters are shown.', describeNumber(max))}`
			: shown;
	};
	const texts = (items: readonly string[]): string[] => cleanItems(items, clean, it => it);
	const row = ({ label, value, note }: PageRow): PageRow => ({
		label: oneLine(label, maxTitle),
		value: clean(value),
		...(note !== undefined && { note: clean(note) }),
	});
	const rows = (all: readonly PageRow[]): PageRow[] => cleanItems(all, row, label => ({ label, value: '' }));
	const block = (it: PageBlock): PageBlock => {
		switch (it.kind) {
			case 'text':
			case 'code':
				return { kind: it.kind, text: clean(it.text) };
			case 'rows':
				return { kind: it.kind, rows: rows(it.rows) };
			case 'list':
			case 'numbers':
				return { kind: it.kind, items: texts(it.items) };
		}
	};
	return {
		title: oneLine(title, maxTitle),
		summary: clean(summary),
		tone,
		facts: rows(facts),
		sections: sections.map(it => ({ ...it, title: oneLine(it.title, maxTitle), blocks: it.blocks.map(block) })),
	};
}

/** Whether the sections are shown exactly: cutting and cleaning changes nothing in them. */
export function isShownWhole(content: PageContent): boolean {
	return JSON.stringify(cleanPage(content).sections) === JSON.stringify(content.sections);
}

/** The view's own texts in the person's language. */
export function viewStrings(): Strings {
	const { t } = vscode.l10n;
	return { actions: t('Actions'), copy: t('Copy as Text'), fromServer: t('From the server:') };
}

/**
 * A clean page as plain text. Headings, lists and code are those of Markdown, for reports of bugs. Sections of a server
 * are code there, so that nothing in them is markup.
 */
export function pageText({ title, summary, facts, sections }: PageContent): string {
	return `${[`# ${title}`, summary, ...(facts.length > 0 ? [rowsText(facts)] : []), ...sections.map(sectionText)].join('\n\n')}\n`;
}

function sectionText({ title, isServers, blocks }: PageSection): string {
	const parts =
		isServers === true
			? [viewStrings().fromServer, asCode(blocks.map(plainBlock).join('\n\n'))]
			: blocks.map(blockText);
	return [`## ${title}`, ...parts].join('\n\n');
}

function plainBlock(it: PageBlock): string {
	return it.kind === 'code' ? it.text : blockText(it);
}

function blockText(it: PageBlock): string {
	switch (it.kind) {
		case 'text':
			return it.text;
		case 'code':
			return asCode(it.text);
		case 'rows':
			return rowsText(it.rows);
		case 'list':
			return it.items.map(item => `- ${hanging(item)}`).join('\n');
		case 'numbers':
			return it.items.map((item, index) => `${index + 1}. ${hanging(item)}`).join('\n');
	}
}

function rowsText(rows: readonly PageRow[]): string {
	return rows
		.map(({ label, value, note }) => `- ${label}: ${hanging([value, note].filter(Boolean).join('\n'))}`)
		.join('\n');
}

function hanging(text: string): string {
	return text.replaceAll('\n', '\n  ');
}

function asCode(text: string): string {
	return `    ${text.replaceAll('\n', '\n    ')}`;
}
