/** A connection to a server in memory, with its log and its tap. */

import { Connection } from '../../src/mcp/jsonrpc/connection.js';
import type { RequestOptions } from '../../src/mcp/jsonrpc/pending.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../src/mcp/jsonrpc/messages.js';
import { Tap } from '../../src/mcp/transport/tap.js';
import { defaultLimits, type Limits } from '../../src/mcp/limits.js';
import type { Cleanup } from './leakCheck.js';
import { type MemoryServer, MemoryTransport } from './memoryTransport.js';
import { TestLogger } from './testLogger.js';

export function call(connection: Connection, options?: Partial<RequestOptions>): Promise<JsonObject> {
	return connection.request('tools/call', { name: 'slow' }, { timeoutMs: 0, ...options });
}

/** What became of a request, in one line. */
export async function outcome(request: Promise<unknown>): Promise<string> {
	try {
		return `answered ${JSON.stringify(await request)}`;
	} catch (error) {
		if (error instanceof RpcError) {
			return `RpcError ${error.code} ${error.message} ${JSON.stringify(error.data)}`;
		}
		return error instanceof McpError ? `McpError ${JSON.stringify(error.failure)}` : String(error);
	}
}

export interface ConnectionBench {
	readonly log: TestLogger;
	readonly tap: Tap;
	readonly connect: (
		server?: MemoryServer,
		limits?: Partial<Limits>,
	) => {
		connection: Connection;
		transport: MemoryTransport;
	};
	readonly silent: MemoryServer;
}

/** Of one `describe`: what it starts ends after each test. */
export function connectionBench({ own }: Cleanup): ConnectionBench {
	let log: TestLogger;
	let tap: Tap;

	function connect(
		server: MemoryServer = {},
		limits: Partial<Limits> = {},
	): { connection: Connection; transport: MemoryTransport } {
		log = new TestLogger();
		const transport = own(new MemoryTransport({ revision: '2025-11-25', ...server }));
		tap = own(new Tap());
		const joined = own(tap.join(transport, () => 'legacy'));
		return { connection: own(new Connection(transport, log, joined, { ...defaultLimits, ...limits })), transport };
	}

	/** Stays without an answer until the test gives one. */
	const silent: MemoryServer = { methods: { 'tools/call': () => undefined } };

	return {
		get log() {
			return log;
		},
		get tap() {
			return tap;
		},
		connect,
		silent,
	};
}
