import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { Client, type JsonObject, RpcError } from '../../../../src/mcp/index.js';
import { Catalog } from '../../../../src/core/servers/catalog.js';
import {
	type Completion,
	Completions,
	type CompletionSubject,
	completionTimeoutMs,
	Typing,
	type TypingState,
	typingPauseMs,
} from '../../../../src/core/search/completions.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake, MemoryTransport, type Method } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

interface Options {
	readonly revision?: string;
	readonly capabilities?: JsonObject;
	/** Replaces a list of one prompt. */
	readonly list?: Method;
}

/** `none`, `a,b of 7 …`, `failed: no` */
function words(completion: Completion): string {
	switch (completion.kind) {
		case 'none':
		case 'away':
			return completion.kind;
		case 'values': {
			const { values, total, hasMore } = completion;
			return `${values.join(',')}${total === undefined ? '' : ` of ${total}`}${hasMore ? ' …' : ''}`;
		}
		case 'failed':
			return `failed: ${(completion.error as Error).message}`;
	}
}

describe('Completions', () => {
	const { own } = leakCheck();
	let changed: Emitter<void>;
	beforeEach(() => {
		stopTime();
		changed = own(new Emitter<void>());
	});
	afterEach(() => releaseTime());

	let transport: MemoryTransport;
	const server: { client: Client | undefined; catalog: Catalog | undefined } = {
		client: undefined,
		catalog: undefined,
	};

	/** A running server; `answer` is its `completion/complete`. */
	async function start(answer: Method | undefined, options: Options = {}): Promise<void> {
		const { revision = '2025-11-25', capabilities = { completions: {}, prompts: {} } } = options;
		const log = new TestLogger();
		transport = new MemoryTransport({
			methods: {
				initialize: () => handshake(capabilities, revision),
				'prompts/list': options.list ?? (() => ({ prompts: [{ name: 'p' }] })),
				...(answer ? { 'completion/complete': answer } : {}),
			},
		});
		const client = own(
			new Client({
				open: () => transport,
				mode: 'legacy',
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log,
			}),
		);
		await client.connect(new AbortController().signal);
		server.client = client;
		const catalog = own(new Catalog(client, log));
		own(catalog.onDidChange(() => changed.fire()));
		server.catalog = catalog;
		const loading = catalog.loadAll();
		await (options.list ? settled() : loading);
	}

	function subject(values: Record<string, string> = {}): CompletionSubject {
		return {
			server: {
				get client() {
					return server.client;
				},
				onDidChange: changed.event,
			},
			ref: { type: 'ref/prompt', name: 'p' },
			argument: 'city',
			values,
		};
	}

	/** The requests as `value {context}`. */
	function asked(): string[] {
		return transport.sent.flatMap(it => {
			if (!('method' in it) || it.method !== 'completion/complete') {
				return [];
			}
			const { argument, context } = it.params as { argument: { value: string }; context?: JsonObject };
			return [context ? `${argument.value} ${JSON.stringify(context)}` : argument.value];
		});
	}

	const cities: Method = ({ argument }) => ({
		completion: { values: ['Paris', 'Parma'].filter(it => it.startsWith(String((argument as JsonObject)['value']))) },
	});

	async function complete(completions: Completions, value: string, values?: Record<string, string>): Promise<string> {
		return words(await completions.complete(subject(values), value));
	}

	it('asks the server', async () => {
		await start(cities);
		const completions = new Completions();
		assert.equal(await complete(completions, 'Par'), 'Paris,Parma');
		assert.equal(await complete(completions, 'Pari'), 'Paris');
		assert.deepEqual(asked(), ['Par', 'Pari']);
	});

	for (const [revision, isSent] of [
		['2024-11-05', false],
		['2025-03-26', false],
		['2025-06-18', true],
		['2025-11-25', true],
	] as const) {
		it(`${isSent ? 'tells' : 'does not tell'} a server of ${revision} the other arguments`, async () => {
			await start(cities, { revision });
			await complete(new Completions(), 'P', { country: 'F' });
			assert.deepEqual(asked(), [isSent ? 'P {"arguments":{"country":"F"}}' : 'P']);
		});
	}

	it('sends no secret, as the person only types it', async () => {
		await start(cities);
		const completions = new Completions();
		const key = 'ghp_0123456789abcdef';
		await completions.complete({ ...subject(), argument: 'api_key' }, 'hunter2');
		await complete(completions, key);
		await complete(completions, 'P', { api_key: 'hunter2', note: key, country: 'F' });
		assert.deepEqual(asked(), ['P {"arguments":{"country":"F"}}']);
	});

	it('does not ask a server that declares none', async () => {
		await start(cities, { capabilities: { prompts: {} } });
		assert.equal(await complete(new Completions(), 'P'), 'none');
		assert.deepEqual(asked(), []);
	});

	it('tries a server of 2024-11-05, which cannot declare them', async () => {
		await start(cities, { revision: '2024-11-05', capabilities: { prompts: {} } });
		assert.equal(await complete(new Completions(), 'P'), 'Paris,Parma');
	});

	it('asks a server that does not know the method no more, until it connects again', async () => {
		const old = { revision: '2024-11-05', capabilities: { prompts: {} } };
		await start(undefined, old);
		const completions = new Completions();
		assert.deepEqual([await complete(completions, 'P'), await complete(completions, 'Pa')], ['none', 'none']);
		assert.deepEqual(asked(), ['P']);
		await start(cities, old);
		assert.equal(await complete(completions, 'P'), 'Paris,Parma');
	});

	it('gives a failure as an answer, and asks again', async () => {
		let isBroken = true;
		await start((params, id) => {
			if (isBroken) {
				throw new RpcError(-32603, 'no');
			}
			return cities(params, id);
		});
		const completions = new Completions();
		assert.equal(await complete(completions, 'P'), 'failed: no');
		isBroken = false;
		assert.equal(await complete(completions, 'P'), 'Paris,Parma');
	});

	it('waits for a silent server no longer than anybody would, and cancels the question', async () => {
		await start(() => undefined);
		const answer = complete(new Completions(), 'P');
		await settled();
		passTime(completionTimeoutMs);
		assert.match(await answer, /^failed: No answer to completion\/complete/);
		await settled();
		assert.match(transport.transcript.at(-1) ?? '', /^> notifications\/cancelled/);
	});

	// covers: completion.values
	it('takes 100 of 10,000 values, and each once', async () => {
		const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
		await start(() => ({ completion: { values, total: 10_000 } }));
		const completion = await new Completions().complete(subject(), '');
		assert.ok(completion.kind === 'values');
		assert.deepEqual([completion.values.length, completion.total, completion.hasMore], [100, 10_000, true]);
		await start(() => ({ completion: { values: ['a', 'a', 'b'], total: 3 } }));
		assert.equal(await complete(new Completions(), 'a'), 'a,b of 3');
	});

	describe('while somebody types', () => {
		let states: string[];

		function type(values?: Record<string, string>): Typing {
			states = [];
			const note = ({ completion, isLoading }: TypingState): number =>
				states.push(`${words(completion)}${isLoading ? ' ?' : ''}`);
			return own(new Typing(new Completions(), subject(values), note));
		}

		// covers: completion.debounce
		it('asks at once for what is there, then only when they pause', async () => {
			await start(cities);
			const typing = type();
			typing.start('');
			await settled();
			for (const value of ['P', 'Pa', 'Par', 'Pari']) {
				typing.type(value);
				passTime(typingPauseMs - 1);
				await settled();
			}
			passTime(1);
			await settled();
			assert.deepEqual(asked(), ['', 'Pari']);
			assert.equal(states.at(-1), 'Paris');
			assert.equal(typing.state.isLoading, false);
		});

		it('shows what it had while it asks', async () => {
			await start(cities);
			const typing = type();
			typing.start('');
			await settled();
			typing.type('Pari');
			passTime(typingPauseMs);
			await settled();
			assert.deepEqual(states, ['none ?', 'Paris,Parma', 'Paris,Parma ?', 'Paris,Parma ?', 'Paris']);
		});

		it('cancels a question that a key has overtaken, and drops its answer', async () => {
			let release: (() => void) | undefined;
			await start(async ({ argument }) => {
				const { value } = argument as JsonObject;
				if (value === 'slow') {
					await new Promise<void>(resolve => {
						release = resolve;
					});
				}
				return { completion: { values: [`${String(value)}!`] } };
			});
			const typing = type();
			typing.start('slow');
			await settled();
			typing.type('quick');
			passTime(typingPauseMs);
			await settled();
			release?.();
			await settled();
			assert.deepEqual(states, ['none ?', 'none ?', 'none ?', 'quick!']);
			assert.equal(transport.transcript.filter(it => it.startsWith('> notifications/cancelled')).length, 1);
		});

		it('finds out that the server is gone', async () => {
			await start(cities);
			const typing = type();
			typing.start('P');
			await settled();
			server.client = undefined;
			server.catalog = undefined;
			changed.fire();
			passTime(typingPauseMs);
			await settled();
			assert.equal(states.at(-1), 'away');
		});
	});
});
