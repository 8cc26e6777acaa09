/**
 * PURE: what is kept of a call, to be looked at, compared and made again. Secrets are taken out and what is large is cut
 * before anything is kept, so an entry is small and can be shown as it is.
 */
import { isObject, type JsonObject, type ToolResult } from '../mcp/index.js';
import type { ApprovalReason, Caller } from './approval.js';
import type { EndedCall } from './calls.js';

/** How it ended. A tool that says itself that it failed has answered. */
export type HistoryEnd =
	| { readonly kind: 'answered'; readonly result: JsonObject; readonly isError: boolean }
	| { readonly kind: 'failed'; readonly message: string }
	| { readonly kind: 'denied' }
	| { readonly kind: 'cancelled' };

/** Why it was made, or was not: what decided, and what the person answered if they were asked. */
export interface HistoryDecision {
	readonly isAllowed: boolean;
	readonly reason: ApprovalReason;
	readonly answer: 'allow' | 'deny' | undefined;
}

export interface HistoryEntry {
	readonly id: string;
	/** When it was asked for; milliseconds since 1970. */
	readonly time: number;
	readonly durationMs: number;
	readonly caller: Caller;
	/** The id of the server's definition, and its name. */
	readonly serverId: string;
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly decision: HistoryDecision;
	readonly end: HistoryEnd;
	/** What was too large to be kept whole: its longest texts end early. */
	readonly isCut: { readonly arguments: boolean; readonly result: boolean };
}

/** Characters of arguments or of a result that are kept whole. */
const maxWhole = 100_000;
/** Characters of a text, and entries of a list or object, that are kept of what is larger. */
const maxText = 500;
const maxItems = 50;
const maxDepth = 20;

/**
 * The entry of a call.
 * @param redact takes the secrets of the server out of data
 * @param describe words an error for the person
 */
export function entryOf(
	call: EndedCall,
	id: string,
	redact: <T>(value: T) => T,
	describe: (error: unknown) => string,
): HistoryEntry {
	const { time, durationMs, caller, server, tool, approval, end } = call;
	const args = keep(call.arguments);
	const shown = redact(args.value);
	// What is not what was sent must not be sent again as if it were.
	const isWhole = !args.isCut && JSON.stringify(shown) === JSON.stringify(args.value);
	const result = end.kind === 'answered' ? keep(end.result) : undefined;
	return {
		id,
		time,
		durationMs,
		caller,
		serverId: server.definition.id,
		server: server.definition.name,
		tool,
		arguments: shown,
		decision: {
			isAllowed: approval.isAllowed,
			reason: approval.decision.reason,
			answer: approval.answer?.kind,
		},
		end: result
			? { kind: 'answered', result: redact(result.value), isError: result.value['isError'] === true }
			: end.kind === 'failed'
				? { kind: 'failed', message: redact(describe(end.error)) }
				: { kind: end.kind === 'denied' ? 'denied' : 'cancelled' },
		isCut: { arguments: !isWhole, result: result?.isCut ?? false },
	};
}

/** What is known of them today: another version may have written more. */
const callers: Readonly<Record<Caller['kind'], true>> = { person: true, command: true, extension: true, model: true };
const reasons: Readonly<Record<ApprovalReason['kind'], true>> = {
	rule: true,
	otherwise: true,
	broken: true,
	grant: true,
	changedPin: true,
	unreadablePin: true,
	ownConsent: true,
	byDefault: true,
};

/** As it was written by `JSON.stringify`; `undefined` for what is none. */
export function parseEntry(line: string): HistoryEntry | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		// The disk was full, or the machine went down.
		return undefined;
	}
	if (!isObject(value)) {
		return undefined;
	}
	const { id, time, durationMs, caller, serverId, server, tool, arguments: args, decision, end, isCut } = value;
	const isEntry =
		[id, serverId, server, tool].every(it => typeof it === 'string') &&
		[time, durationMs].every(it => typeof it === 'number') &&
		[caller, args, decision, end, isCut].every(isObject) &&
		isObject(end) &&
		isObject(caller) &&
		typeof caller['kind'] === 'string' &&
		Object.hasOwn(callers, caller['kind']) &&
		isObject(decision) &&
		isObject(decision['reason']) &&
		typeof decision['reason']['kind'] === 'string' &&
		Object.hasOwn(reasons, decision['reason']['kind']) &&
		(end['kind'] !== 'answered' || isObject(end['result']));
	return isEntry ? (value as unknown as HistoryEntry) : undefined;
}

/** Whether every word of the filter is in what a line of the view says, or in the arguments or the result. */
export function matchesEntry(entry: HistoryEntry, filter: string): boolean {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) {
		return true;
	}
	const { server, tool, arguments: args, end } = entry;
	const text = `${server}\n${tool}\n${end.kind}\n${JSON.stringify(args)}\n${JSON.stringify(end)}`.toLowerCase();
	return words.every(it => text.includes(it));
}

/** The call as a program would make it that uses the official SDK. */
export function sdkCall({ tool, arguments: args }: HistoryEntry): string {
	const params = JSON.stringify({ name: tool, arguments: args }, undefined, '\t');
	return `const result = await client.callTool(${params});\n`;
}

/** What two results are compared by: the same data is the same text. */
export function resultText({ end }: HistoryEntry): string {
	return `${JSON.stringify(end.kind === 'answered' ? end.result : end, undefined, '\t')}\n`;
}

/** The value itself if it is small, or as much of it as is worth keeping. */
function keep(value: JsonObject | ToolResult): { readonly value: JsonObject; readonly isCut: boolean } {
	const whole = value as JsonObject;
	return isSmall(whole) ? { value: whole, isCut: false } : { value: cut(whole, 0) as JsonObject, isCut: true };
}

/** Looks no further than it must: a result may have a hundred million characters, or nest a million times. */
function isSmall(value: unknown): boolean {
	let left = maxWhole;
	const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value: it, depth } = next;
		left -= typeof it === 'string' ? it.length + 2 : 6;
		if (typeof it === 'object' && it !== null) {
			// How many there are is known before any is looked at.
			left -= 4 * (Array.isArray(it) ? it.length : Object.keys(it).length);
			if (depth > maxDepth || left < 0) {
				return false;
			}
			for (const [key, item] of Object.entries(it)) {
				left -= key.length;
				open.push({ value: item, depth: depth + 1 });
			}
		}
		if (left < 0) {
			return false;
		}
	}
	return true;
}

function cut(value: unknown, depth: number): unknown {
	if (typeof value === 'string') {
		return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (depth >= maxDepth) {
		return '…';
	}
	if (Array.isArray(value)) {
		const kept = value.slice(0, maxItems).map(it => cut(it, depth + 1));
		return value.length > maxItems ? [...kept, '…'] : kept;
	}
	const entries = Object.entries(value);
	const kept = entries.slice(0, maxItems).map(([key, it]) => [key.slice(0, maxText), cut(it, depth + 1)] as const);
	return Object.fromEntries(entries.length > maxItems ? [...kept, ['…', '…']] : kept);
}
