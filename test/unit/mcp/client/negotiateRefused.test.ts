// Servers that refuse what they should accept in the handshake of the legacy era.
import * as assert from 'node:assert/strict';
import type { ClientHandlers } from '../../../../src/mcp/client/handlers.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { classify, type JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake, type MemoryServer, type MemoryTransport } from '../../../support/memoryTransport.js';
import { legacy, negotiationBench, type Played } from '../../../support/negotiationBench.js';
import { TestLogger } from '../../../support/testLogger.js';

describe('negotiation', () => {
	const { play, calls } = negotiationBench(leakCheck());
	const mode = 'legacy';

	/** What each `initialize` offered. */
	function offers({ transports }: Played): unknown[] {
		return transports.flatMap(({ sent }: MemoryTransport) =>
			sent.flatMap(message => {
				const it = classify(message);
				const { protocolVersion, capabilities } = (it.kind === 'request' && it.message.params) || {};
				return protocolVersion === undefined ? [] : [[protocolVersion, capabilities]];
			}),
		);
	}

	describe('with a server that refuses our revision', () => {
		/** Speaks these revisions, and refuses all others with an error instead of an answer with its own. */
		function only(revision: string, error: (requested: unknown) => Error): MemoryServer {
			return {
				methods: {
					initialize: ({ protocolVersion }) => {
						if (protocolVersion === revision) {
							return handshake({}, revision);
						}
						throw error(protocolVersion);
					},
				},
			};
		}

		// covers: negotiate.refusedRevision
		it('offers one that the refusal names and that we speak, once', async () => {
			const text = 'Unsupported protocol version';
			const table: readonly [revision: string, code: number, message: string, data?: unknown][] = [
				['2025-06-18', -32602, text, { supported: ['2025-06-18'], requested: '2025-11-25' }],
				['2025-06-18', -32600, 'no', { supported: ['2024-11-05', '2025-11-25', '2025-06-18'] }],
				['2025-03-26', -32022, text, { supported: ['2025-03-26', '2026-07-28'] }],
				['2024-11-05', -32602, `${text}: 2025-11-25. Supported: 2024-11-05`],
				['2025-06-18', -32000, `Bad Request: ${text} (supported versions: 2025-06-18, 2025-03-26, 2024-11-05)`],
				// Without a list, the oldest is the most likely.
				['2024-11-05', -32602, `unsupported protocol version: 2025-11-25`],
			];
			for (const [revision, code, message, data] of table) {
				const log = new TestLogger();
				const played = play([only(revision, () => new RpcError(code, message, data))], { mode, log });
				assert.equal(await played.connect(), `legacy ${revision}: configured`);
				assert.deepEqual(offers(played), [
					['2025-11-25', {}],
					[revision, {}],
				]);
				assert.deepEqual(log.lines, [
					`info: The server refused to initialize: ${message} Trying once more: {"protocolVersion":"${revision}","capabilities":{}}`,
				]);
			}
		});

		it('… also where the refusal is the body of an HTTP error', async () => {
			const error = { code: -32602, message: 'x', data: { supported: ['2025-06-18'] } };
			const refuse = (): McpError => new McpError({ code: 'http', status: 400, error, challenge: undefined });
			const server: MemoryServer = {
				kind: 'http',
				methods: { initialize: () => handshake({}, '2025-06-18') },
				onSend: message => {
					const it = classify(message);
					if (it.kind === 'request' && it.message.params?.['protocolVersion'] === '2025-11-25') {
						throw refuse();
					}
				},
			};
			const played = play([server], { mode, sse: legacy });
			assert.equal(await played.connect(), 'legacy 2025-06-18: configured');
			assert.deepEqual(calls(played), ['start forgetSession']);
		});

		it('tells the first refusal if the second offer is refused too, or if there is nothing to offer', async () => {
			let code = -32602;
			const stubborn = play(
				[only('', () => new RpcError(code--, 'Unsupported protocol version', { supported: ['2025-06-18'] }))],
				{ mode },
			);
			assert.equal(await stubborn.connect(), 'error -32602');
			assert.deepEqual(offers(stubborn).length, 2);
			assert.deepEqual(calls(stubborn), ['start forgetSession close dispose']);
			for (const data of [{ supported: ['2027-01-01'] }, { supported: ['2025-11-25'] }, { supported: [] }]) {
				const strange = play([only('', () => new RpcError(-32602, 'Unsupported protocol version', data))], { mode });
				assert.equal(await strange.connect(), 'error -32602');
				assert.deepEqual(offers(strange).length, 1);
			}
		});
	});

	describe('with a server that refuses our capabilities', () => {
		const full: ClientHandlers = {
			roots: () => [],
			sampling: { handle: () => Promise.resolve({}), tools: true },
			elicitation: { form: () => Promise.resolve({}), url: () => Promise.resolve({}) },
		};
		const oldest = { roots: { listChanged: true }, sampling: {}, elicitation: {} };

		/** As servers that know no member of these capabilities. */
		function strict(error: Error): MemoryServer {
			const isEmpty = (value: unknown): boolean => value === undefined || JSON.stringify(value) === '{}';
			return {
				kind: 'http',
				methods: { initialize: () => handshake({}, '2025-06-18') },
				onSend: message => {
					const it = classify(message);
					const { elicitation, sampling, tasks } = ((it.kind === 'request' && it.message.params?.['capabilities']) ||
						{}) as JsonObject;
					if (!isEmpty(elicitation) || !isEmpty(sampling) || tasks !== undefined) {
						throw error;
					}
				},
			};
		}

		const http = (status: number, body?: { code: number; message: string }): McpError =>
			new McpError({ code: 'http', status, error: body, challenge: undefined });

		// covers: negotiate.refusedCapabilities
		it('declares them as their first revisions did, once, and the log says so', async () => {
			const unknown = { code: -32603, message: 'Unrecognized field "form"' };
			for (const error of [http(200, unknown), http(400, unknown), http(400), http(500), http(422)]) {
				const log = new TestLogger();
				const played = play([strict(error)], { mode, log, handlers: full, sse: legacy });
				assert.equal(await played.connect(), 'legacy 2025-06-18: configured');
				// What is refused in this bench counts as not sent.
				assert.deepEqual(offers(played), [['2025-11-25', oldest]]);
				assert.match(log.lines.join('\n'), /^info: The server refused to initialize: .*"elicitation":{}/);
			}
		});

		it('does not declare forms that we have none of, and has no second try where nothing is left out', async () => {
			const url: ClientHandlers = { elicitation: { url: () => Promise.resolve({}) } };
			const played = play([strict(http(400))], { mode, handlers: url });
			assert.equal(await played.connect(), 'legacy 2025-06-18: configured');
			assert.deepEqual(offers(played), [['2025-11-25', {}]]);
			let asked = 0;
			const refusing: MemoryServer = {
				methods: {
					initialize: () => {
						asked++;
						throw new RpcError(-32603, 'no');
					},
				},
			};
			assert.equal(await play([refusing], { mode, handlers: { roots: () => [] } }).connect(), 'error -32603');
			assert.equal(asked, 1);
		});

		it('has no second try for a refusal with another cause', async () => {
			for (const error of [
				http(401),
				http(403),
				http(404),
				http(429),
				http(503),
				http(200, { code: -32601, message: '' }),
			]) {
				const log = new TestLogger();
				const played = play([strict(error)], { mode, log, handlers: full });
				assert.notEqual(await played.connect(), 'legacy 2025-06-18: configured');
				assert.deepEqual(log.lines, []);
			}
		});

		it('does the same when it begins a new session', async () => {
			let handshakes = 0;
			let isLost = false;
			const server: MemoryServer = {
				kind: 'http',
				methods: {
					initialize: ({ capabilities }) => {
						handshakes++;
						if (JSON.stringify(capabilities) !== JSON.stringify(oldest)) {
							throw new RpcError(-32603, 'Unrecognized field "form"');
						}
						isLost = false;
						return handshake({}, '2025-06-18');
					},
					'tools/list': () => ({ tools: [] }),
				},
				onSend: message => {
					const it = classify(message);
					if (isLost && it.kind === 'request' && it.message.method !== 'initialize') {
						throw new McpError({ code: 'sessionLost' });
					}
				},
			};
			const { client, connect } = play([server], { mode, handlers: full });
			await connect();
			isLost = true;
			assert.deepEqual([await client.listTools(), handshakes], [[], 4]);
		});
	});

	describe('with a server that refuses notifications/initialized', () => {
		function refusing(error: McpError): MemoryServer {
			return {
				kind: 'http',
				onSend: message => {
					if (classify(message).kind === 'notification') {
						throw error;
					}
				},
			};
		}
		const status = (code: number): McpError =>
			new McpError({ code: 'http', status: code, error: undefined, challenge: undefined });

		// covers: negotiate.refusedInitialized
		it('has a session all the same, and the log says so', async () => {
			for (const error of [status(400), status(404), status(500), status(503), new McpError({ code: 'sessionLost' })]) {
				const log = new TestLogger();
				assert.equal(await play([refusing(error)], { mode, log }).connect(), 'legacy 2025-11-25: configured');
				assert.deepEqual(log.lines, [`warn: The server refused notifications/initialized: ${error.message}`]);
			}
		});

		it('… unless it is about who asks, or the server cannot be reached', async () => {
			for (const error of [status(401), status(403), new McpError({ code: 'network', why: 'ECONNRESET' })]) {
				assert.match(await play([refusing(error)], { mode }).connect(), /^"(?:http|network)"/);
			}
		});
	});
});
