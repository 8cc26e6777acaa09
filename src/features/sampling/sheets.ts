/**
 * The three sheets of a sampling request: the request before a model gets it, the answer while it arrives, and the answer
 * before the server gets it. Closing a sheet decides nothing; the request keeps waiting.
 *
 * The lines of an open sheet never change: the editor would make another line active than the one that the person has just
 * moved to, and Enter would choose it.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { onAbort } from '../../base/async.js';
import { blocksOf, type SamplingAnswer } from '../../core/requests/samplingRequest.js';
import { lastMessage, samplingText } from '../../editor/documents/contentText.js';
import { describeList, describeNumber } from '../../editor/l10n/messages.js';
import { describeUnsupported, whyNotAsked } from '../../editor/l10n/samplingWords.js';
import { quickPickLines } from '../../editor/ui/exactText.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { accepted, closeInput } from '../../editor/ui/quickInput.js';
import type { Draft, Run } from './drafts.js';
import { maxPerOperation } from '../../core/requests/samplingGrants.js';

const { t } = vscode.l10n;

export type RequestChoice =
	| 'once'
	| 'session'
	| 'workspace'
	| 'byHand'
	| 'answer'
	| 'edit'
	| 'discard'
	| 'model'
	| 'tools'
	| 'showAll'
	| 'decline'
	| 'later';

type AnswerChoice = 'send' | 'edit' | 'again' | 'showAll' | 'decline' | 'later';

const maxPromptLines = 2;
/** Lines of one text of an answer. */
const maxAnswerLines = 8;

/**
 * Shows the request. Resolves with the choice; `undefined` if the sheet is closed.
 * @param serverLabel the server's label
 * @param signal closes the sheet
 */
export async function askAboutRequest(
	draft: Draft,
	serverLabel: string,
	signal: AbortSignal,
): Promise<RequestChoice | undefined> {
	return showSheet(
		t('"{0}" wants to ask a model', serverLabel),
		t('Review the request before a model reads it'),
		[...requestFacts(draft), separatorItem(), ...requestChoices(draft)],
		signal,
	);
}

/** Shows a sheet. Resolves with the choice; `undefined` if the sheet is closed. */
async function showSheet<const C>(
	title: string,
	placeholder: string,
	items: readonly SheetItem<C>[],
	signal: AbortSignal,
): Promise<C | undefined> {
	const pick = vscode.window.createQuickPick<SheetItem<C>>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = title;
		pick.placeholder = placeholder;
		pick.ignoreFocusOut = true;
		pick.items = items;
		pick.activeItems = items.slice(0, 1);
		while (!signal.aborted) {
			const item = await accepted(pick);
			if (!item || item.choice) {
				return item?.choice;
			}
		}
		return undefined;
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}

function requestFacts(draft: Draft): SheetItem<RequestChoice>[] {
	const { request, model } = draft;
	const { count } = draft.sampling.request;
	const mistake = draft.requestMistake ?? (draft.answer ? undefined : draft.answerMistake);
	const problem = mistake ?? draft.problem;
	const problemLabel = mistake === undefined ? t('Not answered') : t("Can't be sent");
	const { systemPrompt, messages, tools, toolChoice } = request;
	const more = messages.length - 1;
	const message = draft.isRequestEdited ? t('Message (edited)') : t('Message');
	const usedTools = `${describeNumber(tools.length)}: ${describeList(tools.map(it => `"${toolName(it.name, 60)}"`))}`;
	return [
		...(problem === undefined ? [] : textLines<RequestChoice>(problemLabel, problem, 'error')),
		...textLines<RequestChoice>(message, `"${lastMessage(request)}"`, 'comment', 'edit'),
		...(more > 0 ? [fact<RequestChoice>(t('Earlier messages'), describeNumber(more), 'history', 'edit')] : []),
		...(systemPrompt === undefined
			? []
			: textLines<RequestChoice>(t('System prompt'), `"${systemPrompt}"`, 'symbol-text', 'edit', maxPromptLines)),
		model
			? fact(t('Model'), quickPickText(model.name, 60), 'sparkle', 'model')
			: fact(t('Model'), t('No model is available. You can answer by hand.'), 'warning'),
		fact(t('Token limit'), t('{0} tokens', describeNumber(request.maxTokens)), 'symbol-ruler', 'edit'),
		...(tools.length === 0
			? []
			: [
					fact<RequestChoice>(
						t('Tools'),
						toolChoice === 'none' ? t('Not used in this request') : usedTools,
						'tools',
						'tools',
					),
				]),
		...describeUnsupported(request, model).flatMap(it => textLines<RequestChoice>(t('Note'), it, 'info')),
		...(count > 1 ? [fact(t('Requests'), t('{0} in this operation so far', describeNumber(count)), 'sync')] : []),
		...(count > maxPerOperation
			? [fact(t('Warning'), t('The server sends requests too often for automatic approval'), 'warning')]
			: []),
	];
}

function requestChoices(draft: Draft): SheetItem<RequestChoice>[] {
	const { request, model, requestMistake, answer, answerMistake } = draft;
	const canAllow = model !== undefined && requestMistake === undefined && whyNotAsked(request, model) === undefined;
	return [
		...(canAllow ? [line(t('Allow Once'), 'check', 'once' as const, t("You review the answer before it's sent"))] : []),
		line(t('Decline'), 'circle-slash', 'decline', t('Tells the server that you declined')),
		...(answer ? [line(t('Return to Answer'), 'reply', 'answer' as const)] : []),
		!answer && answerMistake !== undefined
			? line(t('Edit Answer…'), 'pencil', 'byHand')
			: line(t('Answer by Hand…'), 'pencil', 'byHand', t('No model is asked')),
		line(t('Edit Request…'), 'edit', 'edit'),
		...(draft.isRequestEdited || requestMistake !== undefined
			? [line(t('Discard Edits'), 'discard', 'discard' as const)]
			: []),
		...(canAllow
			? [
					line(t('Allow for This Session'), 'check', 'session' as const, t('Answers are sent without a review')),
					line(t('Always Allow'), 'check', 'workspace' as const, t('Applies to this workspace until you revoke it')),
				]
			: []),
		line(t('Answer Later'), 'clock', 'later'),
		line(t('Show Request in Full'), 'json', 'showAll'),
	];
}

/** Shows the answer while it arrives. `ended`: the model has ended. `stop`: the person stops it. `left`: they leave. */
export async function showRunning(
	serverLabel: string,
	model: string,
	run: Run,
	signal: AbortSignal,
): Promise<'ended' | 'stop' | 'left'> {
	const pick = vscode.window.createQuickPick<SheetItem<'stop' | 'left'>>();
	const aborted = onAbort(signal, () => pick.hide());
	const tick = (): void => {
		const seconds = Math.floor((clock.now() - run.startedAt) / 1000);
		pick.title = t('{0} is answering the request from "{1}" ({2} s)', quickInputText(model, 40), serverLabel, seconds);
	};
	const showText = (): void => {
		const text = tail(run.text).trim();
		pick.placeholder = text === '' ? t('Waiting for the answer') : t('Received so far: "{0}"', text);
	};
	const listener = run.onText(showText);
	const interval = clock.setInterval(tick, 1000);
	try {
		pick.busy = true;
		pick.ignoreFocusOut = true;
		tick();
		showText();
		pick.items = [
			line(t('Continue in Background'), 'arrow-down', 'left', t('Notifies you when the answer is ready')),
			line(t('Stop'), 'debug-stop', 'stop', t('Returns to the request')),
		];
		const ended = run.ended.then(() => 'ended' as const);
		while (!signal.aborted) {
			const outcome = await Promise.race([ended, accepted(pick)]);
			if (outcome === 'ended') {
				return 'ended';
			}
			if (!outcome) {
				return 'left';
			}
			if (outcome.choice) {
				return outcome.choice;
			}
		}
		return 'left';
	} finally {
		clock.clearInterval(interval);
		listener.dispose();
		aborted.dispose();
		closeInput(pick);
	}
}

/**
 * Shows the answer. Resolves with the choice; `undefined` if the sheet is closed.
 * @param serverLabel the server's label
 * @param signal closes the sheet
 */
export async function askAboutAnswer(
	draft: Draft,
	answer: SamplingAnswer,
	serverLabel: string,
	signal: AbortSignal,
): Promise<AnswerChoice | undefined> {
	const { answerMistake: mistake } = draft;
	const stop = describeStop(answer.stopReason);
	const label = draft.isAnswerEdited ? t('Answer (edited)') : t('Answer');
	const blocks = blocksOf(answer).flatMap(it =>
		textLines<AnswerChoice>(label, samplingText(it), iconOf(it.type), 'edit', maxAnswerLines),
	);
	const items: readonly SheetItem<AnswerChoice>[] = [
		...(mistake === undefined ? [] : textLines(t("Can't be sent"), mistake, 'error')),
		...blocks,
		fact(t('Author'), quickPickText(answer.model, 60), 'sparkle'),
		...(stop === undefined ? [] : [fact(t('Stop reason'), stop, 'info')]),
		separatorItem(),
		...(mistake === undefined ? [line(t('Send to Server'), 'check', 'send' as const)] : []),
		line(t('Edit Answer…'), 'edit', 'edit'),
		line(t('Return to Request'), 'refresh', 'again', t('Asks again or uses another model')),
		line(t('Decline'), 'circle-slash', 'decline', t('Tells the server that you declined')),
		line(t('Answer Later'), 'clock', 'later'),
		separatorItem(),
		line(t('Show Answer in Full'), 'json', 'showAll'),
	];
	const title = t('Answer for "{0}"', serverLabel);
	return showSheet(title, t("Review the answer before it's sent to the server"), items, signal);
}

function iconOf(type: string): string {
	return type === 'text' ? 'comment' : type === 'tool_use' ? 'tools' : 'file-media';
}

/** The stop reason for the person; undefined for a normal end. The server gets the original value. */
function describeStop(stopReason: string | undefined): string | undefined {
	switch (stopReason) {
		case undefined:
		case 'endTurn':
			return undefined;
		case 'maxTokens':
			return t('Token limit reached');
		case 'stopSequence':
			return t('Stop sequence of the server reached');
		case 'toolUse':
			return t('The server must run tools first');
		default:
			return quickPickText(stopReason, 60);
	}
}

interface SheetItem<C> extends vscode.QuickPickItem {
	/** Choosing an item without one does nothing. */
	readonly choice?: C;
}

/** Letters that the quick pick shows beside a label. */
const width = 64;
/** Lines of one text; the full view has the rest. */
const maxLines = 4;

/** The rows of a text. If the text is cut, the last row ends with an ellipsis. */
function textLines<const C = never>(
	label: string,
	text: string,
	icon: string,
	choice?: C,
	most = maxLines,
): SheetItem<C>[] {
	const lines = quickPickLines(text.slice(0, (most + 1) * width), width);
	return lines.slice(0, most).map((line, index): SheetItem<C> => {
		const head = index === 0 ? { label, iconPath: new vscode.ThemeIcon(icon) } : { label: '…' };
		const description = index === most - 1 && lines.length > most ? `${line.trimEnd()}…` : line;
		return { ...head, description, ...(choice !== undefined && { choice }) };
	});
}

/** The end of a text, as much as a placeholder has room for; empty if there is nothing to see. */
export function tail(text: string): string {
	// A pair of UTF-16 units isn't cut.
	const end = text.slice(-width).replace(/^[\uDC00-\uDFFF]/, '');
	return quickInputText(text.length > width ? `…${end}` : end, 2 * width);
}

function fact<const C = never>(label: string, description: string, icon: string, choice?: C): SheetItem<C> {
	return { label, description, iconPath: new vscode.ThemeIcon(icon), ...(choice !== undefined && { choice }) };
}

function line<const C>(label: string, icon: string, choice: C, description = ''): SheetItem<C> {
	return { label, iconPath: new vscode.ThemeIcon(icon), choice, description };
}

function separatorItem(): SheetItem<never> {
	return { label: '', kind: vscode.QuickPickItemKind.Separator };
}
