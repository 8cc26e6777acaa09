/** What a client is made of. */
import type { Event } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { Limits } from '../limits.js';
import type { Transport } from '../transport/transport.js';
import type { Implementation } from '../wire/types.js';
import type { ClientHandlers } from './handlers.js';
import type { EraMemory, EraMode } from './negotiate.js';

export interface ClientOptions {
	readonly clientInfo: Implementation;
	/** Makes a transport that has not been started; called again where a new one is needed. */
	readonly open: () => Transport;
	/** The same over HTTP+SSE of 2024-11-05, for servers that refuse the newer one. */
	readonly openLegacySse?: () => Transport;
	readonly mode?: EraMode;
	readonly memory?: EraMemory;
	readonly handlers?: ClientHandlers;
	/** Milliseconds a request may go without answer or progress. */
	readonly timeoutMs: number;
	/** Milliseconds after which a request is given up whatever progress is made; 0 for never. */
	readonly maxTotalMs?: number;
	/** Milliseconds between pings in the legacy era; 0 for none. */
	readonly pingMs?: number;
	/** Milliseconds a process may be silent before it is taken for a legacy server. */
	readonly probeMs?: number;
	/** Requests may be somebody else's from now on: nothing that was kept for the one before is given to them. */
	readonly onDidChangeIdentity?: Event<void> | undefined;
	readonly limits?: Partial<Limits>;
	/** Takes out what nobody is to read: an error may repeat what the server was sent, a token too. */
	readonly withoutSecrets?: (text: string) => string;
	readonly log: Logger;
}
