/** Makes a rule from a call, and inserts it into the text of a policy. */
import { applyEdits, modify } from 'jsonc-parser';
import { escapeGlob } from './glob.js';
import type { PolicyDecision } from './approval.js';
import { parsePolicy } from './policyFile.js';

/** The decision of a new rule, and the calls that it is about. */
export interface NewRule {
	readonly decision: PolicyDecision;
	readonly server: string;
	/** Every tool of the server if left out. */
	readonly tool?: string | undefined;
}

/**
 * The text with the rule as its first, so that no other rule takes precedence.
 * @returns `undefined` if the text has a mistake
 */
export function withRule(text: string, rule: NewRule): string | undefined {
	const { decision, server, tool } = rule;
	const written = {
		decision,
		server: escapeGlob(server),
		...(tool !== undefined && { tool: escapeGlob(tool) }),
	};
	if (text.trim() === '') {
		return `${JSON.stringify({ rules: [written] }, undefined, '\t')}\n`;
	}
	if (!parsePolicy(text).policy) {
		return undefined;
	}
	// Empty options stand for tabs, and for the line breaks of the text.
	const options = { isArrayInsertion: true, formattingOptions: {} };
	return applyEdits(text, modify(text, ['rules', 0], written, options));
}
