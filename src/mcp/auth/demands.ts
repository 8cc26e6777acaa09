/**
 * Counts what a server wants again though it has just been given. Spec 2025-11-25, scope challenge handling: "Clients
 * SHOULD implement retry limits and SHOULD track scope upgrade attempts".
 */
import type { Demand } from './challenges.js';

/** How often the same is given before the server counts as never satisfied. */
export const maxGrants = 2;

export class Demands {
	private readonly counts = new Map<string, number>();

	/** How often this very demand has been met since the server was last satisfied. */
	count(demand: Demand): number {
		return this.counts.get(keyOf(demand)) ?? 0;
	}

	/** It has been met with a new token. */
	didMeet(demand: Demand): void {
		this.counts.set(keyOf(demand), this.count(demand) + 1);
	}

	/** The server was satisfied, or a person wants it tried once more. */
	clear(): void {
		this.counts.clear();
	}
}

function keyOf({ error, scopes = [] }: Demand): string {
	return error === 'insufficient_scope' ? `more ${scopes.toSorted().join(' ')}` : 'who';
}
