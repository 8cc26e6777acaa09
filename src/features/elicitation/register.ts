/** Answers elicitations of servers, by a form or by a page. The feature `pendingRequests` lists the waiting ones. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';
import { isObject, type SchemaValidator } from '../../mcp/index.js';
import {
	answerOf,
	type Elicitation,
	type Elicitations,
	isElicitation,
	isPage,
} from '../../core/requests/elicitations.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { secretValues } from '../../core/text/callArguments.js';
import type { Answerer, EndedQuestion, Questions } from '../../core/requests/questions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { ExternalBrowser } from '../../editor/auth/externalBrowser.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { AnswerForm } from './answerForm.js';
import { askPage } from './answerPage.js';

export interface ElicitationDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly questions: Questions;
	readonly elicitations: Elicitations;
	readonly interactions: Interactions;
	readonly browser: ExternalBrowser;
}

export function registerElicitation(deps: ElicitationDeps): Answerer & Disposable {
	const form = new AnswerForm({ ...deps, label: ({ definition }) => deps.registry.labelOf(definition) });
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
			? await form.ask(elicitation, request.requestedSchema, signal)
			: isPage(elicitation)
				? await askPage(elicitation, serverLabel, signal, deps)
				: undefined;
	if (answer && questions.isWaiting(elicitation)) {
		elicitations.answer(elicitation, answer);
	} else if (answer) {
		void vscode.window.showInformationMessage(
			vscode.l10n.t("{0} is no longer waiting, so your answer wasn't sent.", notificationText(serverLabel)),
		);
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
