/**
 * The one door of every call: a person's own, and those of other extensions and of models. It decides with the
 * `Approver` about the tool as the server has it now, lets the call be made, and tells what came of it.
 */
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { JsonObject, SchemaCheck, Tool, ToolResult } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { Approval, ApprovalQuestion, Approver, CallRequest } from '../approvals/approver.js';
import { reasonOf } from '../servers/closing.js';
import { hideGiven, secretValues } from '../text/keptArguments.js';
import { fingerprintOf } from '../approvals/pins.js';
import { plainObject } from '../text/plainData.js';
import { itemsOf, toolNamed } from '../servers/catalog.js';
import type { Server } from '../servers/server.js';
import { displayName } from '../approvals/toolNames.js';
import { assertEnabled, CallDeniedError, isHiddenFromModels, UnknownToolError } from './toolAccess.js';

/** A call that somebody wants to be made. */
export interface Call {
	/** By which it can be found in the history; made up there if left out. */
	readonly id?: string;
	readonly caller: Caller;
	readonly server: Server;
	/** Its name. */
	readonly tool: string;
	readonly arguments: JsonObject;
}

/** A call that was allowed, and answered. */
export interface AnsweredCall {
	/** As it was allowed. */
	readonly tool: Tool;
	/** As they were sent: a person may have changed them. */
	readonly arguments: JsonObject;
	readonly result: ToolResult;
	/** The check of its structured content against the tool's `outputSchema`, if it has both. */
	readonly schemaCheck: SchemaCheck | undefined;
	/** Of the request itself, in milliseconds. */
	readonly durationMs: number;
}

/** What was decided on a call; told before anything is sent. */
export interface DecidedCall extends Call {
	/** When it was asked for, in milliseconds since 1970. */
	readonly time: number;
	/** As they are to be sent, or were to be. */
	readonly arguments: JsonObject;
	/** The tool's display name. */
	readonly title: string;
	/** What the tool expects, and what of it it calls a secret. */
	readonly inputSchema: JsonObject;
	/** Whether it may be made, the rule that said so, and what the person answered if they were asked. */
	readonly approval: Approval;
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
	readonly end:
		| { readonly kind: 'denied' }
		| { readonly kind: 'answered'; readonly result: ToolResult; readonly schemaCheck?: SchemaCheck | undefined }
		| { readonly kind: 'failed'; readonly error: unknown }
		| { readonly kind: 'cancelled' };
	/** Of the request itself, in milliseconds; 0 for one that was denied. */
	readonly durationMs: number;
}

/** Makes the call that was allowed, with these arguments, of the tool as it was allowed, until the signal aborts. */
export type Send = (args: JsonObject, tool: Tool, approval: Approval, signal: AbortSignal) => Promise<ToolResult>;

type FrozenCall = Call & { readonly id: string };

export class Calls extends Owner {
	private readonly _onDidDecide = this.own(new Emitter<DecidedCall>());
	/** Whether a call may be made was decided, or the wait for the decision has ended. */
	readonly onDidDecide: Event<DecidedCall> = this._onDidDecide.event;

	private readonly _onDidSend = this.own(new Emitter<SentCall>());
	/** A call was allowed and is being sent. */
	readonly onDidSend: Event<SentCall> = this._onDidSend.event;

	private readonly _onDidCall = this.own(new Emitter<EndedCall>());
	/** A call has ended, or was denied. */
	readonly onDidCall: Event<EndedCall> = this._onDidCall.event;

	/** How many calls were asked for. */
	private arrived = 0;

	/**
	 * @param isClosing whether the window is
	 * @param check compares structured content with the schema of its tool; never rejects
	 */
	constructor(
		private readonly approver: Approver,
		private readonly isClosing: () => boolean,
		private readonly check: (tool: Tool, result: ToolResult) => Promise<SchemaCheck | undefined>,
	) {
		super();
	}

	/**
	 * Decides, asks where that is the decision, and calls. What is decided on, shown, recorded and sent is a copy of the
	 * arguments that is made before anything else: whoever made the call may keep the object, and change it.
	 * @throws PlainDataError if the arguments cannot be copied
	 * @throws ToolDisabledError, UnknownToolError, CallDeniedError, NotRunningError, what `send` throws
	 * @throws WindowClosingError for whatever fails as the window closes
	 * @throws AbortError once the signal aborts
	 */
	async make(call: Call, send: Send, signal: AbortSignal = new AbortController().signal): Promise<AnsweredCall> {
		try {
			return await this.decideAndSend(frozen(call), send, signal);
		} catch (error) {
			throw reasonOf(error, this.isClosing());
		}
	}

	private async decideAndSend(call: FrozenCall, send: Send, signal: AbortSignal): Promise<AnsweredCall> {
		const time = Date.now();
		const { approval, tool } = await this.approve(call, ++this.arrived, signal);
		const decided: DecidedCall = {
			...call,
			arguments: approval.arguments,
			title: displayName(tool),
			inputSchema: tool.inputSchema,
			time,
			approval,
		};
		if (approval.isAllowed) {
			// The server may repeat them in its log or its result.
			await hideGiven(secretValues(tool.inputSchema, approval.arguments), call.server.redactor);
		}
		this._onDidDecide.fire(decided);
		if (!approval.isAllowed) {
			const { unanswered } = approval;
			this._onDidCall.fire({ ...decided, end: { kind: unanswered ? 'cancelled' : 'denied' }, durationMs: 0 });
			throw unanswered ? unanswered.error : new CallDeniedError(approval);
		}
		const cancelling = new AbortController();
		const until = AbortSignal.any([signal, cancelling.signal]);
		this._onDidSend.fire({ ...decided, id: call.id, sentAt: Date.now(), cancel: () => cancelling.abort() });
		const startedAt = performance.now();
		const elapsed = (): number => performance.now() - startedAt;
		return this.end(decided, tool, elapsed, () => send(approval.arguments, tool, approval, until));
	}

	/**
	 * Waits for the end of a call that an earlier session has made, and that nobody has told of yet.
	 * @throws what `wait` throws
	 */
	async resume(call: Call, time: number, tool: Tool, wait: () => Promise<ToolResult>): Promise<AnsweredCall> {
		const decision = { kind: 'allow', reason: { kind: 'resumed' } } as const;
		const approval: Approval = { isAllowed: true, arguments: call.arguments, decision, answer: undefined };
		const known = { title: displayName(tool), inputSchema: tool.inputSchema };
		return this.end({ ...frozen(call), ...known, time, approval }, tool, () => Date.now() - time, wait);
	}

	/** What would be decided now; nothing is asked or remembered. @throws UnknownToolError, NotRunningError */
	async look(call: Call): Promise<ApprovalQuestion> {
		return this.approver.look(await requestOf(frozen(call)));
	}

	/** Tells how it ends. */
	private async end(
		decided: DecidedCall,
		tool: Tool,
		elapsed: () => number,
		answer: () => Promise<ToolResult>,
	): Promise<AnsweredCall> {
		try {
			const result = await answer();
			const durationMs = elapsed();
			const schemaCheck = await this.check(tool, result);
			this._onDidCall.fire({ ...decided, end: { kind: 'answered', result, schemaCheck }, durationMs });
			return { tool, arguments: decided.arguments, result, schemaCheck, durationMs };
		} catch (error) {
			const end = isAbort(error) ? ({ kind: 'cancelled' } as const) : ({ kind: 'failed', error } as const);
			this._onDidCall.fire({ ...decided, end, durationMs: elapsed() });
			throw error;
		}
	}

	private async approve(call: Call, order: number, signal: AbortSignal): Promise<{ approval: Approval; tool: Tool }> {
		// Before the server is started and its tools are looked at: neither is for others than the person then.
		if (call.caller.kind !== 'person') {
			const unseen = unseenRequestOf(call);
			const denial = await raceAbort(this.approver.denyUnseen(unseen), signal);
			if (denial) {
				return { approval: denial, tool: unseen.tool };
			}
		}
		let request: CallRequest = { ...(await raceAbort(requestOf(call), signal)), order };
		for (;;) {
			const approval = await this.approver.approve(request, signal);
			if (!approval.isAllowed) {
				return { approval, tool: request.tool };
			}
			// What was allowed is what was shown: the server may have changed its mind while somebody read.
			const now = await raceAbort(requestOf({ ...call, arguments: approval.arguments }), signal);
			if (await isSameTool(request, now)) {
				return { approval, tool: now.tool };
			}
			request = { ...now, order };
		}
	}
}

/** The call as it is now. @throws PlainDataError */
function frozen(call: Call): FrozenCall {
	return {
		...call,
		id: call.id ?? crypto.randomUUID(),
		caller: { ...call.caller },
		arguments: plainObject(call.arguments),
	};
}

/** With what is known of the tool while nothing is asked of the server: for the record, what its schema calls a secret. */
function unseenRequestOf({ caller, server, tool: name, arguments: args }: Call): CallRequest {
	const tool = toolNamed(server, name) ?? { name, inputSchema: {} };
	return { caller, definition: server.definition, tool, tools: [tool], instructions: undefined, arguments: args };
}

/** @throws ToolDisabledError, UnknownToolError, NotRunningError; what the list of tools failed with */
async function requestOf({ caller, server, tool: name, arguments: args }: Call): Promise<CallRequest> {
	// It may be switched off while somebody types arguments, or reads.
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

async function isSameTool(a: CallRequest, b: CallRequest): Promise<boolean> {
	// Most often nothing has happened at all.
	return (
		(a.tool === b.tool && a.instructions === b.instructions) || (await fingerprintOf(a)) === (await fingerprintOf(b))
	);
}
