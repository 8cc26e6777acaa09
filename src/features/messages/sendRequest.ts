/** Sends a request that a person wrote. The same approvals, checks and history apply as to any other request of its method. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Call } from '../../core/calls/calls.js';
import type { EndedPrompt, Interactions, ReadRequest } from '../../core/calls/interactions.js';
import { ReadDeniedError } from '../../core/calls/toolAccess.js';
import { isSendable } from '../../core/messages/methods.js';
import type { CallOrigin } from '../../core/messages/wireRecord.js';
import type { Server } from '../../core/servers/server.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { webviewText } from '../../editor/ui/plainText.js';

export interface SendDeps {
	/** Calls a tool. @param others parameters besides the name and the arguments */
	readonly callTool: (call: Call, others: JsonObject) => Promise<unknown>;
	readonly interactions: Pick<Interactions, 'assertAllowed' | 'read' | 'report'>;
}

export interface WrittenRequest {
	readonly server: Server;
	readonly method: string;
	/** As JSON; may be empty. */
	readonly params: string;
	/** `person`, unless a model or another extension has chosen the parameters. */
	readonly caller: Caller;
}

/**
 * Resolves when the request was answered. The answer appears in the list of messages.
 * @throws Error in the person's language if the request can't be sent; all errors of the request
 */
export async function sendRequest(
	deps: SendDeps,
	{ server, method, params: text, caller }: WrittenRequest,
): Promise<void> {
	const { t } = vscode.l10n;
	if (!isSendable(method)) {
		throw new Error(t('"{0}" can\'t be sent from here. Enter the method of a request.', webviewText(method, 100)));
	}
	const params = readParams(text);
	const { name, uri, arguments: args = {}, ...others } = params;
	if (method === 'tools/call') {
		if (typeof name !== 'string' || !isObject(args)) {
			throw new Error(t('"name" must be a string and "arguments" an object.'));
		}
		await deps.callTool({ caller, server, tool: name, arguments: args }, others);
	} else if (method === 'resources/read') {
		if (typeof uri !== 'string' || Object.keys(params).length > 1) {
			throw new Error(t('"uri" must be a string, and the only parameter.'));
		}
		const request = { kind: 'resource', caller, server, uri } as const;
		const read = (): Promise<object> => {
			server.client?.forgetResource(uri);
			return deps.interactions.read(request);
		};
		// Reads of others are reported by themselves.
		await (caller.kind === 'person' ? reported(deps, request, read) : read());
	} else {
		const send = async (): Promise<object> => {
			if (caller.kind !== 'person') {
				await deps.interactions.assertAllowed(server, 'contents');
			}
			const client = await server.use(true);
			const origin: CallOrigin = { caller };
			return client.send(method, params, { origin });
		};
		await (method === 'prompts/get' ? reported(deps, { kind: 'prompt', caller, server, params }, send) : send());
	}
}

/** Reports the request for the history. */
async function reported(
	{ interactions }: SendDeps,
	request: ReadRequest | Omit<EndedPrompt, 'time' | 'durationMs' | 'end'>,
	send: () => Promise<object>,
): Promise<void> {
	const [time, startedAt] = [clock.now(), clock.elapsed()];
	const report = (end: EndedPrompt['end']): void =>
		interactions.report({ ...request, time, durationMs: clock.elapsed() - startedAt, end });
	try {
		report({ kind: 'answered', result: await send() });
	} catch (error) {
		report(error instanceof ReadDeniedError ? { kind: 'denied' } : { kind: 'failed', error });
		throw error;
	}
}

function readParams(text: string): JsonObject {
	const { t } = vscode.l10n;
	let params: unknown;
	try {
		params = text.trim() === '' ? {} : JSON.parse(text);
	} catch (error) {
		throw new Error(t("The parameters aren't valid JSON: {0}", webviewText(String(error), 200)), { cause: error });
	}
	if (!isObject(params)) {
		throw new Error(t('The parameters must be a JSON object.'));
	}
	return params;
}
