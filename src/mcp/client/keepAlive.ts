/**
 * Asks a server whether it is still there: one of the legacy era now and then (spec 2025-11-25, utilities/ping), and
 * one of either era when there is a reason to doubt it.
 *
 * Pings that are lost while a request of ours is open don't count: many servers do one thing at a time, and requests have
 * time-outs of their own.
 */
import { isAbort, toMessage } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError, type McpFailure, RpcError } from '../jsonrpc/errors.js';

/** So many unanswered pings in a row, and the server is taken for gone. */
const maxFailures = 3;
/** How long one answer may take that must come at once. */
const proofMs = 3000;
/** What takes longer than this is worth telling. */
const momentMs = 1000;
/** Between two attempts that fail at once. */
const pauseMs = 500;
/** A machine that wakes up needs some seconds to find its network. */
const patienceMs = 10_000;
const silence: McpFailure = { code: 'timeout', method: 'ping', ms: momentMs };

export interface KeepAliveOptions {
	/** Milliseconds between two pings, and how long an answer may take; 0 pings never. */
	readonly intervalMs: number;
	readonly ping: (timeoutMs: number) => Promise<void>;
	/** Whether the server has work of ours: many can do one thing at a time, and are not gone for that. */
	readonly isBusy: () => boolean;
	readonly onGone: () => void;
	/** It has not proved itself within a moment, and why; `undefined` once it has after all. */
	readonly onDoubt?: (why: McpFailure | undefined) => void;
	/** It has proved itself, as it was asked to. */
	readonly onProven?: () => void;
	readonly log: Logger;
}

/** Pings until disposed or until the server is gone. */
export class KeepAlive implements Disposable {
	private failures = 0;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Runs while it has to prove itself, and says so after a moment. */
	private moment: ReturnType<typeof setTimeout> | undefined;
	private isDoubted = false;
	private isDisposed = false;
	/** Why it has not proved itself yet. */
	private why: McpFailure = silence;
	/** What was asked before the latest proof was wanted says nothing any more. */
	private round = 0;

	constructor(private readonly options: KeepAliveOptions) {
		this.schedule();
	}

	/** Wants an answer at once, whatever the interval. Asked again while it waits for one, it begins anew. */
	prove(): void {
		if (this.isDisposed) {
			return;
		}
		this.round++;
		clearTimeout(this.timer);
		clearTimeout(this.moment);
		this.why = silence;
		this.moment = setTimeout(() => this.doubt(), momentMs);
		this.attempt(performance.now() + patienceMs);
	}

	dispose(): void {
		this.isDisposed = true;
		this.round++;
		clearTimeout(this.timer);
		clearTimeout(this.moment);
	}

	private schedule(): void {
		const { intervalMs } = this.options;
		if (!this.isDisposed && intervalMs > 0) {
			this.timer = setTimeout(() => this.ask(intervalMs, () => this.didAnswer(), this.didFail), intervalMs);
		}
	}

	/** Any answer shows that it is there, also that it does not know `ping`. */
	private ask(timeoutMs: number, onAnswer: () => void, onFailure: (error: unknown) => void): void {
		const { round } = this;
		this.options.ping(timeoutMs).then(
			() => round === this.round && onAnswer(),
			(error: unknown) => {
				if (round !== this.round || isAbort(error)) {
					return;
				}
				// Who wants to know who we are is there.
				const isRefusal = error instanceof McpError && error.failure.code === 'authorization';
				if (error instanceof RpcError || isRefusal) {
					onAnswer();
				} else if (!(error instanceof McpError && error.failure.code === 'closed')) {
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
			// Its requests have time-outs of their own.
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
			proofMs,
			() => this.didProve(),
			error => {
				log.debug(`No proof that the server is there: ${toMessage(error)}`);
				this.why = error instanceof McpError ? error.failure : this.why;
				// A server at work is not gone, however long that takes.
				if (performance.now() >= until && !(this.why.code === 'timeout' && isBusy())) {
					clearTimeout(this.moment);
					this.doubt();
					onGone();
					return;
				}
				this.timer = setTimeout(() => this.attempt(until), pauseMs);
			},
		);
	}

	private didProve(): void {
		clearTimeout(this.moment);
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
