/** Makes a rule from a call, and inserts it into the text of a policy. */
import { applyEdits, modify } from 'jsonc-parser';
import type { JsonObject } from '../../mcp/index.js';
import { escapeGlob } from './glob.js';
import type { PolicyDecision } from './policy.js';
import { parsePolicy } from './policyFile.js';

/** The decision of a new rule, and the calls that it is about. */
export interface NewRule {
	readonly decision: PolicyDecision;
	readonly server: string;
	/** Every tool of the server if left out. */
	readonly tool?: string | undefined;
	/** The rule is about calls with these arguments; arguments that it doesn't name may have any value. */
	readonly arguments?: JsonObject | undefined;
}

/**
 * The text with the rule as its first, so that no other rule takes precedence.
 * @returns `undefined` if the text has a mistake
 */
export function withRule(text: string, rule: NewRule): string | undefined {
	const { decision, server, tool, arguments: args } = rule;
	const patterns = args && patternsOf(args);
	const written = {
		decision,
		server: escapeGlob(server),
		...(tool !== undefined && { tool: escapeGlob(tool) }),
		...(patterns && { arguments: patterns }),
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

/** Whether a rule can name the arguments: there is a value, no array or empty object, and no name with a dot or `*`. */
export function canNameArguments(args: JsonObject): boolean {
	return patternsOf(args) !== undefined;
}

/** A pattern for each value by its path; undefined if a rule can't name the arguments. */
function patternsOf(args: JsonObject): Record<string, unknown> | undefined {
	const patterns: [string, unknown][] = [];
	const open: (readonly [path: readonly string[], value: unknown])[] = [[[], args]];
	for (let next = open.pop(); next; next = open.pop()) {
		const [path, value] = next;
		if (Array.isArray(value)) {
			// Rules can't name an element by its index.
			return undefined;
		}
		if (typeof value === 'object' && value !== null) {
			const members = Object.entries(value).toReversed();
			if (members.some(([name]) => name === '' || name.includes('.') || name === '*') || members.length === 0) {
				return undefined;
			}
			open.push(...members.map(([name, it]) => [[...path, name], it] as const));
		} else {
			patterns.push([path.join('.'), typeof value === 'string' ? escapeGlob(value) : value]);
		}
	}
	return Object.fromEntries(patterns);
}
