/** The conversation with the model within one turn: sends messages, runs the tools that the model calls, and repeats. */
import * as vscode from 'vscode';
import { orCancelled } from '../../editor/cancellation.js';
import { toModelError } from '../../editor/languageModels/modelErrors.js';
import { imageOf } from '../../editor/newerApi.js';
import { markdownText } from '../../editor/ui/plainText.js';
import type { TokenBudget } from './tokenBudget.js';
import type { ToolUse } from './toolUse.js';
import type { ChatTurn, TurnEnd } from './turn.js';

/** Requests to the model in one turn. After that, the person decides whether to continue. */
const maxRounds = 20;
const maxCallsOfRound = 16;

/**
 * @param messages the messages to send; answers and tool results are appended
 * @throws ModelError, AbortError
 */
export async function runLoop(
	{ stream, token, signal }: ChatTurn,
	model: vscode.LanguageModelChat,
	tokens: TokenBudget,
	messages: vscode.LanguageModelChatMessage[],
	use: ToolUse,
): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const toBeContinued = { next: [{ prompt: t('Continue.') }] };
	const tools = use.list;
	await tokens.take(JSON.stringify(tools));
	for (const { content } of messages) {
		await tokens.take(textOf(content), imagesOf(content));
	}
	for (let round = 0; round < maxRounds; round++) {
		const { said, calls } = await ask({ stream, token }, model, messages, tools);
		if (calls.length === 0 || signal.aborted) {
			return {};
		}
		messages.push(
			vscode.LanguageModelChatMessage.Assistant([
				...(said === '' ? [] : [new vscode.LanguageModelTextPart(said)]),
				...calls,
			]),
		);
		if (said !== '') {
			stream.markdown('\n\n');
		}
		const results: vscode.LanguageModelToolResultPart[] = [];
		for (const [index, call] of calls.entries()) {
			const content =
				index < maxCallsOfRound
					? await use.run(call, {
							budget: tokens.budget(),
							signal,
							through: 'participant',
							takesImages: tokens.takesImages,
						})
					: [new vscode.LanguageModelTextPart(`Not called: at most ${maxCallsOfRound} calls at once.`)];
			signal.throwIfAborted();
			await tokens.take(textOf(content), imagesOf(content));
			results.push(new vscode.LanguageModelToolResultPart(call.callId, content));
		}
		messages.push(vscode.LanguageModelChatMessage.User(results));
		if (tokens.isFull) {
			stream.markdown(`\n\n${t("{0} can't process more content in one answer.", markdownText(model.name, 60))}`);
			return toBeContinued;
		}
	}
	stream.markdown(`\n\n${t('Stopped after {0} rounds of tool calls to avoid an endless loop.', maxRounds)}`);
	return toBeContinued;
}

/** Sends one request, and streams the text of the answer to the person. */
async function ask(
	{ stream, token }: Pick<ChatTurn, 'stream' | 'token'>,
	model: vscode.LanguageModelChat,
	messages: vscode.LanguageModelChatMessage[],
	tools: vscode.LanguageModelChatTool[],
): Promise<{ readonly said: string; readonly calls: readonly vscode.LanguageModelToolCallPart[] }> {
	const justification = vscode.l10n.t('Answers your messages to @mcp.');
	let said = '';
	const calls: vscode.LanguageModelToolCallPart[] = [];
	try {
		await orCancelled(async () => {
			const response = await model.sendRequest(messages, { tools, justification }, token);
			for await (const part of response.stream) {
				if (token.isCancellationRequested) {
					break;
				}
				if (part instanceof vscode.LanguageModelTextPart) {
					said += part.value;
					stream.markdown(part.value);
				} else if (part instanceof vscode.LanguageModelToolCallPart) {
					calls.push(part);
				}
			}
		}, token);
	} catch (error) {
		throw toModelError(error, model);
	}
	return { said, calls };
}

/** The text whose tokens are counted. Images are counted separately. */
function textOf(content: readonly unknown[]): string {
	return content
		.filter(it => !imageOf(it))
		.map(it => (it instanceof vscode.LanguageModelTextPart ? it.value : JSON.stringify(it)))
		.join('');
}

function imagesOf(content: readonly unknown[]): Uint8Array[] {
	return content.flatMap(it => imageOf(it)?.data ?? []);
}
