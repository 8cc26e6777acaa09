/** What needs no model: the slash commands of `@mcp`. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { workspaceFolder } from '../support.js';
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
	afterEach(() => policy());

	const policy = (...rules: object[]): void =>
		fs.writeFileSync(path.join(workspaceFolder(), '.vscode', 'mcp-policy.json'), JSON.stringify({ rules }));

	it('says that there is no model, and what works without', async () => {
		const shown = await say('What is there?');
		assert.match(shown.text, /^This editor has no language model that could answer\. .*\/servers, \/prompt/);
		assert.deepEqual(shown.followUps, [{ command: 'servers', prompt: '', label: 'Show the servers' }]);
	});

	it('/servers: each with its state, and buttons for what can be done', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mcpWorkbench' });
		const shown = await say('', { command: 'servers' });
		assert.match(shown.text, /- \*\*chatty\*\*: running · 9 tools · 3 resources · 2 prompts\n/);
		assert.match(shown.text, /- \*\*mcpWorkbench\*\*: stopped\n/);
		assert.deepEqual(shown.parts, ['button Start mcpWorkbench']);
		assertPlain(shown);
		const [button] = shown.commands;
		await vscode.commands.executeCommand(button?.command ?? '', ...((button?.arguments ?? []) as unknown[]));
		assert.match((await say('', { command: 'servers' })).text, /- \*\*mcpWorkbench\*\*: running/);
	});

	it('/tool: asks for approval like any call that nobody has typed into our form, and shows the result', async () => {
		policy({ decision: 'deny', tool: 'echo' });
		const denied = await say('chatty.echo {"text":"hello"}', { command: 'tool' });
		assert.match(denied.result.errorDetails?.message ?? '', /The call was denied/);
		policy({ decision: 'allow' });
		const shown = await say('chatty.echo {"text":"hello"}', { command: 'tool' });
		assert.match(shown.text, /^chatty\\\.\u200Becho answered:\n\n```text\n\{"text":"hello"\}\n```\n$/);
		assert.deepEqual(shown.parts, ['progress Running echo on chatty…']);
		const typed = await say('chatty.echo text="two words" times=3', { command: 'tool' });
		assert.match(typed.text, /\n\{"text":"two words","times":3\}\n/);
		const failed = await say('chatty.refuse', { command: 'tool' });
		assert.match(failed.text, /refuse says that it failed:\n\n```text\nThere is no tea\./);
	});

	it('/tool: says what is wrong before anything is sent, and how to write it', async () => {
		policy({ decision: 'allow' });
		for (const [text, why] of [
			['chatty.echo', /"text" is missing|\\"text\\" is missing/],
			['chatty.echo {"text":', /is not JSON/],
			['chatty.echo text=a times=many', /type integer/],
		] as const) {
			const shown = await say(text, { command: 'tool' });
			assert.match(shown.text, /was not called/, text);
			assert.match(shown.text, why);
			assert.deepEqual(shown.parts, ['button Run a Tool with a Form…']);
			assertPlain(shown);
		}
		const list = await say('nothing', { command: 'tool' });
		assert.match(list.text, /^Which tool\?/);
		assertPlain(list);
	});

	it('/tool: what a server says stays text, and its links are references', async () => {
		policy({ decision: 'allow' });
		const shown = await say('chatty.attack', { command: 'tool' });
		assertPlain(shown);
		assert.match(shown.text, /\n``````text\n# Heading\n/);
		assert.ok(!shown.text.includes('<vscode_codeblock_uri'), shown.text);
		assert.deepEqual(shown.parts.slice(1), ['reference /chatty/notes/today']);
	});

	it('/resource: shows it, by its URI or its name, and refers to it', async () => {
		for (const name of ['chatty.today', 'Chatty notes://today', '"chatty.today"']) {
			const shown = await say(name, { command: 'resource' });
			assert.match(shown.text, /text\nBuy milk\.\n/, name);
			assert.deepEqual(shown.parts.slice(1), ['reference /chatty/notes/today']);
			assertPlain(shown);
		}
		const list = await say('yesterday', { command: 'resource' });
		assert.match(list.text, /^Which resource\?/);
		const prompts = list.followUps.map(it => it.prompt);
		assert.deepEqual(
			prompts.filter(it => it.endsWith('today')),
			['chatty notes://today', 'mcpWorkbench notes://today'],
		);
		assertPlain(list);
	});

	it('/resource: what a template of a running server comes to, and of several whose', async () => {
		const week = await say('notes://week/47?q=milk', { command: 'resource' });
		assert.match(week.text, /text\nBuy milk\.\n/);
		assert.deepEqual(week.parts.slice(1), ['reference /chatty/notes/week/47']);
		const days = await say('notes://day/1 What is there to do?', { command: 'resource' });
		assert.match(days.text, /^Which resource\?/);
		assert.ok(!days.text.includes('milk'));
		assert.deepEqual(
			days.followUps.map(it => it.prompt),
			['chatty', 'mcpWorkbench'].map(it => `${it} notes://day/1 What is there to do?`),
		);
		assertPlain(days);
		const day = await say('mcpWorkbench notes://day/1', { command: 'resource' });
		assert.deepEqual(day.parts.slice(1), ['reference /mcpWorkbench/notes/day/1']);
		for (const none of ['notes://year/1', 'notes://day/1/2', 'mcpWorkbench notes://week/47', 'day/1']) {
			const list = await say(none, { command: 'resource' });
			assert.match(list.text, /^Which resource\?/, none);
			assert.match(list.text, /\/week\\\/\\\{week\\\}/, list.text);
			assert.deepEqual(list.parts, []);
			assertPlain(list);
		}
	});

	it('/resource: nothing of a server that a rule denies', async () => {
		policy({ decision: 'deny', server: 'chatty' });
		const shown = await say('chatty.today', { command: 'resource' });
		assert.match(shown.result.errorDetails?.message ?? '', /A rule denies everything of this server/);
		assert.ok(!shown.text.includes('milk'));
		const fitting = await say('notes://week/47', { command: 'resource' });
		assert.match(fitting.result.errorDetails?.message ?? '', /A rule denies everything of this server/);
		assert.ok(!fitting.text.includes('milk'));
	});

	it('/prompt: lists, asks for what is missing, and shows the messages', async () => {
		const list = await say('', { command: 'prompt' });
		assert.match(list.text, /^Which prompt\?/);
		assert.equal(list.followUps[0]?.prompt, 'chatty.ask');
		assertPlain(list);
		const missing = await say('chatty.ask tone=kind', { command: 'prompt' });
		assert.match(missing.text, /needs more:\n\n- \*\*topic\*\*/);
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
