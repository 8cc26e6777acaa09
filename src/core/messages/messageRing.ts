/**
 * The latest messages of all servers, in memory. Always on, so adding one costs little; requests and answers are only
 * paired when someone looks (`Exchanges`).
 */
import { Emitter, type Event, type Disposable, Owner } from '../../base/lifecycle.js';
import type { WireEvent } from '../../mcp/index.js';
import { type Exchange, Exchanges } from './exchanges.js';
import { asCallOrigin, type MessageSource, recordsOf, type WireRecord } from './wireRecord.js';

/** Characters of all records together. */
const maxKept = 10 * 1024 * 1024;
/** What a record takes besides its text, in characters. */
const recordCost = 300;
/** The array is copied when at least so many records, and half of it, are gone. */
const minGone = 1024;

export class MessageRing extends Owner {
	private readonly _onDidAdd = this.own(new Emitter<WireRecord>());
	readonly onDidAdd: Event<WireRecord> = this._onDidAdd.event;
	private readonly _onDidClear = this.own(new Emitter<void>());
	readonly onDidClear: Event<void> = this._onDidClear.event;

	private kept: (WireRecord | undefined)[] = [];
	/** The index of the oldest record; before it, there are none. */
	private start = 0;
	private cost = 0;
	private next = 1;

	constructor(private readonly capacity = maxKept) {
		super();
	}

	/** Oldest first. */
	get records(): readonly WireRecord[] {
		return this.kept.slice(this.start) as WireRecord[];
	}

	/** The number of the oldest record; that of the next one if there is none. */
	get oldest(): number {
		return this.kept[this.start]?.number ?? this.next;
	}

	/** Keeps everything that a client sends and receives. */
	follow(source: MessageSource, onDidTransfer: Event<WireEvent>): Disposable {
		return onDidTransfer(event => this.add(source, event));
	}

	add(source: MessageSource, event: WireEvent): void {
		for (const record of recordsOf(this.next, source, event)) {
			this.next = record.number + 1;
			this.kept.push(record);
			this.cost += costOf(record);
			while (this.cost > this.capacity && this.start < this.kept.length - 1) {
				this.drop();
			}
			this._onDidAdd.fire(record);
		}
	}

	clear(): void {
		this.kept = [];
		this.start = 0;
		this.cost = 0;
		this._onDidClear.fire();
	}

	/** The requests of a call with everything beneath them. Several after a new session, or for a task of an earlier one. */
	messagesOf(callId: string): readonly Exchange[] {
		return new Exchanges(this.records).all.filter(it => asCallOrigin(it.first.origin).callId === callId);
	}

	private drop(): void {
		const record = this.kept[this.start];
		this.cost -= record ? costOf(record) : 0;
		// Frees the text at once.
		this.kept[this.start++] = undefined;
		if (this.start >= minGone && this.start * 2 >= this.kept.length) {
			this.kept = this.kept.slice(this.start);
			this.start = 0;
		}
	}
}

function costOf({ text }: WireRecord): number {
	return text.length + recordCost;
}
