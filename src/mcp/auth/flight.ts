/** One sign-in or renewal, and everybody who waits for it: however many requests need a token, one is got. */
import { raceAbort } from '../../base/async.js';
import { HttpAbort } from '../transport/httpFetch.js';
import type { Task } from './engine.js';
import type { AuthFailure } from './failure.js';

export class Flight {
	/** Why there is no token; undefined: there is one. */
	readonly outcome: Promise<AuthFailure | undefined>;
	private readonly controller = new AbortController();
	private waiters = 0;

	/** @param previous one that has been given up, and may not have come to its end yet */
	constructor(
		readonly person: Task['person'],
		previous: Flight | undefined,
		fly: (signal: AbortSignal) => Promise<AuthFailure | undefined>,
	) {
		const { signal } = this.controller;
		// Authorization servers revoke a session when its refresh token is used twice, so renewals are never in parallel.
		const landed = previous?.outcome.then(
			() => undefined,
			() => undefined,
		);
		this.outcome = Promise.resolve(landed).then(() => fly(signal));
		this.outcome.catch(() => undefined);
	}

	/** Nobody is to join any more. */
	get isGivenUp(): boolean {
		return this.controller.signal.aborted;
	}

	/**
	 * Waits for it. One that may have a person before it ends with the last who waits.
	 * @throws AbortError
	 */
	async join(interest: HttpAbort | AbortSignal): Promise<AuthFailure | undefined> {
		this.waiters++;
		try {
			return await raceAbort(this.outcome, signalOf(interest));
		} finally {
			this.waiters--;
			if (this.waiters === 0 && this.person !== 'absent') {
				this.abort();
			}
		}
	}

	abort(): void {
		this.controller.abort();
	}
}

function signalOf(interest: HttpAbort | AbortSignal): AbortSignal {
	if (!(interest instanceof HttpAbort)) {
		return interest;
	}
	const controller = new AbortController();
	interest.setStop(() => controller.abort());
	return controller.signal;
}
