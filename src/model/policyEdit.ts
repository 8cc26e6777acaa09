/** PURE: a rule made of a call, and the text of a policy with one more rule. */
import { applyEdits, modify } from 'jsonc-parser';
import type { JsonObject } from '../mcp/index.js';
import { escapeGlob } from './glob.js';
import type { PolicyDecision } from './policy.js';
import { parsePolicy } from './policyFile.js';

/** What a new rule is about, and what it says. */
export interface NewRule {
	readonly decision: PolicyDecision;
	readonly server: string;
	/** Left out, every tool of the server. */
	readonly tool?: string | undefined;
	/** Of these arguments; others beside them may be anything. */
	readonly arguments?: JsonObject | undefined;
}

/** A rule as it stands in the file. */
type WrittenRule = Readonly<Record<string, unknown>>;

/**
 * The rule first in the file, where no other stands before it.
 * @returns `undefined` for a file with a mistake: nobody writes into what they cannot read
 */
export function withRule(text: string, rule: NewRule): string | undefined {
	const written = writtenRule(rule);
	if (text.trim() === '') {
		return `${JSON.stringify({ rules: [written] }, undefined, '\t')}\n`;
	}
	if (!parsePolicy(text).policy) {
		return undefined;
	}
	const formattingOptions = { insertSpaces: false, tabSize: 4, eol: text.includes('\r\n') ? '\r\n' : '\n' };
	return applyEdits(text, modify(text, ['rules', 0], written, { isArrayInsertion: true, formattingOptions }));
}

/** Whether the arguments can be said in a rule: their names have no dots, and there is something to compare. */
export function canNameArguments(args: JsonObject): boolean {
	return patternsOf(args) !== undefined;
}

function writtenRule({ decision, server, tool, arguments: args }: NewRule): WrittenRule {
	const patterns = args && patternsOf(args);
	return {
		decision,
		server: escapeGlob(server),
		...(tool !== undefined && { tool: escapeGlob(tool) }),
		...(patterns && { arguments: patterns }),
	};
}

/** A pattern for each value, by its place. */
function patternsOf(args: JsonObject): Record<string, unknown> | undefined {
	const patterns: [string, unknown][] = [];
	const open: (readonly [path: readonly string[], value: unknown])[] = [[[], args]];
	for (let next = open.pop(); next; next = open.pop()) {
		const [path, value] = next;
		if (Array.isArray(value)) {
			// The place of an element says nothing of what it is.
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
	return patterns.length > 0 ? Object.fromEntries(patterns) : undefined;
}
