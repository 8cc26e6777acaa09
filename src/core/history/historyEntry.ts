/**
 * PURE: what is kept of a call, or of anything else that went between somebody and a server, to be looked at, compared
 * and made again. Secrets are taken out and what is large is cut before anything is kept, so an entry is small and can
 * be shown as it is. On the disk an entry is a line of JSON; one without a kind is a call: there was nothing else once.
 */
import { assertNever } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { type ApprovalReason, type Caller, isAttended } from '../approvals/approval.js';
import type { Unanswered } from '../approvals/approver.js';
import type { EndedCall } from '../calls/calls.js';
import type { EndedElicitation, EndedExchange, EndedSampling, SamplingDecision } from '../calls/exchanges.js';
import { redactedArguments, withoutSecretArguments } from '../text/keptArguments.js';
import { keepSmall } from './keptValue.js';
import { redacted } from '../text/redactor.js';

/** How it ended. A tool that says itself that it failed has answered, and so has a person who declines. */
export type HistoryEnd =
	| {
			readonly kind: 'answered';
			readonly result: JsonObject;
			readonly isError: boolean;
			/** The structured content breaks the tool's `outputSchema`. */
			readonly isMismatch?: true;
	  }
	| { readonly kind: 'failed'; readonly message: string }
	| { readonly kind: 'denied' }
	| { readonly kind: 'cancelled' };

/** Why it was made, or was not: what decided, and what the person answered if they were asked. */
export interface HistoryDecision {
	readonly isAllowed: boolean;
	readonly reason: ApprovalReason;
	readonly answer: 'allow' | 'deny' | undefined;
	/** Who ended the wait for an answer, if the person was asked and gave none. */
	readonly unanswered?: Unanswered['by'];
}

interface Kept {
	readonly id: string;
	/** When it was asked for; milliseconds since 1970. */
	readonly time: number;
	readonly durationMs: number;
	/** The id of the server's definition, and its name. */
	readonly serverId: string;
	readonly server: string;
	readonly end: HistoryEnd;
	/** What was too large to be kept whole: its longest texts end early. `arguments` is whatever was asked with. */
	readonly isCut: { readonly arguments: boolean; readonly result: boolean };
}

export interface CallEntry extends Kept {
	readonly kind: 'call';
	readonly caller: Caller;
	readonly tool: string;
	/** The tool's display name, if it differs from its name; missing in entries of earlier versions. */
	readonly title?: string;
	readonly arguments: JsonObject;
	readonly decision: HistoryDecision;
}

export interface ResourceEntry extends Kept {
	readonly kind: 'resource';
	readonly caller: Caller;
	readonly uri: string;
}

export interface PromptEntry extends Kept {
	readonly kind: 'prompt';
	readonly caller: Caller;
	readonly prompt: string;
	readonly arguments: JsonObject;
}

/** A server asked the person. The result is what it was told: `action`, and the `content` without passwords. */
export interface ElicitationEntry extends Kept {
	readonly kind: 'elicitation';
	/** `message`, with `requestedSchema` or `url`. */
	readonly request: JsonObject;
}

/** A server asked a model. */
export interface SamplingEntry extends Kept {
	readonly kind: 'sampling';
	/** `messages`, and what else it asked for. */
	readonly request: JsonObject;
	/** Which model it was, if one was asked. */
	readonly model?: string;
	readonly decision: SamplingDecision;
}

export type HistoryEntry = CallEntry | ResourceEntry | PromptEntry | ElicitationEntry | SamplingEntry;

/** What an entry is made of. */
export type Ended = ({ readonly kind: 'call' } & EndedCall) | EndedExchange;

/** Takes the secrets of servers out of data. */
type Redact = <T>(value: T) => T;

/**
 * The entry of what has ended.
 * @param describe words an error for the person
 */
export function entryOf(ended: Ended, id: string, redact: Redact, describe: (error: unknown) => string): HistoryEntry {
	const { time, durationMs, server, end } = ended;
	const asked = keepRedacted(withoutSecrets(ended), askedWith(ended), redact);
	const result = end.kind === 'answered' ? keepSmall(resultOf(ended, end.result), redact) : undefined;
	const kept: Kept = {
		id,
		time,
		durationMs,
		serverId: server.definition.id,
		server: server.definition.name,
		end: result
			? {
					kind: 'answered',
					result: { ...redact(result.value), ...actionOf(ended) },
					isError: result.value['isError'] === true,
					...('schemaCheck' in end && end.schemaCheck?.kind === 'invalid' && { isMismatch: true as const }),
				}
			: end.kind === 'failed'
				? { kind: 'failed', message: redact(describe(end.error)) }
				: { kind: end.kind === 'denied' ? 'denied' : 'cancelled' },
		isCut: { arguments: asked.isCut, result: result?.isCut ?? false },
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
		case 'prompt': {
			const { caller, prompt } = ended;
			return { kind: 'prompt', ...kept, caller, prompt, arguments: asked.value };
		}
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

/** The arguments that an answer was about are those of some call before, as they were. */
function keptReason(reason: ApprovalReason): ApprovalReason {
	if (reason.kind !== 'grant') {
		return reason;
	}
	const { argumentsKey: _, ...grant } = reason.grant;
	return { kind: 'grant', grant };
}

/** What is not what was sent must not be sent again as if it were. */
function keepRedacted(
	clean: JsonObject,
	sent: JsonObject,
	redact: Redact,
): { readonly value: JsonObject; readonly isCut: boolean } {
	const kept = keepSmall(clean, redact);
	const value = redact(kept.value);
	return { value, isCut: kept.isCut || JSON.stringify(value) !== JSON.stringify(sent) };
}

/** Before anything is cut: a part that was cut is no longer where the schema knows it. */
function withoutSecrets(ended: Ended): JsonObject {
	switch (ended.kind) {
		case 'call':
			return redactedArguments(ended.inputSchema, ended.arguments);
		case 'prompt':
			// Prompts have no schema: a name is all there is to judge by.
			return withoutSecretArguments({}, ended.arguments, redacted);
		default:
			return askedWith(ended);
	}
}

function askedWith(ended: Ended): JsonObject {
	switch (ended.kind) {
		case 'call':
		case 'prompt':
			return ended.arguments;
		case 'resource':
			return {};
		case 'elicitation':
		case 'sampling':
			return paramsOf(ended);
		default:
			return assertNever(ended);
	}
}

/** Without what programs tell each other about the request itself. */
function paramsOf({ params }: EndedElicitation | EndedSampling): JsonObject {
	return Object.fromEntries(Object.entries(params).filter(([key]) => key !== '_meta' && key !== 'task'));
}

/** Not redacted: the person may have typed the same word as a password. */
function actionOf({ kind, end }: Ended): JsonObject {
	const isKnown = kind === 'elicitation' && end.kind === 'answered' && 'action' in end.result;
	return isKnown ? { action: end.result.action } : {};
}

/** What a person was asked for may be a password, though servers must not ask for one in a form. */
function resultOf(ended: Ended, result: object): object {
	if (ended.kind === 'resource') {
		return { contents: result };
	}
	if (ended.kind !== 'elicitation' || !('content' in result) || !isObject(result.content)) {
		return result;
	}
	const { requestedSchema } = ended.params;
	const schema = isObject(requestedSchema) ? requestedSchema : {};
	return { ...result, content: withoutSecretArguments(schema, result.content, redacted) };
}

/** What is known of them today: another version may have written more. */
const callers: Readonly<Record<Caller['kind'], true>> = {
	person: true,
	command: true,
	extension: true,
	document: true,
	history: true,
	model: true,
};
const reasons: Readonly<Record<ApprovalReason['kind'], true>> = {
	rule: true,
	otherwise: true,
	broken: true,
	grant: true,
	changedPin: true,
	unreadablePin: true,
	notPinned: true,
	ownConsent: true,
	byDefault: true,
	resumed: true,
};
const samplingReasons: Readonly<Record<SamplingDecision['by'], true>> = { person: true, grant: true, limit: true };

/** What only entries of a kind have. */
const shapes: Readonly<Record<HistoryEntry['kind'], (value: JsonObject) => boolean>> = {
	call: ({ caller, tool, arguments: args, decision }) =>
		isCaller(caller) &&
		typeof tool === 'string' &&
		isObject(args) &&
		isObject(decision) &&
		isObject(decision['reason']) &&
		isKeyOf(reasons, decision['reason']['kind']),
	resource: ({ caller, uri }) => isCaller(caller) && typeof uri === 'string',
	prompt: ({ caller, prompt, arguments: args }) => isCaller(caller) && typeof prompt === 'string' && isObject(args),
	elicitation: ({ request }) => isObject(request),
	sampling: ({ request, model, decision }) =>
		isObject(request) &&
		(model === undefined || typeof model === 'string') &&
		isObject(decision) &&
		typeof decision['isAllowed'] === 'boolean' &&
		isKeyOf(samplingReasons, decision['by']),
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
	const { kind = 'call', id, time, durationMs, serverId, server, end, isCut } = value;
	const isEntry =
		[id, serverId, server].every(it => typeof it === 'string') &&
		[time, durationMs].every(it => typeof it === 'number') &&
		isObject(end) &&
		isObject(isCut) &&
		(end['kind'] !== 'answered' || isObject(end['result'])) &&
		isKeyOf(shapes, kind) &&
		shapes[kind](value);
	return isEntry ? ({ ...value, kind } as unknown as HistoryEntry) : undefined;
}

/**
 * Who makes the call once more when the person asks for that in our own interface. Only what they have made or allowed
 * themselves is theirs: a call that was denied, or that somebody else has made, is asked about.
 */
export function callerOfRepeat({
	caller,
	decision,
}: {
	readonly caller: Caller;
	readonly decision: Pick<HistoryDecision, 'isAllowed' | 'answer'>;
}): Caller {
	const isTheirs = caller.kind === 'person' || (isAttended(caller) && decision.answer === 'allow');
	return decision.isAllowed && isTheirs ? { kind: 'person' } : { kind: 'history' };
}

/** Whether somebody could have written it down as a caller. */
export function isCaller(value: unknown): value is Caller {
	return isObject(value) && isKeyOf(callers, value['kind']);
}

function isKeyOf<K extends string>(record: Readonly<Record<K, unknown>>, key: unknown): key is K {
	return typeof key === 'string' && Object.hasOwn(record, key);
}

/** What it is about, in the server's words: a tool, an address, a prompt, a question. */
export function subjectOf(entry: HistoryEntry): string {
	switch (entry.kind) {
		case 'call':
			return entry.tool;
		case 'resource':
			return entry.uri;
		case 'prompt':
			return entry.prompt;
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
 * How the exchange ended. `mismatch`: with a result that breaks its schema; `stopped`: it was denied, declined or
 * cancelled.
 */
export function outcomeOf({ kind, end }: HistoryEntry): 'done' | 'mismatch' | 'stopped' | 'failed' {
	switch (end.kind) {
		case 'answered':
			if (!end.isError && end.isMismatch) {
				return 'mismatch';
			}
			return end.isError ? 'failed' : kind === 'elicitation' && end.result['action'] !== 'accept' ? 'stopped' : 'done';
		case 'denied':
		case 'cancelled':
			return 'stopped';
		case 'failed':
			return 'failed';
	}
}

/** Whether every word of the filter is in what a line of the view says, or in what was asked or answered. */
export function matchesEntry(entry: HistoryEntry, filter: string): boolean {
	const { kind, server, end } = entry;
	const caller = 'caller' in entry ? Object.values(entry.caller) : [];
	const asked = 'request' in entry ? entry.request : 'arguments' in entry ? entry.arguments : {};
	const model = 'model' in entry ? [entry.model] : [];
	const title = 'title' in entry ? [entry.title] : [];
	const parts = [kind, server, subjectOf(entry), ...caller, ...model, ...title, end.kind];
	return containsWords(`${parts.join('\n')}\n${JSON.stringify(asked)}\n${JSON.stringify(end)}`, filter);
}

/** Whether a text contains every word of a filter. Ignores case. */
export function containsWords(text: string, filter: string): boolean {
	const all = text.toLowerCase();
	return filter
		.toLowerCase()
		.split(/\s+/)
		.every(it => all.includes(it));
}

/** The call as a program would make it that uses the official SDK. */
export function sdkCall({ tool, arguments: args }: CallEntry): string {
	const params = JSON.stringify({ name: tool, arguments: args }, undefined, '\t');
	return `const result = await client.callTool(${params});\n`;
}

/** What two results are compared by: the same data is the same text. */
export function resultText({ end }: CallEntry): string {
	return `${JSON.stringify(end.kind === 'answered' ? end.result : end, undefined, '\t')}\n`;
}
