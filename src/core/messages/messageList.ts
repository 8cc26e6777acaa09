/** The rows of a list of messages: filtered, with the children of opened exchanges. */
import { type Event, Owner } from '../../base/lifecycle.js';
import { type Exchange, Exchanges } from './exchanges.js';
import { parseMessageFilter } from './messageFilter.js';
import type { WireRecord } from './wireRecord.js';

/** A ring of messages, or a file with them. */
export interface MessageLog {
	/** Oldest first. */
	readonly records: readonly WireRecord[];
	readonly oldest: number;
	/** A new record; `undefined` once all were removed. */
	readonly onDidChange?: Event<WireRecord | undefined>;
}

export interface MessageRow {
	readonly exchange: Exchange;
	readonly depth: number;
	/** Whether its children are shown; `undefined` without children. */
	readonly isOpen: boolean | undefined;
}

/** Records that have left the ring and are still listed. With more of them, the list is made again. */
const maxGone = 10_000;

export class MessageList extends Owner {
	/** As of the last `update`. */
	rows: readonly MessageRow[] = [];
	/** The outermost exchanges, and how many of them the filter shows. */
	count = { all: 0, shown: 0 };
	filter = parseMessageFilter('');
	/** The numbers of the exchanges whose children are shown. */
	readonly open = new Set<number>();
	private exchanges = new Exchanges();
	/** The number of the oldest record when the list was made. */
	private oldest = 0;

	/** @param belongs whether an outermost exchange belongs to the list, for example all of one server */
	constructor(
		private readonly log: MessageLog,
		private readonly belongs: (exchange: Exchange) => boolean,
	) {
		super();
		this.make();
		this.own(log.onDidChange?.(it => (it ? this.exchanges.add(it) : this.make())) ?? { dispose() {} });
	}

	/** The records of the exchanges that the filter shows, oldest first. */
	get records(): readonly WireRecord[] {
		const inside = ({ first, end, late, children }: Exchange): WireRecord[] => [
			...[first, end, late].flatMap(it => it ?? []),
			...children.flatMap(inside),
		];
		const shown = this.rows.filter(it => it.depth === 0).flatMap(it => inside(it.exchange));
		return shown.toSorted((a, b) => a.number - b.number);
	}

	update(): void {
		if (this.log.oldest - this.oldest > maxGone) {
			this.make();
		}
		const all = this.exchanges.all.filter(this.belongs);
		const shown = all.filter(this.filter);
		this.rows = shown.flatMap(it => this.rowsOf(it));
		this.count = { all: all.length, shown: shown.length };
	}

	/** The latest request of a method that was sent, whether the filter shows it or not. */
	lastSent(method: string): Exchange | undefined {
		return this.exchanges.all.findLast(
			({ first }) => first.channel.direction === 'sent' && first.facts.method === method,
		);
	}

	private make(): void {
		this.exchanges = new Exchanges(this.log.records);
		this.oldest = this.log.oldest;
	}

	private rowsOf(exchange: Exchange, depth = 0): MessageRow[] {
		const { children, first } = exchange;
		const isOpen = children.length > 0 ? this.open.has(first.number) : undefined;
		return [{ exchange, depth, isOpen }, ...(isOpen ? children.flatMap(it => this.rowsOf(it, depth + 1)) : [])];
	}
}
