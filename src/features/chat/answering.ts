/** Asking the model: with what was said before, what is attached, and the tools of every server that runs. */
import * as vscode from 'vscode';
import { surelyTakesImages } from '../../editor/newerApi.js';
import type { Exchanges } from '../../core/calls/exchanges.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { isForModels } from '../../core/calls/toolAccess.js';
import { pastMessages } from './history.js';
import { runLoop } from './modelLoop.js';
import { ModelRoom } from './modelRoom.js';
import { offerTools, type ToolOfServer } from './offeredTools.js';
import { preamble, type PreambleDeps } from './preamble.js';
import { attachedTexts } from './references.js';
import { ToolUse, type ToolUseDeps } from './toolUse.js';
import type { ChatTurn, TurnEnd } from './turn.js';

export interface AnsweringDeps extends ToolUseDeps, Pick<PreambleDeps, 'areInstructionsNew'> {
	/** Knows which servers models may have nothing of. */
	readonly exchanges: Exchanges;
}

/** Fewer than any provider takes; more make a model choose badly. */
const maxTools = 64;
const maxPast = 60_000;

/** The model that the person has chosen; some editors that have a chat have none. */
export function modelFor({ model }: vscode.ChatRequest): vscode.LanguageModelChat | undefined {
	return model;
}

/**
 * @param question what it is about, to find the tools that fit
 * @param messages the last of which the model answers
 * @throws ModelError, AbortError
 */
export async function answer(
	turn: ChatTurn,
	model: vscode.LanguageModelChat,
	question: string,
	messages: readonly vscode.LanguageModelChatMessage[],
	deps: AnsweringDeps,
): Promise<TurnEnd> {
	const { registry, doors, exchanges, areInstructionsNew } = deps;
	const keep = (text: string): string => doors.keep(text);
	const room = new ModelRoom({
		maxInputTokens: model.maxInputTokens,
		takesImages: surelyTakesImages(model),
		count: text => model.countTokens(text, turn.token),
	});
	const label = (server: Server): string => registry.label(server);
	const redact = <T>(value: T, server?: Server): T => registry.redact(value, server);
	const judged = await Promise.all(
		registry.servers.map(async it => ({ it, isDenied: await exchanges.denies(it, 'tools') })),
	);
	const servers = judged.filter(({ isDenied }) => !isDenied).map(({ it }) => it);
	const all = (await Promise.all(servers.map(it => toolsOf(it, label(it))))).flat();
	const { tools, left } = offerTools(all, question, { maxTools, maxChars: room.quarter }, redact);
	const first = await preamble(servers, left, { label, areInstructionsNew, redact, keep });
	const attached = await attachedTexts(turn, it => redact(it), keep);
	const past = pastMessages(turn.history, Math.min(maxPast, room.quarter));
	const whole = [fromUser(first), ...past, ...attached.map(fromUser), ...messages];
	turn.signal.throwIfAborted();
	return runLoop(turn, model, room, whole, new ToolUse(turn, tools, deps));
}

/** None of a server that does not run, or whose list cannot be read. */
async function toolsOf(server: Server, label: string): Promise<ToolOfServer[]> {
	const list = server.client ? await server.catalog?.currentTools() : undefined;
	return itemsOf(list)
		.filter(it => isForModels(server, it))
		.map(tool => ({ server, label, tool }));
}

/** What is said to a model for the person. */
export function fromUser(text: string): vscode.LanguageModelChatMessage {
	return vscode.LanguageModelChatMessage.User(text);
}
