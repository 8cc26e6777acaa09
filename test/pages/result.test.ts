/** A result on the page of a tool in a bare page: its outcome, its buttons and keys, and the messages that it accepts. */
import * as assert from 'node:assert/strict';
import type { WebviewPanelOptions } from 'vscode';
import { type ContentBlock, McpError, RpcError } from '../../src/mcp/index.js';
import { env, ViewColumn, window } from '../support/vscodeDouble.js';
import { ended, garden, png, ResultView, structured, text, wav } from './resultView.js';

describe('a result in a bare page', () => {
	const view = ResultView.use();

	describe('outcomes', () => {
		it('opens without the focus, and keeps its state while it is hidden', async () => {
			await view.show(ended({}));
			assert.ok(view.bare.panel);
			assert.deepEqual(view.bare.panel.place, { viewColumn: ViewColumn.Active, preserveFocus: true });
			assert.equal((view.bare.panel.options as WebviewPanelOptions).retainContextWhenHidden, true);
		});

		it('shows texts unchanged', async () => {
			const markdown = '# Notes\n\nShown *as is*: `markdown`.\n\n- one\n- two';
			await view.show(ended({ content: [text(markdown), text('A second block.')] }));
			assert.deepEqual(await view.texts(), [markdown, 'A second block.']);
			assert.equal(await view.status(), 'Done · 5 ms · 63 B');
			assert.equal(view.bare.panel?.title, 'dig · garden');
		});

		it('says that a result is empty', async () => {
			await view.show(ended({}));
			assert.equal(await view.bare.page.locator('.note').first().textContent(), 'The result is empty.');
		});

		it('marks an error that the tool reported', async () => {
			await view.show(ended({ content: [text('No such bed')], isError: true }));
			assert.equal(await view.status(), 'The tool reported an error · 5 ms · 11 B');
			assert.equal(await view.bare.page.locator('.status.toolError .icon-warning').count(), 1);
		});

		it('shows why a call failed, with the error code behind a disclosure', async () => {
			await view.show({ kind: 'failed', error: new RpcError(-32602, 'Bed "north" is not known', { beds: ['south'] }) });
			assert.equal(await view.status(), 'Failed · 5 ms');
			const said = await view.bare.page.locator('.failure > p').textContent();
			assert.equal(said, 'The server didn\'t run the tool: "Bed "north" is not known"');
			const details = view.bare.page.locator('.failure pre');
			assert.equal(await details.isVisible(), false);
			await view.bare.click(view.bare.page.getByText('Details'));
			assert.equal(await details.isVisible(), true);
			assert.equal(JSON.parse((await details.textContent()) ?? '').code, -32602);
		});

		it('shows that a server has timed out', async () => {
			const failure = { code: 'timeout', method: 'tools/call', ms: 60_000 } as const;
			await view.show({ kind: 'failed', error: new McpError(failure) });
			assert.match((await view.bare.page.locator('.failure > p').textContent()) ?? '', /No response to tools\/call/);
			assert.equal(await view.bare.page.locator('.status.failed .icon-cross').count(), 1);
		});

		it('shows that a call was canceled, and its arguments', async () => {
			await view.show({ kind: 'cancelled' }, { arguments: { bed: 'south' } });
			assert.equal(await view.status(), 'Canceled · 5 ms');
			assert.deepEqual(await view.bare.page.getByRole('heading', { level: 2 }).allTextContents(), ['Arguments']);
			assert.match((await view.tree('Arguments').textContent()) ?? '', /bed:"south"/);
		});

		it('replaces an outcome by the next one, and announces it to screen readers', async () => {
			await view.show(ended({ content: [text('first')] }));
			assert.equal(await view.announced(), 'Done · 5 ms · 5 B · dig · garden');
			await view.showNext(ended({ content: [text('the second')] }), { tool: { name: 'sow', inputSchema: {} } });
			assert.equal(await view.announced(), 'Done · 5 ms · 10 B · sow · garden');
			assert.deepEqual(await view.texts(), ['the second']);
			assert.ok(view.bare.panel?.reveals.every(([, preservesFocus]) => preservesFocus === true));
		});

		it('shows the same outcome after its page was loaded again', async () => {
			await view.show(ended({ content: [text('first')] }));
			await view.bare.load();
			assert.deepEqual(await view.texts(), ['first']);
		});

		it('shows who speaks in the messages of a prompt', async () => {
			const roles = ['user', 'user', 'assistant'] as const;
			const prompt = { roles, description: undefined };
			await view.show(ended({ content: roles.map(text) }), { prompt });
			assert.deepEqual(await view.bare.page.locator('.block .role').allTextContents(), ['User', 'Assistant']);
		});
	});

	describe('buttons', () => {
		it('open the log of a call and lead to the history', async () => {
			await view.show(ended({ content: [text('x')] }));
			const leading = ['Compare Results…', 'Show in History', 'Show Log'];
			assert.deepEqual(await view.bare.toolbar(), ['Copy As…', 'Save…', ...leading]);
			for (const label of leading) {
				await view.bare.click(view.bare.button(label));
			}
			assert.deepEqual(view.done, [
				'mcpWorkbench.history.compare {"id":"call-1"}',
				'mcpWorkbench.history.reveal {"id":"call-1"}',
				'log',
			]);
		});

		it('do not open the history if the call is not in it', async () => {
			await view.show(ended({}), { id: undefined } as never);
			assert.deepEqual(await view.bare.toolbar(), ['Copy As…', 'Save…', 'Show Log']);
		});

		it('copy a block, and announce it to screen readers', async () => {
			await view.show(ended({ content: [text('some words')] }));
			await view.bare.click(view.bare.button('Copy'));
			assert.equal(await env.clipboard.readText(), 'some words');
			assert.equal(await view.announced(), 'Copied');
		});

		it('are one tab stop, and arrow keys move between them', async () => {
			await view.show(ended({}));
			await view.bare.page.locator('.toolbar button').first().focus();
			const seen: (string | null)[] = [];
			for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
				await view.bare.press(key);
				seen.push(await view.focused());
			}
			assert.deepEqual(seen, ['Save…', 'Show Log', 'Copy As…', 'Show Log', 'Copy As…']);
			assert.equal(await view.bare.page.locator('.toolbar [tabindex="0"]').count(), 1);
		});
	});

	describe('messages', () => {
		/** The id of the outcome in the first message from the page. */
		function sentId(): number | undefined {
			const sent = view.bare.sent as readonly { readonly type: string; readonly message?: { readonly id?: number } }[];
			return sent.find(it => it.type === 'result')?.message?.id;
		}

		it('from other senders are ignored by the page', async () => {
			await view.show(ended({ content: [text('ours')] }));
			for (const message of [undefined, 'page', {}, { type: 'page' }, { type: 'page', page: {}, strings: {} }]) {
				await view.bare.receive(message);
			}
			await view.bare.receive({ type: 'result', message: { type: 'announce', id: 999, text: 'forged' } });
			assert.deepEqual(await view.texts(), ['ours']);
			assert.notEqual(await view.announced(), 'forged');
		});

		it('about an earlier outcome are ignored by the page', async () => {
			await view.show(structured({ a: { b: 1 } }));
			const id = sentId();
			await view.showNext(ended({ content: [text('second')] }));
			await view.bare.receive({ type: 'result', message: { type: 'announce', id, text: 'late' } });
			assert.match((await view.announced()) ?? '', /^Done/);
		});

		it('that no button of the page sends are ignored by the extension', async () => {
			await view.show(ended({ content: [text('x')] }), { arguments: { a: 1 } });
			const id = sentId();
			for (const message of [
				{ type: 'press', id: 999, action: 'copy' },
				{ type: 'press', id, action: 'format' },
				{ type: 'pressBlock', id, action: 'open', block: 0 },
				{ type: 'pressBlock', id, action: 'copyBlock', block: 7 },
				{ type: 'use', id, index: 0 },
			]) {
				view.bare.panel?.receive({ type: 'result', message });
			}
			await view.bare.settle();
			assert.deepEqual([view.done, window.messages], [[], []]);
		});
	});

	describe('names and roles', () => {
		it('expose the parts of the page to screen readers', async () => {
			await view.show(structured(garden, { type: 'object' }), { arguments: { a: 1 } });
			const parts = await view.bare.page.locator('body').ariaSnapshot();
			for (const part of [
				'banner',
				'heading "Dig" [level=1]',
				'toolbar "Actions"',
				'main',
				'region "Structured result"',
				'tree "Structured result"',
				'region "Arguments"',
				'tree "Arguments"',
				'status',
			]) {
				assert.ok(parts.includes(`- ${part}`), `${part} in\n${parts}`);
			}
		});

		it('exist for every element that can have the focus', async () => {
			const content: ContentBlock[] = [
				text('x'),
				{ type: 'image', data: png, mimeType: 'image/png' },
				{ type: 'audio', data: wav(), mimeType: 'audio/wav' },
				{ type: 'resource_link', uri: 'a:b', name: 'b' },
				{ type: 'unknown', raw: { type: 'x', y: 1 } },
			];
			await view.show(ended({ content, structuredContent: garden }));
			assert.deepEqual(await view.bare.unnamed(), []);
			await view.showNext({ kind: 'failed', error: new RpcError(1, 'x') });
			assert.deepEqual(await view.bare.unnamed(), []);
		});
	});
});
