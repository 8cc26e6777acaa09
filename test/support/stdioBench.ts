/** Transports to processes, and what they told. */

import * as assert from 'node:assert/strict';
import type { StdioOptions, StdioTransport } from '../../src/node/process/stdioTransport.js';
import { fixtureTransport } from './fixtureServer.js';
import type { Cleanup } from './leakCheck.js';
import { eventually, isAlive, next } from './waiting.js';

export const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
} as const;

export const answer = {
	jsonrpc: '2.0',
	id: 1,
	result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fixture', version: '1.0.0' } },
};

export const ready = { jsonrpc: '2.0', method: 'notifications/ready' };

export function assertGone({ pid }: StdioTransport): void {
	assert.ok(pid !== undefined && !isAlive(pid), `process ${pid} is left`);
}

export interface Watched {
	readonly transport: StdioTransport;
	/** What it told, in order: messages, noise, lines of stderr, the end. */
	readonly told: unknown[];
}

export interface StdioBench {
	readonly watch: (name: string, options?: Partial<StdioOptions>, args?: readonly string[]) => Watched;
	readonly started: (name: string, options?: Partial<StdioOptions>) => Promise<Watched>;
	readonly listening: (name: string, options?: Partial<StdioOptions>) => Promise<Watched>;
}

/** Of one `describe`: what it starts ends after each test. */
export function stdioBench({ own, later }: Cleanup): StdioBench {
	function watch(name: string, options: Partial<StdioOptions> = {}, args: readonly string[] = []): Watched {
		const told: unknown[] = [];
		const onStderr = (line: string): unknown => told.push({ stderr: line });
		const transport = own(fixtureTransport(name, { onStderr, ...options }, args));
		own(transport.onDidReceive(({ value }) => told.push(value)));
		own(transport.onDidReceiveNoise(it => told.push({ noise: it.text })));
		own(transport.onDidLose(({ id, error, ...rest }) => told.push({ lost: id, failure: error.failure, ...rest })));
		own(transport.onDidEnd(it => told.push({ end: it })));
		later(async () => {
			transport.dispose();
			const { pid } = transport;
			await eventually(() => pid === undefined || !isAlive(pid), `${name} is gone`);
		});
		return { transport, told };
	}

	async function started(name: string, options?: Partial<StdioOptions>): Promise<Watched> {
		const it = watch(name, options);
		await it.transport.start();
		return it;
	}

	/** A server that has told that it listens to signals by now. */
	async function listening(name: string, options?: Partial<StdioOptions>): Promise<Watched> {
		const it = watch(name, options);
		const first = next(it.transport.onDidReceive);
		await it.transport.start();
		await first;
		return it;
	}

	return {
		watch,
		started,
		listening,
	};
}
