/**
 * PURE: what servers ask and nobody has answered yet, whatever it is about and however it came, as a request or as a
 * result that needs input. A question ends by an answer, by its server (which takes it back, or is gone), or at once
 * where a server asks too often.
 */
import { onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { JsonObject, RpcError } from '../../mcp/index.js';
import type { SamplingRequest } from './sampling.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { Redactor } from '../text/redactor.js';

/** How many questions of one server wait at most. */
export const maxWaiting = 20;
/** How many questions one server may ask in a minute. */
export const maxPerMinute = 60;
const minuteMs = 60_000;

/** Asks the person to fill in a form; all of it is the server's text. */
export interface FormRequest {
	readonly mode: 'form';
	readonly message: string;
	readonly requestedSchema: JsonObject;
}

/** Asks the person to open a page; all of it is the server's text. */
export interface PageRequest {
	readonly mode: 'url';
	readonly message: string;
	readonly url: URL;
	readonly elicitationId: string | undefined;
	/** A request waits until the page has been finished: consent alone is no answer. */
	readonly toEnd: boolean;
	/** It came while a call of ours went on. */
	readonly duringCall: boolean;
}

/** Asks for an answer of a model. */
export interface ModelRequest {
	readonly mode: 'model';
	readonly request: SamplingRequest;
	/** How many the server has asked for within one operation, this one included. */
	readonly count: number;
}

export type QuestionRequest = FormRequest | PageRequest | ModelRequest;

/** A feature that answers questions of one kind. */
export interface Answerer {
	answers(question: Question): boolean;
	/** Shows a request of a server; the person may answer it or close the sheet. The signal closes the sheet. */
	ask(question: Question, signal: AbortSignal): Promise<void>;
	decline(question: Question): void;
}

/** What is waited for: the person's answer, a page that is open or a model, the person's yes to what a model said. */
export type QuestionStage = 'asked' | 'underway' | 'answered';

/**
 * The server that asks. A question keeps it: the definition can be changed or removed while the question waits, and its
 * id then leads to another server or to none.
 */
export interface Asker {
	readonly definition: ServerDefinition;
	readonly log: Logger;
	readonly redactor: Redactor | undefined;
}

export interface Question<R extends QuestionRequest = QuestionRequest> {
	/** Of this window. */
	readonly id: number;
	readonly server: Asker;
	readonly definition: ServerDefinition;
	readonly request: R;
	/** Of the request, as they came. */
	readonly params: JsonObject;
	/** Milliseconds since 1970. */
	readonly since: number;
	readonly stage: QuestionStage;
	/** The server has its answer: the question only stays in the list until its page is finished. */
	readonly isAnswered: boolean;
}

/** What the server was told. */
export type QuestionEnd =
	| { readonly kind: 'answered'; readonly result: JsonObject }
	| { readonly kind: 'refused'; readonly error: RpcError };

export interface EndedQuestion {
	readonly question: Question;
	/** `undefined` if the server has taken it back, or is gone. */
	readonly end: QuestionEnd | undefined;
	/** Nobody was asked: the server is muted, or asked too often. */
	readonly isAutomatic: boolean;
}

/** A question as it comes. */
export type Asked = Pick<Question, 'server' | 'request' | 'params'> & {
	/** Aborts when the server does not want an answer any more. */
	readonly signal: AbortSignal;
	/** `underway` if it may need no person; `asked` if left out. */
	readonly stage?: QuestionStage;
	/** What a server is told that is muted, or asks too often. */
	readonly automatic: (why: 'muted' | 'flood') => QuestionEnd;
};

interface Waiting extends Question {
	stage: QuestionStage;
	isAnswered: boolean;
	/** Gives the server its answer; `undefined` once it has one. */
	settle: ((end: QuestionEnd | undefined) => void) | undefined;
	/** The answer, where it was given before the end. */
	given?: QuestionEnd;
}

export class Questions extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** Something waits, or does not wait any more. */
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidCome = this.own(new Emitter<Question>());
	/** One has come, whether or not it waits for the person. */
	readonly onDidCome: Event<Question> = this._onDidCome.event;
	private readonly _onDidAsk = this.own(new Emitter<Question>());
	/** One waits for the person from now on. */
	readonly onDidAsk: Event<Question> = this._onDidAsk.event;
	private readonly _onDidEnd = this.own(new Emitter<EndedQuestion>());
	readonly onDidEnd: Event<EndedQuestion> = this._onDidEnd.event;
	private readonly _onDidRefuse = this.own(new Emitter<ServerDefinition>());
	/** A server asked too often; told once for each flood. */
	readonly onDidRefuse: Event<ServerDefinition> = this._onDidRefuse.event;

	private readonly all: Waiting[] = [];
	private readonly muted = new Set<string>();
	/** When each server asked, within the last minute. */
	private readonly asked = new Map<string, number[]>();
	private readonly flooding = new Set<string>();
	private nextId = 1;

	constructor(private readonly now: () => number = Date.now) {
		super();
	}

	/** The oldest first. */
	get waiting(): readonly Question[] {
		return this.all;
	}

	/** How many wait for the person and for nothing else; a page that is open is theirs to finish. */
	get count(): number {
		return this.all.filter(it => it.stage !== 'underway' || it.request.mode === 'url').length;
	}

	of({ id }: ServerDefinition): readonly Question[] {
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

	isWaiting(question: Question): boolean {
		return this.find(question) !== undefined;
	}

	isMuted({ id }: ServerDefinition): boolean {
		return this.muted.has(id);
	}

	get hasMuted(): boolean {
		return this.muted.size > 0;
	}

	/** Whatever it asks until then is refused; what waits already still waits. */
	mute({ id }: ServerDefinition, isMuted: boolean): void {
		this.muted[isMuted ? 'add' : 'delete'](id);
		this._onDidChange.fire();
	}

	/**
	 * Resolves with what the server gets.
	 * @throws RpcError if it is refused
	 * @throws AbortError if nobody wants an answer any more
	 */
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

	/** Does nothing where the question is over. */
	end(question: Question, end: QuestionEnd): void {
		const waiting = this.find(question);
		if (waiting) {
			this.finish(waiting, end);
		}
	}

	/** Gives the server its answer; the question stays, because there is something to see. */
	answerAndKeep(question: Question, end: QuestionEnd): void {
		const waiting = this.find(question);
		waiting?.settle?.(end);
		if (waiting) {
			waiting.settle = undefined;
			waiting.isAnswered = true;
			waiting.given ??= end;
		}
		this.setStage(question, 'underway');
	}

	/** Does nothing where the question is over. */
	setStage(question: Question, stage: QuestionStage): void {
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

	/** The server is gone, and with it whatever it asked. */
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

	private find(question: Question): Waiting | undefined {
		return this.all.find(it => it === question);
	}

	private finish(waiting: Waiting, end: QuestionEnd | undefined): void {
		this.all.splice(this.all.indexOf(waiting), 1);
		waiting.settle?.(end);
		waiting.settle = undefined;
		// The first answer counts: it is what the server was told.
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

/** Whether the server waits for an answer, or a call of ours may wait for the page that the person has opened. */
export function isAwaited({ request, isAnswered }: Question): boolean {
	return !isAnswered || (request.mode === 'url' && request.duringCall);
}

function resultOf(end: QuestionEnd): JsonObject {
	if (end.kind === 'refused') {
		throw end.error;
	}
	return end.result;
}
