/**
 * The sheet that shows a new or changed server before it starts: facts, then the choice. Closing the sheet decides
 * nothing. The server can be started only after everything that the sheet doesn't show exactly has been opened in the full
 * view: a page with all parts of the launch, nothing cut.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import { Commands } from '../../editor/contributions.js';
import { boundedDocument, exactLines, isPlainName } from '../../editor/ui/exactText.js';
import { iconless, titleText } from '../../editor/ui/plainText.js';
import { accepted, closeInput, hideInput } from '../../editor/ui/quickInput.js';
import { openForSheet, type SheetPage, type SheetReturn } from '../../editor/ui/sheetReturn.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { PageBlock, PageContent, ShowPage } from '../../webviews/page/reading/protocol.js';
import { type ConsentFact, describeAll, describeQuestion, type FactDeps } from './parts.js';
import type { OpenedConsentViews } from './pendingConsents.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';

const { t } = vscode.l10n;

export interface ConsentSheetDeps extends FactDeps {
	readonly showPage: ShowPage;
	/** The label of a server. */
	readonly label: (definition: ServerDefinition) => string;
}

interface SheetItem extends vscode.QuickPickItem {
	/** Choosing an item without `choice` does nothing. */
	readonly choice?: 'start' | 'leave' | 'showAll' | 'open';
}

/** Letters of common width that the quick pick shows beside a label. */
const width = 48;
/** The same for the first row of a section, which shares its line with the heading, in a window 700 pixels wide. */
const widthBesideHeading = 40;
/** Most lines of one fact. The full view has the rest. */
const maxLines = 6;
/** Longest name that the title has room for. */
const maxTitle = 60;

/** Shows the sheet. Resolves with whether the server may start, or with how the sheet was closed without an answer. */
export async function showConsentSheet(
	question: ConsentQuestion,
	opened: OpenedConsentViews,
	signal: AbortSignal,
	sheetReturn: SheetReturn,
	deps: ConsentSheetDeps,
): Promise<boolean | ReviewEnd> {
	const { source, offset } = question.definition;
	const label = deps.label(question.definition);
	const pick = vscode.window.createQuickPick<SheetItem>();
	const aborted = onAbort(signal, () => pick.hide());
	const open = async (show: () => Promise<SheetPage | undefined>): Promise<boolean> => {
		await hideInput(pick);
		return openForSheet(show, t('Server "{0}" is waiting for your decision.', label), sheetReturn);
	};
	const openConfiguration = async (): Promise<undefined> =>
		vscode.commands.executeCommand(Commands.openConfiguration, { uri: source.uri, offset });
	const showAll = async (): Promise<SheetPage> => {
		const page = deps.showPage({
			name: titleText(t('Start'), label),
			content: fullView(question, deps),
			actions: [
				{ label: t('Return to Request'), run: sheetReturn.review },
				{ label: t('Edit Configuration'), run: openConfiguration },
			],
			key: `consent ${question.definition.id}`,
			isRead: true,
			isExact: true,
		});
		opened.full = true;
		return page;
	};
	try {
		pick.title = t('Allow "{0}" to start?', label);
		pick.placeholder = t('Review the server. Start and Deny are at the end of the list.');
		pick.ignoreFocusOut = true;
		const facts = describeQuestion(question, deps);
		const changed = facts.changed.map((it, index) => toBlock(it, true, index === 0 ? widthBesideHeading : width));
		const others = facts.others.map(it => toBlock(it));
		const isExact = [...changed, ...others].every(it => it.isExact) && isPlainName(label, maxTitle);
		while (!signal.aborted) {
			pick.items = sheetItems(changed, others, isExact, opened.full);
			pick.activeItems = pick.items.filter(it => it.kind !== vscode.QuickPickItemKind.Separator).slice(0, 1);
			const item = await accepted(pick);
			switch (item?.choice) {
				case 'start':
					return !signal.aborted;
				case 'showAll':
					if (await open(showAll)) {
						return 'done';
					}
					break;
				case 'open':
					if (await open(openConfiguration)) {
						return 'done';
					}
					break;
				case 'leave':
					return false;
				case undefined:
					if (!item) {
						return 'aside';
					}
			}
		}
		return 'aside';
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}

interface Block {
	readonly items: readonly SheetItem[];
	readonly isExact: boolean;
}

/** The first row, which is active, is a fact or opens the full view, so that Enter alone starts nothing. */
function sheetItems(
	changed: readonly Block[],
	others: readonly Block[],
	isExact: boolean,
	isOpened: boolean,
): SheetItem[] {
	const aboutServer: SheetItem = { label: t('About this server'), kind: vscode.QuickPickItemKind.Separator };
	const mayStart = isExact || isOpened;
	const announcement: SheetItem = {
		label: t('Show in Full'),
		description: t("Some details of this server aren't fully shown"),
		iconPath: new vscode.ThemeIcon(isOpened ? 'json' : 'warning'),
		choice: 'showAll',
	};
	return [
		changed.length > 0 ? { label: t('Changed'), kind: vscode.QuickPickItemKind.Separator } : aboutServer,
		...(isExact ? [] : [announcement]),
		...changed.flatMap(it => it.items),
		...(changed.length > 0 ? [aboutServer] : []),
		...others.flatMap(it => it.items),
		{ label: t('Decision'), kind: vscode.QuickPickItemKind.Separator },
		{
			label: t('Start'),
			iconPath: new vscode.ThemeIcon(mayStart ? 'debug-start' : 'lock'),
			...(mayStart
				? { choice: 'start' as const }
				: { description: t('Opens the full view first'), choice: 'showAll' as const }),
		},
		{ label: t('Deny'), iconPath: new vscode.ThemeIcon('close'), choice: 'leave' },
		...(isExact
			? [{ label: t('Show in Full'), iconPath: new vscode.ThemeIcon('json'), choice: 'showAll' as const }]
			: []),
	];
}

function toBlock(
	{ label, text, isPlace, note, mustBeSeen = false }: ConsentFact,
	isChanged = false,
	lineWidth = width,
): Block {
	const { lines, isExact } = exactLines(text, lineWidth, maxLines);
	const items = lines.map((line, index): SheetItem => ({
		label: index === 0 ? label : '…',
		description: iconless(line),
		...(note !== undefined && index === lines.length - 1 && { detail: note }),
		...(isChanged && { iconPath: new vscode.ThemeIcon(index === 0 ? 'warning' : 'blank') }),
		...(isPlace === true && { choice: 'open', iconPath: new vscode.ThemeIcon('go-to-file') }),
	}));
	return { items, isExact: isExact && !mustBeSeen };
}

/** The full view of a server that needs consent, changes first. @throws Error if it is too large to be shown */
export function fullView(question: ConsentQuestion, deps: Omit<ConsentSheetDeps, 'showPage'>): PageContent {
	const { changed } = describeQuestion(question, deps);
	const note = t("Earlier values aren't stored, so only the current ones are shown.");
	const changes = changed.flatMap((it): PageBlock[] => [{ kind: 'text', text: it.label }, factBlock([it])]);
	const all = describeAll(question, deps);
	const labels = [...new Set(all.map(it => it.label))];
	return {
		title: t('Allow "{0}" to start?', deps.label(question.definition)),
		summary: question.changes ? '' : t('New server: not allowed before'),
		tone: 'plain',
		facts: [],
		sections: [
			...(changes.length > 0
				? [{ title: t('Changed since your consent'), blocks: [...changes, { kind: 'text', text: note } as const] }]
				: []),
			...labels.map(title => ({ title, blocks: [factBlock(all.filter(it => it.label === title))] })),
		],
	};
}

/** The texts of facts, each with its note below. Spells out invisible characters. */
function factBlock(facts: readonly ConsentFact[]): PageBlock {
	const lines = facts.flatMap(({ text, note }) => [text, ...(note === undefined ? [] : [`  ${note}`])]);
	const text = boundedDocument(lines.join('\n'));
	if (text === undefined) {
		throw new Error(t('The configuration is too large to be shown.'));
	}
	return { kind: 'code', text };
}
