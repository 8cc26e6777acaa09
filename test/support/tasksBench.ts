/** A client whose server makes tasks of calls, and time that passes when a test says so. */

import * as assert from 'node:assert/strict';
import { nullLogger } from '../../src/base/log.js';
import { Client } from '../../src/mcp/client/client.js';
import type { ClientHandlers } from '../../src/mcp/client/handlers.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import type { EraMode } from '../../src/mcp/client/clientOptions.js';
import { tasksExtension } from '../../src/mcp/client/tasks.js';
import type { JsonObject } from '../../src/mcp/jsonrpc/messages.js';
import type { Tool } from '../../src/mcp/wire/types.js';
import type { Cleanup } from './leakCheck.js';
import { discovery, handshake, type Method, MemoryTransport } from './memoryTransport.js';
import { settled } from './waiting.js';
import { passTime, releaseTime, stopTime } from './stoppedClock.js';

export const tool: Tool = { name: 't', inputSchema: { type: 'object' }, taskSupport: 'required' };

export const done = { content: [{ type: 'text', text: 'done' }], isError: false };

export const form = {
	method: 'elicitation/create',
	params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
};

export const accept: ClientHandlers = {
	elicitation: { form: () => Promise.resolve({ action: 'accept', content: {} }) },
};

export const canTask = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

export interface Played {
	readonly client: Client;
	readonly transport: MemoryTransport;
	/** States that `onTask` was told. */
	readonly states: string[];
	readonly call: (options?: { readonly signal?: AbortSignal; readonly tool?: Tool | string }) => Promise<unknown>;
}

export interface TasksBench {
	readonly play: (
		era: 'legacy' | 'modern',
		methods: Readonly<Record<string, Method>>,
		{
			handlers,
			capabilities,
			mode,
		}?: {
			handlers?: ClientHandlers;
			capabilities?: JsonObject;
			mode?: EraMode;
		},
	) => Promise<Played>;
	readonly inTurn: (...answers: readonly JsonObject[]) => Method;
	readonly finish: <T>(call: Promise<T>, limit?: number) => Promise<T>;
	readonly sent: ({ transport }: Played) => string[];
}

/** Of one `describe`: what it starts ends after each test. */
export function tasksBench({ own }: Cleanup): TasksBench {
	beforeEach(() => stopTime());
	afterEach(() => releaseTime());

	async function play(
		era: 'legacy' | 'modern',
		methods: Readonly<Record<string, Method>>,
		{
			handlers = accept,
			capabilities = era === 'legacy' ? canTask : { tools: {}, extensions: { [tasksExtension]: {} } },
			mode = 'auto',
		}: { handlers?: ClientHandlers; capabilities?: JsonObject; mode?: EraMode } = {},
	): Promise<Played> {
		const transport = new MemoryTransport({
			methods: {
				...(era === 'modern' ? { 'server/discover': () => discovery(capabilities) } : {}),
				initialize: () => handshake(capabilities),
				'tasks/cancel': () => (era === 'modern' ? { resultType: 'complete' } : { taskId: 't1', status: 'cancelled' }),
				'tasks/update': () => ({ resultType: 'complete' }),
				...methods,
			},
		});
		const client = own(
			new Client({
				open: () => transport,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				handlers,
				mode,
				log: nullLogger,
			}),
		);
		await client.connect(new AbortController().signal);
		transport.transcript.length = 0;
		const states: string[] = [];
		const call: Played['call'] = async ({ signal, tool: called = tool } = {}) => {
			try {
				const onTask = ({
					status,
					statusMessage = '',
				}: {
					status: string;
					statusMessage?: string | undefined;
				}): void => {
					states.push(`${status} ${statusMessage}`.trim());
				};
				return await client.callTool(called, {}, { onTask, ...(signal ? { signal } : {}) });
			} catch (error) {
				return error instanceof McpError
					? error.failure
					: error instanceof RpcError
						? error.toErrorObject()
						: (error as Error).name;
			}
		};
		return { client, transport, states, call };
	}

	/** Gives the elements one after another, the last for ever. */
	function inTurn(...answers: readonly JsonObject[]): Method {
		let turn = 0;
		return () => answers[Math.min(turn++, answers.length - 1)] ?? {};
	}

	/** The call's outcome, while time passes in steps of 10 ms. */
	async function finish<T>(call: Promise<T>, limit = 500): Promise<T> {
		const outcomes: T[] = [];
		void call.then(value => outcomes.push(value));
		for (let step = 0; step < limit && outcomes.length === 0; step++) {
			await settled();
			passTime(10);
		}
		assert.equal(outcomes.length, 1, 'it did not end');
		return outcomes[0] as T;
	}

	function sent({ transport }: Played): string[] {
		return transport.transcript.filter(it => it.startsWith('>')).map(it => it.slice(2).replace(/#\d+/, ''));
	}

	return {
		play,
		inTurn,
		finish,
		sent,
	};
}
