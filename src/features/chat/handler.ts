/** Handles a message to `@mcp`: answers a question or runs a prompt, and turns errors into the chat's error text. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { abortOn } from '../../editor/cancellation.js';
import { ChatCommands } from '../../editor/contributions.js';
import { describeError } from '../../editor/l10n/messages.js';
import { markdownText } from '../../editor/ui/plainText.js';
import { answer, type AnsweringDeps, fromUser, modelFor } from './answering.js';
import { runPrompt } from './promptCommand.js';
import { showStartButtons } from './startButtons.js';
import type { ChatTurn, TurnEnd } from './turn.js';

export async function handleMessage(
	request: vscode.ChatRequest,
	{ history }: vscode.ChatContext,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
	deps: AnsweringDeps,
): Promise<vscode.ChatResult> {
	const controller = new AbortController();
	const cancellation = abortOn(token, controller);
	const turn: ChatTurn = { request, history, stream, token, signal: controller.signal };
	try {
		await deps.registry.configured;
		const isPrompt = request.command === ChatCommands.prompt;
		return { metadata: await (isPrompt ? runPrompt(turn, deps) : converse(turn, deps)) };
	} catch (error) {
		if (controller.signal.aborted || isAbort(error)) {
			return {};
		}
		// The chat renders this text as Markdown.
		return { errorDetails: { message: markdownText(describeError(error), 600) } };
	} finally {
		cancellation.dispose();
	}
}

async function converse(turn: ChatTurn, deps: AnsweringDeps): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const { request, stream } = turn;
	const model = modelFor(request);
	if (!model) {
		stream.markdown(
			t('This editor has no language model to answer. You can still use everything in the MCP Workbench view.'),
		);
		return {};
	}
	if (request.prompt.trim() === '') {
		stream.markdown(t('Ask a question that your MCP servers can help with.'));
		return { next: [{ prompt: t('What can you do with these servers?') }] };
	}
	const isAlone = !deps.registry.servers.some(it => it.client);
	if (isAlone) {
		stream.markdown(`${t('No MCP server is running, so the model has no tools yet.')}\n\n`);
	}
	const end = await answer(turn, model, request.prompt, [fromUser(request.prompt)], deps);
	if (isAlone && !turn.signal.aborted) {
		showStartButtons(turn, deps.registry);
	}
	return end;
}
