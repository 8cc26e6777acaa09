/**
 * The port that every transport implements: whole messages in both directions, and an end. A transport knows the
 * shapes of JSON-RPC and its own protocol (HTTP, SSE, pipes), but no MCP methods.
 */
import type { Disposable, Event } from '../../base/lifecycle.js';
import type { Message, RequestId } from '../jsonrpc/messages.js';
import type { McpError } from '../jsonrpc/errors.js';
import type { HttpExchange } from './httpEndpoint.js';
import type { HttpAbort } from './httpFetch.js';

/** Why a transport ended. `expected` is true if our side closed it. */
export interface TransportEnd {
	readonly expected: boolean;
	/** The exit code of the process, if there is one. */
	readonly exitCode?: number | undefined;
	/** The signal that ended the process, if there is one. */
	readonly signal?: string | undefined;
	/** The error for pending requests, if the reason is known. */
	readonly error?: McpError;
}

/** The text of one or more messages that were received together. Chunks are compared by identity. */
export interface Chunk {
	readonly text: string;
}

/** A message or a batch as received: the text and its parsed value, not checked yet. */
export interface Received {
	readonly value: unknown;
	readonly text: string;
	/** The chunk in which `text` begins at `start`; left out if the chunk has no other text. */
	readonly chunk?: Chunk;
	readonly start?: number;
	/** The id of our request in whose response stream the message came. */
	readonly requestId?: RequestId | undefined;
	/** The failure of the request `requestId`, if the message is an error of the transport rather than an answer. */
	readonly error?: McpError | undefined;
}

/** Something that was received and isn't part of the protocol, shortened. */
export interface TransportNoise {
	readonly text: string;
	/** `unknownId`: an answer to a request that was never sent; `text` is its id. Otherwise text that is no message. */
	readonly kind?: 'unknownId';
}

/** An answer that could not be received, and why. */
export interface LostMessage {
	/** The id of our request. */
	readonly id: RequestId;
	readonly error: McpError;
}

/** The options of one outgoing message. Transports without HTTP ignore them. */
export interface SendOptions {
	/** HTTP headers for this message only; names in lower case. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Aborted when the response is no longer needed: HTTP closes the response stream. */
	readonly abort?: HttpAbort | undefined;
	/** The message as JSON, if the caller already has it. */
	readonly text?: string | undefined;
}

/** The result of the negotiation, which HTTP depends on. */
export interface Agreement {
	readonly era: 'legacy' | 'modern';
	/** The value of the `MCP-Protocol-Version` header. */
	readonly protocolVersion: string;
}

/**
 * The transport to one server. Call `start` first. `onDidEnd` fires exactly once after a successful start. Disposing
 * without `close` ends the transport at once.
 */
export interface Transport extends Disposable {
	/** The client treats every kind but `stdio` as HTTP: it can be woken, and closing a response stream cancels a request. */
	readonly kind: 'stdio' | 'http' | 'sse';
	/** The id of the server process, if there is one and it has started. */
	readonly pid?: number | undefined;

	/** Fires once for each message or batch. */
	readonly onDidReceive: Event<Received>;
	/** Something other than a message was received; `text` is cut to a readable length. */
	readonly onDidReceiveNoise: Event<TransportNoise>;
	/** An answer could not be received, because its stream broke or it was too long. The transport continues. */
	readonly onDidLose: Event<LostMessage>;
	readonly onDidEnd: Event<TransportEnd>;
	/** Every HTTP request with the status and headers of its response, for the tap. */
	readonly onDidExchange?: Event<HttpExchange>;

	/** @throws McpError `spawn`, `noFolder`, `network` or `http` if the server can't be reached */
	start(): Promise<void>;
	/**
	 * Resolves when the server has taken the message; its response comes by `onDidReceive`.
	 * @throws McpError `closed` after the end, `network` or `http` if the server did not take the message
	 */
	send(message: Message, options?: SendOptions): Promise<void>;
	/** Called after each handshake. */
	didAgree?(agreement: Agreement): void;
	/**
	 * The time, on the clock of `performance`, until which a message waited on our side, most likely for a person:
	 * the server's silence before then does not count. `Infinity` while a message still waits.
	 */
	readonly heldUntil?: number;
	/** Drops the HTTP session, so that the next message may begin a new one. */
	forgetSession?(): void;
	/** Opens the stream for messages without a request again, because it may be dead without an error. */
	refresh?(): void;
	/** Shuts down in order, then by force. Resolves when the transport has ended. */
	close(): Promise<void>;
}
