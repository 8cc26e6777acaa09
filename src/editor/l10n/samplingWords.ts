/** Describes sampling requests: parts that can't be done, the reasons for a model, and mistakes in an answer. */
import * as vscode from 'vscode';
import type { ChoiceReason } from '../../core/requests/modelChoice.js';
import {
	type AnswerProblem,
	type SamplingBlock,
	type SamplingRequest,
	usesTools,
} from '../../core/requests/samplingRequest.js';
import { modelAbilities } from '../newerApi.js';
import { notificationText, oneLine, quickPickText } from '../ui/plainText.js';
import { toolName } from '../ui/shownNames.js';
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

/** The parts of a request that can't be done as asked: a sentence each. @param model undefined if the person answers */
export function describeUnsupported(request: SamplingRequest, model: vscode.LanguageModelChat | undefined): string[] {
	const notes: (string | false | undefined)[] = [
		request.includeContext !== 'none' &&
			t('The server asks to include context from servers. Only these messages are sent.'),
		request.metadata && t("Metadata for the model's provider isn't sent."),
	];
	if (model) {
		const name = quickPickText(model.name);
		notes.push(
			whyNotAsked(request, model),
			request.systemPrompt !== undefined &&
				t(
					"The system prompt is sent as the first user message because the editor's models don't accept system prompts.",
				),
			request.temperature !== undefined && t('The temperature is sent, but {0} may ignore it.', name),
			usesTools(request) &&
				modelAbilities(model).tools === false &&
				t("{0} doesn't support tools, so the server's tools won't be used.", name),
			request.tools.length > 1 &&
				request.toolChoice === 'required' &&
				t('The server requires a tool call. Some models then accept only one tool and reject several.'),
			request.messages.some(it => it.content.some(isGivenAsText)) &&
				t('Content other than text and images is sent as text.'),
		);
	}
	return notes.filter(it => it !== undefined && it !== false);
}

/** Why a model is at its position in the list: a sentence without a period. */
export function describeChoice(reason: ChoiceReason): string {
	return chooseText(reason, {
		person: () => t('Your choice for this server'),
		hint: ({ hint }) => t('The server asks for "{0}"', quickPickText(hint, 60)),
		noHint: () => t('The server has no preference'),
		noMatch: ({ hint }) => t('The server asks for "{0}", which this editor doesn\'t have', quickPickText(hint, 60)),
		other: () => t('The server asks for another model'),
	});
}

/** What is wrong with an answer that the person has written or edited: a sentence. */
export function describeAnswerProblem(problem: AnswerProblem): string {
	return chooseText(problem, {
		notObject: () => t("Your answer isn't a JSON object."),
		role: () => t('"role" must be "assistant".'),
		model: () => t('"model" must name the model or the author of the answer.'),
		stopReason: () => t('"stopReason" must be a string or be left out.'),
		noContent: () => t('"content" must have at least one block.'),
		kind: ({ type, index }) =>
			type === undefined
				? t('Block {0} has no type. Valid types: text, image, audio, tool_use.', index + 1)
				: t(
						'Block {0} has the unknown type "{1}". Valid types: text, image, audio, tool_use.',
						index + 1,
						oneLine(type, 60),
					),
		member: ({ index, name }) => t('Block {0} has no "{1}", or "{1}" has the wrong type.', index + 1, name),
		notBase64: ({ index }) => t("The data of block {0} isn't base64.", index + 1),
		toolsNotOffered: ({ index }) => t('Block {0} uses a tool, but the server offers no tools.', index + 1),
		unknownTool: ({ index, tool }) =>
			t('Block {0} uses the tool "{1}", which the server doesn\'t offer.', index + 1, toolName(tool, 60)),
		sameId: ({ index, id }) => t('Block {0} has the same id as another tool use: "{1}".', index + 1, oneLine(id, 60)),
		toolRequired: () => t('The server requires a tool call.'),
	});
}

function holds({ messages }: SamplingRequest, type: SamplingBlock['type']): boolean {
	return messages.some(it => it.content.some(block => block.type === type));
}

/** Whether a block is sent as text. Of content in a tool result, only images aren't. */
function isGivenAsText(block: SamplingBlock): boolean {
	return block.type === 'tool_result'
		? block.content.some(it => it.type !== 'image' && isGivenAsText(it))
		: block.type === 'unknown' || block.type === 'resource' || block.type === 'resource_link' || block.type === 'audio';
}
