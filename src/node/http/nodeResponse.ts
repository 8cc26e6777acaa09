/** Adapts a response of Node to the HTTP port. The body is pushed, because iterating costs several times as much. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpResponse } from '../../mcp/index.js';
import { decodeBody } from './contentCoding.js';

/** Bytes that are buffered before `read` is called; then the stream is paused. */
const maxEarly = 256 * 1024;

/** Bytes of an unwanted body that is read to keep the connection. */
const maxDiscarded = 64 * 1024;

export class NodeResponse implements HttpResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	/** The body, decoded. */
	private readonly stream: Readable;
	/** Bytes that arrived before `read`. */
	private early: Uint8Array[] = [];
	private earlyBytes = 0;
	private reader: Reader | undefined;
	private isDone = false;
	private error: unknown;

	constructor(private readonly message: IncomingMessage) {
		this.status = message.statusCode ?? 0;
		const headers = flatten(message.headers);
		this.headers = headers;
		const coding = headers['content-encoding'];
		this.stream = coding === undefined ? message : decodeBody(message, coding);
		// Listens at once: an unhandled error would end the process, and a small body has arrived before `read` is called.
		this.stream.on('error', (error: unknown) => this.finish(error));
		this.stream.on('end', () => this.finish(undefined));
		this.stream.on('data', (chunk: Uint8Array) => this.push(chunk));
	}

	read(onBytes: (bytes: Uint8Array) => void): Promise<void> {
		return new Promise((resolve, reject) => {
			const { early } = this;
			this.early = [];
			this.reader = { onBytes, resolve, reject };
			try {
				early.forEach(chunk => onBytes(chunk));
			} catch (error) {
				this.stop(error);
				reject(error);
				return;
			}
			if (this.isDone) {
				this.settle();
			} else {
				this.stream.resume();
			}
		});
	}

	/** Cancels the body. `read` rejects with `why`. */
	stop(why: unknown): void {
		this.finish(why);
		this.message.destroy();
		if (this.stream !== this.message) {
			this.stream.destroy();
		}
	}

	/** Ignores the body. A short one is read to keep the connection; for others a new connection is cheaper. */
	discard(): void {
		const { complete, statusCode, headers } = this.message;
		const length = headers['content-length'];
		const isShort = complete || statusCode === 202 || (length !== undefined && Number(length) <= maxDiscarded);
		if (!isShort || this.reader) {
			this.stop(new Error('nobody reads the body'));
		} else {
			this.reader = noReader;
			this.early = [];
			this.stream.resume();
		}
	}

	private push(chunk: Uint8Array): void {
		if (this.isDone) {
			return;
		}
		if (!this.reader) {
			this.early.push(chunk);
			this.earlyBytes += chunk.length;
			if (this.earlyBytes > maxEarly) {
				this.stream.pause();
			}
			return;
		}
		try {
			this.reader.onBytes(chunk);
		} catch (error) {
			this.stop(error);
		}
	}

	private finish(error: unknown): void {
		if (!this.isDone) {
			this.isDone = true;
			this.error = error;
			this.settle();
		}
	}

	private settle(): void {
		if (this.error === undefined) {
			this.reader?.resolve();
		} else {
			this.reader?.reject(this.error);
		}
	}
}

interface Reader {
	readonly onBytes: (bytes: Uint8Array) => void;
	readonly resolve: () => void;
	readonly reject: (error: unknown) => void;
}

const noReader: Reader = { onBytes: () => undefined, resolve: () => undefined, reject: () => undefined };

function flatten(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
	const cookies = headers['set-cookie'];
	// Every other field is a single string.
	return (cookies ? { ...headers, 'set-cookie': cookies.join(', ') } : headers) as Record<string, string>;
}
