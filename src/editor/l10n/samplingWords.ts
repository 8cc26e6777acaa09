/** What is said about a sampling request: what cannot be honoured, which model it leads to, what is wrong with an answer. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { ChoiceReason } from '../../core/requests/modelChoice.js';
import type { SamplingBlock, SamplingRequest } from '../../core/requests/sampling.js';
import type { AnswerProblem } from '../../core/requests/samplingAnswer.js';
import { modelAbilities } from '../newerApi.js';
import { notificationText, oneLine, quickPickText } from '../ui/plainText.js';

/**
 * Why this model cannot be asked at all, a sentence; `undefined` if it can.
 * What it says would be no answer to the request: without its images, its sound or its tools it is another one.
 */
export function whyNotAsked(request: SamplingRequest, model: vscode.LanguageModelChat): string | undefined {
	const { t } = vscode.l10n;
	const name = notificationText(model.name);
	const { images, tools } = modelAbilities(model);
	if (holds(request, 'audio')) {
		return t('The request holds sound, which no model of the editor takes.');
	}
	if (images === false && holds(request, 'image')) {
		return t('The request holds images, and {0} takes none.', name);
	}
	if (tools === false && request.tools.length > 0 && request.toolChoice === 'required') {
		return t('The server requires the use of a tool, and {0} uses none.', name);
	}
	return undefined;
}

/** A sentence: some image is not given, so that the model would be asked about what it does not see. */
export function whyNotAllImages(): string {
	return vscode.l10n.t(
		'Not every image of the request can be given to a model: one is not what it says it is or of a kind that models do not take, or they are too many or too large.',
	);
}

/** What of a request is not done as it asks, a sentence each. Without a model, when a person answers, little is left. */
export function unhonoured(request: SamplingRequest, model: vscode.LanguageModelChat | undefined): string[] {
	const { t } = vscode.l10n;
	const said: string[] = [];
	if (request.includeContext !== 'none') {
		said.push(t('Context of servers is asked for and not given: no more than these messages is sent.'));
	}
	if (request.metadata) {
		said.push(t('The metadata for the provider of the model is not passed on.'));
	}
	if (!model) {
		return said;
	}
	const name = quickPickText(model.name);
	const why = whyNotAsked(request, model);
	if (why !== undefined) {
		said.push(why);
	}
	if (request.systemPrompt !== undefined) {
		said.push(t('The system prompt is sent as a first message of the user: models of the editor have no other place.'));
	}
	if (request.temperature !== undefined) {
		said.push(t('The temperature is passed on, but whether {0} follows it cannot be seen.', name));
	}
	if (request.tools.length > 0 && request.toolChoice !== 'none' && modelAbilities(model).tools === false) {
		said.push(t('{0} uses no tools: those of the server will not be used.', name));
	}
	if (request.tools.length > 1 && request.toolChoice === 'required') {
		said.push(t('The use of a tool is required: some models then take one tool only, and refuse several.'));
	}
	if (request.messages.some(it => it.content.some(isGivenAsText))) {
		said.push(t('What is neither text nor an image of the messages is given as text.'));
	}
	return said;
}

/** Why a model stands where it does: a clause without a full stop, for a line of a quick pick. */
export function describeChoice(reason: ChoiceReason): string {
	const { t } = vscode.l10n;
	switch (reason.kind) {
		case 'person':
			return t('your choice for this server');
		case 'hint':
			return t('the server asks for "{0}"', quickPickText(reason.hint, 60));
		case 'order':
			return t('the server asks for none');
		default:
			return assertNever(reason);
	}
}

/** What is wrong with an answer, a sentence for whoever writes or edits it. */
export function describeAnswerProblem(problem: AnswerProblem): string {
	const { t } = vscode.l10n;
	switch (problem.code) {
		case 'notObject':
			return t('An answer is a JSON object.');
		case 'role':
			return t('"role" must be "assistant".');
		case 'model':
			return t('"model" must be the name of the model, or of whoever has written the answer.');
		case 'stopReason':
			return t('"stopReason" must be a text, or be left out.');
		case 'noContent':
			return t('"content" must hold at least one block.');
		case 'kind':
			return t(
				'Block {0} must have one of these types: text, image, audio, tool_use; it has {1}.',
				problem.index + 1,
				problem.type === undefined ? t('none') : `"${oneLine(problem.type, 60)}"`,
			);
		case 'member':
			return t('Block {0} lacks "{1}", or it is of a wrong type.', problem.index + 1, problem.name);
		case 'notBase64':
			return t('The data of block {0} is not base64.', problem.index + 1);
		case 'toolsNotOffered':
			return t('Block {0} uses a tool, and the server offers none.', problem.index + 1);
		case 'unknownTool':
			return t(
				'Block {0} uses the tool "{1}", which the server does not offer.',
				problem.index + 1,
				oneLine(problem.tool, 60),
			);
		case 'sameId':
			return t('Block {0} has the id "{1}" of another tool use.', problem.index + 1, oneLine(problem.id, 60));
		case 'toolRequired':
			return t('The server requires the use of a tool.');
		default:
			return assertNever(problem);
	}
}

function holds({ messages }: SamplingRequest, type: SamplingBlock['type']): boolean {
	return messages.some(it => it.content.some(block => block.type === type));
}

/** In the result of a tool too: only images there may be given as what they are. */
function isGivenAsText(block: SamplingBlock): boolean {
	return block.type === 'tool_result'
		? block.content.some(it => it.type !== 'image' && isGivenAsText(it))
		: block.type === 'unknown' || block.type === 'resource' || block.type === 'resource_link' || block.type === 'audio';
}
