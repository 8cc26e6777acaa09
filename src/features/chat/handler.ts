/** A message to `@mcp`: which way it goes, and what the person is told if that way ends early. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { abortOn } from '../../editor/cancellation.js';
import { ChatCommands } from '../../editor/contributions.js';
import { describeError } from '../../editor/l10n/messages.js';
import { markdownText } from '../../editor/ui/plainText.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { answer, fromUser, modelFor } from './answering.js';
import { type PromptCommandDeps, runPrompt } from './promptCommand.js';
import { readResource, type ResourceCommandDeps } from './resourceCommand.js';
import { showServers, showStartButtons } from './serversCommand.js';
import { runTool, type ToolCommandDeps } from './toolCommand.js';
import type { ChatTurn, TurnEnd } from './turn.js';

export interface ChatHandlerDeps extends PromptCommandDeps, ResourceCommandDeps, Omit<ToolCommandDeps, 'keep'> {
	readonly registry: ServerRegistry;
}

export async function handleMessage(
	request: vscode.ChatRequest,
	{ history }: vscode.ChatContext,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
	deps: ChatHandlerDeps,
): Promise<vscode.ChatResult> {
	const controller = new AbortController();
	const cancellation = abortOn(token, controller);
	const turn: ChatTurn = { request, history, stream, token, signal: controller.signal };
	try {
		await deps.registry.configured;
		return { metadata: await take(turn, deps) };
	} catch (error) {
		if (controller.signal.aborted || isAbort(error)) {
			return {};
		}
		// Shown as Markdown.
		return { errorDetails: { message: markdownText(describeError(error), 600) } };
	} finally {
		cancellation.dispose();
	}
}

function take(turn: ChatTurn, deps: ChatHandlerDeps): Promise<TurnEnd> | TurnEnd {
	switch (turn.request.command) {
		case ChatCommands.servers:
			return showServers(turn, deps.registry);
		case ChatCommands.prompt:
			return runPrompt(turn, deps);
		case ChatCommands.tool:
			return runTool(turn, { ...deps, keep: text => deps.doors.keep(text) });
		case ChatCommands.resource:
			return readResource(turn, deps);
		default:
			return converse(turn, deps);
	}
}

async function converse(turn: ChatTurn, deps: ChatHandlerDeps): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const { request, stream } = turn;
	const model = modelFor(request);
	if (!model) {
		stream.markdown(
			t(
				'This editor has no language model that could answer. What needs none works all the same: /servers, /prompt, /tool and /resource here, and everything in the view MCP Workbench.',
			),
		);
		return { next: [{ command: ChatCommands.servers, prompt: '', label: t('Show the servers') }] };
	}
	if (request.prompt.trim() === '') {
		stream.markdown(t('Ask something that the MCP servers can help with.'));
		return { next: [{ prompt: t('What can you do with these servers?') }] };
	}
	const isAlone = !deps.registry.servers.some(it => it.client);
	if (isAlone) {
		stream.markdown(`${t('No MCP server runs: the model has no tools yet.')}\n\n`);
	}
	const end = await answer(turn, model, request.prompt, [fromUser(request.prompt)], deps);
	if (isAlone && !turn.signal.aborted) {
		showStartButtons(turn, deps.registry);
	}
	return end;
}
