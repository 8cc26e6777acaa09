/** PURE: the last versions of things that change, in bounded memory. */

export interface Version<T> {
	/** No two versions have the same, of whatever key; later ones have higher. */
	readonly number: number;
	readonly value: T;
	/** Bytes it takes. */
	readonly size: number;
	/** Milliseconds since 1970 when it was read. */
	readonly at: number;
}

export interface VersionLimits {
	/** Versions of one key. */
	readonly count: number;
	/** Of all keys together. */
	readonly bytes: number;
}

export const defaultVersionLimits: VersionLimits = { count: 10, bytes: 20_000_000 };

export class Versions<T> {
	/** Those that were added last stand last. */
	private readonly kept = new Map<string, Version<T>[]>();
	private bytes = 0;
	private next = 1;

	constructor(private readonly limits: VersionLimits = defaultVersionLimits) {}

	/** What takes more than all may have is not kept at all; otherwise the oldest make room, whosesoever they are. */
	add(key: string, value: T, size: number, at: number): void {
		if (size > this.limits.bytes) {
			return;
		}
		const own = this.kept.get(key) ?? [];
		own.push({ number: this.next++, value, size, at });
		this.kept.delete(key);
		this.kept.set(key, own);
		this.bytes += size;
		if (own.length > this.limits.count) {
			this.dropOldest(key, own);
		}
		for (const [other, versions] of this.kept) {
			while (this.bytes > this.limits.bytes && versions.length > 0) {
				this.dropOldest(other, versions);
			}
		}
	}

	/** Oldest first. */
	of(key: string): readonly Version<T>[] {
		return this.kept.get(key) ?? [];
	}

	private dropOldest(key: string, versions: Version<T>[]): void {
		this.bytes -= versions.shift()?.size ?? 0;
		if (versions.length === 0) {
			this.kept.delete(key);
		}
	}
}
