/**
 * The single point that everything on the wire passes. A recorder gets plain values, which costs little for each message.
 * Logs and tests listen to events, which are created only if there is a listener.
 */
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { RequestId } from '../jsonrpc/messages.js';
import type { HttpExchange } from './httpEndpoint.js';
import type { Received, Transport } from './transport.js';

/** When and where something crossed the wire, and in which era, if that is negotiated. */
interface WireFacts {
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly transport: Transport['kind'];
	readonly era: 'legacy' | 'modern' | undefined;
}

export interface WireMessage extends WireFacts {
	readonly kind: 'message';
	readonly direction: 'sent' | 'received';
	readonly message: unknown;
	/** The text on the wire, without its framing, and its size in bytes of UTF-8. */
	readonly text: string;
	readonly size: number;
}

/**
 * One HTTP request and the status and headers of its response, with secrets redacted. `id` is the id of the JSON-RPC
 * request in it.
 */
export interface WireExchange extends HttpExchange, WireFacts {
	readonly kind: 'exchange';
}

export type WireEvent = WireMessage | WireExchange;

/** One direction of a connection. */
export interface WireChannel {
	/** The number of the connection. Ids of requests are unique within it. */
	readonly connection: number;
	readonly direction: WireMessage['direction'];
}

/** Records everything on the wire. Gets values instead of an object, to save time for each message. */
export interface Recorder {
	/** Called once for each direction of a connection. The returned channel is passed to the other functions. */
	open(channel: WireChannel): WireChannel;
	/** @param origin the origin of a sent request: see `RequestOptions` */
	message(channel: WireChannel, message: Received, origin?: object): void;
	exchange(channel: WireChannel, exchange: HttpExchange): void;
	/** Called if one of our requests gets no answer: it was cancelled, it timed out, or its connection broke. */
	lost(channel: WireChannel, id: RequestId, error: unknown): void;
}

/** The number of connections so far. */
let connections = 0;

/** The tap of one client, for all transports that it uses one after another. */
export class Tap extends Owner {
	/** For TransportTap only. */
	readonly didTransfer = this.own(new Emitter<WireEvent>());
	readonly onDidTransfer: Event<WireEvent> = this.didTransfer.event;
	/** Set this before the first transport joins. */
	recorder: Recorder | undefined;

	/** @param era returns the negotiated era; called for each event */
	join(transport: Transport, era: () => WireFacts['era']): TransportTap {
		return new TransportTap(this, transport, era);
	}
}

/** The tap on one transport. */
export class TransportTap extends Owner {
	private readonly sent: WireChannel;
	private readonly received: WireChannel;

	constructor(
		private readonly tap: Tap,
		private readonly transport: Transport,
		private readonly era: () => WireFacts['era'],
	) {
		super();
		const connection = ++connections;
		const open = (it: WireChannel): WireChannel => tap.recorder?.open(it) ?? it;
		this.sent = open({ connection, direction: 'sent' });
		this.received = open({ connection, direction: 'received' });
		const following = transport.onDidExchange?.(exchange => {
			tap.recorder?.exchange(this.sent, exchange);
			tap.didTransfer.fire({ kind: 'exchange', ...exchange, ...this.facts() });
		});
		this.own(following ?? { dispose() {} });
	}

	didSend(message: unknown, text: string, origin: object | undefined): void {
		this.tap.recorder?.message(this.sent, { value: message, text }, origin);
		this.fire('sent', message, text);
	}

	didReceive(received: Received): void {
		this.tap.recorder?.message(this.received, received);
		this.fire('received', received.value, received.text);
	}

	didLose(id: RequestId, error: unknown): void {
		this.tap.recorder?.lost(this.received, id, error);
	}

	private fire(direction: WireMessage['direction'], message: unknown, text: string): void {
		if (this.tap.didTransfer.hasListeners) {
			const size = new TextEncoder().encode(text).length;
			this.tap.didTransfer.fire({ kind: 'message', direction, message, text, size, ...this.facts() });
		}
	}

	private facts(): WireFacts {
		return { time: clock.now(), transport: this.transport.kind, era: this.era() };
	}
}
