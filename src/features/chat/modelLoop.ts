/** The model answers, and uses tools as long as it wants to, within limits. */
import * as vscode from 'vscode';
import { orCancelled } from '../../editor/cancellation.js';
import { toModelError } from '../../editor/languageModels/modelErrors.js';
import { imageOf } from '../../editor/newerApi.js';
import { markdownText } from '../../editor/ui/plainText.js';
import type { ModelRoom } from './modelRoom.js';
import type { ToolUse } from './toolUse.js';
import type { ChatTurn, TurnEnd } from './turn.js';

/** Times that a model may go on after tools; nobody waits for more without a look. */
export const maxRounds = 20;
const maxCallsOfRound = 16;

/** @throws ModelError, AbortError */
export async function runLoop(
	{ stream, token, signal }: ChatTurn,
	model: vscode.LanguageModelChat,
	room: ModelRoom,
	messages: vscode.LanguageModelChatMessage[],
	use: ToolUse,
): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const goOn = { next: [{ prompt: t('Go on.') }] };
	const tools = use.list;
	await room.take(JSON.stringify(tools));
	for (const { content } of messages) {
		await room.take(textOf(content), imagesOf(content));
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
							budget: room.budget(),
							signal,
							through: 'participant',
							takesImages: room.takesImages,
						})
					: [new vscode.LanguageModelTextPart(`Not called: at most ${maxCallsOfRound} calls at once.`)];
			signal.throwIfAborted();
			await room.take(textOf(content), imagesOf(content));
			results.push(new vscode.LanguageModelToolResultPart(call.callId, content));
		}
		messages.push(vscode.LanguageModelChatMessage.User(results));
		if (room.isFull) {
			stream.markdown(`\n\n${t('{0} cannot take in more than this in one answer.', markdownText(model.name, 60))}`);
			return goOn;
		}
	}
	stream.markdown(`\n\n${t('Stopped after {0} rounds of tools, so that this does not go on for ever.', maxRounds)}`);
	return goOn;
}

interface Round {
	readonly said: string;
	readonly calls: readonly vscode.LanguageModelToolCallPart[];
}

async function ask(
	{ stream, token }: Pick<ChatTurn, 'stream' | 'token'>,
	model: vscode.LanguageModelChat,
	messages: vscode.LanguageModelChatMessage[],
	tools: vscode.LanguageModelChatTool[],
): Promise<Round> {
	const justification = vscode.l10n.t('To answer what you ask @mcp.');
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

/** What counts of it; images count by themselves. */
function textOf(content: readonly unknown[]): string {
	return content
		.filter(it => !imageOf(it))
		.map(it => (it instanceof vscode.LanguageModelTextPart ? it.value : JSON.stringify(it)))
		.join('');
}

function imagesOf(content: readonly unknown[]): Uint8Array[] {
	return content.flatMap(it => imageOf(it)?.data ?? []);
}
