/**
 * Checks whether a server still responds: in the legacy era by regular pings (spec 2025-11-25, utilities/ping), in
 * both eras when `checkAlive` is called.
 *
 * Pings that fail while a request of ours is open don't count: many servers do one thing at a time, and requests have
 * time-outs of their own.
 */
import { clock, type Timer } from '../../base/clock.js';
import { isAbort, toMessage } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { hasFailure, RpcError } from '../jsonrpc/errors.js';

/** The server counts as gone after this many failed pings in a row. */
const maxFailures = 3;
/** Replaces `intervalMs` after `checkAlive`. A machine that wakes up needs some seconds to find its network. */
const urgentMs = 3000;

export interface KeepAliveOptions {
	/** Milliseconds between two pings, and for the answer to one; 0 for no pings. */
	readonly intervalMs: number;
	readonly ping: (timeoutMs: number) => Promise<unknown>;
	/** Whether an operation of ours is in progress. A busy server may not answer pings. */
	readonly isBusy: () => boolean;
	readonly onGone: () => void;
	/** The server has responded after `checkAlive`. */
	readonly onAlive?: () => void;
	readonly log: Logger;
}

/** Pings until it is disposed or the server is gone. */
export class KeepAlive implements Disposable {
	private failures = 0;
	private timer: Timer | undefined;
	/** Changes with each call of `checkAlive` and when disposed; answers to earlier pings are ignored. */
	private round = 0;

	constructor(private readonly options: KeepAliveOptions) {
		this.schedule(options.intervalMs, false);
	}

	/** Pings now, and every few seconds until the server responds or is gone. */
	checkAlive(): void {
		this.dispose();
		this.failures = 0;
		this.ping(urgentMs, true);
	}

	dispose(): void {
		this.round++;
		clock.clearTimeout(this.timer);
	}

	private schedule(ms: number, isUrgent: boolean): void {
		if (ms > 0) {
			this.timer = clock.setTimeout(() => this.ping(ms, isUrgent), ms);
		}
	}

	private ping(ms: number, isUrgent: boolean): void {
		const { round } = this;
		this.options.ping(ms).then(
			() => round === this.round && this.didAnswer(isUrgent),
			(error: unknown) => {
				if (round !== this.round || isAbort(error)) {
					return;
				}
				// An error is an answer too. A server that asks for authorization responds.
				if (error instanceof RpcError || hasFailure(error, 'authorization')) {
					this.didAnswer(isUrgent);
				} else if (!hasFailure(error, 'closed')) {
					this.didFail(error, ms, isUrgent);
				}
			},
		);
	}

	private didAnswer(isUrgent: boolean): void {
		this.failures = 0;
		this.schedule(this.options.intervalMs, false);
		if (isUrgent) {
			this.options.onAlive?.();
		}
	}

	private didFail(error: unknown, ms: number, isUrgent: boolean): void {
		const { isBusy, onGone, log } = this.options;
		if (hasFailure(error, 'timeout') && isBusy()) {
			// Those requests have time-outs of their own.
			log.debug(`No answer to a ping while the server is at work: ${toMessage(error)}`);
		} else {
			this.failures++;
			log.warn(`Ping ${this.failures} of ${maxFailures} failed: ${toMessage(error)}`);
		}
		if (this.failures < maxFailures) {
			this.schedule(ms, isUrgent);
		} else {
			onGone();
		}
	}
}
