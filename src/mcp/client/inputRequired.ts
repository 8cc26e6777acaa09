/**
 * Multi-round-trip requests of the modern era: the server asks for input instead of a result, our handlers give it,
 * and the same request is sent again with the input. Spec 2026-07-28, basic/patterns/mrtr.
 */
import { isAbort } from '../../base/errors.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import type { Reply } from '../jsonrpc/connection.js';
import { operationMethods } from '../wire/codec.js';

/** Ends an endless series of rounds. */
const maxRounds = 10;
/** The wait before a retry for which the server has asked for no input. */
const pacingMs = 250;

export interface RoundTrips {
	/** Sends the request again. Each retry has an id of its own. */
	readonly send: (params: JsonObject) => Promise<Reply>;
	/**
	 * Answers one input request.
	 * @param signal aborts when the answer is no longer needed
	 * @throws if the request is refused
	 */
	readonly answer: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
	readonly delay: (ms: number) => Promise<void>;
	/** Called before each retry. */
	readonly onRetry?: (() => void) | undefined;
}

/**
 * Completes a request, given its first response, however many rounds that takes.
 * @throws McpError `tooManyRounds`, `inputRefused` (the request is then not sent again) or `invalidResult`; and what
 * `send` throws
 */
export async function finishRounds(
	method: string,
	params: JsonObject,
	first: Reply,
	{ send, answer, delay, onRetry }: RoundTrips,
): Promise<Exclude<Reply, { kind: 'inputRequired' }>> {
	let decoded = first;
	for (let round = 0; round <= maxRounds; round++) {
		if (decoded.kind !== 'inputRequired') {
			return decoded;
		}
		if (!operationMethods.has(method)) {
			throw new McpError({ code: 'invalidResult', method, why: 'it may not ask for input' });
		}
		if (round === maxRounds) {
			break;
		}
		const { requests, state } = decoded;
		const inputResponses = await answerAll(method, requests, answer);
		if (Object.keys(inputResponses).length === 0) {
			await delay(pacingMs);
		}
		onRetry?.();
		decoded = await send({
			...params,
			...(Object.keys(inputResponses).length > 0 ? { inputResponses } : {}),
			// Spec: "MUST echo back the exact value", and must not send a state that the server has not sent.
			...(state === undefined ? {} : { requestState: state }),
		});
	}
	throw new McpError({ code: 'tooManyRounds', method, limit: maxRounds });
}

/** Answers all requests of a round, under their own keys. The first refusal aborts the others. */
export async function answerAll(
	method: string,
	requests: JsonObject,
	answer: RoundTrips['answer'],
): Promise<JsonObject> {
	const others = new AbortController();
	const entries = await Promise.all(
		Object.entries(requests).map(async ([key, request]) => {
			if (!isObject(request) || typeof request['method'] !== 'string') {
				throw new McpError({ code: 'invalidResult', method, why: `input request ${JSON.stringify(key)}` });
			}
			const params = toObject(request['params']);
			try {
				return [key, await answer(request['method'], params, others.signal)] as const;
			} catch (error) {
				others.abort();
				throw isAbort(error) ? error : new McpError({ code: 'inputRefused', method });
			}
		}),
	);
	return Object.fromEntries(entries);
}
