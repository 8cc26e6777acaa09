/** Clients that agree on an era with servers in memory, one transport after another. */

import * as assert from 'node:assert/strict';
import { nullLogger } from '../../src/base/log.js';
import { Client } from '../../src/mcp/client/client.js';
import type { ClientOptions } from '../../src/mcp/client/clientOptions.js';
import type { EraMemory } from '../../src/mcp/client/clientOptions.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import { classify, type ErrorObject } from '../../src/mcp/jsonrpc/messages.js';
import type { Era } from '../../src/mcp/wire/codec.js';
import type { Cleanup } from './leakCheck.js';
import { discovery, type MemoryServer, MemoryTransport } from './memoryTransport.js';

export const never: AbortSignal = new AbortController().signal;

/** A server of the legacy era: knows no `server/discover`. */
export const legacy: MemoryServer = {};

export const modern: MemoryServer = { methods: { 'server/discover': () => discovery() } };

export const asksFor =
	'initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}';

/** Answers `server/discover` with an error. */
export function refusing(code: number, data?: unknown): MemoryServer {
	return {
		methods: {
			'server/discover': () => {
				throw new RpcError(code, 'no', data);
			},
		},
	};
}

/** Answers some methods with an HTTP status, as StreamableHttp reports it. */
export function status(statuses: Readonly<Record<string, number>>, error?: ErrorObject): MemoryServer {
	return {
		kind: 'http',
		onSend: message => {
			const it = classify(message);
			const found = it.kind === 'request' ? statuses[it.message.method] : undefined;
			if (found !== undefined) {
				throw new McpError({ code: 'http', status: found, error, challenge: found === 401 ? 'Bearer x' : undefined });
			}
		},
	};
}

/** Ends when it gets a message of this method. */
export function dying(method: string, exitCode = 1): MemoryServer {
	return {
		onSend: (message, transport) => {
			const it = classify(message);
			if (it.kind === 'request' && it.message.method === method) {
				queueMicrotask(() => transport.end({ expected: false, exitCode }));
			}
		},
	};
}

export class Memory implements EraMemory {
	readonly sets: (Era | undefined)[] = [];

	constructor(private era?: Era) {}

	get(): Era | undefined {
		return this.era;
	}

	set(era: Era | undefined): void {
		this.era = era;
		this.sets.push(era);
	}
}

export interface Played {
	readonly client: Client;
	/** Started one after another. */
	readonly transports: MemoryTransport[];
	readonly memory: Memory;
	readonly ends: unknown[];
	readonly connect: (signal?: AbortSignal) => Promise<string>;
}

export interface NegotiationBench {
	readonly play: (
		servers: readonly MemoryServer[],
		{
			era,
			sse,
			...options
		}?: Partial<ClientOptions> & {
			era?: Era | undefined;
			sse?: MemoryServer;
		},
	) => Played;
	readonly sent: ({ transports }: Played) => string[][];
	readonly calls: ({ transports }: Played) => string[];
	readonly assertNothingLeft: (played: Played) => void;
}

/** Of one `describe`: what it starts ends after each test. */
export function negotiationBench({ own }: Cleanup): NegotiationBench {
	/** A client whose transports lead to these servers, in this order. */
	function play(
		servers: readonly MemoryServer[],
		{ era, sse, ...options }: Partial<ClientOptions> & { era?: Era | undefined; sse?: MemoryServer } = {},
	): Played {
		const transports: MemoryTransport[] = [];
		const memory = new Memory(era);
		const start = (server: MemoryServer | undefined): MemoryTransport => {
			const transport = new MemoryTransport(server ?? assert.fail('one start too many'));
			transports.push(transport);
			return transport;
		};
		const remaining = [...servers];
		const client = own(
			new Client({
				open: () => start(remaining.shift()),
				...(sse ? { openLegacySse: () => start({ kind: 'sse', ...sse }) } : {}),
				memory,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log: nullLogger,
				...options,
			}),
		);
		const ends: unknown[] = [];
		own(client.onDidEnd(it => ends.push(it)));
		const connect = async (signal = never): Promise<string> => {
			try {
				const { era: agreed, protocolVersion, eraReason } = await client.connect(signal);
				return `${agreed} ${protocolVersion}: ${Object.values(eraReason).join(' ')}`;
			} catch (error) {
				if (error instanceof McpError) {
					const { code, ...data } = error.failure;
					return [code, ...Object.values(data).filter(it => it !== undefined)].map(it => JSON.stringify(it)).join(' ');
				}
				return error instanceof RpcError ? `error ${error.code}` : String(error);
			}
		};
		return { client, transports, memory, ends, connect };
	}

	/** What our side sent, by transport; ids are left out. */
	function sent({ transports }: Played): string[][] {
		return transports.map(({ transcript }) =>
			transcript.filter(it => it.startsWith('>')).map(it => it.slice(2).replace(/#\d+/, '')),
		);
	}

	function calls({ transports }: Played): string[] {
		return transports.map(it => it.calls.join(' '));
	}

	/** Nothing of a failed negotiation is left. */
	function assertNothingLeft(played: Played): void {
		assert.deepEqual(
			calls(played).map(it => it.replace(/^start /, '')),
			played.transports.map(() => 'close dispose'),
		);
		assert.throws(() => played.client.session, { failure: { code: 'closed' } });
	}

	return {
		play,
		sent,
		calls,
		assertNothingLeft,
	};
}
