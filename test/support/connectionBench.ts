/** A connection to a server in memory, with its log and its tap. */
import * as assert from 'node:assert/strict';
import type { Logger } from '../../src/base/log.js';
import { Connection } from '../../src/mcp/jsonrpc/connection.js';
import type { RequestOptions } from '../../src/mcp/jsonrpc/pending.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../src/mcp/jsonrpc/messages.js';
import { Tap } from '../../src/mcp/transport/tap.js';
import type { Transport } from '../../src/mcp/transport/transport.js';
import { legacyCodec } from '../../src/mcp/wire/legacy.js';
import { defaultLimits, type Limits } from '../../src/mcp/limits.js';
import type { Cleanup } from './leakCheck.js';
import { type MemoryServer, MemoryTransport } from './memoryTransport.js';
import { TestLogger } from './testLogger.js';

/** The result of a call over a connection that has agreed on a legacy revision. */
export async function call(connection: Connection, options?: Partial<RequestOptions>): Promise<JsonObject> {
	const reply = await connection.request('tools/call', { name: 'slow' }, { timeoutMs: 0, ...options });
	assert.equal(reply.kind, 'complete');
	return 'result' in reply ? reply.result : {};
}

/** A connection that has agreed on revision 2025-11-25. */
export function legacyConnection(transport: Transport, log: Logger, tap: Tap, limits?: Limits): Connection {
	const sender = { clientInfo: { name: 'test', version: '1' }, capabilities: {}, logLevel: undefined };
	const connection = new Connection(
		transport,
		log,
		tap.join(transport, () => 'legacy'),
		() => sender,
		limits,
	);
	connection.agree(legacyCodec('2025-11-25'));
	return connection;
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
		return { connection: own(legacyConnection(transport, log, tap, { ...defaultLimits, ...limits })), transport };
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
