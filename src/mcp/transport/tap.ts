/**
 * The one point that everything on the wire passes: log, trace, history and tests read from it. While nobody
 * reads, it costs one comparison a message.
 */
import { type Disposable, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import type { HttpExchange } from './httpEndpoint.js';
import type { Transport } from './transport.js';

/** Of everything that is seen: when, on which way, and in which era, once that is agreed. */
interface WireFacts {
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly transport: Transport['kind'];
	readonly era: 'legacy' | 'modern' | undefined;
}

/** One message, or one batch of them. */
export class WireMessage implements WireFacts {
	readonly kind = 'message';

	/** @param raw what was received, as it came; for what is sent it is made when asked for */
	constructor(
		readonly direction: 'sent' | 'received',
		readonly message: unknown,
		readonly time: number,
		readonly transport: Transport['kind'],
		readonly era: 'legacy' | 'modern' | undefined,
		private raw?: string,
	) {}

	/** As on the wire, without what frames it. */
	get text(): string {
		this.raw ??= JSON.stringify(this.message);
		return this.raw;
	}

	/** Bytes of `text` in UTF-8: counted when asked for. */
	get size(): number {
		return utf8Length(this.text);
	}
}

/** One HTTP request and the head of its response; secrets are redacted. `id` says which request it carried. */
export interface WireExchange extends HttpExchange, WireFacts {
	readonly kind: 'exchange';
}

export type WireEvent = WireMessage | WireExchange;

/** All transports that one client uses, one after another. */
export class Tap extends Owner {
	private readonly _onDidTransfer = this.own(new Emitter<WireEvent>());
	private readonly transports = new Set<TransportTap>();

	readonly onDidTransfer: Event<WireEvent> = listener => {
		const subscription = this._onDidTransfer.event(listener);
		this.follow();
		return toDisposable(() => {
			subscription.dispose();
			this.follow();
		});
	};

	/** Whether anyone reads: what nobody reads need not be made. */
	get isRead(): boolean {
		return this._onDidTransfer.hasListeners;
	}

	/** @param era what was agreed on, asked each time */
	join(transport: Transport, era: () => WireFacts['era']): TransportTap {
		const joined = new TransportTap(this, transport, era);
		this.transports.add(joined);
		joined.follow();
		return joined;
	}

	/** What `join` gave has come to its end. */
	leave(joined: TransportTap): void {
		this.transports.delete(joined);
	}

	fire(event: WireEvent): void {
		this._onDidTransfer.fire(event);
	}

	private follow(): void {
		for (const it of this.transports) {
			it.follow();
		}
	}
}

/** One transport's part of the tap. */
export class TransportTap extends Owner {
	private exchanges: Disposable | undefined;

	constructor(
		private readonly tap: Tap,
		private readonly transport: Transport,
		private readonly era: () => WireFacts['era'],
	) {
		super();
	}

	get isRead(): boolean {
		return this.tap.isRead;
	}

	/** @param text what was received, as it came */
	message(direction: WireMessage['direction'], message: unknown, text?: string): void {
		this.tap.fire(new WireMessage(direction, message, Date.now(), this.transport.kind, this.era(), text));
	}

	/** Listens to the exchanges as long as someone reads. */
	follow(): void {
		if (this.isRead && !this.owned.isDisposed) {
			this.exchanges ??= this.transport.onDidExchange?.(exchange =>
				this.tap.fire({
					...exchange,
					kind: 'exchange',
					time: Date.now(),
					transport: this.transport.kind,
					era: this.era(),
				}),
			);
		} else {
			this.exchanges?.dispose();
			this.exchanges = undefined;
		}
	}

	override dispose(): void {
		super.dispose();
		this.follow();
		this.tap.leave(this);
	}
}

function utf8Length(text: string): number {
	let bytes = text.length;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code > 0x7f) {
			// A surrogate is half of a character of four bytes.
			bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
		}
	}
	return bytes;
}
