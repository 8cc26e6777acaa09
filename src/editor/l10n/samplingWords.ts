/** Describes sampling requests: parts that can't be honored, and mistakes in an answer. */
import * as vscode from 'vscode';
import {
	type AnswerProblem,
	type SamplingBlock,
	type SamplingRequest,
	usesTools,
} from '../../core/requests/samplingRequest.js';
import { modelAbilities } from '../newerApi.js';
import { notificationText, quickPickText } from '../ui/plainText.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/**
 * Why a model can't be used for a request: a sentence. `undefined` if it can. A request isn't sent without its images,
 * audio or required tools, because it would be a different request.
 */
export function whyNotAsked(request: SamplingRequest, model: vscode.LanguageModelChat): string | undefined {
	const name = notificationText(model.name);
	const { images, tools } = modelAbilities(model);
	if (holds(request, 'audio')) {
		return t("The request contains audio, which the editor's models don't support.");
	}
	if (images === false && holds(request, 'image')) {
		return t("The request contains images, which {0} doesn't support.", name);
	}
	if (tools === false && request.tools.length > 0 && request.toolChoice === 'required') {
		return t("The server requires a tool call, but {0} doesn't support tools.", name);
	}
	return undefined;
}

/** Says that a request isn't sent because the model can't get all of its images: a sentence. */
export function whyNotAllImages(): string {
	return t(
		"Some images can't be sent to a model because their type is wrong or unsupported, they're too large, or there are too many.",
	);
}

/** A sentence for each part of a request that can't be honored. @param model undefined if the person answers */
export function describeUnsupported(request: SamplingRequest, model: vscode.LanguageModelChat | undefined): string[] {
	const notes = [
		request.includeContext !== 'none' &&
			t('The server asks to include context from servers. Only these messages are sent.'),
		model && whyNotAsked(request, model),
		model &&
			usesTools(request) &&
			modelAbilities(model).tools === false &&
			t("{0} doesn't support tools, so the server's tools won't be used.", quickPickText(model.name)),
	];
	return notes.filter(it => typeof it === 'string');
}

/** A sentence about the problem of an answer. */
export function describeAnswerProblem(problem: AnswerProblem): string {
	return chooseText(problem, {
		notAnswer: () => t('The answer must be a JSON object with the role "assistant", a "model", and "content".'),
		block: ({ index }) =>
			t('Block {0} must be a text, image, audio, or tool_use block with all required members.', index + 1),
		tool: ({ index }) => t('Block {0} must use one of the offered tools and have a unique id.', index + 1),
		toolRequired: () => t('The server requires a tool call.'),
	});
}

function holds({ messages }: SamplingRequest, type: SamplingBlock['type']): boolean {
	return messages.some(it => it.content.some(block => block.type === type));
}
