/** An entry of the history in words: its line in the view, and the whole of it as a document. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { JsonObject } from '../../mcp/index.js';
import type { SamplingDecision } from '../../core/calls/exchanges.js';
import { type HistoryEntry, subjectOf } from '../../core/history/historyEntry.js';
import { describeCaller, describeReason } from '../../editor/l10n/approvalWords.js';
import { describeDuration, describeList } from '../../editor/l10n/messages.js';
import { documentText, oneLine, tooltipText, treeText, visibleJson } from '../../editor/ui/plainText.js';
import { describeTime } from '../../editor/l10n/timeText.js';

/** How it ended, in a word. */
export function describeEnd(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { kind, end, durationMs } = entry;
	switch (end.kind) {
		case 'answered':
			return kind === 'elicitation'
				? describeAnswer(end.result['action'])
				: end.isError
					? t('the tool failed')
					: end.isMismatch
						? t("Done, but the result doesn't match the output schema")
						: describeDuration(durationMs);
		case 'failed':
			return t('failed');
		case 'denied':
			return describeDenial(entry);
		case 'cancelled':
			return describeCancellation(entry);
	}
}

function describeCancellation(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const by = entry.kind === 'call' ? entry.decision.unanswered : undefined;
	switch (by) {
		case 'caller':
			return t('not answered, cancelled by the caller');
		case 'server':
			return t('not answered, the server stopped');
		default:
			return t('cancelled');
	}
}

/** By what: a line has no room for more. */
function describeDenial(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { reason, answer } = entry.kind === 'call' ? entry.decision : { reason: undefined, answer: undefined };
	return answer === 'deny'
		? t('denied by you')
		: reason?.kind === 'rule'
			? t('denied by rule {0}', reason.number)
			: t('denied');
}

/** What a person has made of a server's question. */
function describeAnswer(action: unknown): string {
	const { t } = vscode.l10n;
	return action === 'accept' ? t('answered') : action === 'decline' ? t('declined') : t('cancelled by you');
}

/** What it is about: what a server wanted begins with its name, and its words are quoted. */
export function describeSubject(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const subject = subjectOf(entry);
	switch (entry.kind) {
		case 'call':
			return treeText(entry.title ?? subject);
		case 'resource':
			return treeText(subject);
		case 'prompt':
			return treeText(`/${subject}`);
		case 'elicitation':
			return t('{0} asks you: "{1}"', oneLine(entry.server, 40), oneLine(subject, 100));
		case 'sampling':
			return t('{0} asks a model: "{1}"', oneLine(entry.server, 40), oneLine(subject, 100));
		default:
			return assertNever(entry);
	}
}

/** The line of the view, after what it is about. */
export function describeLine(entry: HistoryEntry): string {
	const text = 'arguments' in entry ? describeArguments(entry.arguments) : '';
	const parts = [describeKind(entry), describeEnd(entry), ...(text === '' ? [] : [text]), describeTime(entry.time)];
	return parts.join(' · ');
}

/** Longest arguments on a row of the view. */
const maxArguments = 60;

/**
 * The first arguments of a call, such as "a: 1, b: two". The caller must have removed secrets.
 * @param maxLength of the text; each of several arguments takes at most half of it
 */
export function describeArguments(args: JsonObject, maxLength = maxArguments): string {
	const entries = Object.entries(args);
	const maxName = maxLength / 2;
	const maxValue = entries.length === 1 ? maxLength : maxLength / 2;
	let text = '';
	for (const [name, value] of entries) {
		const shown = typeof value === 'string' ? value : JSON.stringify(value);
		const part = `${oneLine(name, maxName)}: ${oneLine(shown, maxValue)}`;
		text = text === '' ? part : describeList([text, part]);
		if (text.length > maxLength) {
			break;
		}
	}
	return oneLine(text, maxLength);
}

/** What else there is to know at a glance: of a call only whose tool it was. */
function describeKind(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	switch (entry.kind) {
		case 'call':
			return treeText(entry.server);
		case 'resource':
			return `${t('resource')} · ${treeText(entry.server)}`;
		case 'prompt':
			return `${t('prompt')} · ${treeText(entry.server)}`;
		case 'elicitation':
			return t('elicitation');
		case 'sampling':
			return entry.model === undefined ? t('sampling') : `${t('sampling')} · ${oneLine(entry.model, 40)}`;
		default:
			return assertNever(entry);
	}
}

export function tooltipOf(entry: HistoryEntry): string {
	return tooltipText(headOf(entry).join('\n'));
}

/** Everything that was kept; a document of plain text. */
export function describeEntry(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { end, isCut } = entry;
	const part = (name: string, isShort: boolean, value: unknown): string[] => [
		'',
		isShort ? `${name} ${t('(too large to be kept whole)')}` : name,
		visibleJson(value),
	];
	const asked =
		'request' in entry
			? part(t('What the server asked'), isCut.arguments, entry.request)
			: 'arguments' in entry
				? part(t('Arguments'), isCut.arguments, entry.arguments)
				: [];
	const result =
		end.kind === 'answered'
			? part('request' in entry ? t('What it was told') : t('Result'), isCut.result, end.result)
			: end.kind === 'failed'
				? ['', t('Error'), documentText(end.message)]
				: [];
	return [...headOf(entry), ...asked, ...result, ''].join('\n');
}

function headOf(entry: HistoryEntry): string[] {
	const { t } = vscode.l10n;
	const { server, time, end } = entry;
	const isAskedByServer = 'request' in entry;
	return [
		isAskedByServer ? describeSubject(entry) : `${describeSubject(entry)}${nameOf(entry)} · ${treeText(server)}`,
		t('When: {0}', new Date(time).toLocaleString(vscode.env.language)),
		t('Caller: {0}', isAskedByServer ? t('the server {0}', treeText(server)) : describeCaller(entry.caller)),
		...decisionOf(entry),
		t('End: {0}', describeEnd(entry)),
		...(end.kind === 'failed' ? [treeText(end.message)] : []),
	];
}

/** The tool's name in parentheses, if the display name differs. */
function nameOf(entry: HistoryEntry): string {
	return entry.kind === 'call' && entry.title !== undefined ? ` (${treeText(entry.tool)})` : '';
}

function decisionOf(entry: HistoryEntry): string[] {
	const { t } = vscode.l10n;
	switch (entry.kind) {
		case 'call': {
			const { reason, answer } = entry.decision;
			const answers = { allow: t('you allowed it'), deny: t('you denied it') };
			const why = describeReason(reason);
			return [t('Decision: {0}', answer ? t('{0}, {1}', why, answers[answer]) : why)];
		}
		case 'resource':
		case 'prompt':
		case 'elicitation':
			return [];
		case 'sampling': {
			const model = entry.model === undefined ? [] : [t('Model: {0}', treeText(entry.model))];
			return [t('Decision: {0}', describeSampling(entry.decision)), ...model];
		}
		default:
			return assertNever(entry);
	}
}

function describeSampling({ isAllowed, by, isEdited }: SamplingDecision): string {
	const { t } = vscode.l10n;
	const who = {
		person: isAllowed ? t('you allowed it') : t('you denied it'),
		grant: isAllowed ? t('you have allowed it before') : t('you have denied it for good'),
		limit: t('it was more than a server may ask'),
	}[by];
	return isEdited ? t('{0}, and changed it', who) : who;
}
