/** A client that is connected to a server in memory. */

import { Client } from '../../src/mcp/client/client.js';
import type { ClientOptions } from '../../src/mcp/client/clientOptions.js';
import { McpError } from '../../src/mcp/jsonrpc/errors.js';
import type { Cleanup } from './leakCheck.js';
import { type MemoryServer, MemoryTransport } from './memoryTransport.js';
import { TestLogger } from './testLogger.js';
import { settled } from './waiting.js';

export const lost = new McpError({ code: 'sessionLost' });

export const broken = new McpError({ code: 'network', why: 'the stream ended before the answer' });

export interface SessionBench {
	readonly connect: (
		server: MemoryServer,
		options?: Partial<ClientOptions>,
	) => Promise<{
		client: Client;
		transport: MemoryTransport;
		log: TestLogger;
	}>;
	readonly sent: ({ transcript }: MemoryTransport) => string[];
}

/** Of one `describe`: what it starts ends after each test. */
export function sessionBench({ own }: Cleanup): SessionBench {
	async function connect(server: MemoryServer, options: Partial<ClientOptions> = {}) {
		const transport = new MemoryTransport(server);
		const log = new TestLogger();
		const client = own(
			new Client({ open: () => transport, clientInfo: { name: 'test', version: '1' }, timeoutMs: 0, log, ...options }),
		);
		await client.connect(new AbortController().signal);
		await settled();
		transport.transcript.length = 0;
		return { client, transport, log };
	}

	function sent({ transcript }: MemoryTransport): string[] {
		return transcript
			.filter(it => !it.startsWith('<'))
			.map(it => it.replace(/^> /, '').replace(/ {"protocolVersion".*/, ''));
	}

	return {
		connect,
		sent,
	};
}
