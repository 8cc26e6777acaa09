/** Asks the model, with the earlier messages of the chat, the attachments, and the tools of all running servers. */
import * as vscode from 'vscode';
import { surelyTakesImages } from '../../editor/newerApi.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { isForModels } from '../../core/calls/toolAccess.js';
import { pastMessages } from './history.js';
import { runLoop } from './modelLoop.js';
import { TokenBudget } from './tokenBudget.js';
import { offerTools, type ToolOfServer } from './offeredTools.js';
import { writePreamble } from './preamble.js';
import { readAttachments } from './references.js';
import { ToolUse, type ToolUseDeps } from './toolUse.js';
import type { ChatTurn, TurnEnd } from './turn.js';

export interface AnsweringDeps extends ToolUseDeps {
	/** Whether a server's instructions differ from the locked ones. */
	readonly areInstructionsNew: (server: Server) => Promise<boolean>;
	/** Knows the servers that deny rules hide from models. */
	readonly interactions: Interactions;
}

/** Every provider accepts this many tools; with more, models choose badly. */
const maxTools = 64;
/** Limit of all earlier messages together, in UTF-16 units. */
const maxPast = 60_000;

/** The model that the person has selected. Some editors have a chat but no model, although the type says otherwise. */
export function modelFor({ model }: vscode.ChatRequest): vscode.LanguageModelChat | undefined {
	return model;
}

/**
 * Sends messages to the model, streams its answer, and runs the tools that it calls.
 * @param question the text that tools are ranked by if there are too many
 * @param messages the messages of this turn, oldest first
 * @throws ModelError, AbortError
 */
export async function answer(
	turn: ChatTurn,
	model: vscode.LanguageModelChat,
	question: string,
	messages: readonly vscode.LanguageModelChatMessage[],
	deps: AnsweringDeps,
): Promise<TurnEnd> {
	const { registry, interactions } = deps;
	const tokens = new TokenBudget({
		maxInputTokens: model.maxInputTokens,
		takesImages: surelyTakesImages(model),
		count: text => model.countTokens(text, turn.token),
	});
	const allowed = await Promise.all(
		registry.servers.map(async it => ((await interactions.denies(it, 'tools')) ? [] : [it])),
	);
	const servers = allowed.flat();
	const all = (await Promise.all(servers.map(it => toolsOf(it, registry.label(it))))).flat();
	const limits = { maxTools, maxChars: tokens.quarter };
	const { tools, left } = offerTools(all, question, limits, (...it) => registry.redact(...it));
	const first = await writePreamble(servers, left, deps);
	const attached = await readAttachments(turn, deps);
	const past = pastMessages(turn.history, Math.min(maxPast, tokens.quarter));
	const whole = [fromUser(first), ...past, ...attached.map(fromUser), ...messages];
	turn.signal.throwIfAborted();
	return runLoop(turn, model, tokens, whole, new ToolUse(turn, tools, deps));
}

/** Empty for a server that doesn't run, or whose list can't be read. */
async function toolsOf(server: Server, label: string): Promise<ToolOfServer[]> {
	const list = server.client ? await server.catalog?.currentTools() : undefined;
	return itemsOf(list)
		.filter(it => isForModels(server, it))
		.map(tool => ({ server, label, tool }));
}

export function fromUser(text: string): vscode.LanguageModelChatMessage {
	return vscode.LanguageModelChatMessage.User(text);
}
