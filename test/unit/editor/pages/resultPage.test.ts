import * as assert from 'node:assert/strict';
import { plainResult, resultJson } from '../../../../src/editor/pages/resultHost.js';
import { type PreparedPage, preparePage, viewStrings } from '../../../../src/editor/pages/resultPage.js';
import { type ContentBlock, McpError, RpcError, type ToolResult } from '../../../../src/mcp/index.js';
import { ServerEndedError } from '../../../../src/core/servers/serverState.js';
import type { CallEnd } from '../../../../src/core/calls/calls.js';
import { readToView } from '../../../../src/webviews/page/result/protocol.js';

const png = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

function prepare(end: CallEnd): PreparedPage {
	const tool = { name: 'dig', inputSchema: {} };
	// The page asks the server nothing.
	const prepared = preparePage(7, 'garden', {
		id: '1',
		server: undefined as never,
		tool,
		arguments: {},
		durationMs: 5,
		end,
	});
	assert.ok(readToView({ type: 'page', page: prepared.page, strings: viewStrings() }), 'the view would not take it');
	return prepared;
}

function ofContent(...content: readonly ContentBlock[]): PreparedPage {
	return prepare({ kind: 'answered', result: { content, isError: false }, schemaCheck: undefined, warnings: [] });
}

describe('the page of a result', () => {
	it('shows the outcome, the duration and the size', () => {
		const { page } = ofContent({ type: 'text', text: 'abcdef' });
		assert.deepEqual([page.title, page.outcome, page.facts], ['dig · garden', 'done', 'Done · 5 ms · 6 B']);
	});

	it('holds no base64, and bytes only of shown media', () => {
		const data = Buffer.concat([png, Buffer.alloc(60_000)]).toString('base64');
		const { page, media } = ofContent(
			{ type: 'image', data, mimeType: 'image/png' },
			{ type: 'image', data, mimeType: 'image/svg+xml' },
			{ type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: data } },
			{ type: 'resource', resource: { uri: 'a:b', blob: data } },
		);
		assert.ok(JSON.stringify(page).length < 3000);
		assert.deepEqual(
			media.map(({ block, mimeType, bytes }) => [block, mimeType, bytes.length]),
			[
				[0, 'image/png', 60_008],
				[2, 'image/png', 60_008],
			],
		);
	});

	it('shows a blob as text where the editor would, and says of another that it can be saved', () => {
		const blob = (content: string, mimeType: string): ContentBlock => ({
			type: 'resource',
			resource: { uri: 'a:b', mimeType, blob: Buffer.from(content).toString('base64') },
		});
		const { page } = ofContent(
			blob('grün', 'text/plain'),
			blob('{}', ''),
			blob('a\0b', 'text/plain'),
			blob('x', 'image/png'),
		);
		assert.deepEqual(
			page.blocks.map(({ kind, title, text }) => [kind, title, kind === 'text' ? text : '']),
			[
				['text', 'a:b · text/plain · 5 B', 'grün'],
				['text', 'a:b · 2 B', '{}'],
				['note', 'a:b · text/plain · 3 B', ''],
				['note', 'a:b · image/png · 1 B', ''],
			],
		);
	});

	it('saves an embedded resource, and leaves it to the page of a template to open what it has read', () => {
		const content: ContentBlock[] = ['# D', '# D\n'.repeat(10_000)].map(text => ({
			type: 'resource',
			resource: { uri: 'a:b', text },
		}));
		const end = { kind: 'answered', result: { content, isError: false }, warnings: [] } as const;
		const actions = (uri?: string): unknown =>
			preparePage(7, 'garden', {
				server: undefined as never,
				tool: { name: 'dig', inputSchema: {} },
				arguments: {},
				durationMs: 5,
				end,
				...(uri === undefined ? {} : { uri }),
			}).page.blocks.map(it => it.actions);
		assert.deepEqual(actions(), [
			['open', 'copyBlock', 'saveBlock'],
			['open', 'saveBlock'],
		]);
		assert.deepEqual(actions('a:b'), [['copyBlock', 'saveBlock'], ['saveBlock']]);
	});

	it('shows images up to a size, and offers to save larger ones', () => {
		const data = Buffer.concat([png, Buffer.alloc(13_000_000)]).toString('base64');
		const image: ContentBlock = { type: 'image', data, mimeType: 'image/png' };
		const { page, media } = ofContent(image, image);
		assert.equal(media.length, 1);
		assert.deepEqual([page.blocks[1]?.kind, page.blocks[1]?.actions], ['note', ['saveBlock']]);
	});

	it('stays as small for a hundred megabytes as for one', () => {
		const { page } = ofContent({ type: 'text', text: 'x'.repeat(100_000_000) });
		assert.ok(JSON.stringify(page).length < 25_000);
		assert.match(page.facts, /100 MB/);
		assert.deepEqual(page.blocks[0]?.actions, ['open', 'saveBlock']);
	});

	it('shows a limited number of blocks', () => {
		const { page } = ofContent(...Array.from({ length: 10_000 }, (): ContentBlock => ({ type: 'text', text: 'x' })));
		assert.equal(page.blocks.length, 201);
		assert.equal(page.blocks.at(-1)?.text, "9,800 more blocks aren't shown. Save the result to see them.");
	});

	it('cleans every text of the server', () => {
		const evil = '\u202E\u0000\u200B';
		const { page } = ofContent(
			{ type: 'text', text: evil },
			{ type: 'image', data: '!', mimeType: `image/png${evil}` },
			{ type: 'resource_link', uri: evil, name: evil, description: evil, mimeType: evil },
			{ type: 'resource', resource: { uri: evil, mimeType: evil, text: evil } },
			{ type: 'unknown', raw: { type: evil, [evil]: evil } },
		);
		const failed = prepare({ kind: 'failed', error: new RpcError(1, evil, { [evil]: evil }) });
		for (const text of [page, failed.page].flatMap(it => JSON.stringify(it))) {
			// What JSON itself spells out would be a control character that came through.
			assert.doesNotMatch(text, /[\u202E\u200B]|(?<!\\)\\u0000/);
		}
	});

	it('tells errors of the protocol from those of the tool, with the code apart', () => {
		const rpc = prepare({ kind: 'failed', error: new RpcError(-32602, 'no such bed', { beds: 1 }) }).page;
		assert.equal(rpc.outcome, 'failed');
		assert.equal(rpc.failure?.message, 'The server didn\'t run the tool: "no such bed"');
		assert.deepEqual(JSON.parse(rpc.failure?.details ?? ''), {
			code: -32602,
			message: 'no such bed',
			data: { beds: 1 },
		});
		const own = prepare({ kind: 'failed', error: new McpError({ code: 'closed' }) }).page;
		assert.equal(own.failure?.message, 'The request failed: The connection was closed.');
		const result: ToolResult = { content: [], isError: true };
		assert.equal(prepare({ kind: 'answered', result, schemaCheck: undefined, warnings: [] }).page.outcome, 'toolError');
	});

	it('has warnings if the server violated the protocol', () => {
		const result: ToolResult = { content: [], isError: false };
		const warnings = [
			{ kind: 'noise', text: 'debug: here', count: 1 },
			{ kind: 'noise', text: 'row 1', count: 1000 },
			{ kind: 'unknownId', text: '999' },
			{ kind: 'unknownContent', text: 'txt' },
			{ kind: 'unknownMember', text: 'foo' },
			{ kind: 'noContent', text: '' },
		] as const;
		const { page } = prepare({ kind: 'answered', result, schemaCheck: undefined, warnings });
		assert.deepEqual(
			[page.outcome, page.facts, page.warnings],
			[
				'warned',
				'Done, with warnings · 5 ms',
				[
					'The server wrote a line to stdout that isn\'t a message: "debug: here"',
					'The server wrote 1,000 lines to stdout that aren\'t messages. The first: "row 1"',
					'The server answered a request that was never sent. Its id: 999',
					"Content types that the protocol doesn't define: txt",
					"Result members that the protocol doesn't define: foo",
					'The result has no "content", which the protocol requires',
				],
			],
		);
		const error = new McpError({ code: 'timeout', method: 'tools/call', ms: 1 });
		assert.deepEqual(prepare({ kind: 'failed', error, warnings }).page.warnings, page.warnings);
	});

	it('shows the last output of a server that crashed', () => {
		const stderr = ['TypeError: x', '    at y'];
		const error = new ServerEndedError({ kind: 'exited', exitCode: 1, signal: undefined }, stderr, 'Ended.');
		const { failure } = prepare({ kind: 'failed', error }).page;
		assert.deepEqual(failure, {
			message: 'The server ended during the request: Exit code 1.',
			details: 'TypeError: x\n    at y',
			isOutput: true,
		});
	});

	it('says why structured content was not checked', () => {
		const result: ToolResult = { content: [], isError: false, structuredContent: null };
		const check = { kind: 'unchecked', why: 'remoteRef', detail: 'https://a.example' } as const;
		const { page } = prepare({ kind: 'answered', result, schemaCheck: check, warnings: [] });
		assert.equal(
			page.check?.text,
			"Not checked against the output schema: The schema refers to other addresses, which aren't fetched",
		);
		assert.equal(page.structured?.value, 'null');
	});

	it('shows for a prompt who speaks, when that changes, and the actions for it', () => {
		const content = ['a', 'b', 'c', 'd'].map(text => ({ type: 'text' as const, text }));
		const result: ToolResult = { content, isError: false };
		const prompt = { roles: ['user', 'user', 'assistant', 'user'], description: 'Four words.' } as const;
		const end = { kind: 'answered', result, schemaCheck: undefined, warnings: [] } as const;
		const made = { server: undefined as never, tool: { name: '/talk', inputSchema: {} }, arguments: {}, durationMs: 5 };
		const { page } = preparePage(7, 'garden', { ...made, end, prompt });
		assert.ok(readToView({ type: 'page', page, strings: viewStrings() }), 'the view would not take it');
		assert.deepEqual(
			[page.title, page.description, page.blocks.map(it => it.role)],
			['/talk · garden', 'Four words.', ['User', '', 'Assistant', 'User']],
		);
		assert.deepEqual(JSON.parse(resultJson(result, { prompt })), {
			description: 'Four words.',
			messages: content.map((it, index) => ({ role: prompt.roles[index], content: it })),
		});
		const failed = { kind: 'failed', error: new RpcError(-32602, 'Unknown prompt') } as const;
		const none = { roles: [], description: undefined };
		assert.equal(
			preparePage(8, 'garden', { ...made, end: failed, prompt: none }).page.failure?.message,
			'The server didn\'t return the prompt: "Unknown prompt"',
		);
	});

	it('without content is shown and copied as received, and marked', () => {
		const raw = { toolResult: { ok: true } };
		const result: ToolResult = { content: [{ type: 'unknown', raw, isWhole: true }], isError: false };
		const made = { server: undefined as never, tool: { name: 'dig', inputSchema: {} }, arguments: {}, durationMs: 5 };
		const end = { kind: 'answered', result, schemaCheck: undefined, warnings: [] } as const;
		const [block] = preparePage(9, 'garden', { ...made, end }).page.blocks;
		assert.deepEqual([block?.kind, block?.title], ['tree', 'As received']);
		assert.deepEqual([JSON.parse(resultJson(result)), JSON.parse(plainResult(result))], [raw, raw]);
	});

	it('is copied as text and as received', () => {
		const result: ToolResult = {
			content: [
				{ type: 'text', text: 'a' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
				{ type: 'unknown', raw: { type: 'x', y: 1 } },
			],
			isError: false,
			structuredContent: { z: 1 },
		};
		assert.equal(plainResult(result), 'a\n\n[image · image/png · 3 B]\n\n{\n  "type": "x",\n  "y": 1\n}');
		assert.deepEqual(JSON.parse(resultJson(result)), {
			content: [
				{ type: 'text', text: 'a' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
				{ type: 'x', y: 1 },
			],
			structuredContent: { z: 1 },
		});
		const message = '{"result":{"content":[],"n":1.0}}';
		assert.equal(resultJson(result, undefined, message), '{\n  "content": [],\n  "n": 1.0\n}');
		assert.equal(plainResult({ content: [], isError: false, structuredContent: { z: 1 } }), '{\n  "z": 1\n}');
	});
});
