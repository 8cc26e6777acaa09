/**
 * The latest messages of all servers, in memory. Recording is always on, so adding a message must be cheap: it creates no
 * object, and keeps the text as received. Requests and answers are paired only for display (`Exchanges`).
 */
import { clock } from '../../base/clock.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { type Chunk, describeJson, type Recorder, type WireChannel } from '../../mcp/index.js';
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
/** Characters of a block. Larger blocks cost less, but the ring drops more messages at once. */
const blockLength = 16 * 1024;
/** A longer message is kept in part, in characters. */
const maxWhole = 256 * 1024;
const keptOfLong = 64 * 1024;
/** Characters. The facts of a longer message are kept, because reading them again from the text would take longer. */
const maxParsedLater = 500;

/** Consecutive records. Their texts are in `bytes` from `start` to `end`. */
interface Block {
	/** The numbers of the first record, and of the record after the last one. */
	readonly first: number;
	readonly next: number;
	readonly start: number;
	readonly end: number;
}

export class MessageRing extends Owner {
	private readonly _onDidChange = this.own(new Emitter<WireRecord | undefined>());
	/** A new record; `undefined` once all were removed. */
	readonly onDidChange: Event<WireRecord | undefined> = this._onDidChange.event;
	private readonly size: number;
	/** The texts of the full blocks. As strings, they would cost the garbage collector more than everything else here. */
	private bytes: Uint8Array | undefined;
	/** Oldest first. */
	private blocks: Block[] = [];
	/** The next block: its chunks, their characters, and the number of its first record. */
	private chunks: string[] = [];
	private length = 0;
	private first = 1;
	/** The latest chunk, its offset in the block, and the time that all its records share. */
	private chunk: Chunk | undefined;
	private startOfChunk = 0;
	private time = 0;
	/** These arrays have an entry for each record, at its number modulo `size`. `starts` are offsets in the text of the block. */
	private readonly starts: Int32Array;
	private readonly lengths: Int32Array;
	private readonly times: Float64Array;
	private readonly channels: Channel[] = [];
	private readonly more: (More | undefined)[] = [];
	private next = 1;

	constructor(private readonly capacity = defaultCapacity) {
		super();
		this.size = Math.ceil(capacity / usualLength);
		this.starts = new Int32Array(this.size);
		this.lengths = new Int32Array(this.size);
		this.times = new Float64Array(this.size);
	}

	/** The number of the oldest record, or of the next one if the ring is empty. */
	get oldest(): number {
		return this.blocks[0]?.first ?? this.first;
	}

	/** Oldest first. */
	get records(): readonly WireRecord[] {
		const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
		const textOf = ({ start, end }: Block): string => decoder.decode(this.bytes?.subarray(start, end));
		const last = { first: this.first, next: this.next, text: this.chunks.join('') };
		return [...this.blocks.map(it => ({ ...it, text: textOf(it) })), last].flatMap(({ first, next, text }) =>
			Array.from({ length: next - first }, (_, index) => this.recordAt(first + index, text)),
		);
	}

	/** Keeps what a client of the server sends and receives. */
	recorderFor(source: MessageSource): Recorder {
		return {
			open: channel => ({ ...channel, source }),
			message: (channel, { value, text, chunk, start, requestId: streamOf }, origin) => {
				const { length } = text;
				if (Array.isArray(value)) {
					for (const it of value as readonly unknown[]) {
						this.add(channel, describeJson(it, Infinity), { origin, facts: factsOf(it, streamOf) });
					}
				} else if (length > maxWhole) {
					const more = { origin, facts: factsOf(value, streamOf), fullSize: byteLength(text) };
					this.add(channel, copyOfStart(text, keptOfLong), more);
				} else {
					const facts = length > maxParsedLater ? factsOf(value, streamOf) : undefined;
					const more = facts || origin || streamOf !== undefined ? { origin, facts, streamOf } : undefined;
					this.add(channel, text, more, chunk, start);
				}
			},
			exchange: (channel, { method, url, status, ms, requestHeaders, headers, id }) => {
				const text = JSON.stringify({ method, url, requestHeaders, status, ms, headers });
				const outcome = { kind: status < 400 ? 'ok' : 'error', code: status } as const;
				this.add(channel, text, {
					facts: { ...noFacts, kind: 'exchange', method, id, target: url, about: id, outcome },
				});
			},
			lost: (channel, id, error) => {
				const outcome = { kind: isAbort(error) ? 'canceled' : 'lost' } as const;
				this.add(channel, toMessage(error), { facts: { ...noFacts, kind: 'lost', id, outcome } });
			},
		};
	}

	clear(): void {
		this.endBlock();
		this.dropBlocks(() => true);
		this.bytes = undefined;
		this._onDidChange.fire(undefined);
	}

	private add(channel: WireChannel, text: string, more?: More, chunk: Chunk = { text }, start = 0): void {
		if (this.next - this.oldest >= this.size) {
			const [oldest] = this.blocks;
			this.dropBlocks(it => it === oldest);
		}
		if (chunk !== this.chunk) {
			this.begin(chunk);
		}
		const number = this.next++;
		const slot = number % this.size;
		this.starts[slot] = this.startOfChunk + start;
		this.lengths[slot] = text.length;
		this.times[slot] = this.time;
		this.channels[slot] = channel as Channel;
		this.more[slot] = more;
		if (this._onDidChange.hasListeners) {
			this._onDidChange.fire(this.recordAt(number, chunk.text, this.startOfChunk));
		}
	}

	private begin(chunk: Chunk): void {
		if (this.length >= Math.min(blockLength, this.capacity / 64)) {
			this.endBlock();
		}
		this.chunk = chunk;
		this.startOfChunk = this.length;
		this.time = clock.now();
		this.chunks.push(chunk.text);
		this.length += chunk.text.length;
	}

	/** Writes the texts of the next block into the buffer, over those of the oldest blocks if the buffer is full. */
	private endBlock(): void {
		this.bytes ??= new Uint8Array(this.capacity);
		const { first, next, length } = this;
		// A character has at most three bytes in UTF-8.
		const most = length * 3;
		let start = this.blocks.at(-1)?.end ?? 0;
		if (start + most > this.capacity) {
			this.dropBlocks(it => it.start >= start);
			start = 0;
		}
		this.dropBlocks(it => it.start >= start && it.start < start + most);
		const { written } = new TextEncoder().encodeInto(this.chunks.join(''), this.bytes.subarray(start));
		this.blocks.push({ first, next, start, end: start + written });
		this.chunks = [];
		this.length = 0;
		this.first = next;
		this.chunk = undefined;
	}

	/** Drops blocks, oldest first, while the condition holds. */
	private dropBlocks(condition: (block: Block) => boolean): void {
		const before = this.oldest;
		const kept = this.blocks.findIndex(it => !condition(it));
		this.blocks = kept === -1 ? [] : this.blocks.slice(kept);
		for (let number = before; number < this.oldest; number++) {
			this.more[number % this.size] = undefined;
		}
	}

	/** @param texts the text of its block from `from` on */
	private recordAt(number: number, texts: string, from = 0): WireRecord {
		const slot = number % this.size;
		const start = (this.starts[slot] ?? 0) - from;
		const text = texts.slice(start, start + (this.lengths[slot] ?? 0));
		const [channel, time = 0] = [this.channels[slot] as Channel, this.times[slot]];
		return new WireRecord(number, time, channel, text, this.more[slot]);
	}
}
