/**
 * The handlers for what a server may ask of us: roots, sampling and elicitation. A request of the legacy era and an
 * entry of `inputRequests` of the modern era reach the same handler, which does not know the difference. A capability
 * is declared only if its handler exists.
 */
import type { Logger } from '../../base/log.js';
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { describeJson, isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Era } from '../wire/codec.js';
import type { Root } from '../wire/types.js';
import { samplingProblem } from '../wire/samplingRules.js';

/**
 * @param params of the request, as received
 * @param signal aborts when the answer is no longer needed
 */
export type InputHandler = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** A handler throws RpcError to answer with an error of the protocol. */
export interface ClientHandlers {
	/** May read the disk. */
	readonly roots?: () => readonly Root[] | Promise<readonly Root[]>;
	readonly sampling?: {
		readonly handle: InputHandler;
		/** Whether tools may be offered to the model. */
		readonly tools: boolean;
	};
	readonly elicitation?: {
		readonly form?: InputHandler;
		/** Resolves with "accept" as soon as the person has agreed to open the page. */
		readonly url?: InputHandler;
		/** For the error `-32042`: resolves when the person has finished the page. Default: `url`. */
		readonly urlToEnd?: InputHandler;
	};
}

/** The methods by which a server asks us for something, each with the handler that answers it. */
export const inputMethods = {
	'roots/list': 'roots',
	'sampling/createMessage': 'sampling',
	'elicitation/create': 'elicitation',
} as const;

/** Spec, roots: a root's `uri` MUST be a `file://` URI. Folders with another scheme are left out and logged. */
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

/** The capabilities to declare: in `initialize`, or with every request of the modern era. */
export function declaredCapabilities({ roots, sampling, elicitation }: ClientHandlers, era: Era): JsonObject {
	return {
		// Spec 2026-07-28: roots/list_changed was removed.
		...(roots ? { roots: era === 'legacy' ? { listChanged: true } : {} } : {}),
		...(sampling ? { sampling: sampling.tools ? { tools: {} } : {} } : {}),
		// An empty `elicitation` would declare forms.
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
 * The same capabilities as their first revisions had them: forms and pages of elicitation, tools of sampling, and tasks
 * came later.
 */
export function inOldestForm({ roots, sampling, elicitation }: JsonObject): JsonObject {
	return {
		...(roots ? { roots } : {}),
		...(sampling ? { sampling: {} } : {}),
		// An empty `elicitation` declares forms.
		...(isObject(elicitation) && elicitation['form'] ? { elicitation: {} } : {}),
	};
}

/**
 * Answers one request of a server.
 * @throws RpcError `methodNotFound` for a capability that was not declared, `invalidParams` for params that break the
 * rules
 */
export async function answerInput(
	handlers: ClientHandlers,
	method: string,
	params: JsonObject,
	signal: AbortSignal,
): Promise<JsonObject> {
	const { roots, sampling, elicitation } = handlers;
	if (method === 'roots/list' && roots) {
		return { roots: await roots() };
	}
	if (method === 'sampling/createMessage' && sampling) {
		const problem = samplingProblem(params, sampling.tools);
		if (problem !== undefined) {
			throw new RpcError(RpcErrorCode.invalidParams, problem);
		}
		return sampling.handle(params, signal);
	}
	if (method === 'elicitation/create' && elicitation) {
		return elicit(elicitation, params, signal);
	}
	throw new RpcError(RpcErrorCode.methodNotFound, `Method not found: ${method}`);
}

/**
 * Spec 2025-11-25, elicitation: an absent `mode` means "form". A mode that was not declared is answered with
 * `-32602`.
 */
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
