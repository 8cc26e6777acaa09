import * as assert from 'node:assert/strict';
import { offerTools, type ToolOfServer } from '../../../../src/features/chat/offeredTools.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { Tool } from '../../../../src/mcp/index.js';

const asIs = <T>(value: T): T => value;
const plenty = { maxTools: 1000, maxChars: 10_000_000 };

function tool(label: string, name: string, more: Partial<Tool> = {}): ToolOfServer {
	return { server: {} as Server, label, tool: { name, inputSchema: { type: 'object' }, ...more } };
}

const namesOf = (all: readonly ToolOfServer[]): string[] => offerTools(all, '', plenty, asIs).tools.map(it => it.name);

describe('tools as a model of the chat is offered them', () => {
	it('have names that every provider takes, each its own', () => {
		const table: readonly (readonly [tools: readonly ToolOfServer[], names: readonly string[]])[] = [
			[[tool('everything', 'get-sum')], ['everything_get-sum']],
			[[tool('my server', 'läuft/gut.')], ['my_server_la_uft_gut']],
			[[tool('雨', '1st')], ['x_x1st']],
			[
				[tool('a', 'b_c'), tool('a_b', 'c'), tool('a', 'b c')],
				['a_b_c', 'a_b_c_2', 'a_b_c_3'],
			],
			[
				[tool('mcpWorkbench', 'call_tool'), tool('mcpWorkbench', 'call_tool_2')],
				['mcpWorkbench_call_tool_2', 'mcpWorkbench_call_tool_2_2'],
			],
		];
		for (const [tools, names] of table) {
			assert.deepEqual(namesOf(tools), names);
		}
		const long = [tool('s'.repeat(100), 't'.repeat(100)), tool('s'.repeat(100), `${'t'.repeat(100)}u`)];
		assert.deepEqual(namesOf(long), [`${'s'.repeat(24)}_${'t'.repeat(39)}`, `${'s'.repeat(24)}_${'t'.repeat(37)}_2`]);
	});

	it('say whose they are, and nothing that hides, is secret or does not end', () => {
		const redactor = new Redactor();
		redactor.hide(['hunter22']);
		const description = `with hunter22 \u202E${'x'.repeat(2000)}`;
		const properties = { a: { type: 'string', description: 'say hunter22 \u200B' }, 'b\u202E': {} };
		const { tools } = offerTools(
			[tool('s"', 't', { description, inputSchema: { type: 'object', properties } })],
			'',
			plenty,
			it => redactor.data(it),
		);
		const [first] = tools;
		assert.match(
			first?.description ?? '',
			/^The tool "t" of the MCP server "s\\"". The server says of it: "with <redacted> \\\\u\{202e\}x{900,}…"$/,
		);
		assert.deepEqual(first?.inputSchema, {
			type: 'object',
			properties: { a: { type: 'string', description: 'say <redacted> \\u{200b}' }, 'b\\u{202e}': {} },
		});
	});

	it('have a schema of an object, whatever the server says', () => {
		const { tools } = offerTools([tool('a', 'b', { inputSchema: {} })], '', plenty, asIs);
		assert.deepEqual(tools[0]?.inputSchema, { type: 'object', properties: {} });
	});

	it('are those that fit the question, where they are too many', () => {
		const all = Array.from({ length: 100 }, (_, index) => tool('many', `tool_${index}`));
		const wanted = tool('garden', 'water_roses', { description: 'Gives them water.' });
		const offer = offerTools([...all, wanted], 'Please water the garden', { ...plenty, maxTools: 10 }, asIs);
		assert.equal(offer.tools.length, 10);
		assert.equal(offer.tools[0]?.name, 'garden_water_roses');
		assert.equal(offer.tools[1]?.name, 'many_tool_0');
		assert.equal(offer.left, 91);
		const small = offerTools([...all, wanted], '', { ...plenty, maxChars: 500 }, asIs);
		assert.ok(small.tools.length > 0 && small.tools.length < 10, String(small.tools.length));
	});

	it('leave out a schema that is too long, which is found by the tool that finds tools', () => {
		const properties = { a: { type: 'string', description: 'x'.repeat(20_000) } };
		const offer = offerTools([tool('a', 'b', { inputSchema: { properties } }), tool('a', 'c')], '', plenty, asIs);
		assert.deepEqual(
			offer.tools.map(it => it.name),
			['a_c'],
		);
		assert.equal(offer.left, 1);
	});
});
