/**
 * Answers elicitations of servers, by a form or by a page. The feature `pendingRequests` lists the waiting ones.
 *
 * For a page, the whole URL is shown with warnings before it is opened, and nothing is fetched here. A question whose call
 * waits for the page stays until the server or the person says that the page is finished.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';
import { isObject, type SchemaValidator } from '../../mcp/index.js';
import {
	answerOf,
	type Elicitation,
	type ElicitationAnswer,
	type Elicitations,
	isElicitation,
	isPage,
} from '../../core/requests/elicitations.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { secretValues } from '../../core/text/callArguments.js';
import type { Answerer, EndedQuestion, PageRequest, Questions, ServerQuestion } from '../../core/requests/questions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import { describeUrlWarning, type ExternalBrowser } from '../../editor/auth/externalBrowser.js';
import { quickPickLines } from '../../editor/ui/exactText.js';
import { oneLine } from '../../editor/ui/plainText.js';
import { shownAddress, shownHost } from '../../editor/ui/shownNames.js';
import { AnswerForm } from './answerForm.js';
import { onAbort } from '../../base/async.js';
import { nearnessOfServer, warningsOfUrl } from '../../core/requests/urlWarnings.js';
import { accepted, closeInput } from '../../editor/ui/quickInput.js';

const { t } = vscode.l10n;

interface ElicitationDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly questions: Questions;
	readonly elicitations: Elicitations;
	readonly interactions: Interactions;
	readonly browser: ExternalBrowser;
}

export function registerElicitation(deps: ElicitationDeps): Answerer & Disposable {
	const form = new AnswerForm(deps);
	const ended = deps.questions.onDidEnd(it => remember(it, deps));
	return {
		answers: isElicitation,
		ask: async (it, signal) => (isElicitation(it) ? ask(it, signal, form, deps) : undefined),
		decline: it => void (isElicitation(it) && deps.elicitations.answer(it, { action: 'decline' })),
		dispose: () => ended.dispose(),
	};
}

/** Shows the sheet of an elicitation, and sends the answer if there is one and the server still waits for it. */
async function ask(
	elicitation: Elicitation,
	signal: AbortSignal,
	form: AnswerForm,
	deps: ElicitationDeps,
): Promise<void> {
	const { questions, elicitations, registry } = deps;
	const { request, definition } = elicitation;
	const serverLabel = registry.labelOf(definition);
	const answer =
		request.mode === 'form'
			? await form.ask(elicitation, serverLabel, request.requestedSchema, signal)
			: isPage(elicitation)
				? await askPage(elicitation, serverLabel, signal, deps)
				: undefined;
	if (answer && questions.isWaiting(elicitation)) {
		elicitations.answer(elicitation, answer);
	} else if (answer) {
		void vscode.window.showInformationMessage(t("{0} is no longer waiting, so your answer wasn't sent.", serverLabel));
	}
}

/** Records an ended elicitation in the history, and redacts the secrets of its answer in the server's log. */
function remember({ question, end }: EndedQuestion, { interactions }: ElicitationDeps): void {
	if (isElicitation(question)) {
		const { server } = question;
		const result = answerOf(end);
		const { requestedSchema } = question.params;
		const content = result?.['content'];
		if (isObject(content) && isObject(requestedSchema)) {
			// The server may log the secrets of the answer.
			server.redactor?.hideGiven(secretValues(requestedSchema, content));
		}
		interactions.report({
			kind: 'elicitation',
			server,
			params: question.params,
			time: question.since,
			durationMs: clock.now() - question.since,
			end: result ? { kind: 'answered', result } : { kind: 'cancelled' },
		});
	}
}

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
		pick.title = t('"{0}" asks you to open a page', serverLabel);
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
			const item = await accepted(pick);
			switch (item?.choice) {
				case 'open':
					if (!questions.isWaiting(elicitation)) {
						void vscode.window.showInformationMessage(t('{0} is no longer waiting for an answer.', serverLabel));
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
		{ label: t('Host'), description: shownHost(url), iconPath: new vscode.ThemeIcon('globe') },
		...warningsOfUrl(url, nearnessOfServer(definition.launch)).map((it): PageItem => ({
			label: t('Warning'),
			description: describeUrlWarning(it),
			iconPath: new vscode.ThemeIcon('warning'),
		})),
		...factLines(t('URL'), shownAddress(url), urlWidth),
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
