/** A call of the history in words: its line in the view, and the whole of it as a document. */
import * as vscode from 'vscode';
import type { HistoryEntry } from '../../model/historyEntry.js';
import { describeCaller, describeReason } from '../../host/approvalWords.js';
import { describeDuration } from '../../host/messages.js';
import { tooltipText, treeText, visibleJson } from '../../host/plainText.js';

/** How it ended, in a word. */
export function describeEnd({ end, durationMs }: HistoryEntry): string {
	const { t } = vscode.l10n;
	switch (end.kind) {
		case 'answered':
			return end.isError ? t('the tool failed') : describeDuration(durationMs);
		case 'failed':
			return t('failed');
		case 'denied':
			return t('denied');
		case 'cancelled':
			return t('cancelled');
	}
}

/** When: the time of day, and of another day its date too. It never goes stale, as "a minute ago" does. */
export function describeTime(time: number, now: number = Date.now()): string {
	const date = new Date(time);
	const { language } = vscode.env;
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(language)
		: date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The line of the view, after the name of the tool. */
export function describeLine(entry: HistoryEntry): string {
	return [treeText(entry.server), describeEnd(entry), describeTime(entry.time)].join(' · ');
}

export function tooltipOf(entry: HistoryEntry): string {
	return tooltipText(headOf(entry).join('\n'));
}

/** Everything that was kept; a document of plain text. */
export function describeEntry(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { end, isCut } = entry;
	const cut = t('(too large to be kept whole)');
	const result =
		end.kind === 'answered'
			? ['', isCut.result ? `${t('Result')} ${cut}` : t('Result'), visibleJson(end.result)]
			: end.kind === 'failed'
				? ['', t('Error'), end.message]
				: [];
	return [
		...headOf(entry),
		'',
		isCut.arguments ? `${t('Arguments')} ${cut}` : t('Arguments'),
		visibleJson(entry.arguments),
		...result,
		'',
	].join('\n');
}

function headOf(entry: HistoryEntry): string[] {
	const { t } = vscode.l10n;
	const { server, tool, caller, decision, time, end } = entry;
	const answers = { allow: t('you allowed it'), deny: t('you denied it') };
	const why = [describeReason(decision.reason), decision.answer && answers[decision.answer]].filter(Boolean);
	return [
		`${treeText(tool)} · ${treeText(server)}`,
		t('When: {0}', new Date(time).toLocaleString(vscode.env.language)),
		t('Asked for by: {0}', describeCaller(caller)),
		t('Decision: {0}', why.join(', ')),
		t('End: {0}', describeEnd(entry)),
		...(end.kind === 'failed' ? [treeText(end.message)] : []),
	];
}
