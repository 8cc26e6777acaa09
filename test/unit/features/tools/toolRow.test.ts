// The line of a tool: what the server claims of it, what it is called with, and whether it runs.
import * as assert from 'node:assert/strict';
import { summarizeTools, toolRow, type ToolState } from '../../../../src/features/tools/toolRow.js';
import type { Tool } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';

const server = { options: { disabledTools: ['off'], hiddenFromModels: ['hidden'] } } as unknown as Server;
const idle: ToolState = { isChanged: false, isAuthored: false, isRunning: false };

function look(tool: Partial<Tool>, state: ToolState = idle): string[] {
	const { icon, description, spoken } = toolRow({ name: 'weed', inputSchema: {}, ...tool }, server, state);
	return [icon.id, description ?? '', spoken ?? ''];
}

describe('the line of a tool', () => {
	it('tells tools apart by what the server claims, in words as well', () => {
		assert.deepEqual(
			[
				look({}),
				look({ annotations: { readOnlyHint: true } }),
				look({ annotations: { destructiveHint: true } }),
				look({ annotations: { destructiveHint: true, readOnlyHint: true } }),
				look({ annotations: { idempotentHint: true } }),
			],
			[
				['tools', '', ''],
				['book', '', 'Read-only (unverified)'],
				['flame', '', 'May delete or overwrite data (unverified)'],
				['book', '', 'Read-only (unverified)'],
				['tools', '', ''],
			],
		);
	});

	it('is counted in its group, apart from those that are off for models', () => {
		const tools = (...names: string[]): Tool[] => names.map(name => ({ name, inputSchema: {} }));
		const tokens = { sum: ({ length }: readonly Tool[]) => ({ tokens: 1550 * length, isEstimate: length > 1 }) };
		assert.deepEqual(
			[[], tools('weed', 'mow'), tools('weed', 'off', 'hidden')].map(it => summarizeTools(server, it, tokens)),
			[
				undefined,
				{ description: '2 · ≈ 3,100 tokens', tooltip: 'Models get 2 of 2 tools (≈ 3,100 tokens).' },
				{
					description: '3 · 2 off · 1,550 tokens',
					tooltip: 'Models get 1 of 3 tools (1,550 tokens).\nOff: off, hidden',
				},
			],
		);
	});

	it('says what matters more by its icon: that it is disabled, has changed, or runs', () => {
		const annotations = { destructiveHint: true };
		assert.deepEqual(
			[
				look({ name: 'off', annotations }),
				look({ annotations }, { ...idle, isChanged: true }),
				look({ annotations, title: 'Weed it' }, { ...idle, isRunning: true }),
			],
			[
				['circle-slash', 'Disabled', 'May delete or overwrite data (unverified)'],
				['warning', 'Definition changed', 'May delete or overwrite data (unverified)'],
				['loading~spin', 'weed · Running', 'May delete or overwrite data (unverified)'],
			],
		);
	});

	it('keeps its key to run it where the author of the server has changed it', () => {
		const tool: Tool = { name: 'weed', inputSchema: {} };
		const contexts = [false, true].map(
			isAuthored => toolRow(tool, server, { ...idle, isChanged: true, isAuthored }).context,
		);
		assert.deepEqual(contexts, ['tool.changed', 'tool.changedHere']);
	});

	it('gives the arguments and hints in its tooltip', () => {
		const properties = { bed: { type: 'string' }, deep: { type: ['number', 'null'] }, any: true };
		const inputSchema = { type: 'object', properties, required: ['bed'] };
		const annotations = { destructiveHint: true, openWorldHint: false };
		const tool: Tool = { name: 'weed', description: 'Pulls weeds.', inputSchema, annotations };
		assert.deepEqual(toolRow(tool, server, idle).tooltip?.split('\n'), [
			'weed',
			'Pulls weeds.',
			'',
			'Arguments:',
			'    bed (string, required)',
			'    deep (number | null)',
			'    any',
			'',
			'The server claims (unverified): May delete or overwrite data, Uses no external services',
		]);
		assert.deepEqual(toolRow({ name: 'weed', inputSchema: {} }, server, idle).tooltip?.split('\n'), [
			'weed',
			'',
			'No arguments',
		]);
	});
});
