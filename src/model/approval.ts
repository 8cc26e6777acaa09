/**
 * PURE: may this call be made? One decision for every caller. Later this reads a policy, grants and
 * pins; whoever asks already goes through here.
 */
import type { JsonObject } from '../mcp/index.js';

/** Who wants a tool to run. */
export type Caller =
	/** A person chose Run in front of the exact arguments: that is consent. */
	| { readonly kind: 'person' }
	/** A command with arguments: another extension, a keybinding, a task. */
	| { readonly kind: 'command' }
	/** Another extension, by its own word. */
	| { readonly kind: 'extension'; readonly id: string };

export interface ToolCall {
	readonly caller: Caller;
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
}

/** The rule that decided; every prompt names it. */
export type ApprovalRule = 'ownConsent' | 'askByDefault';

export type ApprovalDecision = { readonly kind: 'allow' | 'ask'; readonly rule: ApprovalRule };

export function decideApproval({ caller }: ToolCall): ApprovalDecision {
	return caller.kind === 'person' ? { kind: 'allow', rule: 'ownConsent' } : { kind: 'ask', rule: 'askByDefault' };
}
