/**
 * Keeps the latest messages of all servers in memory. Recording is always on, so adding a message must be cheap: it stores
 * the text, and creates no object. Requests and answers are paired (`Exchanges`) only when a view needs them.
 */
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { describeJson, type Recorder } from '../../mcp/index.js';
import {
	copyOfStart,
	type Channel,
	exchangeRecord,
	type Facts,
	factsOf,
	lostRecord,
	messageRecord,
	type MessageSource,
	type WireRecord,
} from './wireRecord.js';

/** The most characters that all texts together may have. */
const defaultCapacity = 10 * 1024 * 1024;
/** Characters of a short, usual message. The ring has a slot for each of the messages of this length that it can keep. */
const usualLength = 320;
/** A message of more than `maxWhole` characters is cut to `keptOfLong`. */
const maxWhole = 256 * 1024;
const keptOfLong = 64 * 1024;
/** The facts of messages with more characters are kept, because parsing them again would take too long. */
const maxParsedLater = 500;

/** After this many messages are received and none is sent, the next ones share a time. See `now`. */
const longBurst = 8;

/** What only some records have besides their text. */
interface More {
	readonly streamOf?: string | number | undefined;
	readonly facts?: Facts | undefined;
	readonly length: number;
	/** The record itself, if it isn't a message. */
	readonly record?: WireRecord | undefined;
}

export class MessageRing extends Owner {
	private readonly _onDidAdd = this.own(new Emitter<WireRecord>());
	readonly onDidAdd: Event<WireRecord> = this._onDidAdd.event;
	private readonly _onDidClear = this.own(new Emitter<void>());
	readonly onDidClear: Event<void> = this._onDidClear.event;

	private readonly size: number;
	/** Each record has an entry in these lists, at its number modulo `size`. */
	private texts: string[] = [];
	private channels: Channel[] = [];
	private readonly times: Float64Array;
	private origins: (object | undefined)[] = [];
	private more: (More | undefined)[] = [];
	/** The number of the oldest record. */
	private first = 1;
	private next = 1;
	private cost = 0;
	/** Messages received since one was sent. */
	private burst = 0;
	/** The time that the messages of a burst share until the next microtask. */
	private burstTime: number | undefined;

	constructor(private readonly capacity = defaultCapacity) {
		super();
		this.size = Math.ceil(capacity / usualLength);
		this.times = new Float64Array(this.size);
	}

	/** Oldest first. */
	get records(): readonly WireRecord[] {
		return Array.from({ length: this.next - this.first }, (_, index) => this.recordAt(this.first + index));
	}

	/** The number of the oldest record; that of the next one if there is none. */
	get oldest(): number {
		return this.first;
	}

	/** Keeps what a client of the server sends and receives. */
	recorderFor(source: MessageSource): Recorder {
		return {
			open: channel => ({ ...channel, source }),
			message: (channel, text, message, origin, streamOf) => {
				const to = channel as Channel;
				if (Array.isArray(message)) {
					for (const it of message as readonly unknown[]) {
						this.addMessage(to, describeJson(it, Infinity), origin, streamOf, factsOf(it, streamOf));
					}
				} else if (text.length > maxParsedLater) {
					this.addMessage(to, text, origin, streamOf, factsOf(message, streamOf));
				} else if (streamOf !== undefined) {
					this.addMessage(to, text, origin, streamOf);
				} else {
					this.add(to, text, origin, undefined);
				}
			},
			exchange: (channel, exchange) =>
				this.addRecord(exchangeRecord(this.next, channel as Channel, clock.now(), exchange)),
			lost: (channel, id, reason) => this.addRecord(lostRecord(this.next, channel as Channel, clock.now(), id, reason)),
		};
	}

	clear(): void {
		while (this.first < this.next) {
			this.drop();
		}
		this._onDidClear.fire();
	}

	private addMessage(
		channel: Channel,
		text: string,
		origin?: object,
		streamOf?: More['streamOf'],
		facts?: Facts,
	): void {
		const { length } = text;
		const kept = length > maxWhole ? copyOfStart(text, keptOfLong) : text;
		this.add(channel, kept, origin, { streamOf, facts, length });
	}

	private addRecord(record: WireRecord): void {
		this.add(record.channel, record.text, undefined, { record, length: record.length });
	}

	private add(channel: Channel, text: string, origin: object | undefined, more: More | undefined): void {
		const number = this.next++;
		if (number - this.first >= this.size) {
			this.drop();
		}
		const slot = number % this.size;
		this.texts[slot] = text;
		this.channels[slot] = channel;
		this.times[slot] = this.now(channel);
		this.origins[slot] = origin;
		this.more[slot] = more;
		this.cost += text.length;
		while (this.cost > this.capacity && this.first < number) {
			this.drop();
		}
		if (this._onDidAdd.hasListeners) {
			this._onDidAdd.fire(this.recordAt(number));
		}
	}

	/** Reading the clock takes as long as the rest of `add`, so the messages of a long burst share a time. */
	private now({ direction }: Channel): number {
		if (this.burstTime !== undefined) {
			return this.burstTime;
		}
		const now = clock.now();
		this.burst = direction === 'sent' ? 0 : this.burst + 1;
		if (this.burst > longBurst) {
			this.burstTime = now;
			queueMicrotask(() => (this.burstTime = undefined));
		}
		return now;
	}

	private drop(): void {
		const slot = this.first % this.size;
		this.cost -= this.texts[slot]?.length ?? 0;
		this.texts[slot] = '';
		this.origins[slot] = undefined;
		this.more[slot] = undefined;
		this.first++;
	}

	private recordAt(number: number): WireRecord {
		const slot = number % this.size;
		const origin = this.origins[slot];
		const { record, streamOf, facts, length } = this.more[slot] ?? {};
		const [text = '', channel] = [this.texts[slot], this.channels[slot]];
		const time = this.times[slot] ?? 0;
		return record ?? messageRecord(number, channel as Channel, time, text, { origin, streamOf, facts, length });
	}
}
