/** The text of a prompt's messages. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { textScheme } from '../../../../src/editor/contributions.js';
import { promptText, usesFor } from '../../../../src/features/prompts/promptUses.js';
import type { PromptMessage } from '../../../../src/mcp/index.js';

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

	it('is inserted into a document, but not into the text of an argument', async () => {
		Object.assign(vscode.commands, { getCommands: async () => [] });
		Object.assign(vscode.workspace.fs, { isWritableFileSystem: () => true });
		const result = { description: undefined, messages };
		const labelsFor = async (scheme: string): Promise<string[]> => {
			const editor = { document: { isClosed: false, uri: { scheme } } } as vscode.TextEditor;
			return (await usesFor({ result, forModel: result, editor })).map(it => it.label);
		};
		assert.deepEqual(await labelsFor('file'), ['Insert at Cursor', 'Open as Document', 'Copy']);
		assert.deepEqual(await labelsFor(textScheme), ['Open as Document', 'Copy']);
	});
});
