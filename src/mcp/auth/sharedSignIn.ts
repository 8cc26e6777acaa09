/** One sign-in or refresh that all waiting requests share. */
import { raceAbort } from '../../base/async.js';
import { HttpAbort } from '../transport/httpFetch.js';
import type { TokenTask } from './ports.js';
import type { AuthFailure } from './failure.js';

export class SharedSignIn {
	/** Why no token was obtained; undefined if one was. */
	readonly outcome: Promise<AuthFailure | undefined>;
	private readonly controller = new AbortController();
	private waiters = 0;

	/**
	 * @param person see `TokenTask.person`
	 * @param previous an aborted sign-in that may not have ended yet
	 */
	constructor(
		readonly person: TokenTask['person'],
		previous: SharedSignIn | undefined,
		run: (signal: AbortSignal) => Promise<AuthFailure | undefined>,
	) {
		const { signal } = this.controller;
		// Authorization servers revoke the tokens when a refresh token is used twice, so refreshes never run in parallel.
		const previousEnd = previous?.outcome.catch(() => undefined);
		this.outcome = Promise.resolve(previousEnd).then(() => run(signal));
		this.outcome.catch(() => undefined);
	}

	/** If true, new requests must not join. */
	get isAborted(): boolean {
		return this.controller.signal.aborted;
	}

	/**
	 * Waits for the outcome. When the last waiting request is cancelled, a sign-in that involves the person ends.
	 * @throws AbortError if `interest` aborts
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
