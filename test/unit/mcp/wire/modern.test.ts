import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Sender } from '../../../../src/mcp/wire/codec.js';
import { codecFor, legacyRevisions, modernRevisions } from '../../../../src/mcp/wire/revisions.js';
import { ModernCodec } from '../../../../src/mcp/wire/modern.js';

const sender: Sender = { clientInfo: { name: 'c', version: '1' }, capabilities: { roots: {} }, logLevel: undefined };
const revision = '2026-07-28';
const stated = {
	'io.modelcontextprotocol/protocolVersion': revision,
	'io.modelcontextprotocol/clientCapabilities': { roots: {} },
	'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};

describe('ModernCodec', () => {
	const codec = new ModernCodec(revision);

	function headers(method: string, params: JsonObject = {}): Readonly<Record<string, string>> {
		return codec.encodeRequest(method, params, () => sender).headers ?? {};
	}

	// covers: modern.meta modern.metaPassedThrough logging.perRequest
	describe('_meta', () => {
		it('says who asks, with every request', () => {
			assert.deepEqual(codec.encodeRequest('tools/list', {}, () => sender).params, { _meta: stated });
			assert.deepEqual(codec.encodeRequest('tools/call', { name: 't', arguments: { a: 1 } }, () => sender).params, {
				name: 't',
				arguments: { a: 1 },
				_meta: stated,
			});
		});

		it('asks for log messages only if someone wants them', () => {
			const { params } = codec.encodeRequest('tools/list', {}, () => ({ ...sender, logLevel: 'warning' }));
			assert.deepEqual(params['_meta'], { ...stated, 'io.modelcontextprotocol/logLevel': 'warning' });
		});

		it('keeps what was there, but not another revision', () => {
			const _meta = {
				progressToken: 5,
				traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
				'com.example/x': { y: null },
				'io.modelcontextprotocol/protocolVersion': '2025-11-25',
			};
			const given = { cursor: 'c', _meta };
			assert.deepEqual(codec.encodeRequest('tools/list', given, () => sender).params, {
				cursor: 'c',
				_meta: { ..._meta, ...stated },
			});
			assert.equal(given._meta['io.modelcontextprotocol/protocolVersion'], '2025-11-25');
		});
	});

	// covers: http.modern.methodHeader http.modern.nameHeader http.modern.versionHeader tasks.modern.nameHeader
	describe('headers', () => {
		it('name the revision and the method of everything', () => {
			const expected = (method: string): object => ({ 'mcp-protocol-version': revision, 'mcp-method': method });
			const methods = ['tools/list', 'resources/list', 'prompts/list', 'server/discover', 'subscriptions/listen'];
			assert.deepEqual(
				methods.map(it => headers(it)),
				methods.map(expected),
			);
			assert.deepEqual(
				codec.encodeNotification('notifications/cancelled', { requestId: 1 }).headers,
				expected('notifications/cancelled'),
			);
		});

		it('name what a request is about', () => {
			const table = [
				['tools/call', { name: 'echo', uri: 'x' }, 'echo'],
				['prompts/get', { name: 'plan' }, 'plan'],
				['resources/read', { uri: 'file:///a b', name: 'x' }, 'file:///a b'],
				['tasks/get', { taskId: 't1' }, 't1'],
				['tasks/update', { taskId: 't1', inputResponses: {} }, 't1'],
				['tasks/cancel', { taskId: 't1' }, 't1'],
				['tools/call', { name: ' grün' }, '=?base64?IGdyw7xu?='],
				['tools/call', { name: 5 }, undefined],
				['completion/complete', { name: 'x', ref: { type: 'ref/prompt', name: 'p' } }, undefined],
				['tools/list', { name: 'x' }, undefined],
			] as const;
			assert.deepEqual(
				table.map(([method, params]) => headers(method, params)['mcp-name']),
				table.map(([, , name]) => name),
			);
		});

		it('name the revision that the body names', () => {
			const encoded = new ModernCodec('2030-01-01').encodeRequest('tools/list', {}, () => sender);
			assert.equal(encoded.headers?.['mcp-protocol-version'], '2030-01-01');
			assert.equal((encoded.params['_meta'] as JsonObject)['io.modelcontextprotocol/protocolVersion'], '2030-01-01');
		});
	});

	// covers: modern.resultType.unknown modern.resultType.absent rounds.atLeastOne
	it('reads what a result is', () => {
		const requests = { a: { method: 'roots/list' } };
		const table: readonly [JsonObject, unknown][] = [
			[{ resultType: 'complete', x: 1 }, 'complete'],
			[{ tools: [] }, 'complete'],
			[{ inputRequests: requests }, 'complete'],
			[
				{ resultType: 'input_required', inputRequests: requests, requestState: 's' },
				{ requests, state: 's' },
			],
			[
				{ resultType: 'input_required', inputRequests: requests },
				{ requests, state: undefined },
			],
			[
				{ resultType: 'input_required', requestState: '' },
				{ requests: {}, state: '' },
			],
			[{ resultType: 'input_required' }, 'input required, but neither inputRequests nor requestState'],
			[
				{ resultType: 'input_required', inputRequests: [], requestState: 5 },
				'input required, but neither inputRequests nor requestState',
			],
			[{ resultType: 'task', taskId: 't', status: 'working' }, 'task'],
			[{ resultType: 'task' }, 'a task without an id'],
			[{ resultType: 'surprise' }, 'unknown resultType "surprise"'],
			[{ resultType: 5 }, 'unknown resultType 5'],
			[{ resultType: null }, 'unknown resultType null'],
		];
		assert.deepEqual(
			table.map(([result]) => {
				const it = codec.decodeResult(result);
				switch (it.kind) {
					case 'complete':
						return it.result === result ? 'complete' : it.result;
					case 'task':
						return it.task === result ? 'task' : it.task;
					case 'inputRequired':
						return { requests: it.requests, state: it.state };
					case 'invalid':
						return it.why;
				}
			}),
			table.map(([, expected]) => expected),
		);
	});
});

// covers: revision.2024-10-07 batch.onlyWhere modern.noServerRequests
describe('codecFor', () => {
	it('knows every revision of either era and no other', () => {
		const facts = [...legacyRevisions, ...modernRevisions].map(it => {
			const { acceptsRequests, acceptsBatches, era, revision: named } = codecFor(it) ?? assert.fail(it);
			return [named, era, acceptsRequests ? 'requests' : '-', acceptsBatches ? 'batches' : '-'].join(' ');
		});
		assert.deepEqual(facts, [
			'2025-11-25 legacy requests -',
			'2025-06-18 legacy requests -',
			'2025-03-26 legacy requests batches',
			'2024-11-05 legacy requests -',
			'2024-10-07 legacy requests -',
			'2026-07-28 modern - -',
		]);
		assert.deepEqual(['', '2025-01-01', '2027-01-01', 'draft'].map(codecFor), [
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	it('sends in the legacy era exactly what was asked for', () => {
		const codec = codecFor('2025-11-25') ?? assert.fail();
		const params = { name: 't', _meta: { progressToken: 1 } };
		assert.deepEqual(
			codec.encodeRequest('tools/call', params, () => sender),
			{ params },
		);
		assert.deepEqual(codec.encodeNotification('notifications/initialized', {}), { params: {} });
	});

	it('reads a task of the legacy era, and nothing else as one', () => {
		const codec = codecFor('2025-11-25') ?? assert.fail();
		const task = { taskId: 't', status: 'working' };
		const kinds = [
			{ task },
			{ task, _meta: {} },
			{ task, content: [] },
			{ task: {} },
			{ task: 't' },
			{ resultType: 'input_required', inputRequests: {} },
			{ resultType: 'surprise' },
		].map(it => codec.decodeResult(it).kind);
		assert.deepEqual(kinds, ['task', 'task', 'complete', 'complete', 'complete', 'complete', 'complete']);
	});
});
