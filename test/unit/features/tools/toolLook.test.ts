// The line of a tool: what the server claims of it, what it is called with, and whether it runs.
import * as assert from 'node:assert/strict';
import { lookOf, type ToolState } from '../../../../src/features/tools/toolLook.js';
import type { Tool } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';

const server = { options: { disabledTools: ['off'], hiddenFromModels: [] } } as unknown as Server;
const idle: ToolState = { isChanged: false, isRunning: false };

function look(tool: Partial<Tool>, state: ToolState = idle): string[] {
	const { icon, description, spoken } = lookOf({ name: 'weed', inputSchema: {}, ...tool }, server, state);
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
				['book', '', 'read-only (unverified)'],
				['flame', '', 'destructive (unverified)'],
				['book', '', 'read-only (unverified)'],
				['tools', '', ''],
			],
		);
	});

	it('says what matters more by its icon: that it is disabled, has changed, or runs', () => {
		const annotations = { destructiveHint: true };
		assert.deepEqual(
			[
				look({ name: 'off', annotations }),
				look({ annotations }, { isChanged: true, isRunning: false }),
				look({ annotations, title: 'Weed it' }, { isChanged: false, isRunning: true }),
			],
			[
				['circle-slash', 'disabled', 'destructive (unverified)'],
				['warning', 'definition changed', 'destructive (unverified)'],
				['loading~spin', 'weed · running', 'destructive (unverified)'],
			],
		);
	});

	it('gives the arguments and hints in its tooltip', () => {
		const properties = { bed: { type: 'string' }, deep: { type: ['number', 'null'] }, any: true };
		const inputSchema = { type: 'object', properties, required: ['bed'] };
		const annotations = { destructiveHint: true, openWorldHint: false };
		const tool: Tool = { name: 'weed', description: 'Pulls weeds.', inputSchema, annotations };
		assert.deepEqual(lookOf(tool, server, idle).tooltip?.split('\n'), [
			'weed',
			'Pulls weeds.',
			'',
			'Arguments:',
			'    bed (string, required)',
			'    deep (number | null)',
			'    any',
			'',
			'The server claims (unverified): may delete or overwrite, uses no outside services',
		]);
		assert.deepEqual(lookOf({ name: 'weed', inputSchema: {} }, server, idle).tooltip?.split('\n'), [
			'weed',
			'',
			'No arguments',
		]);
	});
});
