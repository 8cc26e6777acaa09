/** One transport, the connection over it, and the codec of the revision both sides agreed on. */
import { type Disposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { Connection } from '../jsonrpc/connection.js';
import type { RequestOptions } from '../jsonrpc/requestOptions.js';
import { McpError } from '../jsonrpc/errors.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Limits } from '../limits.js';
import type { Tap } from '../transport/tap.js';
import type { Transport } from '../transport/transport.js';
import type { Codec, Decoded, Sender } from '../wire/codec.js';
import { workMethods } from './operations.js';

/** Owns the transport. */
export class Link extends Owner {
	readonly connection: Connection;
	private agreedCodec: Codec | undefined;

	/** @param sender what the modern era states with every request, asked each time */
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
		this.connection = this.own(new Connection(transport, log, joined, limits));
	}

	/** Whether the server has an operation of ours to finish. Subscriptions, pings and lists do not count. */
	get isAtWork(): boolean {
		return this.connection.isWaitingFor(workMethods);
	}

	/** Keeps a subscription as long as the link. */
	hold(subscription: Disposable | undefined): void {
		if (subscription) {
			this.own(subscription);
		}
	}

	/** The codec, once agreed. */
	get codec(): Codec | undefined {
		return this.agreedCodec;
	}

	/** From now on both sides speak this revision. */
	agree(codec: Codec): void {
		this.agreedCodec = codec;
		const { era, revision, acceptsRequests, acceptsBatches } = codec;
		// Spec 2026-07-28: over HTTP the end of the response stream is the cancellation; over stdio there is none.
		const cancelsBy = era === 'modern' && this.transport.kind !== 'stdio' ? 'stream' : 'notification';
		this.connection.policy = { acceptsRequests, acceptsBatches, cancelsBy, operations: workMethods };
		this.transport.didAgree?.({ era, protocolVersion: revision });
	}

	/**
	 * Sends a request in the agreed revision, or in that of `codec`.
	 * @throws McpError `invalidResult` if the answer is not one of the revision, and as Connection.request
	 */
	request(
		method: string,
		params: JsonObject,
		options: RequestOptions,
		codec: Codec | undefined = this.agreedCodec,
	): Promise<Exclude<Decoded, { kind: 'invalid' }>> {
		if (!codec) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		const encoded = codec.encodeRequest(method, params, this.sender);
		const settings = encoded.headers ? { ...options, headers: { ...encoded.headers, ...options.headers } } : options;
		return this.connection.request(method, encoded.params, settings).then(result => {
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
		await this.connection.notify(method, encoded.params, encoded.headers);
	}
}
