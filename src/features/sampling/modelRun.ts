/** A model asked for a server, with or without the person: which one, and what came of it. */
import * as vscode from 'vscode';
import { within } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { ModelError } from '../../host/modelErrors.js';
import { askModel } from '../../host/samplingModel.js';
import { whyNotAsked } from '../../host/samplingWords.js';
import { notificationText } from '../../host/plainText.js';
import { chooseModels, type ModelChoice, modelKey } from '../../model/modelChoice.js';
import type { SamplingRequest } from '../../model/sampling.js';
import { type Draft, Run } from './drafts.js';

/** A server waits, and the person with it: longer than any provider takes that is there. */
const maxWaitMs = 5000;

/** Those the editor has, the best first; none where it has no models, cannot say, or does not say. */
export async function modelsFor(
	request: SamplingRequest,
	chosen: string | undefined,
): Promise<ModelChoice<vscode.LanguageModelChat>[]> {
	const isFit = (model: vscode.LanguageModelChat): boolean => whyNotAsked(request, model) === undefined;
	return chooseModels(await listModels(), request.preferences, { chosen, isFit });
}

async function listModels(): Promise<readonly vscode.LanguageModelChat[]> {
	try {
		return (await within(Promise.resolve(vscode.lm.selectChatModels()), maxWaitMs)) ?? [];
	} catch {
		// Some editors have the API and nothing behind it.
		return [];
	}
}

/**
 * Settles when the model has ended: the draft has its answer then, or a problem, or neither if it was stopped.
 * @param redact takes the secrets of servers out of what the model reads
 */
export function startModel(
	draft: Draft,
	model: vscode.LanguageModelChat,
	whose: string,
	redact: <T>(value: T) => T,
): Run {
	const run = new Run(new vscode.CancellationTokenSource());
	draft.run = run;
	draft.asked = modelKey(model);
	draft.answer = undefined;
	draft.isAnswerEdited = false;
	draft.document = undefined;
	draft.problem = undefined;
	run.ended = work(draft, run, model, whose, redact(draft.request)).finally(() => {
		draft.run = undefined;
		run.dispose();
	});
	return run;
}

async function work(
	draft: Draft,
	run: Run,
	model: vscode.LanguageModelChat,
	whose: string,
	request: SamplingRequest,
): Promise<void> {
	const justification = vscode.l10n.t('The MCP server {0} asks for an answer of a model.', notificationText(whose));
	try {
		draft.answer = await askModel(model, request, {
			token: run.source.token,
			onText: text => run.add(text),
			justification,
		});
	} catch (error) {
		if (!isAbort(error)) {
			draft.problem = error instanceof ModelError ? error.message : toMessage(error);
		}
	}
}
