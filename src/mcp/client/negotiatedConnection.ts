/** A transport, the JSON-RPC connection over it, and the codec of the negotiated revision. */
import { type Disposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { Connection } from '../jsonrpc/connection.js';
import type { RequestOptions } from '../jsonrpc/pending.js';
import { McpError } from '../jsonrpc/errors.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Limits } from '../limits.js';
import type { Tap } from '../transport/tap.js';
import type { Transport } from '../transport/transport.js';
import type { Codec, Decoded, Sender } from '../wire/codec.js';
import { workMethods } from './operations.js';

/** A result that the revision allows. */
export type Reply = Exclude<Decoded, { kind: 'invalid' }>;

/** Owns the transport and disposes it. */
export class NegotiatedConnection extends Owner {
	readonly rpc: Connection;
	private agreedCodec: Codec | undefined;

	/** @param sender called for each request of the modern era, which names its sender */
	constructor(
		readonly transport: Transport,
		private readonly sender: () => Sender,
		log: Logger,
		tap: Tap,
		limits: Limits,
	) {
		super();
		this.own(transport);
		const joined = this.own(tap.join(transport, () => this.agreedCodec?.era));
		this.rpc = this.own(new Connection(transport, log, joined, limits));
	}

	/** Whether a tool call, prompt, read or task of ours is in progress. Subscriptions, pings and lists do not count. */
	get isAtWork(): boolean {
		return this.rpc.isWaitingFor(workMethods);
	}

	/** Disposes the subscription together with this connection. */
	hold(subscription: Disposable | undefined): void {
		if (subscription) {
			this.own(subscription);
		}
	}

	/** `undefined` before the agreement. */
	get codec(): Codec | undefined {
		return this.agreedCodec;
	}

	/** Makes both the connection and the transport use this revision from now on. */
	agree(codec: Codec): void {
		this.agreedCodec = codec;
		const { era, revision, acceptsRequests, acceptsBatches } = codec;
		// Spec 2026-07-28: over HTTP, closing the response stream cancels the request. Stdio has no such stream.
		const cancelsBy = era === 'modern' && this.transport.kind !== 'stdio' ? 'stream' : 'notification';
		this.rpc.policy = { acceptsRequests, acceptsBatches, cancelsBy, operations: workMethods };
		this.transport.didAgree?.({ era, protocolVersion: revision });
	}

	/**
	 * Sends a request in the negotiated revision, or in that of `codec`.
	 * @throws McpError `invalidResult` if the revision does not allow the result, and whatever `Connection.request`
	 * throws
	 */
	request(
		method: string,
		params: JsonObject,
		options: RequestOptions,
		codec: Codec | undefined = this.agreedCodec,
	): Promise<Reply> {
		if (!codec) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		const encoded = codec.encodeRequest(method, params, this.sender);
		const settings = encoded.headers ? { ...options, headers: { ...encoded.headers, ...options.headers } } : options;
		return this.rpc.request(method, encoded.params, settings).then(result => {
			const decoded = codec.decodeResult(result);
			if (decoded.kind === 'invalid') {
				throw new McpError({ code: 'invalidResult', method, why: decoded.why });
			}
			return decoded;
		});
	}

	/** @throws McpError `closed` */
	async notify(method: string, params: JsonObject = {}): Promise<void> {
		const encoded = this.agreedCodec?.encodeNotification(method, params) ?? { params };
		await this.rpc.notify(method, encoded.params, encoded.headers);
	}
}
