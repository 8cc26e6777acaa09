/** What needs no model: the slash commands of `@mcp`. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { begin, say, type Shown } from './conversation.js';

/** Characters that would be markup, outside of escapes and of code blocks. */
function assertPlain({ text, parts }: Shown): void {
	const outside = text.replace(/\n(`{3,})text\n[^]*?\n\1\n/g, '\n').replace(/\\[!-/:-@[-`{-~]/g, '');
	assert.doesNotMatch(outside, /[[\]<>$`!]|https?:\/\/|\u202E|^#/m, outside);
	for (const part of parts.filter(it => it.startsWith('progress '))) {
		assert.doesNotMatch(part.replace(/\\[!-/:-@[-`{-~]/g, ''), /[[\]<>$`!\n]|\u202E/, part);
	}
	for (const part of parts.filter(it => it.startsWith('button '))) {
		assert.doesNotMatch(part, /\$\(|\n|\u202E/, part);
	}
}

describe('chat: what needs no model', () => {
	before(() => begin());

	it('says that there is no model, and what works without', async () => {
		const shown = await say('What is there?');
		assert.match(shown.text, /^This editor has no language model to answer\. .*MCP Workbench view/);
		assert.deepEqual(shown.followUps, []);
	});

	it('/prompt: of none that runs, there are buttons that start a server', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mcpWorkbench' });
		const shown = await say('nothing.like this', { command: 'prompt' });
		assert.match(shown.text, /^No running server has a matching prompt\./);
		assert.deepEqual(shown.parts, ['button Start mcpWorkbench']);
		assertPlain(shown);
		const [button] = shown.commands;
		await vscode.commands.executeCommand(button?.command ?? '', ...((button?.arguments ?? []) as unknown[]));
		await begin();
	});

	it('/prompt: lists, asks for what is missing, and shows the messages', async () => {
		const list = await say('', { command: 'prompt' });
		assert.match(list.text, /^Select a prompt:/);
		assert.equal(list.followUps[0]?.prompt, 'chatty.ask');
		assertPlain(list);
		const missing = await say('chatty.ask tone=kind', { command: 'prompt' });
		assert.match(missing.text, /requires these arguments:\n\n- \*\*topic\*\*/);
		assert.match(missing.text, /\/prompt chatty\.ask tone="kind" topic="…"/);
		const given = missing.commands[0]?.arguments?.[0] as { readonly server: string } | undefined;
		assert.ok(given);
		assert.deepEqual(given, { server: given.server, name: 'ask', arguments: { tone: 'kind' } });
		assert.match(given.server, /\.vscode\/mcp\.json#chatty$/);
		assertPlain(missing);
		const shown = await say('chatty.ask roses', { command: 'prompt' });
		assert.match(shown.text, /\*\*Assistant\*\*\n\n```text\nA gardener\.\n```/);
		assert.match(shown.text, /\nask: \{"topic":"roses"\}\n/);
	});
});
