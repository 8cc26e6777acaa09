/**
 * A stream of Node as the async iterable of the HTTP port. Node's own iterator does the same at several
 * times the cost, which counts when most bodies are one small chunk.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Bytes that may wait for their reader before the stream is paused. */
const highWater = 256 * 1024;

/** A body of at most so many bytes is read though nobody wants it. */
const maxDiscarded = 64 * 1024;

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
	) {
		stream.on('end', () => this.finish(undefined));
		// From the beginning: an error that nobody listens to would end the process.
		stream.on('error', (error: unknown) => this.finish(error));
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
		this.stop(undefined);
		return Promise.resolve(done);
	}

	/** Gives up the rest; who waits for it is told why. */
	stop(why: Error | undefined): void {
		this.finish(why);
		this.queue.length = 0;
		this.response.destroy();
		if (this.stream !== this.response) {
			this.stream.destroy();
		}
	}

	/** A short rest is read, which keeps the connection; anything else costs more than a new one. */
	discard(): void {
		const { complete, statusCode, headers } = this.response;
		const length = headers['content-length'];
		const isShort = complete || statusCode === 202 || (length !== undefined && Number(length) <= maxDiscarded);
		if (isShort && !this.isFlowing) {
			this.stream.resume();
		} else {
			this.stop(new Error('nobody reads the body'));
		}
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
		const { waiting } = this;
		this.waiting = undefined;
		if (!waiting) {
			this.error = error;
		} else if (error === undefined) {
			waiting.resolve(done);
		} else {
			waiting.reject(error);
		}
	}
}
