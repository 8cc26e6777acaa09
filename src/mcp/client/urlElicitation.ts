/**
 * `-32042`: the request can be served once the person has been to some pages. Spec 2025-11-25,
 * elicitation, "URL Elicitation Required". Gone in the modern era, where rounds of input do the same.
 */
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';

/** The elicitations an error asks for; `undefined` if it is not such an error, or asks for nothing. */
export function requiredElicitations(error: unknown): readonly JsonObject[] | undefined {
	if (!(error instanceof RpcError) || error.code !== RpcErrorCode.urlElicitationRequired || !isObject(error.data)) {
		return undefined;
	}
	const { elicitations } = error.data;
	const asked = Array.isArray(elicitations) ? elicitations.filter(isObject) : [];
	return asked.length > 0 && asked.every(it => it['mode'] === 'url') ? asked : undefined;
}

/**
 * Asks the person for one after another. True if all were accepted, so that the request is worth sending
 * again; whoever handles them resolves when the page has been finished, not when it was opened.
 */
export async function elicitAll(
	elicitations: readonly JsonObject[],
	ask: (params: JsonObject) => Promise<JsonObject>,
): Promise<boolean> {
	for (const params of elicitations) {
		const { action } = await ask(params);
		if (action !== 'accept') {
			return false;
		}
	}
	return true;
}
