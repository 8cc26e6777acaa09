/**
 * The error `-32042`: the server answers the request only after the person has visited some pages. Spec 2025-11-25,
 * elicitation, "URL Elicitation Required". In the modern era, `input_required` results replace it.
 */
import { RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { ClientHandlers } from './handlers.js';

/**
 * Asks the person to visit the pages that an error names. When it returns, the request can be sent again.
 * @throws the error itself if it names no pages, there is no handler, or the person has not finished all of them
 */
export async function visitPages(
	error: unknown,
	{ elicitation }: ClientHandlers,
	signal: AbortSignal = new AbortController().signal,
): Promise<void> {
	const visit = elicitation?.urlToEnd ?? elicitation?.url;
	const pages = requiredPages(error);
	if (!visit || pages.length === 0) {
		throw error;
	}
	for (const page of pages) {
		const { action } = await visit(page, signal);
		if (action !== 'accept') {
			throw error;
		}
	}
}

/** The elicitations that an error asks for; empty if its code isn't -32042, or its data isn't valid. */
function requiredPages(error: unknown): readonly JsonObject[] {
	if (!(error instanceof RpcError) || error.code !== RpcErrorCode.urlElicitationRequired || !isObject(error.data)) {
		return [];
	}
	const { elicitations } = error.data;
	const asked = Array.isArray(elicitations) ? elicitations.filter(isObject) : [];
	return asked.every(it => it['mode'] === 'url') ? asked : [];
}
