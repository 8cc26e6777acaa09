/** Elicitation: a server asks the person, by a form or by a page. The feature `pending` lists the waiting questions. */
import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.js';
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
import type { Exchanges } from '../../core/calls/exchanges.js';
import { secretValues } from '../../core/text/keptArguments.js';
import type { Answerer, EndedQuestion, Questions } from '../../core/requests/questions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { Pages } from '../../editor/auth/pages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { AnswerForm } from './answerForm.js';
import { askPage } from './answerPage.js';

export interface ElicitationDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly questions: Questions;
	readonly elicitations: Elicitations;
	readonly exchanges: Exchanges;
	readonly pages: Pages;
}

export function registerElicitation(deps: ElicitationDeps): Answerer & Disposable {
	const sheets = lazy(() => new AnswerSheets(deps));
	const ended = deps.questions.onDidEnd(it => remember(it, deps));
	return {
		answers: isElicitation,
		ask: async (it, signal) => (isElicitation(it) ? sheets().ask(it, signal) : undefined),
		decline: it => void (isElicitation(it) && deps.elicitations.answer(it, { action: 'decline' })),
		dispose: () => ended.dispose(),
	};
}

class AnswerSheets {
	private readonly form: AnswerForm;

	constructor(private readonly deps: ElicitationDeps) {
		const { registry } = deps;
		this.form = new AnswerForm({ ...deps, label: ({ definition }) => registry.labelOf(definition) });
	}

	async ask(elicitation: Elicitation, signal: AbortSignal): Promise<void> {
		const { request, definition } = elicitation;
		const whose = this.deps.registry.labelOf(definition);
		const answer =
			request.mode === 'form'
				? await this.form.ask(elicitation, request.requestedSchema, signal)
				: isPage(elicitation)
					? await askPage(elicitation, whose, signal, this.deps)
					: undefined;
		if (answer) {
			this.send(elicitation, answer);
		}
	}

	private send(elicitation: Elicitation, answer: ElicitationAnswer): void {
		const { questions, elicitations, registry } = this.deps;
		if (questions.isWaiting(elicitation)) {
			elicitations.answer(elicitation, answer);
		} else {
			const whose = notificationText(registry.labelOf(elicitation.definition));
			void vscode.window.showInformationMessage(
				vscode.l10n.t("{0} is no longer waiting, so your answer wasn't sent.", whose),
			);
		}
	}
}

function remember({ question, end }: EndedQuestion, { exchanges }: ElicitationDeps): void {
	if (isElicitation(question)) {
		const { server } = question;
		const result = answerOf(end);
		const { requestedSchema } = question.params;
		const content = result?.['content'];
		if (isObject(content) && isObject(requestedSchema)) {
			// The server may log the secrets of the answer.
			server.redactor?.hideGiven(secretValues(requestedSchema, content));
		}
		exchanges.tell({
			kind: 'elicitation',
			server,
			params: question.params,
			time: question.since,
			durationMs: Date.now() - question.since,
			end: result ? { kind: 'answered', result } : { kind: 'cancelled' },
		});
	}
}
