/** The port every transport implements: whole messages in both directions, and an end. */
import type { Disposable, Event } from '../../base/lifecycle.js';
import type { Message } from '../jsonrpc/messages.js';

/** Why a transport ended. `expected` is true when our side asked for it. */
export interface TransportEnd {
	readonly expected: boolean;
	/** Exit code of a process, where there is one. */
	readonly exitCode?: number | undefined;
	/** Signal that ended the process, where there is one. */
	readonly signal?: string | undefined;
}

/**
 * A way to a server. `start` before anything else; `onDidEnd` fires exactly once after a successful
 * start; disposing without `close` ends it at once and impolitely.
 */
export interface Transport extends Disposable {
	/** Parsed JSON, one call a message, not yet checked. */
	readonly onDidReceive: Event<unknown>;
	/** Something arrived that is no message; `text` is cut to a readable length. */
	readonly onDidReceiveNoise: Event<{ readonly text: string }>;
	readonly onDidEnd: Event<TransportEnd>;

	/** @throws McpError `spawn` or `noFolder` if the server process could not be started. */
	start(): Promise<void>;
	/** Resolves when the message was handed over. @throws McpError `closed` after the end. */
	send(message: Message): Promise<void>;
	/** Ends politely, then firmly; resolves when nothing is left of it. */
	close(): Promise<void>;
}
