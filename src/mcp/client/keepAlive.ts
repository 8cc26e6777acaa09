/** Asks a legacy server now and then whether it is still there. Spec 2025-11-25, utilities/ping. */
import { isAbort, toMessage } from '../../base/errors.js';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError, RpcError } from '../jsonrpc/errors.js';

/** So many unanswered pings in a row, and the server is taken for gone. */
const maxFailures = 3;

export interface KeepAliveOptions {
	/** Milliseconds between two pings, and how long an answer may take; 0 pings never. */
	readonly intervalMs: number;
	readonly ping: (timeoutMs: number) => Promise<void>;
	/** Whether the server has work of ours: many can do one thing at a time, and are not gone for that. */
	readonly isBusy: () => boolean;
	readonly onGone: () => void;
	readonly log: Logger;
}

/** Pings until disposed or until the server is gone. */
export function keepAlive({ intervalMs, ping, isBusy, onGone, log }: KeepAliveOptions): Disposable {
	let failures = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let disposed = false;
	const schedule = (): void => {
		if (!disposed && intervalMs > 0) {
			timer = setTimeout(() => {
				ping(intervalMs).then(
					() => {
						failures = 0;
						schedule();
					},
					(error: unknown) => {
						if (disposed || isAbort(error)) {
							return;
						}
						if (error instanceof RpcError) {
							// It does not know `ping`, but there it is.
							failures = 0;
							schedule();
							return;
						}
						if (error instanceof McpError && error.failure.code === 'closed') {
							return;
						}
						if (isBusy()) {
							// Its requests have time-outs of their own.
							log.debug(`No answer to a ping while the server is at work: ${toMessage(error)}`);
							schedule();
							return;
						}
						failures++;
						log.warn(`Ping ${failures} of ${maxFailures} failed: ${toMessage(error)}`);
						if (failures < maxFailures) {
							schedule();
						} else {
							onGone();
						}
					},
				);
			}, intervalMs);
		}
	};
	schedule();
	return toDisposable(() => {
		disposed = true;
		clearTimeout(timer);
	});
}
