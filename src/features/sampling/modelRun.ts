/** Lists the models for a sampling request, and runs one of them. */
import * as vscode from 'vscode';
import { within } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { ModelError } from './modelErrors.js';
import { askModel } from './samplingModel.js';
import { whyNotAsked } from '../../editor/l10n/samplingWords.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { chooseModels, type ModelChoice, modelKey } from '../../core/requests/modelChoice.js';
import type { SamplingRequest } from '../../core/requests/samplingRequest.js';
import { type Draft, Run } from './drafts.js';

/** Milliseconds to wait for the list of models; a provider that is present answers sooner. */
const maxWaitMs = 5000;

/** The models of the editor, best first. Empty if there are none, or if listing them fails or times out. */
export async function modelsFor(
	request: SamplingRequest,
	chosen: string | undefined,
): Promise<ModelChoice<vscode.LanguageModelChat>[]> {
	const isFit = (model: vscode.LanguageModelChat): boolean => whyNotAsked(request, model) === undefined;
	return chooseModels(await listModels(), request.hints, { chosen, isFit });
}

async function listModels(): Promise<readonly vscode.LanguageModelChat[]> {
	try {
		return (await within(Promise.resolve(vscode.lm.selectChatModels()), maxWaitMs)) ?? [];
	} catch {
		// Some editors have the API without an implementation.
		return [];
	}
}

/**
 * Starts a model. When the run has ended, the draft has an answer, a problem, or neither if it was stopped.
 * @param redact removes the secrets of servers from the request
 */
export function startModel(
	draft: Draft,
	model: vscode.LanguageModelChat,
	serverLabel: string,
	redact: <T>(value: T) => T,
): Run {
	const request = redact(draft.request);
	const run = new Run(new vscode.CancellationTokenSource());
	draft.asked = modelKey(model);
	draft.answer = draft.modelAnswer = undefined;
	draft.isBackAtRequest = false;
	draft.isAnswerEdited = false;
	draft.isAnswerWritten = false;
	draft.problem = undefined;
	run.ended = work(draft, run, model, serverLabel, request).finally(() => {
		draft.run = undefined;
		run.dispose();
	});
	// Last: a draft whose work never started would wait for it forever.
	draft.run = run;
	return run;
}

async function work(
	draft: Draft,
	run: Run,
	model: vscode.LanguageModelChat,
	serverLabel: string,
	request: SamplingRequest,
): Promise<void> {
	const justification = vscode.l10n.t(
		'The MCP server {0} requests an answer from a model.',
		notificationText(serverLabel),
	);
	try {
		draft.answer = draft.modelAnswer = await askModel(model, request, {
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
