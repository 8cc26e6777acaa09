/** The text of a prompt's messages, and the remembered uses of prompts. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { nullLogger } from '../../../../src/base/log.js';
import { KeptUses } from '../../../../src/features/prompts/keptUses.js';
import { promptText } from '../../../../src/features/prompts/promptText.js';
import { KeptState } from '../../../../src/editor/storage/keptState.js';
import type { PromptMessage } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';

const messages: readonly PromptMessage[] = [
	{ role: 'user', content: { type: 'text', text: 'Who are you,\u202Ereally?' } },
	{ role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
];

describe('what is done with a prompt', () => {
	it('keeps every word, and says who speaks only where two do', () => {
		const [first] = messages;
		assert.equal(
			promptText({ description: undefined, messages }),
			'User:\nWho are you,\u202Ereally?\n\nAssistant:\n[image · image/png · 3 B]',
		);
		assert.equal(promptText({ description: undefined, messages: first ? [first] : [] }), 'Who are you,\u202Ereally?');
		assert.equal(promptText({ description: undefined, messages: [] }), '');
	});

	it('is remembered for each prompt of each server, until it is asked again', async () => {
		const state = new Map<string, unknown>();
		const memento = {
			keys: () => [...state.keys()],
			get: (key: string) => state.get(key),
			update: async (key: string, value: unknown) => void state.set(key, value),
		} as vscode.Memento;
		const server = (id: string): Server => ({ definition: { id } }) as Server;
		const kept = new KeptUses(new KeptState(memento, nullLogger));
		await kept.keep(server('a'), { name: 'x' }, 'copy');
		await kept.keep(server('b'), { name: 'x' }, 'insert');
		const again = new KeptUses(new KeptState(memento, nullLogger));
		const all = (): unknown[] => [
			again.get(server('a'), { name: 'x' }),
			again.get(server('b'), { name: 'x' }),
			again.get(server('a'), { name: 'y' }),
		];
		assert.deepEqual(all(), ['copy', 'insert', undefined]);
		await kept.keep(server('a'), { name: 'x' }, undefined);
		assert.deepEqual(all(), [undefined, 'insert', undefined]);
		state.set('promptUses', [['a/x', 'format'], 'b/x', ['a/y', 'copy']]);
		assert.deepEqual(all(), [undefined, undefined, 'copy']);
		for (let index = 0; index < 200; index++) {
			await kept.keep(server('c'), { name: String(index) }, 'copy');
		}
		assert.equal(again.get(server('a'), { name: 'y' }), undefined);
		assert.equal(again.get(server('c'), { name: '0' }), 'copy');
	});
});
