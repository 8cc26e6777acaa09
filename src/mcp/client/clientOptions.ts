/** The options of `Client`. */
import type { Event } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { Limits } from '../limits.js';
import type { Recorder } from '../transport/tap.js';
import type { Transport } from '../transport/transport.js';
import type { Era } from '../wire/codec.js';
import type { Implementation } from '../wire/types.js';
import type { ClientHandlers } from './handlers.js';

/** Which era to use; `auto` asks the server. */
export type EraMode = 'auto' | Era;

/** The era of a server from an earlier negotiation. Its owner decides how long it is kept. */
export interface EraMemory {
	get(): Era | undefined;
	set(era: Era | undefined): void;
}

export interface ClientOptions {
	readonly clientInfo: Implementation;
	/** Makes a transport that has not been started. Called again whenever a new connection is needed. */
	readonly open: () => Transport;
	/** Makes an HTTP+SSE transport (2024-11-05), for servers that refuse Streamable HTTP. */
	readonly openLegacySse?: () => Transport;
	readonly mode?: EraMode;
	readonly memory?: EraMemory;
	readonly handlers?: ClientHandlers;
	/** Milliseconds that a request may take without a response or progress; 0 for no limit. */
	readonly timeoutMs: number;
	/** Milliseconds between pings in the legacy era; 0 for none. */
	readonly pingMs?: number;
	/**
	 * Milliseconds after which a server that has not answered the probe is asked to `initialize`. Default: 5 seconds for
	 * a process, 10 over HTTP.
	 */
	readonly probeMs?: number;
	/** Fires when later requests may be authorized as another user. Drops all cached results. */
	readonly onDidChangeIdentity?: Event<void> | undefined;
	readonly limits?: Partial<Limits>;
	/** Redacts secrets in errors: an error may repeat what the server was sent, for example a token. */
	readonly redact?: <T>(value: T) => T;
	/** Records everything on the wire. */
	readonly recorder?: Recorder | undefined;
	readonly log: Logger;
}
