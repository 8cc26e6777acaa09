/** Elicitation: questions of servers to the person, as forms and as web pages. Spec, client/elicitation. */
import { type ClientHandlers, isObject, type JsonObject, readPage, RpcError, RpcErrorCode } from '../../mcp/index.js';
import type {
	Asked,
	AskingServer,
	FormQuestion,
	PageRequest,
	ServerQuestion,
	QuestionEnd,
	QuestionRequest,
	Questions,
} from './questions.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** A person's answer. Only an accepted form has content. */
export type ElicitationAnswer =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' | 'cancel' };

/** Characters of a URL. The whole URL is shown before it is opened. */
const maxUrl = 8192;

/** A question that only a person can answer. */
export type Elicitation = ServerQuestion<FormQuestion | PageRequest>;

export class Elicitations {
	constructor(private readonly questions: Questions) {}

	/** @param isInUse whether a call of ours is under way, which may be the reason for a question */
	handlersFor(server: AskingServer, isInUse: () => boolean): NonNullable<ClientHandlers['elicitation']> {
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

	/** Does nothing if the question has ended. */
	answer(elicitation: ServerQuestion, answer: ElicitationAnswer): void {
		this.questions.end(elicitation, endOf(answer));
	}

	/** Call this when the person has agreed and the page is open. A request that only asks for consent is answered by that. */
	didOpen(elicitation: ServerQuestion<PageRequest>): void {
		const { toEnd, elicitationId } = elicitation.request;
		if (toEnd) {
			this.questions.setStage(elicitation, 'underway');
		} else if (elicitationId === undefined) {
			this.answer(elicitation, { action: 'accept' });
		} else {
			// Spec 2025-11-25, elicitation: servers MAY notify the client when the page was finished.
			this.questions.answerAndKeep(elicitation, endOf({ action: 'accept' }));
		}
	}

	/**
	 * Call this when the server works on none of our calls any longer. Pages that were opened during one count as finished:
	 * most servers never notify.
	 */
	didEndCalls(definition: ServerDefinition): void {
		this.finishPages(definition, it => it.request.duringCall && it.stage === 'underway');
	}

	/** The server has notified that a page was finished. Spec: unknown ids MUST be ignored. */
	complete(definition: ServerDefinition, elicitationId: string): void {
		this.finishPages(definition, it => it.request.elicitationId === elicitationId);
	}

	private finishPages(definition: ServerDefinition, isFinished: (page: ServerQuestion<PageRequest>) => boolean): void {
		for (const question of this.questions.of(definition)) {
			if (isPage(question) && isFinished(question)) {
				this.answer(question, { action: 'accept' });
			}
		}
	}
}

export function isElicitation(question: ServerQuestion): question is Elicitation {
	return question.request.mode !== 'model';
}

export function isPage(question: ServerQuestion): question is ServerQuestion<PageRequest> {
	return question.request.mode === 'url';
}

/** The answer that the server got; `undefined` if the question ended without one. */
export function answerOf(end: QuestionEnd | undefined): JsonObject | undefined {
	return end?.kind === 'answered' ? end.result : undefined;
}

/** Muting a server declines its questions; too many questions are cancelled. */
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

function readForm(params: JsonObject): FormQuestion {
	const { requestedSchema } = params;
	return {
		mode: 'form',
		message: readMessage(params),
		requestedSchema: isObject(requestedSchema) ? requestedSchema : {},
	};
}

/** @throws RpcError `invalidParams` if the URL isn't one of http or https */
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
