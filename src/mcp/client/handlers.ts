/**
 * What a server may ask of us: roots, sampling, elicitation. Two carriers, one handler: a request of the
 * legacy era and an entry of `inputRequests` in the modern one both end here, and whoever supplied the
 * handler never knows which it was. A capability is declared only if its handler is there.
 */
import type { Logger } from '../../base/log.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { describeJson, isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Era } from '../wire/codec.js';
import type { Root } from '../wire/types.js';
import { samplingProblem } from '../wire/samplingRules.js';

/** A sampling or elicitation request as it came, and what it should know of its sender's patience. */
export type InputHandler = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** Throw RpcError to refuse in the words of the protocol. */
export interface ClientHandlers {
	/** May look at the disk first. */
	readonly roots?: () => readonly Root[] | Promise<readonly Root[]>;
	readonly sampling?: {
		readonly handle: InputHandler;
		/** Whether tools may be offered to the model. */
		readonly tools: boolean;
	};
	readonly elicitation?: {
		readonly form?: InputHandler;
		/** Resolves with "accept" once the person has agreed to open the page. */
		readonly url?: InputHandler;
		/** For `-32042`: resolves when the page has been finished, so that the request is worth sending again. */
		readonly urlToEnd?: InputHandler;
	};
}

/** The methods a server may ask, in either era. */
export const inputMethods = ['roots/list', 'sampling/createMessage', 'elicitation/create'] as const;

/** Spec, roots: a root's `uri` MUST be a `file://` URI. What else a workspace may hold is left out and logged. */
export function withFileRootsOnly(handlers: ClientHandlers, log: Logger): ClientHandlers {
	const { roots } = handlers;
	if (!roots) {
		return handlers;
	}
	const isFile = ({ uri }: Root): boolean => {
		const fits = /^file:\/\//i.test(uri);
		if (!fits) {
			log.info(`Not told of the root ${uri}: only files may be roots.`);
		}
		return fits;
	};
	return { ...handlers, roots: async () => (await roots()).filter(isFile) };
}

/** What to declare: in `initialize`, or with every request of the modern era. */
export function declaredCapabilities({ roots, sampling, elicitation }: ClientHandlers, era: Era): JsonObject {
	return {
		// Spec 2026-07-28: there is no roots/list_changed any more.
		...(roots ? { roots: era === 'legacy' ? { listChanged: true } : {} } : {}),
		...(sampling ? { sampling: sampling.tools ? { tools: {} } : {} } : {}),
		// Empty, it would mean forms.
		...(elicitation?.form || elicitation?.url
			? {
					elicitation: {
						...(elicitation.form ? { form: {} } : {}),
						...(elicitation.url ? { url: {} } : {}),
					},
				}
			: {}),
	};
}

/**
 * Answers one request of a server.
 * @throws RpcError `methodNotFound` for what was never declared, `invalidParams` for what breaks the rules
 */
export async function answerInput(
	handlers: ClientHandlers,
	method: string,
	params: JsonObject,
	signal: AbortSignal,
): Promise<JsonObject> {
	const { roots, sampling, elicitation } = handlers;
	switch (method) {
		case 'roots/list':
			if (roots) {
				return { roots: await roots() };
			}
			break;
		case 'sampling/createMessage':
			if (sampling) {
				const problem = samplingProblem(params, sampling.tools);
				if (problem !== undefined) {
					throw new RpcError(RpcErrorCode.invalidParams, problem);
				}
				return sampling.handle(params, signal);
			}
			break;
		case 'elicitation/create':
			if (elicitation) {
				return elicit(elicitation, params, signal);
			}
			break;
		default:
			break;
	}
	throw new RpcError(RpcErrorCode.methodNotFound, `Method not found: ${method}`);
}

/** Spec 2025-11-25, elicitation: `mode` is "form" where absent; `-32602` for a mode that was not declared. */
function elicit(
	{ form, url }: NonNullable<ClientHandlers['elicitation']>,
	params: JsonObject,
	signal: AbortSignal,
): Promise<JsonObject> {
	const { mode = 'form', requestedSchema } = params;
	const handle = mode === 'form' ? form : mode === 'url' ? url : undefined;
	if (!handle) {
		throw new RpcError(RpcErrorCode.invalidParams, `Elicitation mode ${describeJson(mode)} is not supported.`);
	}
	if (mode === 'form' && !isObject(requestedSchema)) {
		throw new RpcError(RpcErrorCode.invalidParams, 'requestedSchema is missing.');
	}
	return handle(params, signal);
}
