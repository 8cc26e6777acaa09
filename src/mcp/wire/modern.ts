/** The codec of the modern era: every request names its sender, every result names its type. Spec 2026-07-28, basic. */
import { describeJson, type JsonObject, toObject } from '../jsonrpc/messages.js';
import type { Codec, Decoded, Encoded, Sender } from './codec.js';
import { encodeHeaderValue } from '../transport/httpHeaders.js';

/** Keys of `_meta` that the specification reserves. */
export const metaKeys = {
	protocolVersion: 'io.modelcontextprotocol/protocolVersion',
	clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
	clientInfo: 'io.modelcontextprotocol/clientInfo',
	logLevel: 'io.modelcontextprotocol/logLevel',
	serverInfo: 'io.modelcontextprotocol/serverInfo',
	subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The parameter that names the subject of a request, for the `Mcp-Name` header. */
const nameParameters: Readonly<Record<string, string>> = {
	'tools/call': 'name',
	'prompts/get': 'name',
	'resources/read': 'uri',
	// Methods of the extension "tasks".
	'tasks/get': 'taskId',
	'tasks/update': 'taskId',
	'tasks/cancel': 'taskId',
};

export class ModernCodec implements Codec {
	readonly era = 'modern';
	/** Spec: "Servers MUST NOT initiate JSON-RPC requests, and clients do not send JSON-RPC responses". */
	readonly acceptsRequests = false;
	readonly acceptsBatches = false;

	constructor(readonly revision: string) {}

	encodeRequest(method: string, params: JsonObject, sender: () => Sender): Encoded {
		const { capabilities, clientInfo, logLevel } = sender();
		const _meta = {
			...toObject(params['_meta']),
			[metaKeys.protocolVersion]: this.revision,
			[metaKeys.clientCapabilities]: capabilities,
			[metaKeys.clientInfo]: clientInfo,
			...(logLevel === undefined ? {} : { [metaKeys.logLevel]: logLevel }),
		};
		return { params: { ...params, _meta }, headers: this.headers(method, params) };
	}

	encodeNotification(method: string, params: JsonObject): Encoded {
		return { params, headers: this.headers(method, params) };
	}

	decodeResult(result: JsonObject): Decoded {
		// Spec: "MUST treat the absent field as "complete"", for servers that don't send it yet.
		const { resultType = 'complete' } = result;
		switch (resultType) {
			case 'complete':
				return { kind: 'complete', result };
			case 'input_required':
				return decodeInputRequired(result);
			case 'task':
				return typeof result['taskId'] === 'string'
					? { kind: 'task', task: result }
					: { kind: 'invalid', why: 'a task without an id' };
			default:
				return { kind: 'invalid', why: `unknown resultType ${describeJson(resultType)}` };
		}
	}

	/** Spec 2026-07-28, Streamable HTTP: intermediaries may route by these headers without reading the body. */
	private headers(method: string, params: JsonObject): Record<string, string> {
		const name = params[nameParameters[method] ?? ''];
		return {
			'mcp-protocol-version': this.revision,
			'mcp-method': method,
			...(typeof name === 'string' ? { 'mcp-name': encodeHeaderValue(name) } : {}),
		};
	}
}

function decodeInputRequired({ inputRequests, requestState }: JsonObject): Decoded {
	const requests = toObject(inputRequests);
	const state = typeof requestState === 'string' ? requestState : undefined;
	return Object.keys(requests).length === 0 && state === undefined
		? { kind: 'invalid', why: 'input required, but neither inputRequests nor requestState' }
		: { kind: 'inputRequired', requests, state };
}
