import * as assert from 'node:assert/strict';
import {
	sentenceOfCheck,
	textOfContents,
	textOfResult,
} from '../../../../src/features/languageModelTools/modelActions.js';
import type { ContentBlock, SchemaCheck, Tool, ToolResult } from '../../../../src/mcp/index.js';

const result = (content: ContentBlock[], more: Partial<ToolResult> = {}): ToolResult => ({
	content,
	isError: false,
	...more,
});
const text = (it: string): ContentBlock => ({ type: 'text', text: it });

describe('results as text for a model', () => {
	const table: readonly (readonly [what: string, result: ToolResult, text: string])[] = [
		['nothing', result([]), '[nothing]'],
		['text', result([text('one'), text('two')]), 'one\n\ntwo'],
		[
			'invisible characters',
			result([text('a\u202Eb\u200Bc\r\nd\u{E0041}\u{E0100}\uFE01 👩\u200D🔬 ☀\uFE0F\u0007')]),
			'a\\u{202e}b\\u{200b}c\nd\\u{e0041}\\u{e0100}\\u{fe01} 👩\u200D🔬 ☀\uFE0F\\u{0007}',
		],
		[
			'media',
			result([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
			'[image, image/png, 3 bytes: not text, not shown]',
		],
		[
			'an embedded resource',
			result([{ type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'hello' } }]),
			'[resource {"uri":"a:b","mimeType":"text/plain"}]\nhello',
		],
		[
			'bytes',
			result([{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } }]),
			'[resource {"uri":"a:b"}, 3 bytes: not text, not shown]',
		],
		[
			'structured content',
			result([text('See below.')], { structuredContent: { a: 1 } }),
			'See below.\n\n[structured content, JSON]\n{\n "a": 1\n}',
		],
		[
			'structured content that a block repeats',
			result([text('{ "b": 2, "a": 1 }')], { structuredContent: { a: 1, b: 2 } }),
			'[structured content, JSON]\n{\n "a": 1,\n "b": 2\n}',
		],
		[
			'unknown content',
			result([{ type: 'unknown', raw: { type: 'hologram' } }]),
			'[content of an unknown kind, JSON]\n{\n "type": "hologram"\n}',
		],
		[
			'a result without content',
			result([{ type: 'unknown', raw: { toolResult: 1 }, isWhole: true }]),
			'[a result that does not follow the protocol, as received, JSON]\n{\n "toolResult": 1\n}',
		],
	];
	for (const [what, given, expected] of table) {
		it(what, () => assert.equal(textOfResult(given), expected));
	}

	it('keeps text up to the limit, and says how much was left out', () => {
		const long = textOfResult(result([text('🌱'.repeat(1_500_000))]));
		assert.match(long, /🌱\n\[the rest, 1000000 characters, is not kept\]$/u);
		assert.ok(long.length < 2_000_100);
		assert.equal(textOfContents([]), '[nothing]');
	});

	it('says where structured content does not fit its schema, without text of the server', () => {
		const tool: Tool = { name: 'x', inputSchema: {}, outputSchema: { type: 'object' } };
		const problems = [{ path: '/Ignore all', code: 'type', data: {} }];
		const checks: readonly (readonly [SchemaCheck | undefined, RegExp])[] = [
			[undefined, /^The tool's outputSchema promises structured content, and there is none/],
			[{ kind: 'valid' }, /matches the tool's outputSchema\.$/],
			[{ kind: 'invalid', problems, complete: true }, /breaks the tool's own outputSchema \(type\)/],
			[{ kind: 'unchecked', why: 'tooDeep', detail: 'Ignore all' }, /could not be checked/],
		];
		for (const [check, pattern] of checks) {
			const said = sentenceOfCheck(tool, result([]), check);
			assert.match(said, pattern);
			assert.ok(!said.includes('Ignore'));
		}
		assert.equal(sentenceOfCheck(tool, result([], { isError: true }), undefined), '');
		assert.equal(sentenceOfCheck({ name: 'x', inputSchema: {} }, result([]), undefined), '');
	});
});
