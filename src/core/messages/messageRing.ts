/**
 * The latest messages of all servers, in memory. Always on, so adding one costs little: it keeps a text, and makes no
 * object. Requests and answers are only paired when someone looks (`Exchanges`).
 */
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { describeJson, type Recorder, type WireChannel } from '../../mcp/index.js';
import {
	byteLength,
	copyOfStart,
	type Channel,
	factsOf,
	type MessageSource,
	type More,
	noFacts,
	WireRecord,
} from './wireRecord.js';

/** Characters of all texts together. */
const defaultCapacity = 10 * 1024 * 1024;
/** Characters of the shortest usual message. There are at most as many records as such texts would fill the ring. */
const usualLength = 320;
/** A longer message is kept in part, in characters. */
const maxWhole = 256 * 1024;
const keptOfLong = 64 * 1024;
/** Characters. To read the facts of a longer message from its text would take longer than to keep them. */
const maxParsedLater = 500;
/** Messages that are received without one that is sent. */
const longRow = 8;

export class MessageRing extends Owner {
	private readonly _onDidChange = this.own(new Emitter<WireRecord | undefined>());
	/** A new record; `undefined` once all were removed. */
	readonly onDidChange: Event<WireRecord | undefined> = this._onDidChange.event;
	private readonly size: number;
	/** These have an entry for each record, at its number modulo `size`. */
	private readonly texts: string[] = [];
	private readonly channels: Channel[] = [];
	private readonly times: Float64Array;
	private readonly origins: (object | undefined)[] = [];
	private readonly more: (More | undefined)[] = [];
	/** The number of the oldest record; that of the next one if there is none. */
	oldest = 1;
	private next = 1;
	private length = 0;
	/** How many messages were received since one was sent. */
	private row = 0;
	/** The time of all messages until the code that receives them has ended. */
	private timeOfRow: number | undefined;

	constructor(private readonly capacity = defaultCapacity) {
		super();
		this.size = Math.ceil(capacity / usualLength);
		this.times = new Float64Array(this.size);
	}

	/** Oldest first. */
	get records(): readonly WireRecord[] {
		return Array.from({ length: this.next - this.oldest }, (_, index) => this.recordAt(this.oldest + index));
	}

	/** Keeps what a client of the server sends and receives. */
	recorderFor(source: MessageSource): Recorder {
		return {
			open: channel => ({ ...channel, source }),
			message: (channel, text, message, origin, streamOf) => {
				const { length } = text;
				if (Array.isArray(message)) {
					for (const it of message as readonly unknown[]) {
						this.add(channel, describeJson(it, Infinity), origin, { facts: factsOf(it, streamOf) });
					}
				} else if (length > maxWhole) {
					const more = { facts: factsOf(message, streamOf), fullSize: byteLength(text) };
					this.add(channel, copyOfStart(text, keptOfLong), origin, more);
				} else if (length > maxParsedLater) {
					this.add(channel, text, origin, { facts: factsOf(message, streamOf) });
				} else {
					this.add(channel, text, origin, streamOf === undefined ? undefined : { streamOf });
				}
			},
			exchange: (channel, { method, url, status, ms, requestHeaders, headers, id }) => {
				const text = JSON.stringify({ method, url, requestHeaders, status, ms, headers });
				const outcome = { kind: status < 400 ? 'ok' : 'error', code: status } as const;
				this.add(channel, text, undefined, {
					facts: { ...noFacts, kind: 'exchange', method, id, target: url, about: id, outcome },
				});
			},
			lost: (channel, id, reason) =>
				this.add(channel, reason, undefined, { facts: { ...noFacts, kind: 'lost', id, outcome: { kind: 'lost' } } }),
		};
	}

	private add(channel: WireChannel, text: string, origin: object | undefined, more?: More): void {
		const number = this.next++;
		if (number - this.oldest >= this.size) {
			this.drop();
		}
		const slot = number % this.size;
		this.texts[slot] = text;
		this.channels[slot] = channel as Channel;
		this.origins[slot] = origin;
		this.times[slot] = this.timeOfRow ?? this.now(channel);
		this.more[slot] = more;
		this.length += text.length;
		while (this.length > this.capacity && this.oldest < number) {
			this.drop();
		}
		if (this._onDidChange.hasListeners) {
			this._onDidChange.fire(this.recordAt(number));
		}
	}

	clear(): void {
		while (this.oldest < this.next) {
			this.drop();
		}
		this._onDidChange.fire(undefined);
	}

	/** To read the clock takes as long as everything else here, so the messages of a long row share a time. */
	private now({ direction }: WireChannel): number {
		const now = clock.now();
		this.row = direction === 'sent' ? 0 : this.row + 1;
		if (this.row > longRow) {
			this.timeOfRow = now;
			queueMicrotask(() => (this.timeOfRow = undefined));
		}
		return now;
	}

	private drop(): void {
		const slot = this.oldest % this.size;
		this.length -= this.texts[slot]?.length ?? 0;
		this.texts[slot] = '';
		this.origins[slot] = undefined;
		this.more[slot] = undefined;
		this.oldest++;
	}

	private recordAt(number: number): WireRecord {
		const slot = number % this.size;
		const [text = '', time = 0] = [this.texts[slot], this.times[slot]];
		return new WireRecord(number, time, this.channels[slot] as Channel, text, this.origins[slot], this.more[slot]);
	}
}
