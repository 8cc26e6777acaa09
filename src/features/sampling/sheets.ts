/**
 * The three sheets of a sampling request: the request before a model gets it, the answer while it arrives, and the answer
 * before the server gets it. Closing a sheet decides nothing: the request still waits. A request can be allowed, and an
 * answer sent, only after everything that the sheet doesn't show has been opened.
 *
 * The lines of an open sheet never change: the editor would make another line active than the one that the person has just
 * moved to, and Enter would choose it.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';
import { blocksOf, type SamplingAnswer } from '../../core/requests/samplingAnswer.js';
import { lastMessage, samplingText } from '../../editor/documents/contentText.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { accepted, acceptedOnSheet, closeInput } from '../../editor/ui/quickInput.js';
import type { Run } from './drafts.js';
import { fact, fits, line, maxLines, separator, type SheetItem, tail, textLines } from './sheetLines.js';
import { describeStop } from './words.js';

export type RequestChoice =
	| 'once'
	| 'session'
	| 'workspace'
	| 'byHand'
	| 'edit'
	| 'model'
	| 'tools'
	| 'showAll'
	| 'decline'
	| 'later';

export type AnswerChoice = 'send' | 'edit' | 'again' | 'showAll' | 'decline' | 'later';

/** The facts that the request sheet shows. Texts are cleaned where they are shown. */
export interface RequestFacts {
	/** The server's label. */
	readonly whose: string;
	readonly request: SamplingRequest;
	/** The model that would be asked, and why that one; `undefined` if the editor has none. */
	readonly model: { readonly name: string; readonly why: string } | undefined;
	/** False if the edited request can't be sent to a model. */
	readonly mayAsk: boolean;
	readonly unhonoured: readonly string[];
	/** Number of requests of the server within this operation, this one included. */
	readonly count: number;
	/** Whether `count` is above the limit for requests without a review. */
	readonly isOverLimit: boolean;
	/** Why the last attempt gave no answer. */
	readonly problem: string | undefined;
	/** Whether the person has edited the request. */
	readonly isEdited: boolean;
	/** Whether the person has opened this request in full. */
	readonly isOpened: boolean;
	/** Closes the sheet. */
	readonly signal: AbortSignal;
}

const maxPromptLines = 2;
/** Lines of one text of an answer. */
const maxAnswerLines = 8;
/** Rows above "Allow Once". A quick pick shows 12 where the window is 720 pixels high, and 11 where it is 650. */
const maxRowsOfFacts = 9;

/** Shows the request. Resolves with the choice; `undefined` if the sheet is closed. */
export async function askAboutRequest(facts: RequestFacts): Promise<RequestChoice | undefined> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem<RequestChoice>>();
	const aborted = onAbort(facts.signal, () => pick.hide());
	try {
		pick.title = t('{0} wants to ask a model', quickInputText(facts.whose, 60));
		pick.placeholder = t('Review the request before a model reads it');
		pick.ignoreFocusOut = true;
		const { above, below } = splitFacts(requestFacts(facts));
		const rest = below.length === 0 ? [] : [separator(), ...below];
		pick.items = [...above, separator(), ...requestChoices(facts), ...rest];
		pick.activeItems = pick.items.slice(0, 1);
		while (!facts.signal.aborted) {
			const item = await acceptedOnSheet(pick);
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

/** One fact about a request, in one or more rows. */
interface FactBlock {
	readonly lines: readonly SheetItem<RequestChoice>[];
	/** Whether it is always above the choices. */
	readonly isKey?: boolean;
}

/** Puts as many rows above the choices as leave Allow Once and Decline visible, and a row that announces the rest. */
function splitFacts(blocks: readonly FactBlock[]): Record<'above' | 'below', readonly SheetItem<RequestChoice>[]> {
	const linesOf = (some: readonly FactBlock[]): SheetItem<RequestChoice>[] => some.flatMap(it => it.lines);
	if (linesOf(blocks).length <= maxRowsOfFacts) {
		return { above: linesOf(blocks), below: [] };
	}
	let room = maxRowsOfFacts - 1 - linesOf(blocks.filter(it => it.isKey)).length;
	const isAbove = new Map(
		blocks.map(block => {
			const fits = block.isKey === true || block.lines.length <= room;
			room -= fits && block.isKey !== true ? block.lines.length : 0;
			return [block, fits];
		}),
	);
	const { t } = vscode.l10n;
	return {
		above: [
			...linesOf(blocks.filter(it => isAbove.get(it))),
			fact(t('More'), t('the rest is listed below the choices'), 'ellipsis'),
		],
		below: linesOf(blocks.filter(it => !isAbove.get(it))),
	};
}

function requestFacts(facts: RequestFacts): FactBlock[] {
	const { t } = vscode.l10n;
	const { request, model, count, problem } = facts;
	const { systemPrompt, messages, tools, toolChoice } = request;
	const more = messages.length - 1;
	const text = lastMessage(request);
	const most = problem === undefined ? maxLines : 2;
	const message = facts.isEdited ? t('Message (edited)') : t('Message');
	const one = (line: SheetItem<RequestChoice>): FactBlock => ({ lines: [line] });
	return [
		...(problem === undefined
			? []
			: [{ lines: textLines<RequestChoice>(t('Not answered'), problem, 'error', undefined, most), isKey: true }]),
		{ lines: textLines<RequestChoice>(message, `"${text}"`, 'comment', 'edit', most), isKey: true },
		...(more > 0 ? [one(fact(t('Earlier'), t('{0} messages', describeNumber(more)), 'history', 'edit'))] : []),
		...(systemPrompt === undefined
			? []
			: [
					{
						lines: textLines<RequestChoice>(
							t('System prompt'),
							`"${systemPrompt}"`,
							'symbol-text',
							'edit',
							maxPromptLines,
						),
					},
				]),
		{
			lines: [
				model
					? fact(t('Model'), `${quickPickText(model.name, 60)} · ${model.why}`, 'sparkle', 'model')
					: fact(t('Model'), t('this editor has none; you can answer by hand'), 'warning'),
			],
			isKey: true,
		},
		one(fact(t('Answer limit'), t('{0} tokens', describeNumber(request.maxTokens)), 'symbol-ruler', 'edit')),
		...(tools.length === 0
			? []
			: [
					one(
						fact(
							t('Tools'),
							toolChoice === 'none'
								? t('none may be used')
								: `${describeNumber(tools.length)}: ${quickPickText(tools.map(it => it.name).join(', '), 100)}`,
							'tools',
							'tools',
						),
					),
				]),
		...facts.unhonoured.map(it => ({ lines: textLines<RequestChoice>(t('Note'), it, 'info') })),
		...(count > 1 ? [one(fact(t('Requests'), t('{0} in this operation so far', describeNumber(count)), 'sync'))] : []),
		...(facts.isOverLimit
			? [{ lines: [fact(t('Warning'), t('you are asked because the server asks so often'), 'warning')], isKey: true }]
			: []),
	];
}

function requestChoices({ model, mayAsk, isOpened, request }: RequestFacts): SheetItem<RequestChoice>[] {
	const { t } = vscode.l10n;
	const canAllow = model !== undefined && mayAsk;
	const isLocked = !isOpened && !isShownWhole(request);
	const allow = (label: string, choice: RequestChoice, description?: string): SheetItem<RequestChoice> =>
		isLocked
			? line(label, 'lock', 'showAll', t('Opens the full view first'))
			: line(label, 'check', choice, description);
	return [
		...(canAllow ? [allow(t('Allow Once'), 'once', t('you see the answer before the server gets it'))] : []),
		line(t('Decline'), 'circle-slash', 'decline', t('the server is told that you said no')),
		line(t('Answer by Hand…'), 'pencil', 'byHand', t('no model is asked')),
		line(t('Edit Request…'), 'edit', 'edit'),
		...(canAllow
			? [
					allow(t('Allow for This Session'), 'session', t('the server gets its answers without you')),
					allow(t('Always Allow'), 'workspace', t('the same, kept in this workspace until you revoke it')),
				]
			: []),
		line(t('Answer Later'), 'clock', 'later'),
		line(t('Show Request in Full'), 'json', 'showAll'),
	];
}

/** Whether the sheet shows all that a model would read. */
function isShownWhole({ systemPrompt, messages, tools, toolChoice }: SamplingRequest): boolean {
	const blocks = messages.flatMap(it => it.content);
	return (
		messages.length === 1 &&
		blocks.every(it => it.type === 'text') &&
		fits(lastMessage({ messages }), maxLines) &&
		fits(systemPrompt ?? '', maxPromptLines) &&
		(tools.length === 0 || toolChoice === 'none')
	);
}

/** Shows the answer while it arrives. `ended`: the model has ended. `stop`: the person stops it. `left`: they leave. */
export async function showRunning(
	whose: string,
	model: string,
	run: Run,
	signal: AbortSignal,
): Promise<'ended' | 'stop' | 'left'> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem<'stop' | 'left'>>();
	const aborted = onAbort(signal, () => pick.hide());
	const startedAt = Date.now();
	const tick = (): void => {
		const seconds = Math.floor((Date.now() - startedAt) / 1000);
		pick.title = t(
			'{0} is answering the request of {1} ({2} s)',
			quickInputText(model, 40),
			quickInputText(whose, 40),
			seconds,
		);
	};
	const showText = (): void => {
		const text = tail(run.text).trim();
		pick.placeholder = text === '' ? t('Nothing has arrived yet') : t('So far: "{0}"', text);
	};
	const listener = run.onText(showText);
	const clock = setInterval(tick, 1000);
	try {
		pick.busy = true;
		pick.ignoreFocusOut = true;
		tick();
		showText();
		pick.items = [
			line(t('Continue in Background'), 'arrow-down', 'left', t('you are told when there is an answer')),
			line(t('Stop'), 'debug-stop', 'stop', t('back to the request')),
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
		clearInterval(clock);
		listener.dispose();
		aborted.dispose();
		closeInput(pick);
	}
}

/**
 * Shows the answer. Resolves with the choice; `undefined` if the sheet is closed.
 * @param mustBeOpened whether the answer can be sent only after its full view was opened
 */
export async function askAboutAnswer(
	whose: string,
	answer: SamplingAnswer,
	isEdited: boolean,
	problem: string | undefined,
	signal: AbortSignal,
	mustBeOpened: 'never' | 'ifCut' | 'always',
): Promise<AnswerChoice | undefined> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem<AnswerChoice>>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = t('Answer for {0}', quickInputText(whose, 60));
		pick.placeholder = t('Review the answer before the server gets it');
		pick.ignoreFocusOut = true;
		const stop = describeStop(answer.stopReason);
		const label = isEdited ? t('Answer (edited)') : t('Answer');
		const blocks = blocksOf(answer).flatMap(it =>
			textLines(label, samplingText(it), iconOf(it.type), 'edit', maxAnswerLines),
		);
		const isCut = blocksOf(answer).some(it => it.type !== 'text' || !fits(it.text, maxAnswerLines));
		const isLocked = mustBeOpened === 'always' || (mustBeOpened === 'ifCut' && isCut);
		const send = isLocked
			? line(t('Send to Server'), 'lock', 'showAll', t('Opens the full view first'))
			: line(t('Send to Server'), 'check', 'send');
		pick.items = [
			...(problem === undefined ? [] : textLines(t("Can't be sent"), problem, 'error')),
			...blocks,
			fact(t('Written by'), quickPickText(answer.model, 60), 'sparkle'),
			...(stop === undefined ? [] : [fact(t('Stop reason'), stop, 'info')]),
			separator(),
			...(problem === undefined ? [send] : []),
			line(t('Edit Answer…'), 'edit', 'edit'),
			line(t('Back to Request'), 'refresh', 'again', t('to ask again, or another model')),
			line(t('Decline'), 'circle-slash', 'decline', t('the server is told that you said no')),
			line(t('Answer Later'), 'clock', 'later'),
			separator(),
			line(t('Show Answer in Full'), 'json', 'showAll'),
		];
		pick.activeItems = pick.items.slice(0, 1);
		while (!signal.aborted) {
			const item = await acceptedOnSheet(pick);
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

function iconOf(type: string): string {
	return type === 'text' ? 'comment' : type === 'tool_use' ? 'tools' : 'file-media';
}
