/** PURE: what servers ask a person by forms and by pages. Spec, elicitation. */
import { type ClientHandlers, isObject, type JsonObject, readPage, RpcError, RpcErrorCode } from '../../mcp/index.js';
import type {
	Asked,
	Asker,
	FormRequest,
	PageRequest,
	Question,
	QuestionEnd,
	QuestionRequest,
	Questions,
} from './questions.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** Spec, elicitation: three answers, told apart. Only a form that is accepted has content. */
export type ElicitationAnswer =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' | 'cancel' };

/** The whole of an address is shown before it is opened, and nobody reads more. */
const maxUrl = 8192;

/** A question that only a person can answer. */
export type Elicitation = Question<FormRequest | PageRequest>;

/** What a server's run needs of it. */
export interface ElicitationPort {
	/** @param isInUse whether a call of ours goes on, which the server may ask because of */
	handlersFor(server: Asker, isInUse: () => boolean): NonNullable<ClientHandlers['elicitation']>;
	/** The server says that a page was finished; ids that nobody knows are ignored, as the spec demands. */
	complete(definition: ServerDefinition, elicitationId: string): void;
	/** No call of ours goes on any more. */
	didEndCalls(definition: ServerDefinition): void;
}

export class Elicitations implements ElicitationPort {
	constructor(private readonly questions: Questions) {}

	handlersFor(server: Asker, isInUse: () => boolean): NonNullable<ClientHandlers['elicitation']> {
		const ask = (request: QuestionRequest, params: JsonObject, signal: AbortSignal): Promise<JsonObject> =>
			this.questions.ask({ server, request, params, signal, automatic });
		return {
			form: async (params, signal) => ask(readForm(params), params, signal),
			url: async (params, signal) =>
				ask(readPageRequest(params, { toEnd: false, duringCall: isInUse() }), params, signal),
			urlToEnd: async (params, signal) =>
				ask(readPageRequest(params, { toEnd: true, duringCall: true }), params, signal),
		};
	}

	/** Does nothing where the question is over. */
	answer(elicitation: Question, answer: ElicitationAnswer): void {
		this.questions.end(elicitation, endOf(answer));
	}

	/** The person has agreed, and the page is open. What only asked for consent has its answer with that. */
	didOpen(elicitation: Question<PageRequest>): void {
		const { toEnd, elicitationId } = elicitation.request;
		if (toEnd) {
			this.questions.setStage(elicitation, 'underway');
		} else if (elicitationId === undefined) {
			this.answer(elicitation, { action: 'accept' });
		} else {
			// Its end may be told: spec 2025-11-25, elicitation, servers MAY say when a page was finished.
			this.questions.answerAndKeep(elicitation, endOf({ action: 'accept' }));
		}
	}

	/**
	 * A page that was opened during a call is of no more use to the person once there is none: what it led to is in the
	 * result, and a server that says later that it was finished changes nothing. Most never say it.
	 */
	didEndCalls(definition: ServerDefinition): void {
		const opened = this.questions
			.of(definition)
			.filter(it => isPage(it) && it.request.duringCall && it.stage === 'underway');
		for (const question of opened) {
			this.answer(question, { action: 'accept' });
		}
	}

	complete(definition: ServerDefinition, elicitationId: string): void {
		const finished = this.questions
			.of(definition)
			.filter(({ request }) => request.mode === 'url' && request.elicitationId === elicitationId);
		for (const question of finished) {
			this.answer(question, { action: 'accept' });
		}
	}
}

export function isElicitation(question: Question): question is Elicitation {
	return question.request.mode !== 'model';
}

export function isPage(question: Question): question is Question<PageRequest> {
	return question.request.mode === 'url';
}

/** What the server was told; `undefined` if that was no answer of a person. */
export function answerOf(end: QuestionEnd | undefined): JsonObject | undefined {
	return end?.kind === 'answered' ? end.result : undefined;
}

/** Declined by whoever has muted the server; cancelled where nobody could answer so many. */
const automatic: Asked['automatic'] = why => endOf({ action: why === 'muted' ? 'decline' : 'cancel' });

function endOf(answer: ElicitationAnswer): QuestionEnd {
	return { kind: 'answered', result: { ...answer } };
}

/** @throws RpcError `invalidParams` */
function readMessage({ message }: JsonObject): string {
	if (typeof message !== 'string') {
		throw new RpcError(RpcErrorCode.invalidParams, 'message is missing.');
	}
	return message;
}

function readForm(params: JsonObject): FormRequest {
	const { requestedSchema } = params;
	return {
		mode: 'form',
		message: readMessage(params),
		requestedSchema: isObject(requestedSchema) ? requestedSchema : {},
	};
}

/** Nothing but a page of the web is ever opened. */
function readPageRequest(params: JsonObject, occasion: Pick<PageRequest, 'toEnd' | 'duringCall'>): PageRequest {
	const { url, elicitationId } = params;
	const page = typeof url === 'string' ? readPage(url) : undefined;
	if (page?.kind !== 'page') {
		const rule = 'url must be an http or https URL without blanks, control characters, user name and password.';
		throw new RpcError(RpcErrorCode.invalidParams, rule);
	}
	if (page.url.href.length > maxUrl) {
		throw new RpcError(RpcErrorCode.invalidParams, `url has more than ${maxUrl} characters.`);
	}
	const id = typeof elicitationId === 'string' ? elicitationId : undefined;
	return { mode: 'url', message: readMessage(params), url: page.url, elicitationId: id, ...occasion };
}
