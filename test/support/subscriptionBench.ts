/** A client that wants to know of changes. */

import { Client } from '../../src/mcp/client/client.js';
import type { ClientOptions } from '../../src/mcp/client/clientOptions.js';
import type { JsonObject, RequestId } from '../../src/mcp/jsonrpc/messages.js';
import type { Cleanup } from './leakCheck.js';
import { discovery, handshake, type MemoryServer, MemoryTransport } from './memoryTransport.js';
import { TestLogger } from './testLogger.js';
import { settled } from './waiting.js';
import { passTime, releaseTime, stopTime } from './stoppedClock.js';

export const all = {
	tools: { listChanged: true },
	prompts: { listChanged: true },
	resources: { listChanged: true, subscribe: true },
};

export const allLists = '"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true';

export interface SubscriptionBench {
	readonly connect: (
		server?: MemoryServer & {
			readonly era?: 'modern' | 'legacy';
		},
		options?: Partial<ClientOptions>,
	) => Promise<{
		client: Client;
		transport: MemoryTransport;
		log: TestLogger;
		seen: string[];
	}>;
	readonly pass: (ms: number) => Promise<void>;
	readonly sent: ({ transcript }: MemoryTransport) => string[];
	readonly note: (transport: MemoryTransport, method: string, id?: RequestId, more?: JsonObject) => void;
	readonly acknowledge: (transport: MemoryTransport, id: RequestId, notifications?: JsonObject) => void;
}

/** Of one `describe`: what it starts ends after each test. */
export function subscriptionBench({ own }: Cleanup): SubscriptionBench {
	beforeEach(() => stopTime());
	afterEach(() => releaseTime());

	async function connect(
		server: MemoryServer & { readonly era?: 'modern' | 'legacy' } = {},
		options: Partial<ClientOptions> = {},
	) {
		const { era = 'modern', methods, capabilities = all, ...rest } = server;
		const transport = new MemoryTransport({
			...rest,
			methods: {
				...(era === 'modern' ? { 'server/discover': () => discovery(capabilities) } : {}),
				initialize: () => handshake(capabilities),
				'subscriptions/listen': () => undefined,
				'resources/subscribe': () => ({}),
				'resources/unsubscribe': () => ({}),
				...methods,
			},
		});
		const log = new TestLogger();
		const client = own(
			new Client({ open: () => transport, clientInfo: { name: 'test', version: '1' }, timeoutMs: 0, log, ...options }),
		);
		const seen: string[] = [];
		own(client.onDidChangeList(it => seen.push(`changed ${it}`)));
		own(client.onDidUpdateResource(it => seen.push(`updated ${it}`)));
		await client.connect(new AbortController().signal);
		transport.transcript.length = 0;
		return { client, transport, log, seen };
	}

	/** Lets `ms` pass, and what follows from it happen. */
	async function pass(ms: number): Promise<void> {
		await settled();
		passTime(ms);
		await settled();
	}

	function sent({ transcript }: MemoryTransport): string[] {
		return transcript.filter(it => !it.startsWith('<'));
	}

	function note(transport: MemoryTransport, method: string, id?: RequestId, more: JsonObject = {}): void {
		const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
		transport.notify(`notifications/${method}`, { ...more, ...(id === undefined ? {} : { _meta }) });
	}

	const acknowledge = (transport: MemoryTransport, id: RequestId, notifications: JsonObject = {}): void =>
		note(transport, 'subscriptions/acknowledged', id, { notifications });

	return {
		connect,
		pass,
		sent,
		note,
		acknowledge,
	};
}
