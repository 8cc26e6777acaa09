/**
 * The port every transport implements: whole messages in both directions, and an end. A transport knows
 * JSON-RPC's shapes and its own protocol (HTTP, SSE, pipes), but no MCP method.
 */
import type { Disposable, Event } from '../../base/lifecycle.js';
import type { Message, RequestId } from '../jsonrpc/messages.js';
import type { McpError } from '../jsonrpc/errors.js';
import type { HttpExchange } from './httpEndpoint.js';
import type { HttpAbort } from './httpFetch.js';

/** Why a transport ended. `expected` is true when our side asked for it. */
export interface TransportEnd {
	readonly expected: boolean;
	/** Exit code of a process, where there is one. */
	readonly exitCode?: number | undefined;
	/** Signal that ended the process, where there is one. */
	readonly signal?: string | undefined;
	/** What its requests fail with, where the reason is known. */
	readonly error?: McpError;
}

/** A message (or a batch) as it came: its text, and what JSON says that is; not yet checked. */
export interface Received {
	readonly value: unknown;
	readonly text: string;
	/** The id of our request in whose response stream it came. */
	readonly requestId?: RequestId | undefined;
}

/** What was no message; `count` says how many of its kind there have been, where they are not told one by one. */
export interface TransportNoise {
	readonly text: string;
	readonly count?: number | undefined;
}

/** A message that did not come, and why. */
export interface Lost {
	/** Of the request of ours that it would have answered, or its own. */
	readonly id: RequestId;
	readonly error: McpError;
	/** It was a request of the server, which waits for an answer. */
	readonly isRequest?: boolean;
}

/** What goes with one outgoing message. Transports without the notion ignore it. */
export interface SendOptions {
	/** HTTP headers for this message alone; names in lower case. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Aborted when nobody waits for the answer any more: HTTP closes the response stream. */
	readonly abort?: HttpAbort | undefined;
}

/** What both sides agreed on; tells HTTP how to behave from now on. */
export interface Agreement {
	readonly era: 'legacy' | 'modern';
	/** Goes into the `MCP-Protocol-Version` header. */
	readonly protocolVersion: string;
}

/** Status and headers of an HTTP exchange, for the tap; secrets are already redacted. */
export interface HttpFacts {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
}

/**
 * A way to a server. `start` before anything else; `onDidEnd` fires exactly once after a successful
 * start; disposing without `close` ends it at once and impolitely.
 */
export interface Transport extends Disposable {
	readonly kind: 'stdio' | 'http' | 'sse';
	/** The process it runs, where there is one and it has started. */
	readonly pid?: number | undefined;

	/** One call a message (or a batch). */
	readonly onDidReceive: Event<Received>;
	/** Something arrived that is no message; `text` is cut to a readable length. */
	readonly onDidReceiveNoise: Event<TransportNoise>;
	/** One message will not come, though the transport lives: its stream broke, or it was too long. */
	readonly onDidLose: Event<Lost>;
	/** What the server said unasked may not have come, though the transport lives; from now on it comes again. */
	readonly onDidMiss?: Event<void>;
	readonly onDidEnd: Event<TransportEnd>;
	/** Every HTTP request and the head of its response, for the tap. */
	readonly onDidExchange?: Event<HttpExchange>;

	/** @throws McpError `spawn`, `noFolder`, `network` or `http` if the server cannot be reached. */
	start(): Promise<void>;
	/**
	 * Resolves when the server has taken the message; what it answers comes by `onDidReceive`.
	 * @throws McpError `closed` after the end, `network` or `http` if the server did not take it
	 */
	send(message: Message, options?: SendOptions): Promise<void>;
	/** Called once both sides have agreed, and again after every new handshake. */
	didAgree?(agreement: Agreement): void;
	/**
	 * Until when something that was sent waited on our side, most likely for a person: the server is not to blame for its
	 * silence before. On the clock of `performance`; `Infinity` while it still waits.
	 */
	readonly heldUntil?: number;
	/** Forgets the HTTP session, so that the next message may begin another. */
	forgetSession?(): void;
	/** Streams that may be dead without a word are taken up again, at once, where nothing is lost by it. */
	refresh?(): void;
	/** Ends politely, then firmly; resolves when nothing is left of it. */
	close(): Promise<void>;
}
