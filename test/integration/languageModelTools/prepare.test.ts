/** What the editor is given to show of a model's call, before it is made. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { prepareCall, prepareRead } from '../../../src/features/languageModelTools/prepare.js';
import { markdownText } from '../../../src/editor/ui/plainText.js';
import type { ApprovalQuestion } from '../../../src/core/approvals/approver.js';
import type { Server } from '../../../src/core/servers/server.js';

/** What would be markup, if it were let. */
const attack = [
	'[click](command:workbench.action.quit) $(zap) **bold** _em_ `code` ~~gone~~',
	'![x](https://evil.example/x.png) <img src=x onerror=alert(1)> <a href="command:x">y</a>',
	'https://evil.example/?q=secret www.evil.example me@evil.example <https://evil.example>',
	'# Title\n- list\n1. one\n> quote\n```\nfence\n```\n| a | b |\n|---|---|\n&lt;script&gt; \\[x\\]',
	'[ref]: https://evil.example [ref]',
].join('\n');

describe('the facts of a call of a model', () => {
	const server = { client: {}, name: attack } as unknown as Server;
	const actions = { find: () => Promise.resolve(server), label: () => attack };
	const look = (kind: 'allow' | 'ask' | 'deny') => async (): Promise<ApprovalQuestion> =>
		({ decision: { kind } }) as ApprovalQuestion;
	const call = { server: 'x', tool: attack, arguments: { [attack]: attack } };

	it('are text, whatever a server and a model put into them', async () => {
		const prepared = await prepareCall(call, actions, look('ask'));
		const { title, message } = prepared?.confirmationMessages ?? {};
		assert.equal(title, 'Call a tool of an MCP server?', 'nothing of a server: editors differ in what they do with it');
		assert.ok(message instanceof vscode.MarkdownString && !message.isTrusted && !message.supportHtml);
		assert.ok(prepared?.invocationMessage instanceof vscode.MarkdownString);
		const read = prepareRead({ server: attack, uri: attack });
		assert.ok(read?.confirmationMessages?.message instanceof vscode.MarkdownString);
		assert.ok((await tagsOf(attack)).includes('a'), 'it is an attack');
		for (const { value } of [message, prepared.invocationMessage, read.confirmationMessages.message]) {
			// Of the editor's own Markdown, which makes links of what looks like one.
			assert.deepEqual(await tagsOf(value), await tagsOf('Plain text.'), value);
		}
	});

	/** The kinds of elements, in the order in which they come. */
	async function tagsOf(markdown: string): Promise<string[]> {
		const html = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
		return [...new Set(Array.from(html.matchAll(/<\/?(\w+)/g), it => it[1] ?? ''))];
	}

	it('read as they were written', async () => {
		const html = await vscode.commands.executeCommand<string>(
			'markdown.api.render',
			markdownText('get_sum (a+b) #1 $x'),
		);
		assert.match(html, />get_sum \(a\+b\) #1 \$x</);
	});

	it('are no question where we have the answer, or the call cannot be made', async () => {
		for (const kind of ['allow', 'deny'] as const) {
			const prepared = await prepareCall(call, actions, look(kind));
			assert.ok(prepared?.invocationMessage);
			assert.equal(prepared.confirmationMessages, undefined);
		}
		assert.equal(await prepareCall({ server: 'x' }, actions, look('ask')), undefined);
		const fails = async (): Promise<never> => Promise.reject(new Error('meant by a test'));
		assert.equal(await prepareCall(call, actions, fails), undefined);
	});
});
