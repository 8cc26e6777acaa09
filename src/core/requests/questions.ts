/**
 * The open questions of servers to the person or a model. A question ends with an answer, when its server withdraws it or
 * ends, or at once if the server is muted or asks too often.
 */
import { clock } from '../../base/clock.js';
import { onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { JsonObject, RpcError } from '../../mcp/index.js';
import type { SamplingRequest } from './samplingRequest.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { Redactor } from '../text/redactor.js';

/** Open questions that one server may have. */
export const maxWaiting = 20;
/** Questions that one server may ask in a minute. */
export const maxPerMinute = 60;
const minuteMs = 60_000;

/** Asks the person to fill in a form. All members are untrusted. */
export interface FormQuestion {
	readonly mode: 'form';
	readonly message: string;
	readonly requestedSchema: JsonObject;
}

/** Asks the person to open a page. Message, URL and id are untrusted. */
export interface PageRequest {
	readonly mode: 'url';
	readonly message: string;
	readonly url: URL;
	readonly elicitationId: string | undefined;
	/** Whether the answer is sent when the page has been finished; otherwise when the person agrees to open the page. */
	readonly toEnd: boolean;
	/** Whether the server was working on one of our calls when the request came. */
	readonly duringCall: boolean;
}

/** Asks a model. */
export interface ModelRequest {
	readonly mode: 'model';
	readonly request: SamplingRequest;
	/** Number of requests that the server has made within one operation, this one included. */
	readonly count: number;
}

export type QuestionRequest = FormQuestion | PageRequest | ModelRequest;

/** A feature that answers questions of one kind. */
export interface Answerer {
	answers(question: ServerQuestion): boolean;
	/** Shows a request of a server; the person may answer it or close the sheet. The signal closes the sheet. */
	ask(question: ServerQuestion, signal: AbortSignal): Promise<void>;
	decline(question: ServerQuestion): void;
}

/** `asked` waits for the person, `underway` for an open page or a model, `answered` for the person's review of an answer. */
export type QuestionStage = 'asked' | 'underway' | 'answered';

/**
 * The server that asks. A question keeps it: the definition can be changed or removed while the question waits, and its
 * id then leads to another server or to none.
 */
export interface AskingServer {
	readonly definition: ServerDefinition;
	readonly log: Logger;
	readonly redactor: Redactor | undefined;
}

export interface ServerQuestion<R extends QuestionRequest = QuestionRequest> {
	/** Unique in this window. */
	readonly id: number;
	readonly server: AskingServer;
	readonly definition: ServerDefinition;
	readonly request: R;
	/** The parameters of the request, unchanged. */
	readonly params: JsonObject;
	/** Milliseconds since 1970. */
	readonly since: number;
	readonly stage: QuestionStage;
	/** Whether the server has its answer. The question only stays in the list until its page is finished. */
	readonly isAnswered: boolean;
}

/** The answer to the server. */
export type QuestionEnd =
	| { readonly kind: 'answered'; readonly result: JsonObject }
	| { readonly kind: 'refused'; readonly error: RpcError };

export interface EndedQuestion {
	readonly question: ServerQuestion;
	/** `undefined` if the server has withdrawn the question, or has ended. */
	readonly end: QuestionEnd | undefined;
	/** Whether the question was refused without asking anyone: the server is muted, or asked too often. */
	readonly isAutomatic: boolean;
}

/** A question that arrives. */
export type Asked = Pick<ServerQuestion, 'server' | 'request' | 'params'> & {
	/** Aborts when the server withdraws the question. */
	readonly signal: AbortSignal;
	/** `underway` if the question may need no person; `asked` if left out. */
	readonly stage?: QuestionStage;
	/** The answer to a server that is muted or asks too often. */
	readonly automatic: (why: 'muted' | 'flood') => QuestionEnd;
};

interface Waiting extends ServerQuestion {
	stage: QuestionStage;
	isAnswered: boolean;
	/** Sends the answer to the server; `undefined` once that has happened. */
	settle: ((end: QuestionEnd | undefined) => void) | undefined;
	/** The answer, if it was sent before the question ended. */
	given?: QuestionEnd;
}

export class Questions extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A question was added or removed, its stage has changed, or a server was muted or unmuted. */
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidCome = this.own(new Emitter<ServerQuestion>());
	/** A question was added, whether or not it waits for the person. */
	readonly onDidCome: Event<ServerQuestion> = this._onDidCome.event;
	private readonly _onDidAsk = this.own(new Emitter<ServerQuestion>());
	/** A question starts to wait for the person. */
	readonly onDidAsk: Event<ServerQuestion> = this._onDidAsk.event;
	private readonly _onDidEnd = this.own(new Emitter<EndedQuestion>());
	readonly onDidEnd: Event<EndedQuestion> = this._onDidEnd.event;
	private readonly _onDidRefuse = this.own(new Emitter<ServerDefinition>());
	/** A server asks too often. Fires again only after one of its questions was accepted. */
	readonly onDidRefuse: Event<ServerDefinition> = this._onDidRefuse.event;

	private readonly all: Waiting[] = [];
	private readonly muted = new Set<string>();
	/** When each server asked, within the last minute. */
	private readonly asked = new Map<string, number[]>();
	private readonly flooding = new Set<string>();
	private nextId = 1;

	constructor(private readonly now: () => number = () => clock.now()) {
		super();
	}

	/** Oldest first. */
	get waiting(): readonly ServerQuestion[] {
		return this.all;
	}

	/** The open questions of a server, oldest first. */
	of({ id }: ServerDefinition): readonly ServerQuestion[] {
		return this.all.filter(it => it.definition.id === id);
	}

	/**
	 * Whether a call of the server may be silent because of a question: the server waits for its answer, or for a page
	 * that it has asked the person to open since the call was sent.
	 * @param sentAt milliseconds since 1970
	 */
	explainsSilence(definition: ServerDefinition, sentAt: number): boolean {
		return this.of(definition).some(it => !it.isAnswered || (it.since >= sentAt && isAwaited(it)));
	}

	isWaiting(question: ServerQuestion): boolean {
		return this.find(question) !== undefined;
	}

	isMuted({ id }: ServerDefinition): boolean {
		return this.muted.has(id);
	}

	/** Refuses all further questions of a server, or accepts them again. Open questions stay. */
	mute({ id }: ServerDefinition, isMuted: boolean): void {
		this.muted[isMuted ? 'add' : 'delete'](id);
		this._onDidChange.fire();
	}

	/** Resolves with the answer for the server. @throws RpcError if it is refused; AbortError if the question is withdrawn */
	async ask({ server, request, params, signal, stage = 'asked', automatic }: Asked): Promise<JsonObject> {
		if (this.owned.isDisposed) {
			throw new AbortError();
		}
		const { definition } = server;
		const id = this.nextId++;
		const asked = { id, server, definition, request, params, since: this.now(), stage, isAnswered: false };
		const why = this.refusalOf(definition);
		if (why) {
			const end = automatic(why);
			this._onDidEnd.fire({ question: asked, end, isAutomatic: true });
			return resultOf(end);
		}
		const end = await new Promise<QuestionEnd | undefined>(settle => {
			const waiting: Waiting = { ...asked, settle };
			this.all.push(waiting);
			const aborted = onAbort(signal, () => {
				if (waiting.settle) {
					this.finish(waiting, undefined);
				}
			});
			waiting.settle = given => {
				aborted.dispose();
				settle(given);
			};
			if (!signal.aborted) {
				this._onDidCome.fire(waiting);
				if (stage !== 'underway') {
					this._onDidAsk.fire(waiting);
				}
				this._onDidChange.fire();
			}
		});
		if (!end) {
			throw new AbortError();
		}
		return resultOf(end);
	}

	/** Does nothing if the question has ended. */
	end(question: ServerQuestion, end: QuestionEnd): void {
		const waiting = this.find(question);
		if (waiting) {
			this.finish(waiting, end);
		}
	}

	/** Answers the server and keeps the question in the list, until its page is finished. */
	answerAndKeep(question: ServerQuestion, end: QuestionEnd): void {
		const waiting = this.find(question);
		waiting?.settle?.(end);
		if (waiting) {
			waiting.settle = undefined;
			waiting.isAnswered = true;
			waiting.given ??= end;
		}
		this.setStage(question, 'underway');
	}

	/** Does nothing if the question has ended. */
	setStage(question: ServerQuestion, stage: QuestionStage): void {
		const waiting = this.find(question);
		if (!waiting || waiting.stage === stage) {
			return;
		}
		waiting.stage = stage;
		if (stage !== 'underway') {
			this._onDidAsk.fire(waiting);
		}
		this._onDidChange.fire();
	}

	/** Ends all questions of a server that has ended. */
	withdraw({ id }: ServerDefinition): void {
		for (const waiting of this.all.filter(it => it.definition.id === id)) {
			this.finish(waiting, undefined);
		}
		this.asked.delete(id);
		this.flooding.delete(id);
	}

	override dispose(): void {
		for (const waiting of this.all.slice()) {
			this.finish(waiting, undefined);
		}
		super.dispose();
	}

	private find(question: ServerQuestion): Waiting | undefined {
		return this.all.find(it => it === question);
	}

	private finish(waiting: Waiting, end: QuestionEnd | undefined): void {
		this.all.splice(this.all.indexOf(waiting), 1);
		waiting.settle?.(end);
		waiting.settle = undefined;
		// The server has only got the first answer.
		this._onDidEnd.fire({ question: waiting, end: waiting.given ?? end, isAutomatic: false });
		this._onDidChange.fire();
	}

	private refusalOf(definition: ServerDefinition): 'muted' | 'flood' | undefined {
		const { id } = definition;
		const now = this.now();
		const recent = (this.asked.get(id) ?? []).filter(it => now - it < minuteMs);
		if (this.muted.has(id)) {
			return 'muted';
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
		return 'flood';
	}
}

/** Whether the server waits for an answer, or one of our calls may wait for the page that the person has opened. */
export function isAwaited({ request, isAnswered }: ServerQuestion): boolean {
	return !isAnswered || (request.mode === 'url' && request.duringCall);
}

function resultOf(end: QuestionEnd): JsonObject {
	if (end.kind === 'refused') {
		throw end.error;
	}
	return end.result;
}
