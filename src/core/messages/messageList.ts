/** The rows of a list of messages: filtered, with the children of opened exchanges. The person can pause the list. */
import { type Event, type Disposable, Owner } from '../../base/lifecycle.js';
import { type Exchange, Exchanges } from './exchanges.js';
import { type MessageFilter, parseMessageFilter } from './messageFilter.js';
import type { WireRecord } from './wireRecord.js';

/** A ring of messages, or a file with them. */
export interface MessageLog {
	/** Oldest first. */
	readonly records: readonly WireRecord[];
	readonly oldest: number;
	readonly onDidAdd?: Event<WireRecord>;
	readonly onDidClear?: Event<void>;
}

export interface MessageRow {
	readonly exchange: Exchange;
	readonly depth: number;
	/** Whether its children are shown; `undefined` without children. */
	readonly isOpen: boolean | undefined;
}

/** The list is built again once more than this share of its records, and more than this number, have left the ring. */
const maxGone = 0.25;
const minGone = 1000;

export class MessageList extends Owner {
	private exchanges = new Exchanges();
	/** `oldest`: the number of the oldest record when the list was built. `count`: the records then, and those added since. */
	private built = { oldest: 0, count: 0 };
	/** Whether exchanges match the filter; those without an entry aren't tested yet. */
	private matches = new WeakMap<Exchange, boolean>();
	private readonly open = new Set<number>();
	private filter: MessageFilter = parseMessageFilter('');
	private cachedRows: readonly MessageRow[] | undefined;
	private following: Disposable | undefined;

	/**
	 * @param belongs whether an outermost exchange belongs to the list, for example all of one server
	 * @param onDidChange called after each new message, and when the messages were cleared
	 */
	constructor(
		private readonly log: MessageLog,
		private readonly belongs: (exchange: Exchange) => boolean,
		private readonly onDidChange: () => void,
	) {
		super();
		this.own({ dispose: () => this.following?.dispose() });
		if (log.onDidClear) {
			this.own(
				log.onDidClear(() => {
					this.build();
					onDidChange();
				}),
			);
		}
		this.isPaused = false;
	}

	get isPaused(): boolean {
		return this.following === undefined;
	}

	/** A paused list shows no new messages. They are added when the list continues. */
	set isPaused(isPaused: boolean) {
		this.following?.dispose();
		this.following = undefined;
		if (!isPaused) {
			this.build();
			this.following = this.log.onDidAdd?.(it => this.add(it)) ?? { dispose() {} };
		}
	}

	/** Sets the filter: see `parseMessageFilter`. */
	set text(text: string) {
		this.filter = parseMessageFilter(text);
		this.matches = new WeakMap();
		this.cachedRows = undefined;
	}

	/** The outermost exchanges, and how many of them the filter hides. */
	get count(): { readonly all: number; readonly shown: number } {
		const all = this.exchanges.all.filter(this.belongs).length;
		return { all, shown: this.rows.filter(it => it.depth === 0).length };
	}

	/** The records of the exchanges that the filter shows, oldest first. */
	get records(): readonly WireRecord[] {
		const inside = ({ first, end, children }: Exchange): WireRecord[] => [
			first,
			...(end ? [end] : []),
			...children.flatMap(inside),
		];
		const shown = this.rows.filter(it => it.depth === 0).flatMap(it => inside(it.exchange));
		return shown.toSorted((a, b) => a.number - b.number);
	}

	get rows(): readonly MessageRow[] {
		if (!this.cachedRows) {
			const rows: MessageRow[] = [];
			for (const exchange of this.exchanges.all) {
				if (this.belongs(exchange) && this.isShown(exchange)) {
					this.list(exchange, 0, rows);
				}
			}
			this.cachedRows = rows;
		}
		return this.cachedRows;
	}

	/** Shows or hides the children of an exchange. */
	fold(number: number, isOpen: boolean): void {
		this.cachedRows = undefined;
		if (isOpen) {
			this.open.add(number);
		} else {
			this.open.delete(number);
		}
	}

	/** Finds an exchange, even if it has no row. */
	find(number: number): Exchange | undefined {
		const findIn = (exchanges: readonly Exchange[]): Exchange | undefined => {
			for (const exchange of exchanges) {
				const found = exchange.number === number ? exchange : findIn(exchange.children);
				if (found) {
					return found;
				}
			}
			return undefined;
		};
		return findIn(this.exchanges.all);
	}

	private build(): void {
		const { records, oldest } = this.log;
		this.exchanges = new Exchanges(records);
		this.built = { oldest, count: records.length };
		this.cachedRows = undefined;
	}

	private add(record: WireRecord): void {
		this.built.count++;
		const gone = this.log.oldest - this.built.oldest;
		if (gone > Math.max(minGone, this.built.count * maxGone)) {
			this.build();
		} else {
			const changed = this.exchanges.add(record);
			if (changed) {
				this.matches.delete(changed);
			}
			this.cachedRows = undefined;
		}
		this.onDidChange();
	}

	private isShown(exchange: Exchange): boolean {
		let isMatch = this.matches.get(exchange);
		if (isMatch === undefined) {
			isMatch = this.filter(exchange);
			this.matches.set(exchange, isMatch);
		}
		return isMatch;
	}

	private list(exchange: Exchange, depth: number, rows: MessageRow[]): void {
		const isOpen = exchange.children.length > 0 ? this.open.has(exchange.number) : undefined;
		rows.push({ exchange, depth, isOpen });
		if (isOpen) {
			exchange.children.forEach(it => this.list(it, depth + 1, rows));
		}
	}
}
