/** Clients of servers in memory, before and after their handshake. */

import { nullLogger } from '../../src/base/log.js';
import { Client } from '../../src/mcp/client/client.js';
import type { ClientOptions } from '../../src/mcp/client/clientOptions.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import type { Cleanup } from './leakCheck.js';
import { type MemoryServer, MemoryTransport } from './memoryTransport.js';

export const never: AbortSignal = new AbortController().signal;

export const initialize =
	'> initialize#1 {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}';

/** A server whose tools come in pages: `cursors[n]` follows page n. */
export function paged(...cursors: unknown[]): MemoryServer {
	let page = 0;
	return {
		methods: {
			'tools/list': () => {
				const nextCursor = cursors[page++];
				return {
					tools: [{ name: `t${page}`, inputSchema: {} }],
					...(nextCursor === undefined ? {} : { nextCursor }),
				};
			},
		},
	};
}

export interface ClientBench {
	readonly create: (
		server?: MemoryServer,
		options?: Partial<ClientOptions>,
	) => {
		client: Client;
		transport: MemoryTransport;
	};
	readonly connected: (
		server?: MemoryServer,
		options?: Partial<ClientOptions>,
	) => ReturnType<
		(
			it: ReturnType<
				(
					server?: MemoryServer,
					options?: Partial<ClientOptions>,
				) => {
					client: Client;
					transport: MemoryTransport;
				}
			>,
		) => Promise<
			ReturnType<
				(
					server?: MemoryServer,
					options?: Partial<ClientOptions>,
				) => {
					client: Client;
					transport: MemoryTransport;
				}
			>
		>
	>;
	readonly failure: (answer: () => Record<string, unknown>) => Promise<unknown>;
}

/** Of one `describe`: what it starts ends after each test. */
export function clientBench({ own }: Cleanup): ClientBench {
	function create(
		server: MemoryServer = {},
		options: Partial<ClientOptions> = {},
	): { client: Client; transport: MemoryTransport } {
		const transport = new MemoryTransport(server);
		const clientInfo = { name: 'test', version: '1' };
		return {
			client: own(
				new Client({ open: () => transport, mode: 'legacy', clientInfo, timeoutMs: 0, log: nullLogger, ...options }),
			),
			transport,
		};
	}

	async function connected(
		server: MemoryServer = {},
		options: Partial<ClientOptions> = {},
	): ReturnType<typeof connect> {
		return connect(create(server, options));
	}

	async function connect(it: ReturnType<typeof create>): Promise<ReturnType<typeof create>> {
		await it.client.connect(never);
		it.transport.transcript.length = 0;
		return it;
	}

	/** How `connect` ends with a server that answers `initialize` with `answer`. */
	async function failure(answer: () => Record<string, unknown>): Promise<unknown> {
		const { client } = create({ methods: { initialize: answer } });
		try {
			return `connected, ${(await client.connect(never)).protocolVersion}`;
		} catch (error) {
			return error instanceof McpError ? error.failure : error instanceof RpcError ? error.toErrorObject() : error;
		}
	}

	return {
		create,
		connected,
		failure,
	};
}
