/**
 * Multi-round-trip requests of the modern era: a server answers "I need more", we ask our handlers, and
 * send the same request again with their answers. Spec 2026-07-28, basic/patterns/mrtr.
 */
import { isAbort } from '../../base/errors.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Decoded } from '../wire/codec.js';

/** More rounds than this are taken for a server that goes round in circles. */
const maxRounds = 10;
/** A server that only wants to be asked again later is not asked at once. */
const pacingMs = 250;

/** Only these may ask for input. */
const methods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export interface RoundTrips {
	/** Sends the request, each time with an id of its own. */
	readonly send: (params: JsonObject) => Promise<Exclude<Decoded, { kind: 'invalid' }>>;
	/** Answers one input request. `signal` aborts when its answer is of no use any more. @throws if it is refused */
	readonly answer: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
	readonly delay: (ms: number) => Promise<void>;
	/** Told before each retry. */
	readonly onRetry?: (() => void) | undefined;
}

/**
 * Goes on from the first answer, whatever rounds it takes.
 * @throws McpError `tooManyRounds`, `inputRefused` (then the server is simply not asked again) or
 * `invalidResult`, and what `send` throws
 */
export async function finishRounds(
	method: string,
	params: JsonObject,
	first: Exclude<Decoded, { kind: 'invalid' }>,
	{ send, answer, delay, onRetry }: RoundTrips,
): Promise<Exclude<Decoded, { kind: 'invalid' | 'inputRequired' }>> {
	let decoded = first;
	for (let round = 0; round <= maxRounds; round++) {
		if (decoded.kind !== 'inputRequired') {
			return decoded;
		}
		if (!methods.has(method)) {
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
			// "MUST echo back the exact value", and must not invent one.
			...(state === undefined ? {} : { requestState: state }),
		});
	}
	throw new McpError({ code: 'tooManyRounds', method, limit: maxRounds });
}

/** All requests of a round, answered under the keys they came with. The first that is refused ends the others. */
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
			const params = isObject(request['params']) ? request['params'] : {};
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
