// The client's behavior when the server has lost its session.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { type McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { classify, type JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake, type MemoryServer, type Method } from '../../../support/memoryTransport.js';
import { settled } from '../../../support/waiting.js';
import { lost, sessionBench } from '../../../support/sessionBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Client', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connect, sent } = sessionBench(cleanup);

	// covers: session.lost session.oneHandshake session.retried
	describe('whose session was lost', () => {
		/** A server that loses its session when told to; `names` are the sessions, in order. */
		class Forgetful {
			known = true;
			/** Requests of the lost session that are answered when the test says so. */
			readonly held: (() => void)[] = [];
			holds = false;
			handshakes = 0;
			answer: () => JsonObject = () => handshake({ logging: {}, resources: { subscribe: true }, tools: {} });

			readonly server: MemoryServer = {
				kind: 'http',
				onSend: async message => {
					const it = classify(message);
					if (it.kind !== 'request') {
						return;
					}
					if (it.message.method === 'initialize') {
						this.handshakes++;
						this.known = true;
						return;
					}
					if (!this.known) {
						if (this.holds) {
							await new Promise<void>(resolve => this.held.push(resolve));
						}
						throw lost;
					}
				},
				methods: {
					initialize: () => this.answer(),
					'tools/list': () => ({ tools: [] }),
					'resources/subscribe': () => ({}),
					'logging/setLevel': () => ({}),
					'tools/call': ({ name }) => ({ content: [{ type: 'text', text: String(name) }] }),
				},
			};
		}

		it('shakes hands again, once for all that wait, and asks again what was asked', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			const results = await Promise.all([client.listTools(), client.callTool('a', {}), client.callTool('b', {})]);
			assert.deepEqual(
				results.slice(1).map(result => JSON.stringify(result).includes('"text"')),
				[true, true],
			);
			assert.deepEqual(sent(transport), [
				'initialize#5',
				'notifications/initialized',
				'tools/list#6',
				'tools/call#7 {"name":"a","arguments":{}}',
				'tools/call#8 {"name":"b","arguments":{}}',
			]);
			assert.deepEqual(
				[transport.calls, transport.agreements],
				[
					['start', 'forgetSession'],
					['legacy 2025-11-25', 'legacy 2025-11-25'],
				],
			);
		});

		it('… also for one that notices only when all is well again', async () => {
			const it = new Forgetful();
			const { client } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			it.holds = true;
			const late = client.callTool('late', {});
			await settled();
			it.holds = false;
			await client.callTool('first', {});
			it.held.forEach(release => release());
			assert.equal((await late).content.length, 1);
			assert.equal(it.handshakes, 2);
		});

		it('… and one that comes in between waits', async () => {
			const it = new Forgetful();
			let finish = (): void => undefined;
			const { client, transport } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						initialize: () =>
							it.handshakes === 1
								? it.answer()
								: new Promise(resolve => {
										finish = () => resolve(it.answer());
									}),
					},
				},
				{ mode: 'legacy' },
			);
			it.known = false;
			const first = client.callTool('first', {});
			await settled();
			const second = client.callTool('second', {});
			const impatient = new AbortController();
			const third = client.callTool('third', {}, { signal: impatient.signal });
			await settled();
			impatient.abort();
			await assert.rejects(third, AbortError);
			assert.deepEqual(sent(transport), ['initialize#3']);
			finish();
			await Promise.all([first, second]);
			assert.deepEqual(sent(transport).slice(1), [
				'notifications/initialized',
				'tools/call#4 {"name":"first","arguments":{}}',
				'tools/call#5 {"name":"second","arguments":{}}',
			]);
		});

		// covers: session.resubscribed
		it('subscribes again, sets the log level again, says that lists may have changed, forgets what it kept', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			own(client.subscribeResource('x:1'));
			own(client.subscribeResource('x:2'));
			await client.setLoggingLevel('warning');
			const changed: string[] = [];
			own(client.onDidChangeList(kind => changed.push(kind)));
			await settled();
			transport.transcript.length = 0;
			it.known = false;
			await client.listTools();
			await settled();
			assert.deepEqual(sent(transport), [
				'initialize#6',
				'notifications/initialized',
				'resources/subscribe#7 {"uri":"x:1"}',
				'resources/subscribe#8 {"uri":"x:2"}',
				'logging/setLevel#9 {"level":"warning"}',
				'tools/list#10',
			]);
			assert.deepEqual(changed, ['tools', 'resources', 'prompts']);
		});

		// covers: pagination.persist
		it('begins a listing anew: a cursor of the old session is not sent in the new one', async () => {
			/**
			 * Pages of one list; each cursor contains the number of its session. Refused requests are not in `lists`.
			 */
			async function list(loses: (page: string, handshakes: number) => boolean): Promise<unknown> {
				const it = new Forgetful();
				const { client, transport } = await connect(
					{
						...it.server,
						onSend: (message, own) => {
							const { method, params } = message as { method?: string; params?: JsonObject };
							if (method === 'tools/list' && loses(String(params?.['cursor']), it.handshakes)) {
								it.known = false;
							}
							return it.server.onSend?.(message, own);
						},
						methods: {
							...it.server.methods,
							'tools/list': ({ cursor = '' }) => ({
								tools: [{ name: `${it.handshakes}${String(cursor)}`, inputSchema: {} }],
								...(String(cursor).length < 4 ? { nextCursor: `${String(cursor)}-${it.handshakes}` } : {}),
							}),
						},
					},
					{ mode: 'legacy' },
				);
				const tools = await client.listTools().catch((error: unknown) => (error as McpError).failure);
				const lists = sent(transport).filter(line => line.startsWith('tools/list'));
				return { tools: Array.isArray(tools) ? tools.map(({ name }) => name) : tools, lists };
			}
			assert.deepEqual(await list((cursor, handshakes) => cursor === '-1-1' && handshakes === 1), {
				tools: ['2', '2-2', '2-2-2'],
				lists: [
					'tools/list#2',
					'tools/list#3 {"cursor":"-1"}',
					'tools/list#6',
					'tools/list#7 {"cursor":"-2"}',
					'tools/list#8 {"cursor":"-2-2"}',
				],
			});
			// The first page has no cursor, so it is requested again like any request.
			const first = (await list((cursor, handshakes) => cursor === 'undefined' && handshakes === 1)) as object;
			assert.deepEqual(first, {
				tools: ['2', '2-2', '2-2-2'],
				lists: ['tools/list#4', 'tools/list#5 {"cursor":"-2"}', 'tools/list#6 {"cursor":"-2-2"}'],
			});
			// The client does not try for ever.
			assert.deepEqual(await list(cursor => cursor.length === 4), {
				tools: { code: 'sessionLost' },
				lists: ['tools/list#2', 'tools/list#3 {"cursor":"-1"}', 'tools/list#6', 'tools/list#7 {"cursor":"-2"}'],
			});
		});

		it('… also one whose session another request has found lost', async () => {
			const it = new Forgetful();
			let goOn = (): void => undefined;
			const { client, transport } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						'tools/list': async ({ cursor }) => {
							if (it.handshakes === 1) {
								await new Promise<void>(resolve => (goOn = resolve));
							}
							return cursor === undefined ? { tools: [], nextCursor: `c${it.handshakes}` } : { tools: [] };
						},
					},
				},
				{ mode: 'legacy' },
			);
			const listing = client.listTools();
			await settled();
			goOn();
			it.known = false;
			await Promise.all([client.callTool('other', {}), listing]);
			const cursors = sent(transport).filter(line => line.includes('cursor'));
			assert.equal(cursors.at(-1)?.replace(/#\d+/, ''), 'tools/list {"cursor":"c2"}');
		});

		it('goes on though the new session refuses some of that, or loses it at once', async () => {
			const it = new Forgetful();
			const refuse: Method = () => {
				throw new RpcError(-5, 'no');
			};
			let isNew = false;
			const { client } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						'resources/subscribe': () => (isNew ? refuse({}, 1) : {}),
						'logging/setLevel': () => (isNew ? refuse({}, 1) : {}),
					},
				},
				{ mode: 'legacy' },
			);
			own(client.subscribeResource('x:1'));
			await client.setLoggingLevel('warning');
			isNew = true;
			it.known = false;
			assert.deepEqual(await client.listTools(), []);
		});

		it('does not ask for ever: a session lost twice is the error', async () => {
			const { client, transport } = await connect(
				{
					kind: 'http',
					onSend: message => {
						const it = classify(message);
						if (it.kind === 'request' && it.message.method === 'tools/list') {
							throw lost;
						}
					},
				},
				{ mode: 'legacy' },
			);
			await assert.rejects(client.listTools(), lost);
			assert.equal(transport.calls.filter(it => it === 'forgetSession').length, 1);
		});

		it('a handshake that fails is the error of all that wait, and is tried again by the next', async () => {
			const it = new Forgetful();
			const { client } = await connect(it.server, { mode: 'legacy' });
			const { answer } = it;
			it.known = false;
			it.answer = () => {
				throw new RpcError(-32000, 'busy');
			};
			const outcomes = await Promise.allSettled([client.listTools(), client.callTool('a', {})]);
			assert.deepEqual(
				outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason.code),
				[-32000, -32000],
			);
			it.answer = answer;
			assert.deepEqual(await client.listTools(), []);
			assert.equal(it.handshakes, 3);
		});

		it('another revision than before holds from then on', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			it.answer = () => handshake({}, '2025-03-26');
			await client.listTools();
			assert.deepEqual([client.session.protocolVersion, client.session.capabilities], ['2025-03-26', {}]);
			assert.equal(transport.agreements.at(-1), 'legacy 2025-03-26');
		});

		it('a ping that notices begins the new session too', async () => {
			stopTime();
			try {
				const it = new Forgetful();
				const { client } = await connect(it.server, { mode: 'legacy', pingMs: 100 });
				it.known = false;
				passTime(100);
				await settled();
				assert.equal(it.handshakes, 2);
				await client.close();
			} finally {
				releaseTime();
			}
		});

		it('closing in the middle of it ends it', async () => {
			const it = new Forgetful();
			const { client } = await connect(
				{
					...it.server,
					methods: { ...it.server.methods, initialize: () => (it.handshakes === 1 ? it.answer() : undefined) },
				},
				{ mode: 'legacy' },
			);
			it.known = false;
			const call = client.listTools();
			await settled();
			await client.close();
			await assert.rejects(call, { failure: { code: 'closed' } });
		});
	});
});
