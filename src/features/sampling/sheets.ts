/**
 * The three sheets of a sampling request: the request before a model gets it, the answer while it arrives, and the answer
 * before the server gets it. Closing a sheet decides nothing: the request still waits. A request may be allowed without
 * its full view, unlike a call: it is the server's own text, and what a model makes of it can't act.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import type { SamplingRequest } from '../../model/sampling.js';
import { blocksOf, type SamplingAnswer } from '../../model/samplingAnswer.js';
import { lastMessage, samplingText } from '../../host/contentText.js';
import { describeNumber } from '../../host/messages.js';
import { oneLine, quickInputText, quickPickLines, quickPickText } from '../../host/plainText.js';
import { accepted, closeInput } from '../../host/quickInput.js';
import type { Run } from './drafts.js';
import { describeStop } from './words.js';

export type RequestChoice =
	| 'once'
	| 'session'
	| 'always'
	| 'byHand'
	| 'edit'
	| 'model'
	| 'limit'
	| 'tools'
	| 'showAll'
	| 'decline'
	| 'later';

export type AnswerChoice = 'send' | 'edit' | 'again' | 'showAll' | 'decline' | 'later';

interface SheetItem<C> extends vscode.QuickPickItem {
	/** Choosing an item without one does nothing. */
	readonly choice?: C;
}

/** The facts that the request sheet shows. Texts are cleaned where they are shown. */
export interface RequestFacts {
	/** The server's label. */
	readonly whose: string;
	readonly request: SamplingRequest;
	/** The model that would be asked, and why that one; `undefined` if the editor has none. */
	readonly model: { readonly name: string; readonly why: string } | undefined;
	/** False if the edited request can't be sent to a model. */
	readonly mayAsk: boolean;
	/** Resolves with the number of tokens of the request; `undefined` if they can't be counted. */
	readonly tokens: Promise<number | undefined>;
	readonly unhonoured: readonly string[];
	/** Number of requests of the server within this operation, this one included. */
	readonly count: number;
	/** Whether `count` is above the limit for requests without a review. */
	readonly isOverLimit: boolean;
	/** Why the last attempt gave no answer. */
	readonly problem: string | undefined;
	/** Whether the person has edited the request. */
	readonly isEdited: boolean;
	/** Closes the sheet. */
	readonly signal: AbortSignal;
}

/** Letters that the quick pick shows beside a label. */
const width = 64;
/** Lines of one text; the full view has the rest. */
const maxLines = 4;
/** Lines of one text of an answer that may be sent without opening the full view. */
const maxLinesSent = 12;
/** Rows above "Allow Once". A quick pick shows 12 where the window is 720 pixels high, and 11 where it is 650. */
const maxRowsOfFacts = 9;
/** Letters that are broken into lines. The number of further lines is an estimate. */
const maxBroken = 10_000;

/** Shows the request. Resolves with the choice; `undefined` if the sheet is closed. */
export async function askAboutRequest(facts: RequestFacts): Promise<RequestChoice | undefined> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem<RequestChoice>>();
	const aborted = onAbort(facts.signal, () => pick.hide());
	let isOver = false;
	try {
		pick.title = t('{0} wants to ask a model', quickInputText(facts.whose, 60));
		pick.placeholder = t('Review the request before a model reads it');
		pick.ignoreFocusOut = true;
		let tokens: number | undefined;
		const fill = (): void => {
			const { above, below } = splitFacts(requestFacts(facts, tokens));
			const rest = below.length === 0 ? [] : [separator(), ...below];
			setItems(pick, [...above, separator(), ...requestChoices(facts), ...rest]);
		};
		fill();
		void facts.tokens.then(counted => {
			tokens = counted;
			if (!isOver) {
				fill();
			}
		});
		for (;;) {
			const item = await accepted(pick);
			if (!item || item.choice) {
				return item?.choice;
			}
		}
	} finally {
		isOver = true;
		aborted.dispose();
		closeInput(pick);
	}
}

/** Sets the items, and keeps the active one by its label, because facts are added above it. */
function setItems<C>(pick: vscode.QuickPick<SheetItem<C>>, items: SheetItem<C>[]): void {
	const [active] = pick.activeItems;
	pick.items = items;
	pick.activeItems = items.filter((it, index) => (active ? it.label === active.label : index === 0)).slice(0, 1);
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

function requestFacts(facts: RequestFacts, tokens: number | undefined): FactBlock[] {
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
			: [{ lines: textLines<RequestChoice>(t('System prompt'), `"${systemPrompt}"`, 'symbol-text', 'edit', 2) }]),
		{
			lines: [
				model
					? fact(t('Model'), `${quickPickText(model.name, 60)} · ${model.why}`, 'sparkle', 'model')
					: fact(t('Model'), t('this editor has none; you can answer by hand'), 'warning'),
			],
			isKey: true,
		},
		one(fact(t('Answer limit'), t('{0} tokens', describeNumber(request.maxTokens)), 'symbol-ruler', 'limit')),
		...(tokens === undefined ? [] : [one(fact(t('Input'), t('about {0} tokens', describeNumber(tokens)), 'book'))]),
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

function requestChoices({ model, mayAsk }: RequestFacts): SheetItem<RequestChoice>[] {
	const { t } = vscode.l10n;
	const canAllow = model !== undefined && mayAsk;
	return [
		...(canAllow ? [line(t('Allow Once'), 'check', 'once', t('you see the answer before the server gets it'))] : []),
		line(t('Decline'), 'circle-slash', 'decline', t('the server is told that you said no')),
		line(t('Answer by Hand…'), 'pencil', 'byHand', t('no model is asked')),
		line(t('Edit Messages…'), 'edit', 'edit'),
		...(canAllow
			? [
					line(t('Allow for This Session'), 'check', 'session', t('the server gets its answers without you')),
					line(t('Always Allow…'), 'check', 'always'),
				]
			: []),
		line(t('Answer Later'), 'clock', 'later'),
		line(t('Show Request in Full'), 'json', 'showAll'),
	];
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
	const fill = (): void => {
		const seconds = Math.floor((Date.now() - startedAt) / 1000);
		pick.title = t('{0} answers {1} · {2} s', quickInputText(model, 40), quickInputText(whose, 40), seconds);
		setItems(pick, [
			...textLines<'stop' | 'left'>(t('So far'), tail(run.text) || t('nothing yet'), 'sparkle'),
			separator(),
			line(t('Stop'), 'debug-stop', 'stop', t('back to the request')),
			line(t('Continue in Background'), 'arrow-down', 'left', t('you are told when there is an answer')),
		]);
	};
	const listener = run.onText(fill);
	const clock = setInterval(fill, 1000);
	try {
		pick.busy = true;
		pick.placeholder = t('Wait for the answer, stop it, or continue in the background');
		pick.ignoreFocusOut = true;
		fill();
		const ended = run.ended.then(() => 'ended' as const);
		for (;;) {
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
	} finally {
		clearInterval(clock);
		listener.dispose();
		aborted.dispose();
		closeInput(pick);
	}
}

/**
 * Shows the answer. Resolves with the choice; `undefined` if the sheet is closed.
 * @param mustBeShown when the full view must be opened before the answer can be sent
 */
export async function askAboutAnswer(
	whose: string,
	answer: SamplingAnswer,
	isEdited: boolean,
	problem: string | undefined,
	signal: AbortSignal,
	mustBeShown: 'never' | 'ifCut' | 'always' = 'never',
): Promise<AnswerChoice | undefined> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem<AnswerChoice>>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = t('Answer for {0}', quickInputText(whose, 60));
		pick.placeholder = t('Review the answer before the server gets it');
		pick.ignoreFocusOut = true;
		const stop = describeStop(answer.stopReason);
		const most = mustBeShown === 'never' ? maxLines : maxLinesSent;
		const blocks = blocksOf(answer).flatMap(it =>
			textLines(isEdited ? t('Answer (edited)') : t('Answer'), samplingText(it), iconOf(it.type), 'edit', most),
		);
		const isCut = blocksOf(answer).some(it => !fits(samplingText(it), most));
		const isLocked = mustBeShown === 'always' || (mustBeShown === 'ifCut' && isCut);
		const send = isLocked
			? line(t('Send to Server'), 'check', 'showAll', t('Available after you open the answer in full'))
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
		for (;;) {
			const item = await accepted(pick);
			if (!item || item.choice) {
				return item?.choice;
			}
		}
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}

function iconOf(type: string): string {
	return type === 'text' ? 'comment' : type === 'tool_use' ? 'tools' : 'file-media';
}

/** The rows of a text, with a row that says how many lines are missing. */
function textLines<const C = never>(
	label: string,
	text: string,
	icon: string,
	choice?: C,
	most = maxLines,
): SheetItem<C>[] {
	const begin = text.slice(0, maxBroken);
	const lines = quickPickLines(begin, width);
	const shown = lines.slice(0, most).map((description, index): SheetItem<C> => {
		const head = index === 0 ? { label, iconPath: new vscode.ThemeIcon(icon) } : { label: '…' };
		return { ...head, description, ...(choice !== undefined && { choice }) };
	});
	const more = lines.length - shown.length + Math.ceil((text.length - begin.length) / width);
	return more <= 0
		? shown
		: [
				...shown,
				{ label: '…', description: vscode.l10n.t('{0} more lines', more), ...(choice !== undefined && { choice }) },
			];
}

/** Whether a text takes at most that many lines. */
function fits(text: string, most: number): boolean {
	return text.length <= maxBroken && quickPickLines(text, width).length <= most;
}

/** The end of a text, as much as the sheet has room for. */
function tail(text: string): string {
	const end = oneLine(text.slice(-width * maxLines * 2), width * maxLines * 2);
	return end.slice(-width * maxLines);
}

function fact<const C = never>(label: string, description: string, icon: string, choice?: C): SheetItem<C> {
	return { label, description, iconPath: new vscode.ThemeIcon(icon), ...(choice !== undefined && { choice }) };
}

function line<const C>(label: string, icon: string, choice: C, description = ''): SheetItem<C> {
	return { label, iconPath: new vscode.ThemeIcon(icon), choice, description };
}

function separator(): SheetItem<never> {
	return { label: '', kind: vscode.QuickPickItemKind.Separator };
}
