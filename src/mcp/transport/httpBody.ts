/** Bodies of responses: their types, and reading them within a limit. */
import { clock } from '../../base/clock.js';
import { within } from '../../base/async.js';
import { parseJson } from '../../base/parseJson.js';
import { type ErrorObject, isObject } from '../jsonrpc/messages.js';
import { McpError } from '../jsonrpc/errors.js';
import type { HttpResponse } from './httpFetch.js';
import { readLostSession } from './lostSession.js';

const decoder = new TextDecoder();

/** The body of an error is read up to this size. */
const maxErrorBytes = 64 * 1024;

/** The media type without parameters, in lower case; empty if there is none. */
export function mediaType(response: HttpResponse): string {
	const value = response.headers['content-type'] ?? '';
	const end = value.indexOf(';');
	return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase();
}

/** Whether the status is one of success: 200 to 299. */
export function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status <= 299;
}

/** @throws McpError `tooLarge`, or what breaks the transfer */
export async function readText(response: HttpResponse, maxBytes: number): Promise<string> {
	const parts: Uint8Array[] = [];
	let length = 0;
	await response.read(part => {
		length += part.length;
		if (length > maxBytes) {
			throw new McpError({ code: 'tooLarge', limit: maxBytes });
		}
		parts.push(part);
	});
	const [first] = parts;
	// Most bodies are one part. A decoder that reads part by part costs as much as the rest of a small request.
	return decoder.decode(
		first && parts.length === 1 ? first : await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer(),
	);
}

/**
 * The JSON-RPC error in the body of an HTTP error. The id does not matter: servers that can't read a message answer
 * with a `null` id or none.
 * @param ms milliseconds that reading the body may take
 */
async function readErrorObject(response: HttpResponse, ms: number): Promise<ErrorObject | undefined> {
	if (mediaType(response) === 'text/event-stream') {
		response.discard();
		return undefined;
	}
	// Some servers send JSON as text/plain, so the type is not checked.
	const text = await within(
		readText(response, maxErrorBytes).catch(() => ''),
		ms,
	);
	if (text === undefined) {
		response.discard();
	}
	return text ? errorObjectIn(parseJson(text)) : undefined;
}

/**
 * Converts a response without success into an error. Reads its body.
 * @param hasSession whether the request named a session
 * @param bodyMs milliseconds that reading the body may take
 */
export async function statusError(response: HttpResponse, hasSession: boolean, bodyMs: number): Promise<McpError> {
	const { status } = response;
	const error = await readErrorObject(response, bodyMs);
	if (hasSession) {
		const lost = readLostSession({ error });
		if (lost || status === 404 || (status === 400 && !isOtherCause(error))) {
			return lost ?? new McpError({ code: 'sessionLost' });
		}
	}
	const challenge = response.headers['www-authenticate'];
	const ms = retryAfterMs(response);
	return new McpError({
		code: 'http',
		status,
		error,
		challenge,
		...(ms === undefined ? {} : { retryAfterMs: ms }),
	});
}

/**
 * The milliseconds that a busy server asks us to wait. RFC 9110, 10.2.3: seconds, or a date.
 * @param now milliseconds since 1970
 */
export function retryAfterMs({ status, headers }: HttpResponse, now: number = clock.now()): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (value === '' || (status !== 429 && status !== 503)) {
		return undefined;
	}
	const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/**
 * Whether a 400 has another cause than a lost session. Spec 2025-11-25, transports: a server answers 404 when a
 * session is lost. Some servers answer 400 instead, with a code of their own (-32000, -32001) or none; the codes of
 * JSON-RPC and MCP have other causes.
 */
function isOtherCause(error: ErrorObject | undefined): boolean {
	const code = error?.code ?? 0;
	return code <= -32600 || (code <= -32020 && code >= -32099);
}

/** The error in a JSON-RPC response, which may be the only one in a batch. */
export function errorObjectIn(value: unknown): ErrorObject | undefined {
	const response: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	const error = isObject(response) ? response['error'] : undefined;
	if (!isObject(error) || typeof error['code'] !== 'number' || typeof error['message'] !== 'string') {
		return undefined;
	}
	return error as unknown as ErrorObject;
}
