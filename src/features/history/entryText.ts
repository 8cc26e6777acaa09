/** Describes entries of the history: for a row of the view, and in full for a document. */
import * as vscode from 'vscode';
import type { JsonObject } from '../../mcp/index.js';
import type { SamplingDecision } from '../../core/calls/interactions.js';
import { indentSource } from '../../core/text/jsonSource.js';
import { type HistoryEntry, subjectOf } from '../../core/history/historyEntry.js';
import { Settings } from '../../editor/contributions.js';
import { describeCaller, describeReason } from '../../editor/l10n/approvalWords.js';
import { chooseText } from '../../editor/l10n/chooseText.js';
import { describeDuration, describeList } from '../../editor/l10n/messages.js';
import { describeDateTime, describeTime } from '../../editor/l10n/timeText.js';
import { documentText, oneLine, tooltipText, visibleJson, visibleJsonText } from '../../editor/ui/plainText.js';
import { toolTitle } from '../../editor/ui/shownNames.js';

/** The end of an entry in a few words. */
export function describeEnd(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { kind, end, durationMs } = entry;
	switch (end.kind) {
		case 'answered':
			return kind === 'elicitation'
				? describeAnswer(end.result['action'])
				: end.isError
					? t('Tool failed')
					: end.isMismatch
						? t("Done, but the result doesn't match the output schema")
						: end.hasWarnings
							? t('Done, with warnings')
							: describeDuration(durationMs);
		case 'failed':
			return t('Failed');
		case 'denied':
			return describeDenial(entry);
		case 'cancelled':
			return describeCancellation(entry);
	}
}

/** The outcome in a word, also of a successful call. Rows show only the duration of a successful call. */
function describeOutcome(entry: HistoryEntry): string {
	const end = describeEnd(entry);
	return end === describeDuration(entry.durationMs) ? `${vscode.l10n.t('Done')} · ${end}` : end;
}

function describeCancellation(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const by = entry.kind === 'call' ? entry.decision.unanswered : undefined;
	return by === 'caller'
		? t('Canceled by the caller before your decision')
		: by === 'server'
			? t('Server stopped before your decision')
			: t('Canceled');
}

/** By whom or what a call was denied, in a few words. */
function describeDenial(entry: HistoryEntry): string {
	const { t } = vscode.l10n;
	const { reason, answer } = entry.kind === 'call' ? entry.decision : { reason: undefined, answer: undefined };
	return answer === 'deny'
		? t('Denied by you')
		: reason?.kind === 'rule'
			? t('Denied by rule {0}', reason.number)
			: t('Denied');
}

/** The person's answer to an elicitation. */
function describeAnswer(action: unknown): string {
	const { t } = vscode.l10n;
	return action === 'accept' ? t('Answered') : action === 'decline' ? t('Declined') : t('Canceled by you');
}

/**
 * The subject of an entry. For a request of a server: the server, and its text in quotes.
 * @param serverLabel the label of the entry's server, here and below
 */
export function describeSubject(entry: HistoryEntry, serverLabel: string): string {
	const { t } = vscode.l10n;
	const subject = subjectOf(entry);
	return chooseText(entry, {
		call: ({ tool, title = tool }) => toolTitle({ name: tool, title }).join(' · '),
		resource: () => oneLine(subject),
		prompt: () => oneLine(subject),
		elicitation: () =>
			subject === '' ? t('{0} asks you', serverLabel) : t('{0} asks you: "{1}"', serverLabel, oneLine(subject, 100)),
		sampling: () =>
			subject === ''
				? t('{0} asks a model', serverLabel)
				: t('{0} asks a model: "{1}"', serverLabel, oneLine(subject, 100)),
	});
}

/** The text of a row after the subject. */
export function describeLine(entry: HistoryEntry, serverLabel: string): string {
	const text = 'arguments' in entry ? describeArguments(entry.arguments) : '';
	const parts = [
		describeKind(entry, serverLabel),
		describeEnd(entry),
		...(text === '' ? [] : [text]),
		describeTime(entry.time),
	];
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

/** The kind of an entry and its server; for a call only the server. */
function describeKind(entry: HistoryEntry, serverLabel: string): string {
	const { t } = vscode.l10n;
	return chooseText(entry, {
		call: () => serverLabel,
		resource: () => `${t('Resource')} · ${serverLabel}`,
		prompt: () => `${t('Prompt')} · ${serverLabel}`,
		elicitation: () => t('Elicitation'),
		sampling: ({ model }) => (model === undefined ? t('Sampling') : `${t('Sampling')} · ${oneLine(model, 40)}`),
	});
}

export function tooltipOf(entry: HistoryEntry, serverLabel: string): string {
	return tooltipText(headOf(entry, serverLabel).join('\n'));
}

/** All of an entry, as plain text for a document. */
export function describeHistoryEntry(entry: HistoryEntry, serverLabel: string): string {
	const { t } = vscode.l10n;
	const { end, isCut } = entry;
	if (entry.isDecisionOnly) {
		const why = t('Arguments and results are kept only if {0} is on.', Settings.keepHistory);
		return [...headOf(entry, serverLabel), '', why, ''].join('\n');
	}
	const part = (name: string, isShort: boolean, value: unknown, source?: string): string[] => [
		'',
		isShort ? `${name} ${t('(too large to keep in full)')}` : name,
		source === undefined ? visibleJson(value) : visibleJsonText(indentSource(source)),
	];
	const asked =
		'request' in entry
			? part(t('Server request'), isCut.arguments, entry.request)
			: 'arguments' in entry
				? part(t('Arguments'), isCut.arguments, entry.arguments)
				: [];
	const result =
		end.kind === 'answered'
			? part('request' in entry ? t('Answer to the server') : t('Result'), isCut.result, end.result, end.source)
			: end.kind === 'failed'
				? ['', t('Error'), documentText(end.message)]
				: [];
	return [...headOf(entry, serverLabel), ...asked, ...result, ''].join('\n');
}

function headOf(entry: HistoryEntry, serverLabel: string): string[] {
	const { t } = vscode.l10n;
	const { time, end } = entry;
	const isAskedByServer = 'request' in entry;
	const subject = describeSubject(entry, serverLabel);
	return [
		isAskedByServer ? subject : `${subject} · ${serverLabel}`,
		t('Time: {0}', describeDateTime(time, 'medium')),
		t('Caller: {0}', isAskedByServer ? t('Server "{0}"', serverLabel) : describeCaller(entry.caller)),
		...decisionOf(entry),
		t('Outcome: {0}', describeOutcome(entry)),
		...(end.kind === 'failed' && end.message !== '' ? [oneLine(end.message)] : []),
	];
}

function decisionOf(entry: HistoryEntry): string[] {
	const { t } = vscode.l10n;
	if (entry.kind === 'call') {
		const { reason, answer } = entry.decision;
		const answers = { allow: t('Allowed by you'), deny: t('Denied by you') };
		const why = describeReason(reason);
		return [t('Decision: {0}', answer ? t('{0} ({1})', why, answers[answer]) : why)];
	}
	if (entry.kind === 'sampling') {
		const model = entry.model === undefined ? [] : [t('Model: {0}', oneLine(entry.model))];
		return [t('Decision: {0}', describeSampling(entry.decision)), ...model];
	}
	return [];
}

function describeSampling({ isAllowed, by, isEdited }: SamplingDecision): string {
	const { t } = vscode.l10n;
	const who = {
		person: isAllowed ? t('Allowed by you') : t('Denied by you'),
		grant: isAllowed ? t('Allowed by you earlier') : t('Always denied by you'),
		limit: t('Too many requests from the server'),
	}[by];
	return isEdited ? t('{0} (edited)', who) : who;
}
