/** One message to `@mcp`, and the data that the editor keeps with its answer. */
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

/** A suggested next message. */
export interface Followup {
	readonly prompt: string;
	readonly label?: string;
	readonly command?: ChatCommand;
}

/** Kept by the editor with an answer, as JSON. */
export interface TurnEnd {
	readonly next?: readonly Followup[];
}

const maxFollowups = 5;

/** Reads the suggestions from the metadata of a result, which an earlier version of the extension may have written. */
export function readFollowups({ metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
	const { next } = (metadata ?? {}) as TurnEnd;
	return Array.isArray(next) ? next.slice(0, maxFollowups).map((it: Followup) => ({ ...it })) : [];
}
