/**
 * PURE: what servers ask a person and nobody has answered yet. It does not matter how a question came, as a request or
 * as a result that needs input. A question ends by an answer, by its server (which takes it back, or is gone), or at
 * once where a server asks too often.
 */
import { onAbort } from '../base/async.js';
import { AbortError } from '../base/errors.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import { type ClientHandlers, isObject, type JsonObject, RpcError, RpcErrorCode } from '../mcp/index.js';
import type { ServerDefinition } from './serverConfig.js';

/** How many questions of one server wait at most. */
export const maxWaiting = 20;
/** How many questions one server may ask in a minute. */
export const maxPerMinute = 60;
const minuteMs = 60_000;

/** Spec, elicitation: three answers, told apart. Only a form that is accepted has content. */
export type ElicitationAnswer =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' | 'cancel' };

/** What is asked; all of it is the server's text. */
export type ElicitationRequest =
	| { readonly mode: 'form'; readonly message: string; readonly requestedSchema: JsonObject }
	| {
			readonly mode: 'url';
			readonly message: string;
			readonly url: URL;
			readonly elicitationId: string | undefined;
			/** A request waits until the page has been finished: consent alone is no answer. */
			readonly toEnd: boolean;
	  };

export interface Elicitation {
	/** Of this window. */
	readonly id: number;
	readonly definition: ServerDefinition;
	readonly request: ElicitationRequest;
	/** Of the request, as they came. */
	readonly params: JsonObject;
	/** Milliseconds since 1970. */
	readonly since: number;
	/** Its page was opened, and is not finished as far as anybody knows. */
	readonly isOpened: boolean;
}

/** A question that is over: answered, or taken back by its server. */
export interface EndedQuestion {
	readonly elicitation: Elicitation;
	readonly answer: ElicitationAnswer | undefined;
	/** Nobody was asked: the server is muted, or asked too often. */
	readonly isAutomatic: boolean;
}

/** What a server's run needs of it. */
export interface ElicitationPort {
	handlersFor(definition: ServerDefinition): NonNullable<ClientHandlers['elicitation']>;
	/** The server says that a page was finished; ids that nobody knows are ignored, as the spec demands. */
	complete(definition: ServerDefinition, elicitationId: string): void;
	/** The server is gone, and with it whatever it asked. */
	withdraw(definition: ServerDefinition): void;
}

interface Waiting extends Elicitation {
	isOpened: boolean;
	/** Gives the server its answer; `undefined` once it has one. */
	settle: ((answer: ElicitationAnswer | undefined) => void) | undefined;
}

export class Elicitations extends Owner implements ElicitationPort {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** Something waits, or does not wait any more. */
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidAsk = this.own(new Emitter<Elicitation>());
	readonly onDidAsk: Event<Elicitation> = this._onDidAsk.event;
	private readonly _onDidEnd = this.own(new Emitter<EndedQuestion>());
	readonly onDidEnd: Event<EndedQuestion> = this._onDidEnd.event;
	private readonly _onDidRefuse = this.own(new Emitter<ServerDefinition>());
	/** A server asked too often; told once for each flood. */
	readonly onDidRefuse: Event<ServerDefinition> = this._onDidRefuse.event;

	private readonly all: Waiting[] = [];
	private readonly muted = new Set<string>();
	/** When each server asked, within the last minute. */
	private readonly asked = new Map<string, number[]>();
	private nextId = 1;
	private readonly flooding = new Set<string>();

	constructor(private readonly now: () => number = Date.now) {
		super();
	}

	/** The oldest first. */
	get waiting(): readonly Elicitation[] {
		return this.all;
	}

	of({ id }: ServerDefinition): readonly Elicitation[] {
		return this.all.filter(it => it.definition.id === id);
	}

	isMuted({ id }: ServerDefinition): boolean {
		return this.muted.has(id);
	}

	get hasMuted(): boolean {
		return this.muted.size > 0;
	}

	/** Whatever it asks until then is declined; what waits already still waits. */
	mute({ id }: ServerDefinition, isMuted: boolean): void {
		this.muted[isMuted ? 'add' : 'delete'](id);
		this._onDidChange.fire();
	}

	handlersFor(definition: ServerDefinition): NonNullable<ClientHandlers['elicitation']> {
		return {
			form: async (params, signal) => this.ask(definition, readForm(params), params, signal),
			url: async (params, signal) => this.ask(definition, readUrl(params, false), params, signal),
			urlToEnd: async (params, signal) => this.ask(definition, readUrl(params, true), params, signal),
		};
	}

	/** Does nothing where the question is over. */
	answer(elicitation: Elicitation, answer: ElicitationAnswer): void {
		const waiting = this.find(elicitation);
		if (waiting) {
			this.end(waiting, answer);
		}
	}

	/** The person has agreed, and the page is open. What only asked for consent has its answer with that. */
	didOpen(elicitation: Elicitation): void {
		const waiting = this.find(elicitation);
		if (waiting?.request.mode !== 'url') {
			return;
		}
		if (waiting.request.toEnd) {
			waiting.isOpened = true;
			this._onDidChange.fire();
		} else if (waiting.request.elicitationId === undefined) {
			this.end(waiting, { action: 'accept' });
		} else {
			// Its end will be told: until then there is something to see.
			waiting.isOpened = true;
			waiting.settle?.({ action: 'accept' });
			waiting.settle = undefined;
			this._onDidChange.fire();
		}
	}

	complete({ id }: ServerDefinition, elicitationId: string): void {
		const finished = this.all.filter(
			({ definition, request }) =>
				definition.id === id && request.mode === 'url' && request.elicitationId === elicitationId,
		);
		for (const waiting of finished) {
			this.end(waiting, { action: 'accept' });
		}
	}

	withdraw({ id }: ServerDefinition): void {
		for (const waiting of this.all.filter(it => it.definition.id === id)) {
			this.end(waiting, undefined);
		}
		this.asked.delete(id);
		this.flooding.delete(id);
	}

	override dispose(): void {
		for (const waiting of this.all.slice()) {
			this.end(waiting, undefined);
		}
		super.dispose();
	}

	private find(elicitation: Elicitation): Waiting | undefined {
		return this.all.find(it => it === elicitation);
	}

	private async ask(
		definition: ServerDefinition,
		request: ElicitationRequest,
		params: JsonObject,
		signal: AbortSignal,
	): Promise<JsonObject> {
		const automatic = this.answerAtOnce(definition);
		const asked = { id: this.nextId++, definition, request, params, since: this.now(), isOpened: false };
		if (automatic) {
			this._onDidEnd.fire({ elicitation: asked, answer: automatic, isAutomatic: true });
			return { ...automatic };
		}
		const answer = await new Promise<ElicitationAnswer | undefined>(settle => {
			const waiting: Waiting = { ...asked, settle };
			this.all.push(waiting);
			const aborted = onAbort(signal, () => {
				if (waiting.settle) {
					this.end(waiting, undefined);
				}
			});
			waiting.settle = given => {
				aborted.dispose();
				settle(given);
			};
			if (!signal.aborted) {
				this._onDidAsk.fire(waiting);
				this._onDidChange.fire();
			}
		});
		if (!answer) {
			throw new AbortError();
		}
		return { ...answer };
	}

	private end(waiting: Waiting, answer: ElicitationAnswer | undefined): void {
		this.all.splice(this.all.indexOf(waiting), 1);
		waiting.settle?.(answer);
		waiting.settle = undefined;
		this._onDidEnd.fire({ elicitation: waiting, answer, isAutomatic: false });
		this._onDidChange.fire();
	}

	/** Declined by whoever has muted the server; cancelled where nobody could answer so many. */
	private answerAtOnce(definition: ServerDefinition): ElicitationAnswer | undefined {
		const { id } = definition;
		const now = this.now();
		const recent = (this.asked.get(id) ?? []).filter(it => now - it < minuteMs);
		if (this.muted.has(id)) {
			return { action: 'decline' };
		}
		if (recent.length < maxPerMinute && this.of(definition).length < maxWaiting) {
			this.asked.set(id, [...recent, now]);
			this.flooding.delete(id);
			return undefined;
		}
		if (!this.flooding.has(id)) {
			this.flooding.add(id);
			this._onDidRefuse.fire(definition);
		}
		return { action: 'cancel' };
	}
}

/** @throws RpcError `invalidParams` */
function readMessage({ message }: JsonObject): string {
	if (typeof message !== 'string') {
		throw new RpcError(RpcErrorCode.invalidParams, 'message is missing.');
	}
	return message;
}

function readForm(params: JsonObject): ElicitationRequest {
	const { requestedSchema } = params;
	return {
		mode: 'form',
		message: readMessage(params),
		requestedSchema: isObject(requestedSchema) ? requestedSchema : {},
	};
}

/** Nothing but a page of the web is ever opened. */
function readUrl(params: JsonObject, toEnd: boolean): ElicitationRequest {
	const { url, elicitationId } = params;
	const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
	if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
		throw new RpcError(RpcErrorCode.invalidParams, 'url must be an http or https URL.');
	}
	const id = typeof elicitationId === 'string' ? elicitationId : undefined;
	return { mode: 'url', message: readMessage(params), url: parsed, elicitationId: id, toEnd };
}
