/**
 * Checks whether a server still responds: in the legacy era by regular pings (spec 2025-11-25, utilities/ping), in
 * both eras when `prove` is called.
 *
 * Pings that fail while a request of ours is open don't count: many servers do one thing at a time, and requests have
 * time-outs of their own.
 */
import { clock, type Timer } from '../../base/clock.js';
import { isAbort, toMessage } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { hasFailure, McpError, type McpFailure, RpcError } from '../jsonrpc/errors.js';

/** The server counts as gone after this many failed pings in a row. */
const maxFailures = 3;
/** Milliseconds for one answer after `prove`. */
const attemptMs = 3000;
/** Milliseconds after `prove` at which a missing answer is reported. */
const doubtMs = 1000;
/** Milliseconds between two attempts after `prove`. */
const retryMs = 500;
/** Milliseconds for all attempts after `prove`. A machine that wakes up needs some seconds to find its network. */
const proofLimitMs = 10_000;
const silence: McpFailure = { code: 'timeout', method: 'ping', ms: doubtMs };

export interface KeepAliveOptions {
	/** Milliseconds between two pings, and for the answer to one; 0 for no pings. */
	readonly intervalMs: number;
	readonly ping: (timeoutMs: number) => Promise<void>;
	/** Whether an operation of ours is in progress. A busy server may not answer pings. */
	readonly isBusy: () => boolean;
	readonly onGone: () => void;
	/**
	 * The server has not responded in time after `prove`: called with the reason, and with `undefined` when it
	 * responds later.
	 */
	readonly onDoubt?: (why: McpFailure | undefined) => void;
	/** The server has responded after `prove`. */
	readonly onProven?: () => void;
	readonly log: Logger;
}

/** Pings until it is disposed or the server is gone. */
export class KeepAlive implements Disposable {
	private failures = 0;
	private timer: Timer | undefined;
	/** Reports the missing answer after `prove`. */
	private doubtTimer: Timer | undefined;
	private isDoubted = false;
	private isDisposed = false;
	/** The reason for the missing answer. */
	private why: McpFailure = silence;
	/** Changes with each call of `prove`; answers to earlier requests are ignored. */
	private round = 0;

	constructor(private readonly options: KeepAliveOptions) {
		this.schedule();
	}

	/** Asks for an answer now, whatever the interval. Called again while it waits, it starts over. */
	prove(): void {
		if (this.isDisposed) {
			return;
		}
		this.round++;
		clock.clearTimeout(this.timer);
		clock.clearTimeout(this.doubtTimer);
		this.why = silence;
		this.doubtTimer = clock.setTimeout(() => this.doubt(), doubtMs);
		this.attempt(clock.elapsed() + proofLimitMs);
	}

	dispose(): void {
		this.isDisposed = true;
		this.round++;
		clock.clearTimeout(this.timer);
		clock.clearTimeout(this.doubtTimer);
	}

	private schedule(): void {
		const { intervalMs } = this.options;
		if (!this.isDisposed && intervalMs > 0) {
			this.timer = clock.setTimeout(() => this.ask(intervalMs, () => this.didAnswer(), this.didFail), intervalMs);
		}
	}

	/** Every answer counts, also an error: it shows that the server responds. */
	private ask(timeoutMs: number, onAnswer: () => void, onFailure: (error: unknown) => void): void {
		const { round } = this;
		this.options.ping(timeoutMs).then(
			() => round === this.round && onAnswer(),
			(error: unknown) => {
				if (round !== this.round || isAbort(error)) {
					return;
				}
				// A server that asks for authorization responds.
				if (error instanceof RpcError || hasFailure(error, 'authorization')) {
					onAnswer();
				} else if (!hasFailure(error, 'closed')) {
					onFailure(error);
				}
			},
		);
	}

	private didAnswer(): void {
		this.failures = 0;
		this.schedule();
	}

	private readonly didFail = (error: unknown): void => {
		const { isBusy, onGone, log } = this.options;
		if (isBusy()) {
			// Those requests have time-outs of their own.
			log.debug(`No answer to a ping while the server is at work: ${toMessage(error)}`);
			this.schedule();
			return;
		}
		this.failures++;
		log.warn(`Ping ${this.failures} of ${maxFailures} failed: ${toMessage(error)}`);
		if (this.failures < maxFailures) {
			this.schedule();
		} else {
			onGone();
		}
	};

	private attempt(until: number): void {
		const { isBusy, onGone, log } = this.options;
		this.ask(
			attemptMs,
			() => this.didProve(),
			error => {
				log.debug(`No proof that the server is there: ${toMessage(error)}`);
				this.why = error instanceof McpError ? error.failure : this.why;
				// A busy server is not gone, however long its work takes.
				if (clock.elapsed() >= until && !(this.why.code === 'timeout' && isBusy())) {
					clock.clearTimeout(this.doubtTimer);
					this.doubt();
					onGone();
					return;
				}
				this.timer = clock.setTimeout(() => this.attempt(until), retryMs);
			},
		);
	}

	private didProve(): void {
		clock.clearTimeout(this.doubtTimer);
		if (this.isDoubted) {
			this.isDoubted = false;
			this.options.onDoubt?.(undefined);
		}
		this.options.onProven?.();
		this.didAnswer();
	}

	private doubt(): void {
		if (!this.isDoubted) {
			this.isDoubted = true;
			this.options.onDoubt?.(this.why);
		}
	}
}
