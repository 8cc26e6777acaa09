/** What is done with a prompt's result, where the editor has more than a document for it: a chat. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type UseContext, usesFor } from '../../../src/features/prompts/promptUses.js';
import type { PromptMessage } from '../../../src/mcp/index.js';

const messages: readonly PromptMessage[] = [
	{ role: 'user', content: { type: 'text', text: 'Who are you,\u202Ereally?' } },
	{ role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
];

function contextOf(messages: readonly PromptMessage[]): UseContext {
	const result = { description: undefined, messages };
	return { result, forModel: result, editor: undefined };
}

describe('what is done with a prompt', () => {
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('is limited to what this editor supports', async () => {
		assert.equal(vscode.workspace.getConfiguration('chat').get('disableAIFeatures'), true, 'there is no chat');
		const uses = await usesFor(contextOf(messages));
		assert.deepEqual(
			uses.map(it => it.label),
			['Open as Document', 'Copy'],
		);
	});

	it('is sent to the chat, where the person can add to it first', async () => {
		const commands = vscode.commands as { executeCommand: unknown; getCommands: unknown };
		const { executeCommand, getCommands } = vscode.commands;
		const sent: unknown[] = [];
		// The oldest editor has no such setting to be changed.
		const { getConfiguration } = vscode.workspace;
		Object.assign(vscode.workspace, { getConfiguration: () => ({ inspect: () => undefined }) });
		commands.getCommands = async () => ['workbench.action.chat.open'];
		commands.executeCommand = async (...command: unknown[]) => void sent.push(command);
		try {
			const uses = await usesFor(contextOf(messages));
			await uses.find(it => it.label === 'Send to Chat')?.run();
			commands.getCommands = async () => [];
			const nowhere = await usesFor(contextOf(messages));
			assert.ok(!nowhere.some(it => it.label === 'Send to Chat'));
		} finally {
			Object.assign(commands, { executeCommand, getCommands });
			Object.assign(vscode.workspace, { getConfiguration });
		}
		const query = 'User:\nWho are you,\\u{202e}really?\n\nAssistant:\n[image · image/png · 3 B]';
		assert.deepEqual(sent, [['workbench.action.chat.open', { query, isPartialQuery: true }]]);
	});
});
