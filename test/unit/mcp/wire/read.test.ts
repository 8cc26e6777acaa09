import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import {
	readCompletion,
	readList,
	readLogMessage,
	readPrompt,
	readResource,
	readResourceContents,
	readResourceTemplate,
	readTool,
	readToolResult,
} from '../../../../src/mcp/wire/read.js';

describe('reading what a server answered', () => {
	it('drops an entry without its key, never the list', () => {
		const entries = [null, 'x', 5, [], {}, { name: 5 }, { name: 'ok' }];
		assert.deepEqual(
			readList({ tools: entries }, 'tools', readTool).map(it => it.name),
			['ok'],
		);
		assert.deepEqual(
			[{}, { tools: null }, { tools: {} }, { tools: 'x' }].map(it => readList(it, 'tools', readTool)),
			[[], [], [], []],
		);
	});

	it('tools', () => {
		const inputSchema = { type: 'object', properties: {} };
		const table = [
			[
				{
					name: 'a',
					title: 'A',
					description: 'about',
					inputSchema,
					annotations: { readOnlyHint: true },
					_meta: { x: 1 },
				},
				{
					name: 'a',
					title: 'A',
					description: 'about',
					inputSchema,
					annotations: { readOnlyHint: true },
					_meta: { x: 1 },
				},
			],
			[
				{ name: 'a', title: 5, description: null },
				{ name: 'a', inputSchema: {} },
			],
			[
				{ name: '', inputSchema: [] },
				{ name: '', inputSchema: {} },
			],
			[{ title: 'no name' }, undefined],
		] as const;
		assert.deepEqual(
			table.map(([entry]) => readTool(entry)),
			table.map(([, tool]) => tool),
		);
	});

	it('parts of a wrong type are left out', () => {
		const wrong = { mimeType: 5, size: 'x', annotations: null, outputSchema: 'x' };
		assert.deepEqual(readTool({ name: 'a', inputSchema: {}, ...wrong }), { name: 'a', inputSchema: {} });
		assert.deepEqual(readResource({ uri: 'x:y', name: 'a', ...wrong }), { uri: 'x:y', name: 'a' });
		assert.deepEqual(readResourceTemplate({ uriTemplate: 'x:{y}', name: 'a', mimeType: 5 }), {
			uriTemplate: 'x:{y}',
			name: 'a',
		});
	});

	// covers: tools.schemaVerbatim
	it('members we do not know are kept, whatever their names', () => {
		const entry = JSON.parse(
			'{"name":"a","uri":"x:y","constructor":1,"toString":2,"__proto__":{"title":3},"icons":[]}',
		);
		const read = readResource(entry as JsonObject);
		assert.deepEqual(JSON.parse(JSON.stringify(read)), entry);
		assert.equal(read?.title, undefined);
	});

	it('resources are addressed by URI alone', () => {
		assert.deepEqual(
			[
				{ uri: 'file:///a', name: 'a', mimeType: 'text/plain', size: 5 },
				{ uri: 'file:///a' },
				{ name: 'a' },
				{ uri: 5, name: 'a' },
			].map(readResource),
			[
				{ uri: 'file:///a', name: 'a', mimeType: 'text/plain', size: 5 },
				{ uri: 'file:///a', name: 'file:///a' },
				undefined,
				undefined,
			],
		);
		assert.deepEqual(
			[{ uriTemplate: 'x:{y}', name: 'a' }, { uriTemplate: 'x:{y}' }, { name: 'a' }].map(readResourceTemplate),
			[{ uriTemplate: 'x:{y}', name: 'a' }, { uriTemplate: 'x:{y}', name: 'x:{y}' }, undefined],
		);
	});

	// covers: prompts.arguments
	it('prompts', () => {
		assert.deepEqual(
			readPrompt({
				name: 'p',
				arguments: [{ name: 'a', required: true }, { name: 'b', required: 'yes' }, { title: 'no name' }, 5],
			}),
			{
				name: 'p',
				arguments: [
					{ name: 'a', required: true },
					{ name: 'b', required: false },
				],
			},
		);
		assert.deepEqual([readPrompt({ name: 'p' }), readPrompt({})], [{ name: 'p', arguments: [] }, undefined]);
	});

	// covers: resources.contents
	it('contents', () => {
		assert.deepEqual(
			[
				{ uri: 'x:y', text: '', mimeType: 'a/b' },
				{ uri: 'x:y', blob: 'QQ==' },
				{ uri: 'x:y', text: 5, blob: null },
				{ text: 'x' },
			].map(readResourceContents),
			[{ uri: 'x:y', mimeType: 'a/b', text: '' }, { uri: 'x:y', blob: 'QQ==' }, { uri: 'x:y' }, undefined],
		);
	});

	// covers: tools.contentKinds tools.structuredContent tools.isError
	it('results of tools, with blocks of unknown kinds as they came', () => {
		const odd = [
			{ type: 'video', url: 'x' },
			{ type: 'text' },
			{ type: 'image', data: 5 },
			{ type: 'resource', resource: {} },
			{ type: 'resource_link', name: 'no uri' },
			{},
		];
		assert.deepEqual(
			readToolResult({
				content: [
					{ type: 'text', text: '' },
					{ type: 'image', data: 'QQ==', mimeType: 'image/png' },
					{ type: 'audio', data: 'QQ==' },
					{ type: 'resource', resource: { uri: 'x:y', text: 't' } },
					{ type: 'resource_link', uri: 'x:y', name: 'n' },
					'no block',
					...odd,
				],
				structuredContent: null,
				isError: true,
			}),
			{
				content: [
					{ type: 'text', text: '' },
					{ type: 'image', data: 'QQ==', mimeType: 'image/png' },
					{ type: 'audio', data: 'QQ==', mimeType: 'application/octet-stream' },
					{ type: 'resource', resource: { uri: 'x:y', text: 't' } },
					{ type: 'resource_link', uri: 'x:y', name: 'n' },
					...odd.map(raw => ({ type: 'unknown', raw })),
				],
				structuredContent: null,
				isError: true,
			},
		);
		assert.deepEqual(readToolResult({ structuredContent: { a: 1 }, isError: 'yes' }), {
			content: [],
			isError: false,
			structuredContent: { a: 1 },
		});
		assert.deepEqual(readToolResult({ content: [] }), { content: [], isError: false });
	});

	// covers: tools.noContent
	it('results of tools without content, whole and as they came', () => {
		for (const raw of [
			{ toolResult: { ok: true } },
			{ success: true, configs: [{ id: 'a' }] },
			{ content: 'text' },
			{ content: ['text'] },
			{},
		]) {
			assert.deepEqual(readToolResult(raw), { content: [{ type: 'unknown', raw, isWhole: true }], isError: false });
		}
		assert.equal(readToolResult({ isError: true, error: 'no' }).isError, true);
	});

	// covers: logging.levels
	it('log messages of an unknown level are information', () => {
		assert.deepEqual(
			[{ level: 'emergency', logger: 'l', data: { a: 1 } }, { level: 'loud', logger: 5, data: 'x' }, {}].map(
				readLogMessage,
			),
			[
				{ level: 'emergency', logger: 'l', data: { a: 1 } },
				{ level: 'info', data: 'x' },
				{ level: 'info', data: undefined },
			],
		);
	});

	// covers: completion.values
	it('completions: texts, a hundred at most', () => {
		const many = Array.from({ length: 150 }, (_, index) => String(index));
		assert.deepEqual(readCompletion({ completion: { values: ['a', 5, null, 'b'], total: 7, hasMore: true } }), {
			values: ['a', 'b'],
			total: 7,
			hasMore: true,
		});
		const cut = readCompletion({ completion: { values: many } });
		assert.deepEqual([cut.values.length, cut.total, cut.hasMore], [100, undefined, true]);
		for (const nothing of [{}, { completion: 5 }, { completion: { values: 'x', total: '7', hasMore: 1 } }]) {
			assert.deepEqual(readCompletion(nothing), { values: [], total: undefined, hasMore: false });
		}
	});
});
