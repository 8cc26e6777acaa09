/**
 * A stream of Node as the async iterable of the HTTP port. Node's own iterator does the same at several
 * times the cost, which counts when most bodies are one small chunk.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AbortError } from '../base/errors.js';

/** Bytes that may wait for their reader before the stream is paused. */
const highWater = 256 * 1024;

interface Waiting {
	readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
	readonly reject: (error: unknown) => void;
}

const done: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

/** Reads `stream`, which is `response` itself or what decodes it. Flows from the first `next` on. */
export class BodyReader implements AsyncIterableIterator<Uint8Array> {
	private readonly queue: Uint8Array[] = [];
	private queued = 0;
	private waiting: Waiting | undefined;
	private isFlowing = false;
	private isDone = false;
	private error: unknown;

	constructor(
		private readonly stream: Readable,
		private readonly response: IncomingMessage,
		private readonly signal: AbortSignal,
	) {
		stream.once('end', () => this.finish(undefined));
		// From the beginning: an error that nobody listens to would end the process.
		stream.on('error', (error: unknown) => this.finish(error));
		// What was destroyed before it ended need not have an error.
		stream.once('close', () => this.finish(new Error('the body ended too early')));
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	next(): Promise<IteratorResult<Uint8Array, undefined>> {
		if (!this.isFlowing) {
			this.isFlowing = true;
			this.stream.on('data', (chunk: Uint8Array) => this.push(chunk));
		}
		const chunk = this.queue.shift();
		if (chunk) {
			this.queued -= chunk.length;
			if (this.queued === 0 && !this.isDone && this.stream.isPaused()) {
				this.stream.resume();
			}
			return Promise.resolve({ done: false, value: chunk });
		}
		if (this.error !== undefined) {
			const { error } = this;
			this.error = undefined;
			return Promise.reject(error);
		}
		if (this.isDone) {
			return Promise.resolve(done);
		}
		return new Promise((resolve, reject) => {
			this.waiting = { resolve, reject };
		});
	}

	/** Leaving a `for await` early gives up the rest. */
	return(): Promise<IteratorResult<Uint8Array, undefined>> {
		this.isDone = true;
		this.queue.length = 0;
		this.response.on('error', () => undefined);
		this.response.destroy();
		this.stream.destroy();
		return Promise.resolve(done);
	}

	private push(chunk: Uint8Array): void {
		const { waiting } = this;
		if (waiting) {
			this.waiting = undefined;
			waiting.resolve({ done: false, value: chunk });
			return;
		}
		this.queue.push(chunk);
		this.queued += chunk.length;
		if (this.queued > highWater) {
			this.stream.pause();
		}
	}

	private finish(error: unknown): void {
		if (this.isDone) {
			return;
		}
		this.isDone = true;
		const cause = error !== undefined && this.signal.aborted ? new AbortError() : error;
		const { waiting } = this;
		this.waiting = undefined;
		if (!waiting) {
			this.error = cause;
		} else if (cause === undefined) {
			waiting.resolve(done);
		} else {
			waiting.reject(cause);
		}
	}
}
