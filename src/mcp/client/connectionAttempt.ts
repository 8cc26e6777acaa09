/** The connections that one negotiation opens. At most one of them is open at a time. */
import { raceAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { McpError } from '../jsonrpc/errors.js';
import type { NegotiatedConnection } from './negotiatedConnection.js';

export class ConnectionAttempt {
	private current: NegotiatedConnection | undefined;

	constructor(private readonly signal: AbortSignal) {}

	get link(): NegotiatedConnection {
		if (!this.current) {
			throw new McpError({ code: 'closed' });
		}
		return this.current;
	}

	/** Closes the current connection and starts another. @throws AbortError; whatever `Transport.start` throws */
	async begin(open: () => NegotiatedConnection): Promise<void> {
		if (this.current) {
			await this.end();
		}
		if (this.signal.aborted) {
			throw new AbortError();
		}
		this.current = open();
		await raceAbort(this.current.transport.start(), this.signal);
	}

	async end(): Promise<void> {
		const link = this.current;
		this.current = undefined;
		try {
			await link?.transport.close();
		} finally {
			link?.dispose();
		}
	}
}
