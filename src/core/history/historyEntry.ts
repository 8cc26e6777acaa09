/**
 * History entries of calls and other exchanges with servers. Secrets are removed and large values are shortened before an
 * entry is kept. In the journal an entry is a line of JSON.
 */
import { assertNever } from '../../base/errors.js';
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject, type ToolResult } from '../../mcp/index.js';
import { type ApprovalReason, type Caller } from '../approvals/approval.js';
import type { Unanswered } from '../approvals/approver.js';
import type { EndedCall } from '../calls/calls.js';
import type { EndedElicitation, EndedInteraction, EndedSampling, SamplingDecision } from '../calls/interactions.js';
import { redactedArguments } from '../text/callArguments.js';
import { hasOtherNumbers, indentSource, resultSource } from '../text/jsonSource.js';
import { keepSmall, type KeptValue, maxWhole } from './keptValue.js';

/** How an exchange ended. A tool result with an error, and a person's "decline", are answers. */
export type HistoryEnd =
	| {
			readonly kind: 'answered';
			readonly result: JsonObject;
			readonly isError: boolean;
			/** The JSON of the result as received, if parsing changes its numbers: 1.0, 9007199254740993. */
			readonly source?: string;
			/** The structured content breaks the tool's `outputSchema`. */
			readonly isMismatch?: true;
			/** The server sent something that the protocol doesn't allow. */
			readonly hasWarnings?: true;
	  }
	| { readonly kind: 'failed'; readonly message: string }
	| { readonly kind: 'denied' }
	| { readonly kind: 'cancelled' };

/** Why a call was made or denied, and what the person answered if they were asked. */
export interface HistoryDecision {
	readonly isAllowed: boolean;
	readonly reason: ApprovalReason;
	readonly answer: 'allow' | 'deny' | undefined;
	/** Who ended the wait for an answer, if the person was asked and gave none. */
	readonly unanswered?: Unanswered['by'];
}

interface Kept {
	readonly id: string;
	/** When it was requested; milliseconds since 1970. */
	readonly time: number;
	readonly durationMs: number;
	/** The id of the server's definition, and its name. */
	readonly serverId: string;
	readonly server: string;
	readonly end: HistoryEnd;
	/** What was shortened. `arguments` also means the request of a server. */
	readonly isCut: { readonly arguments: boolean; readonly result: boolean };
	/** Only who asked and what was decided is kept, because the person turned the history off. */
	readonly isDecisionOnly?: true;
}

export interface CallEntry extends Kept {
	readonly kind: 'call';
	readonly caller: Caller;
	readonly tool: string;
	/** The tool's display name, if it differs from its name. */
	readonly title?: string;
	readonly arguments: JsonObject;
	readonly decision: HistoryDecision;
}

export type HistoryEntry =
	| CallEntry
	| (Kept & { readonly kind: 'resource'; readonly caller: Caller; readonly uri: string })
	| (Kept & { readonly kind: 'prompt'; readonly caller: Caller; readonly name: string; readonly arguments: JsonObject })
	/** The request has `message`, and `requestedSchema` or `url`. The result has `action`, and `content` without passwords. */
	| (Kept & { readonly kind: 'elicitation'; readonly request: JsonObject })
	/** The request has `messages` and the other parameters. `model` is the model that was asked, if there was one. */
	| (Kept & {
			readonly kind: 'sampling';
			readonly request: JsonObject;
			readonly model?: string;
			readonly decision: SamplingDecision;
	  });

/** An exchange that has ended, from which an entry is made. */
export type Ended = ({ readonly kind: 'call' } & EndedCall) | EndedInteraction;

/** Removes the secrets of servers from data. */
type Redact = <T>(value: T) => T;

/**
 * The history entry of an exchange.
 * @param describe describes an error to the person
 * @param isWhole whether arguments, results, and errors are kept
 */
export function historyEntryOf(
	ended: Ended,
	id: string,
	redact: Redact,
	describe: (error: unknown) => string,
	isWhole = true,
): HistoryEntry {
	const { time, durationMs, server, end } = ended;
	const nothing = { value: {}, isCut: true };
	const asked = isWhole ? keepAsked(ended, redact) : nothing;
	const source = isWhole ? sourceOf(ended) : undefined;
	const result =
		end.kind === 'answered' ? (isWhole ? keepSmall(resultOf(ended, end.result, source), redact) : nothing) : undefined;
	const kept: Kept = {
		id,
		time,
		durationMs,
		serverId: server.definition.id,
		server: server.definition.name,
		end:
			result && end.kind === 'answered'
				? {
						kind: 'answered',
						result: { ...result.value, ...actionOf(ended) },
						isError: 'isError' in end.result && end.result.isError,
						...(source !== undefined && hasOtherNumbers(source) && { source: redact(source) }),
						...('schemaCheck' in end && end.schemaCheck?.kind === 'invalid' && { isMismatch: true as const }),
						...('warnings' in end && end.warnings.length > 0 && { hasWarnings: true as const }),
					}
				: end.kind === 'failed'
					? { kind: 'failed', message: isWhole ? redact(describe(end.error)) : '' }
					: { kind: end.kind === 'denied' ? 'denied' : 'cancelled' },
		isCut: { arguments: asked.isCut, result: result?.isCut ?? false },
		...(!isWhole && { isDecisionOnly: true as const }),
	};
	switch (ended.kind) {
		case 'call': {
			const { caller, tool, title, approval } = ended;
			const { decision, answer, isAllowed, unanswered } = approval;
			const why: HistoryDecision = {
				isAllowed,
				reason: keptReason(decision.reason),
				answer: answer?.kind,
				...(unanswered && { unanswered: unanswered.by }),
			};
			const name = title === tool ? { tool } : { tool, title: redact(title) };
			return { kind: 'call', ...kept, caller, ...name, arguments: asked.value, decision: why };
		}
		case 'resource':
			return { kind: 'resource', ...kept, caller: ended.caller, uri: redact(ended.uri) };
		case 'prompt':
			return {
				kind: 'prompt',
				...kept,
				caller: ended.caller,
				name: redact(textOf(ended.params['name'])),
				arguments: asked.value,
			};
		case 'elicitation':
			return { kind: 'elicitation', ...kept, request: asked.value };
		case 'sampling': {
			const { model, decision } = ended;
			return { kind: 'sampling', ...kept, request: asked.value, ...(model !== undefined && { model }), decision };
		}
		default:
			return assertNever(ended);
	}
}

/** Without the arguments that a grant was given for: they belong to an earlier call, and aren't redacted. */
function keptReason(reason: ApprovalReason): ApprovalReason {
	if (reason.kind !== 'grant') {
		return reason;
	}
	const { argumentsKey: _, ...grant } = reason.grant;
	return { kind: 'grant', grant };
}

/** `isCut` is also true if only redaction has changed the value, because such a value must not be sent again. */
function keepAsked(ended: Ended, redact: Redact): KeptValue {
	const sent = askedWith(ended);
	// Secrets are masked before the value is shortened, while all values are still where the schema describes them.
	const schema = ended.kind === 'call' ? ended.inputSchema : ended.kind === 'prompt' ? {} : undefined;
	const { value, isCut } = keepSmall(schema ? redactedArguments(schema, sent) : sent, redact);
	return { value, isCut: isCut || JSON.stringify(value) !== JSON.stringify(sent) };
}

function askedWith(ended: Ended): JsonObject {
	switch (ended.kind) {
		case 'call':
			return ended.arguments;
		case 'resource':
			return {};
		case 'prompt': {
			const { arguments: args } = ended.params;
			return isObject(args) ? args : {};
		}
		case 'elicitation':
		case 'sampling':
			return paramsOf(ended);
		default:
			return assertNever(ended);
	}
}

/** Without members about the request itself. */
function paramsOf({ params }: EndedElicitation | EndedSampling): JsonObject {
	return Object.fromEntries(Object.entries(params).filter(([key]) => key !== '_meta' && key !== 'task'));
}

/** The action isn't redacted: a person may have typed the word "accept" as a password. */
function actionOf({ kind, end }: Ended): JsonObject {
	const isKnown = kind === 'elicitation' && end.kind === 'answered' && 'action' in end.result;
	return isKnown ? { action: end.result.action } : {};
}

/** The JSON of a call's result as received, if all of it is kept. */
function sourceOf({ kind, end }: Ended): string | undefined {
	const { text = '' } = kind === 'call' && end.kind === 'answered' ? end : {};
	return text.length <= maxWhole ? resultSource(text) : undefined;
}

/** The result without passwords. Servers must not ask for passwords in forms, but may. @param source of the result */
function resultOf(ended: Ended, result: object, source: string | undefined): object {
	if (ended.kind === 'call') {
		const { isError, ...rest } = result as ToolResult;
		return source === undefined ? { ...rest, ...(isError && { isError }) } : (parseJson(source) as object);
	}
	if (ended.kind === 'resource') {
		return { contents: result };
	}
	if (ended.kind !== 'elicitation' || !('content' in result) || !isObject(result.content)) {
		return result;
	}
	const { requestedSchema } = ended.params;
	const schema = isObject(requestedSchema) ? requestedSchema : {};
	return { ...result, content: redactedArguments(schema, result.content) };
}

/** The version of entries in the journal. Increase it when a member changes its meaning or a required member is added. */
const entryVersion = 1;

/** Formats an entry as a line of the journal. */
export function formatEntry(entry: HistoryEntry): string {
	return JSON.stringify({ version: entryVersion, ...entry });
}

/** Reads a line of the journal. Returns `undefined` if the line is incomplete or of another version. */
export function parseEntry(line: string): HistoryEntry | undefined {
	// A full disk or a crash leaves an incomplete line.
	const value = parseJson(line);
	const { version, ...entry } = isObject(value) ? value : {};
	return version === entryVersion ? (entry as unknown as HistoryEntry) : undefined;
}

/**
 * The caller of a call that the person repeats from the history: the person if they made or allowed the first call, and
 * otherwise `history`, which needs an approval.
 */
export function callerOfRepeat({
	caller,
	decision,
}: {
	readonly caller: Caller;
	readonly decision: Pick<HistoryDecision, 'isAllowed' | 'answer'>;
}): Caller {
	const isTheirs = caller.kind === 'person' || (caller.kind === 'history' && decision.answer === 'allow');
	return decision.isAllowed && isTheirs ? { kind: 'person' } : { kind: 'history' };
}

/** The subject in the server's words: the name of the tool, the URI, or the text of the question. */
export function subjectOf(entry: HistoryEntry): string {
	switch (entry.kind) {
		case 'call':
			return entry.tool;
		case 'resource':
			return entry.uri;
		case 'prompt':
			return entry.name;
		case 'elicitation':
			return textOf(entry.request['message']);
		case 'sampling': {
			const { messages } = entry.request;
			const last: unknown = Array.isArray(messages) ? messages.findLast(isObject) : undefined;
			return isObject(last) ? textOfContent(last['content']) : '';
		}
		default:
			return assertNever(entry);
	}
}

function textOfContent(content: unknown): string {
	const blocks = Array.isArray(content) ? content : [content];
	const text = blocks.find(it => isObject(it) && typeof it['text'] === 'string');
	return isObject(text) ? textOf(text['text']) : '';
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/**
 * How the exchange ended. `warning`: with a result that breaks its schema, or with warnings about the protocol; `stopped`: it was denied, declined or
 * cancelled.
 */
export function outcomeOf({ kind, end }: HistoryEntry): 'done' | 'warning' | 'stopped' | 'failed' {
	switch (end.kind) {
		case 'answered':
			if (!end.isError && (end.isMismatch || end.hasWarnings)) {
				return 'warning';
			}
			return end.isError ? 'failed' : kind === 'elicitation' && end.result['action'] !== 'accept' ? 'stopped' : 'done';
		case 'denied':
		case 'cancelled':
			return 'stopped';
		case 'failed':
			return 'failed';
	}
}

/** The text that a filter searches: that of the entry's row, the request and the answer. @param serverLabel as in the row */
export function searchedText(entry: HistoryEntry, serverLabel: string): string {
	const { kind, server, end } = entry;
	const caller = 'caller' in entry ? Object.values(entry.caller) : [];
	const asked = 'request' in entry ? entry.request : 'arguments' in entry ? entry.arguments : {};
	const model = 'model' in entry ? [entry.model] : [];
	const title = 'title' in entry ? [entry.title] : [];
	const parts = [kind, serverLabel, server, subjectOf(entry), ...caller, ...model, ...title, end.kind];
	return `${parts.join('\n')}\n${JSON.stringify(asked)}\n${JSON.stringify(end)}`;
}

/** The call as TypeScript code that uses the official SDK. */
export function sdkCall({ tool, arguments: args }: Pick<CallEntry, 'tool' | 'arguments'>): string {
	const params = JSON.stringify({ name: tool, arguments: args }, undefined, '\t');
	return `const result = await client.callTool(${params});\n`;
}

/** The result as text for a comparison of two results. */
export function comparableResult({ end }: CallEntry): string {
	const { source } = end.kind === 'answered' ? end : {};
	const json = JSON.stringify(end.kind === 'answered' ? end.result : end, undefined, 2);
	return `${source === undefined ? json : indentSource(source)}\n`;
}
