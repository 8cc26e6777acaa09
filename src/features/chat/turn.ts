/** One message to `@mcp`, and what is remembered of the answer. */
import type * as vscode from 'vscode';
import type { ChatCommand } from '../../editor/contributions.js';

export interface ChatTurn {
	readonly request: vscode.ChatRequest;
	readonly history: vscode.ChatContext['history'];
	readonly stream: vscode.ChatResponseStream;
	readonly token: vscode.CancellationToken;
	/** Aborts with the token. */
	readonly signal: AbortSignal;
}

/** Something that the person might want to say next. */
export interface Next {
	readonly prompt: string;
	readonly label?: string;
	readonly command?: ChatCommand;
}

/** What the editor keeps with an answer; it is JSON. */
export interface TurnEnd {
	readonly next?: readonly Next[];
}

/** No more are looked at. */
const maxNext = 5;

/** From the metadata of a result, which may come from an earlier version of us. */
export function nextOf({ metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
	const { next } = (metadata ?? {}) as TurnEnd;
	return Array.isArray(next) ? next.slice(0, maxNext).map((it: Next) => ({ ...it })) : [];
}
