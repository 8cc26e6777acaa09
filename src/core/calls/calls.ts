/**
 * Makes every tool call, whether a person, another extension or a model wants it. `Calls.make` lets the `Approver` decide
 * about the tool as the server lists it now, sends the call if it is allowed, and fires an event when it has ended. The
 * rules of the decision are in `approvals/approval.ts`.
 */
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { ContentBlock, JsonObject, PromptMessage, SchemaCheck, Tool, ToolResult } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { ApprovalOutcome, ApprovalQuestion, Approver, CallRequest } from '../approvals/approver.js';
import { errorWhileClosing } from '../servers/closing.js';
import { plainObject, secretValues } from '../text/callArguments.js';
import { hashDefinition } from '../approvals/toolLock.js';
import { itemsOf, toolNamed } from '../servers/catalog.js';
import type { Server } from '../servers/server.js';
import type { ServerWarning } from '../servers/serverState.js';
import { displayName } from '../approvals/toolNames.js';
import { assertEnabled, CallDeniedError, isHiddenFromModels, UnknownToolError } from './toolAccess.js';

/** A call that a caller wants to be made. */
export interface Call {
	/** The id of the call in the history. If it is left out, a random one is used. */
	readonly id?: string;
	readonly caller: Caller;
	readonly server: Server;
	/** The name of the tool. */
	readonly tool: string;
	readonly arguments: JsonObject;
}

/** A call that was allowed, and answered. */
export interface AnsweredCall {
	/** The tool's definition that was allowed. */
	readonly tool: Tool;
	/** The arguments that were sent. The person may have edited them. */
	readonly arguments: JsonObject;
	readonly result: ToolResult;
	/** The message that answered the call, as received; empty or missing if it isn't known. */
	readonly text?: string | undefined;
	/** The check of the structured content against the tool's `outputSchema`, if there are both. */
	readonly schemaCheck: SchemaCheck | undefined;
	/** Violations of the protocol by the server during the call; each kind once. */
	readonly warnings: readonly ServerWarning[];
	/** Milliseconds from sending the request to its answer. */
	readonly durationMs: number;
}

/** A call with the decision about it. */
export interface DecidedCall extends Call {
	/** When the caller made the call, in milliseconds since 1970. */
	readonly time: number;
	/** The arguments that the decision is about. The person may have edited them. */
	readonly arguments: JsonObject;
	/** The tool's display name. */
	readonly title: string;
	/** The schema of the arguments, which also says which of them are secrets. */
	readonly inputSchema: JsonObject;
	readonly approval: ApprovalOutcome;
}

/** A call that was sent and hasn't ended. */
export interface SentCall extends DecidedCall {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly sentAt: number;
	/** Cancels the request: the server is notified, and `make` rejects with AbortError. */
	cancel(): void;
}

/** A call with its end. Nothing is redacted. */
export interface EndedCall extends DecidedCall {
	readonly end: CallEnd | { readonly kind: 'denied' };
	/** Milliseconds from sending the request to its end; 0 for a call that was denied. */
	readonly durationMs: number;
}

/** A result, and the message that contained it, if known. */
export type SentResult = ToolResult & { readonly text?: string };

/** Sends a call that was allowed, and resolves with its result. Cancels it if the signal aborts. */
export type Send = (
	args: JsonObject,
	tool: Tool,
	approval: ApprovalOutcome,
	signal: AbortSignal,
) => Promise<SentResult>;

export class Calls extends Owner {
	private readonly _onDidSend = this.own(new Emitter<SentCall>());
	/** A call was allowed and is being sent. */
	readonly onDidSend: Event<SentCall> = this._onDidSend.event;

	private readonly _onDidCall = this.own(new Emitter<EndedCall>());
	/** A call has ended, or was denied. */
	readonly onDidCall: Event<EndedCall> = this._onDidCall.event;

	/**
	 * @param isClosing whether the editor window is closing
	 * @param check checks structured content against the tool's `outputSchema`; never rejects
	 */
	constructor(
		private readonly approver: Approver,
		private readonly isClosing: () => boolean,
		private readonly check: (tool: Tool, result: ToolResult) => Promise<SchemaCheck | undefined>,
	) {
		super();
	}

	/**
	 * Decides about a call, asks the person if needed, and sends it. First copies the arguments, so that a caller that keeps
	 * the object can't change them later; the copy is decided on, shown, recorded and sent.
	 * @throws PlainDataError if the arguments can't be copied
	 * @throws ToolDisabledError, UnknownToolError, CallDeniedError, NotRunningError, and the errors of `send`
	 * @throws WindowClosingError in place of any error while the editor window is closing
	 * @throws AbortError once the signal aborts
	 */
	async make(asked: Call, send: Send, signal: AbortSignal = new AbortController().signal): Promise<AnsweredCall> {
		try {
			const id = asked.id ?? crypto.randomUUID();
			const call = { ...asked, id, caller: { ...asked.caller }, arguments: plainObject(asked.arguments) };
			const time = clock.now();
			const { approval, tool } = await this.approve(call, signal);
			const { inputSchema } = tool;
			const decided = { ...call, arguments: approval.arguments, title: displayName(tool), inputSchema, time, approval };
			if (!approval.isAllowed) {
				const { unanswered } = approval;
				this._onDidCall.fire({ ...decided, end: { kind: unanswered ? 'cancelled' : 'denied' }, durationMs: 0 });
				throw unanswered ? unanswered.error : new CallDeniedError(approval, call.tool);
			}
			// The server may repeat these secrets in its log or its result.
			call.server.redactor?.hideGiven(secretValues(inputSchema, approval.arguments));
			const cancelling = new AbortController();
			const until = AbortSignal.any([signal, cancelling.signal]);
			this._onDidSend.fire({ ...decided, id, sentAt: clock.now(), cancel: () => cancelling.abort() });
			const startedAt = clock.elapsed();
			const elapsed = (): number => clock.elapsed() - startedAt;
			return await this.end(decided, tool, elapsed, () => send(approval.arguments, tool, approval, until));
		} catch (error) {
			throw errorWhileClosing(error, this.isClosing());
		}
	}

	/**
	 * Waits for the end of a call that was sent before the editor window was reloaded, and then fires `onDidCall`.
	 * @param time when the call was made, in milliseconds since 1970
	 * @throws the errors of `wait`
	 */
	async resume(call: Call, time: number, tool: Tool, wait: () => Promise<ToolResult>): Promise<AnsweredCall> {
		const decision = { kind: 'allow', reason: { kind: 'resumed' } } as const;
		const approval: ApprovalOutcome = { isAllowed: true, arguments: call.arguments, decision, answer: undefined };
		const { inputSchema } = tool;
		const decided = { ...call, title: displayName(tool), inputSchema, time, approval };
		return this.end(decided, tool, () => clock.now() - time, wait);
	}

	/**
	 * Evaluates a call without asking the person or storing anything.
	 * @throws ToolDisabledError, UnknownToolError, NotRunningError
	 */
	async evaluate(call: Call): Promise<ApprovalQuestion> {
		return this.approver.evaluate(await requestOf(call));
	}

	/** Gets the answer, and fires `onDidCall`. */
	private async end(
		decided: DecidedCall,
		tool: Tool,
		elapsed: () => number,
		answer: () => Promise<SentResult>,
	): Promise<AnsweredCall> {
		const seen = new Map<ServerWarning['kind'], ServerWarning>();
		const following = decided.server.onDidWarn(it => {
			const first = seen.get(it.kind) ?? it;
			seen.set(it.kind, { ...first, count: (first.count ?? 0) + 1 });
		});
		try {
			const { text, ...result } = await answer();
			const message = text === undefined ? {} : { text };
			const durationMs = elapsed();
			const schemaCheck = await this.check(tool, result);
			const warnings = [...warningsOf(result), ...seen.values()];
			decided.server.warn(warnings);
			const answered = { result, ...message, schemaCheck, warnings };
			this._onDidCall.fire({ ...decided, end: { kind: 'answered', ...answered }, durationMs });
			return { tool, arguments: decided.arguments, ...answered, durationMs };
		} catch (it) {
			const error = decided.server.explain(it);
			const warnings = [...seen.values()];
			decided.server.warn(warnings);
			const end: EndedCall['end'] = isAbort(error)
				? { kind: 'cancelled', warnings }
				: { kind: 'failed', error, warnings };
			this._onDidCall.fire({ ...decided, end, durationMs: elapsed() });
			throw error;
		} finally {
			following.dispose();
		}
	}

	private async approve(call: Call, signal: AbortSignal): Promise<{ approval: ApprovalOutcome; tool: Tool }> {
		// Checked first, because a denied server isn't started and its tools aren't listed for other callers than the person.
		if (call.caller.kind !== 'person') {
			const unseen = unseenRequestOf(call);
			const denial = await raceAbort(this.approver.denyUnseen(unseen), signal);
			if (denial) {
				return { approval: denial, tool: unseen.tool };
			}
		}
		let request = await raceAbort(requestOf(call), signal);
		for (;;) {
			const approval = await this.approver.approve(request, signal);
			if (!approval.isAllowed || approval.wasAsked !== true) {
				return { approval, tool: request.tool };
			}
			// The server may have changed the tool while the person read the question.
			const now = await raceAbort(requestOf({ ...call, arguments: approval.arguments }), signal);
			if (await isSameTool(request, now)) {
				return { approval, tool: now.tool };
			}
			request = now;
		}
	}
}

/** The request, with the tool that is known without asking the server. Every argument of an unknown tool is a secret. */
function unseenRequestOf({ caller, server, tool: name, arguments: args }: Call): CallRequest {
	const tool = toolNamed(server, name) ?? { name, inputSchema: { additionalProperties: { writeOnly: true } } };
	return { caller, definition: server.definition, tool, tools: [tool], instructions: undefined, arguments: args };
}

/**
 * A request with the tool as its server lists it now. Starts the server if needed.
 * @throws ToolDisabledError, UnknownToolError, NotRunningError; or the error of the list of tools
 */
async function requestOf({ caller, server, tool: name, arguments: args }: Call): Promise<CallRequest> {
	// The tool may have been disabled while the person typed arguments or read a sheet.
	assertEnabled(server, name);
	if (caller.kind === 'model' && isHiddenFromModels(server, { name })) {
		throw new UnknownToolError(name);
	}
	const client = await server.use(caller.kind === 'person');
	const list = await server.catalog?.currentTools();
	if (list?.kind === 'failed') {
		throw list.error;
	}
	const tools = itemsOf(list);
	const tool = tools.find(it => it.name === name);
	if (!tool) {
		throw new UnknownToolError(name);
	}
	const { instructions } = client.session;
	return { caller, definition: server.definition, tool, tools, instructions, arguments: args };
}

/** Parts of a result that the protocol doesn't have. */
function warningsOf({ content, unknownMembers = [] }: ToolResult): ServerWarning[] {
	const strange = content.filter(it => it.type === 'unknown');
	if (strange[0]?.isWhole) {
		return [{ kind: 'noContent', text: '' }];
	}
	const types = new Set(strange.map(it => String(it.raw['type'])));
	const all = [
		{ kind: 'unknownContent', text: [...types].join(', ') },
		{ kind: 'unknownMember', text: unknownMembers.join(', ') },
	] as const;
	return all.filter(it => it.text !== '');
}

async function isSameTool(a: CallRequest, b: CallRequest): Promise<boolean> {
	return (
		(a.tool === b.tool && a.instructions === b.instructions) || (await hashDefinition(a)) === (await hashDefinition(b))
	);
}

/** A call that has ended, for the code that shows or stores it. */
export interface CallOutcome {
	/** The id of the call in the history; left out if the history doesn't keep the call. */
	readonly id?: string;
	readonly server: Server;
	/** For a prompt or a resource: a tool with the name of the prompt or of the resource template. */
	readonly tool: Tool;
	/** The arguments that were sent. */
	readonly arguments: JsonObject;
	readonly durationMs: number;
	readonly end: CallEnd;
	/** For a prompt: the role of each block of the content, and the server's description of the result. */
	readonly prompt?: { readonly roles: readonly PromptMessage['role'][]; readonly description: string | undefined };
	/** For a resource: its URI. */
	readonly uri?: string;
	/** Actions for this result, in addition to those of every result. */
	readonly uses?: readonly ResultUse[];
}

export interface ResultUse {
	readonly label: string;
	/** The editor's name of the icon. */
	readonly icon: 'comment-discussion' | 'copy' | 'file' | 'insert';
	readonly run: () => unknown;
}

export type CallEnd =
	/** The members are those of `AnsweredCall`. */
	| ({ readonly kind: 'answered' } & Pick<AnsweredCall, 'result' | 'text' | 'warnings'> &
			Partial<Pick<AnsweredCall, 'schemaCheck'>>)
	/** There is no result: the server answered with an error, or didn't answer. */
	| { readonly kind: 'failed'; readonly error: unknown; readonly warnings?: readonly ServerWarning[] }
	/** The person cancelled the call. */
	| { readonly kind: 'cancelled'; readonly warnings?: readonly ServerWarning[] };

/** How a request for contents ends. */
export async function endOf(request: Promise<readonly ContentBlock[]>): Promise<CallEnd> {
	try {
		const result = { content: await request, isError: false };
		return { kind: 'answered', result, warnings: [] };
	} catch (error) {
		return isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error };
	}
}
