/**
 * Elicitation in URL mode: shows the whole URL with warnings before it is opened, and fetches nothing itself. A question
 * whose call waits for the page stays until the server or the person says that the page is finished.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import type { ElicitationAnswer, Elicitations } from '../../core/requests/elicitations.js';
import type { PageRequest, ServerQuestion, Questions } from '../../core/requests/questions.js';
import { nearnessOfServer, warningsOfUrl } from '../../core/requests/urlWarnings.js';
import { describeUrlWarning, type ExternalBrowser } from '../../editor/auth/externalBrowser.js';
import { notificationText, oneLine, quickInputText, quickPickLines, quickPickText } from '../../editor/ui/plainText.js';
import { acceptedOnSheet, closeInput } from '../../editor/ui/quickInput.js';

const { t } = vscode.l10n;

type Choice = 'open' | 'copy' | 'finished' | 'decline' | 'cancel' | 'later';

interface PageItem extends vscode.QuickPickItem {
	readonly choice?: Choice;
}

export interface AnswerPageDeps {
	readonly questions: Questions;
	readonly elicitations: Elicitations;
	readonly browser: ExternalBrowser;
}

/** Letters that the quick pick shows beside the label of a message. */
const width = 64;
/** The same beside the short label of the URL. */
const urlWidth = 70;

/** Shows the sheet. Resolves with the answer; `undefined` if there is none yet. */
export async function askPage(
	elicitation: ServerQuestion<PageRequest>,
	serverLabel: string,
	signal: AbortSignal,
	{ questions, elicitations, browser }: AnswerPageDeps,
): Promise<ElicitationAnswer | undefined> {
	const { request } = elicitation;
	const pick = vscode.window.createQuickPick<PageItem>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = t('{0} asks you to open a page', quickInputText(serverLabel, 60));
		pick.ignoreFocusOut = true;
		pick.matchOnDescription = true;
		while (!signal.aborted) {
			pick.placeholder =
				elicitation.stage === 'underway'
					? t('Complete the page in the browser, then select Finish')
					: t('Review the URL before opening it');
			pick.items = [...facts(elicitation, request.url), ...choices(elicitation)];
			// After the page was opened, the person most likely returns to finish the request.
			const first = pick.items.find(it => it.choice === 'finished') ?? pick.items[0];
			pick.activeItems = first ? [first] : [];
			const item = await acceptedOnSheet(pick);
			switch (item?.choice) {
				case 'open':
					if (!questions.isWaiting(elicitation)) {
						void vscode.window.showInformationMessage(
							t('{0} is no longer waiting for an answer.', notificationText(serverLabel)),
						);
						return undefined;
					}
					if (await browser.open(request.url.href)) {
						elicitations.didOpen(elicitation);
						return undefined;
					}
					// The person refused in the editor's own confirmation.
					break;
				case 'copy':
					await vscode.env.clipboard.writeText(request.url.href);
					break;
				case 'finished':
					return { action: 'accept' };
				case 'decline':
				case 'cancel':
					return { action: item.choice };
				case 'later':
					return undefined;
				case undefined:
					if (!item) {
						return undefined;
					}
			}
		}
		return undefined;
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}

/** The host is on a row of its own, above all text that could imitate it. */
function facts({ request, definition }: ServerQuestion<PageRequest>, url: URL): PageItem[] {
	return [
		{ label: t('Host'), description: quickPickText(url.host, 255), iconPath: new vscode.ThemeIcon('globe') },
		...warningsOfUrl(url, nearnessOfServer(definition.launch)).map((it): PageItem => ({
			label: t('Warning'),
			description: describeUrlWarning(it),
			iconPath: new vscode.ThemeIcon('warning'),
		})),
		...factLines(t('URL'), url.href, urlWidth),
		...factLines(t('Server says'), `"${oneLine(request.message, 1000)}"`, width),
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
	];
}

function choices({ stage, isAnswered }: ServerQuestion): PageItem[] {
	const isOpened = stage === 'underway';
	if (isAnswered) {
		const told = t('Removes the request without telling the server');
		return [
			line(t('Finish'), 'check', 'finished', told),
			line(t('Open Again'), 'link-external', 'open'),
			line(t('Copy URL'), 'copy', 'copy'),
			line(t('Close'), 'close', 'later', t('Keeps the request in the list')),
		];
	}
	return [
		...(isOpened ? [line(t('Finish'), 'check', 'finished', t('Continues the waiting request'))] : []),
		line(isOpened ? t('Open Again') : t('Open in Browser'), 'link-external', 'open'),
		line(t('Copy URL'), 'copy', 'copy'),
		...(isOpened ? [] : [line(t('Decline'), 'circle-slash', 'decline', t('Tells the server that you declined'))]),
		line(t('Cancel Request'), 'close', 'cancel', t('Tells the server that you canceled')),
		line(t('Answer Later'), 'clock', 'later'),
	];
}

function factLines(label: string, text: string, maxWidth: number): PageItem[] {
	return quickPickLines(text, maxWidth).map((line, index) => ({ label: index === 0 ? label : '…', description: line }));
}

function line(label: string, icon: string, choice: Choice, description = ''): PageItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), choice, description };
}
