/**
 * The single point that everything on the wire passes: logs, the messages that are kept, and tests read from it. Without a
 * reader, it costs one comparison for each message.
 */
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { RequestId } from '../jsonrpc/messages.js';
import type { HttpExchange } from './httpEndpoint.js';
import type { Transport } from './transport.js';

/** When and where something crossed the wire, and in which era, if that is negotiated. */
interface WireFacts {
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly transport: Transport['kind'];
	readonly era: 'legacy' | 'modern' | undefined;
	/** The number of the connection. Ids of requests are unique within it. */
	readonly connection: number;
}

export class WireMessage implements WireFacts {
	readonly kind = 'message';

	/**
	 * @param text on the wire, without its framing
	 * @param origin of a request that is sent: see `RequestOptions`
	 * @param streamOf the id of our request in whose response stream the message was received
	 */
	constructor(
		readonly direction: 'sent' | 'received',
		readonly message: unknown,
		readonly time: number,
		readonly transport: Transport['kind'],
		readonly era: 'legacy' | 'modern' | undefined,
		readonly connection: number,
		readonly text: string,
		readonly origin: object | undefined,
		readonly streamOf: RequestId | undefined,
	) {}

	/** The size of `text` in bytes of UTF-8, counted at each call. */
	get size(): number {
		return new TextEncoder().encode(this.text).length;
	}
}

/**
 * One HTTP request and the status and headers of its response, with secrets redacted. `id` is the id of the JSON-RPC
 * request in it.
 */
export interface WireExchange extends HttpExchange, WireFacts {
	readonly kind: 'exchange';
}

/** A request of ours that gets no answer: it was cancelled, it timed out, or its connection broke. */
export interface WireLoss extends WireFacts {
	readonly kind: 'lost';
	readonly id: RequestId;
	readonly reason: string;
}

export type WireEvent = WireMessage | WireExchange | WireLoss;

/** The number of connections so far. */
let connections = 0;

/** The tap of one client, for all transports that it uses one after another. */
export class Tap extends Owner {
	/** For TransportTap only, as `transports` is. */
	readonly didTransfer = this.own(new Emitter<WireEvent>());
	readonly transports = new Set<TransportTap>();

	readonly onDidTransfer: Event<WireEvent> = listener => {
		const subscription = this.didTransfer.event(listener);
		this.transports.forEach(it => it.follow());
		return subscription;
	};

	/** @param era returns the negotiated era; called for each event */
	join(transport: Transport, era: () => WireFacts['era']): TransportTap {
		const joined = new TransportTap(this, transport, era);
		this.transports.add(joined);
		joined.follow();
		return joined;
	}
}

/** The tap on one transport. */
export class TransportTap extends Owner {
	private readonly number = ++connections;
	private isFollowing = false;

	constructor(
		private readonly tap: Tap,
		private readonly transport: Transport,
		private readonly era: () => WireFacts['era'],
	) {
		super();
	}

	/** Whether there is a listener. Without one, no event needs to be made. */
	get isRead(): boolean {
		return this.tap.didTransfer.hasListeners;
	}

	message(
		direction: WireMessage['direction'],
		message: unknown,
		text: string,
		origin?: object,
		streamOf?: RequestId,
	): void {
		const { kind } = this.transport;
		this.tap.didTransfer.fire(
			new WireMessage(direction, message, clock.now(), kind, this.era(), this.number, text, origin, streamOf),
		);
	}

	lost(id: RequestId, reason: string): void {
		this.tap.didTransfer.fire({ kind: 'lost', id, reason, ...this.facts() });
	}

	private facts(): WireFacts {
		return { time: clock.now(), transport: this.transport.kind, era: this.era(), connection: this.number };
	}

	/** Listens to the transport's exchanges once the tap has a listener. */
	follow(): void {
		if (this.isRead && !this.isFollowing) {
			this.isFollowing = true;
			const subscription = this.transport.onDidExchange?.(exchange =>
				this.tap.didTransfer.fire({ ...exchange, kind: 'exchange', ...this.facts() }),
			);
			this.own(subscription ?? { dispose() {} });
		}
	}

	override dispose(): void {
		super.dispose();
		this.tap.transports.delete(this);
	}
}
