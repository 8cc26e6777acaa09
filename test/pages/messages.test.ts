/** The page of messages in a bare page: its rows, its details, its keys, and the form for a request. */
import * as assert from 'node:assert/strict';
import { AbortError } from '../../src/base/errors.js';
import { MessageRing } from '../../src/core/messages/messageRing.js';
import type { MessageSource } from '../../src/core/messages/wireRecord.js';
import type { Server } from '../../src/core/servers/server.js';
import { Redactor } from '../../src/core/text/redactor.js';
import { MessagesPage } from '../../src/features/messages/messagesPage.js';
import { passTime, releaseTime, stopTime } from '../support/stoppedClock.js';
import { BarePage, extensionUri } from './barePage.js';

describe('the page of messages in a bare page', () => {
	let bare: BarePage;
	/** What a call does on the wire. */
	let answer: (args: unknown) => void = () => undefined;
	let ring: MessageRing;
	let redactor: Redactor;
	let source: MessageSource;
	let page: MessagesPage;
	/** Calls that were made. */
	const made: unknown[] = [];

	before(async () => {
		bare = await BarePage.shared();
	});
	beforeEach(async () => {
		await bare.reset();
		made.length = 0;
		answer = () => undefined;
		ring = new MessageRing();
		redactor = new Redactor();
		source = { id: 'garden', name: 'garden', redactor };
		stopTime(new Date(2026, 10, 28, 9, 5, 3, 120).getTime());
	});
	afterEach(function () {
		page.dispose();
		ring.dispose();
		releaseTime();
		assert.deepEqual(this.currentTest?.state === 'passed' ? bare.problems : [], []);
	});

	function pass(direction: 'sent' | 'received', message: object, origin?: object): void {
		const recorder = ring.recorderFor(source);
		recorder.message(
			recorder.open({ connection: 1, direction }),
			{ value: message, text: JSON.stringify(message) },
			origin,
		);
	}
	/** A call with progress that takes 250 milliseconds. */
	function call(id: number, text = 'done'): void {
		const params = { name: 'water', arguments: { bed: id } };
		pass('sent', { jsonrpc: '2.0', id, method: 'tools/call', params }, { callId: `c${id}`, caller: { kind: 'model' } });
		const progress = { progressToken: id, progress: 1, message: 'half' };
		pass('received', { jsonrpc: '2.0', method: 'notifications/progress', params: progress });
		passTime(250);
		pass('received', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
	}
	const garden = { name: 'garden', definition: { id: 'garden' } } as unknown as Server;
	async function show(): Promise<void> {
		page = new MessagesPage(
			{
				registry: {
					label: () => 'garden',
					labelOf: () => 'garden',
					redact: (value, of) => of?.redactor?.data(value) ?? value,
				},
				messages: ring,
				context: { extensionUri },
				callTool: async it => {
					made.push(it);
					answer(it.arguments);
				},
				interactions: {} as never,
			},
			{ title: 'Messages', log: ring, belongs: () => true, servers: () => [garden] },
			() => undefined,
		);
		await bare.load();
	}
	const rows = (): Promise<string[]> =>
		bare.page
			.locator('.rows .row')
			.evaluateAll(found => found.map(it => [...it.children].map(cell => cell.textContent).join(' | ')));
	const row = (name: string) => bare.page.locator('.rows .row', { hasText: name });

	it('lists requests with their outcome, and the messages beneath them when they are opened', async () => {
		redactor.hide(['s3cr3t-word']);
		call(1, 's3cr3t-word');
		pass('sent', { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'demo://s3cr3t-word' } });
		await show();
		const call1 = '→ | 09:05:03.120 | tools/call | water | OK | 250 ms | 178 B | Model | garden';
		const read = '→ | 09:05:03.370 | resources/read | demo://<redacted> | Pending |  | 88 B |  | garden';
		assert.deepEqual(await rows(), [call1, read]);
		assert.equal(await bare.page.locator('.messages > .note').textContent(), '2 entries');
		assert.equal(await bare.button('Export…').count(), 1);
		await bare.click(row('tools/call').locator('.fold'));
		assert.equal((await rows())[1], '← | 09:05:03.120 | notifications/progress | half |  |  | 110 B |  | ');
		await bare.click(row('tools/call'));
		const shown = await bare.page.locator('.details pre').allTextContents();
		assert.match(shown[0] ?? '', /^\{\n {2}"jsonrpc": "2\.0",\n {2}"id": 1,/);
		assert.match(shown[1] ?? '', /"text": "<redacted>"/);
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('can be used with the keyboard', async () => {
		call(1);
		call(2);
		await show();
		await bare.page.locator('.grid').focus();
		await bare.press('ArrowDown');
		await bare.press('ArrowUp');
		const selected = bare.page.locator('.rows [aria-selected=true]');
		assert.equal(await selected.getAttribute('aria-rowindex'), '2');
		assert.equal(await bare.page.locator('.grid').getAttribute('aria-activedescendant'), 'message-0');
		await bare.press('ArrowRight');
		assert.equal(await selected.getAttribute('aria-expanded'), 'true');
		assert.equal(await bare.page.locator('.rows .row').count(), 3);
		await bare.press('Enter');
		assert.equal(await bare.page.evaluate('document.activeElement.tagName'), 'PRE');
		await bare.press('Escape');
		assert.equal(await bare.page.locator('.details').isVisible(), false);
		assert.equal(await bare.page.evaluate('document.activeElement.className'), 'grid');
	});

	it('filters, and shows how many messages are listed and exported', async () => {
		call(1, 'wet soil');
		call(2, 'dry');
		await show();
		await bare.page.getByRole('searchbox', { name: 'Filter' }).fill('wet');
		await bare.settle();
		assert.equal((await rows()).length, 1);
		assert.equal(await bare.page.locator('.messages > .note').textContent(), '1 of 2 entries');
		assert.equal(await bare.button('Export 1 of 2…').count(), 1);
	});

	it('hides the details of a message that was cleared', async () => {
		call(1);
		await show();
		await bare.click(row('tools/call'));
		await bare.click(bare.button('Clear'));
		assert.deepEqual(await rows(), []);
		assert.equal(await bare.page.locator('.details').isVisible(), false);
	});

	it('shows a canceled call as canceled, with its late answer', async () => {
		pass('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'water' } });
		const recorder = ring.recorderFor(source);
		recorder.lost(recorder.open({ connection: 1, direction: 'received' }), 1, new AbortError('Stopped'));
		passTime(20_000);
		pass('received', { jsonrpc: '2.0', id: 1, result: { content: [] } });
		await show();
		assert.match((await rows())[0] ?? '', /water \| Canceled \| 0 ms/);
		assert.equal(await bare.page.locator('.messages > .note').textContent(), '1 entry');
		await bare.click(row('tools/call'));
		const parts = await bare.page.locator('.details h3').allTextContents();
		assert.deepEqual(parts, ['Request', 'No answer', 'Late answer']);
	});

	it('follows 20,000 messages with few DOM elements', async () => {
		const large = new MessageRing(100_000_000);
		ring.dispose();
		ring = large;
		for (let id = 1; id <= 20_000; id++) {
			pass('sent', { jsonrpc: '2.0', id, method: 'ping', params: { text: `number ${id}` } });
		}
		await show();
		assert.equal(await bare.page.locator('.grid').getAttribute('aria-rowcount'), '20001');
		assert.ok((await rows()).length < 200);
		assert.equal(await bare.page.locator('#message-19999').count(), 1);
		pass('sent', { jsonrpc: '2.0', id: 20_001, method: 'tools/list' });
		passTime(1_000_000);
		await bare.settle();
		assert.equal(await row('tools/list').isVisible(), true);
		await bare.page.locator('.grid').focus();
		await bare.press('Home');
		await bare.settle();
		assert.equal(await bare.page.locator('#message-0').isVisible(), true);
	});

	it('sends new requests as the person, and edited requests as calls of the history', async () => {
		call(1);
		await show();
		await bare.click(bare.button('Send Request…'));
		await bare.page.getByRole('combobox', { name: 'Method' }).fill('tools/call');
		assert.deepEqual(JSON.parse(await bare.page.getByRole('textbox', { name: 'Parameters as JSON' }).inputValue()), {
			name: '',
			arguments: {},
		});
		await bare.page.getByRole('textbox', { name: 'Parameters as JSON' }).fill('{"name":"dig"}');
		await bare.press('Control+Enter');
		await bare.click(row('tools/call'));
		await bare.click(bare.button('Edit and Resend'));
		await bare.click(bare.button('Send'));
		await bare.page.getByRole('textbox', { name: 'Parameters as JSON' }).fill('{');
		await bare.click(bare.button('Send'));
		assert.match((await bare.page.getByRole('alert').textContent()) ?? '', /^The parameters aren't valid JSON/);
		await bare.page.getByRole('combobox', { name: 'Method' }).fill('initialize');
		await bare.click(bare.button('Send'));
		assert.match((await bare.page.getByRole('alert').textContent()) ?? '', /^"initialize" can't be sent from here/);
		assert.deepEqual(
			made.map(it => {
				const { tool, arguments: args, caller } = it as Readonly<Record<string, unknown>>;
				return { tool, args, caller };
			}),
			[
				{ tool: 'dig', args: {}, caller: { kind: 'person' } },
				{ tool: 'water', args: { bed: 1 }, caller: { kind: 'history' } },
			],
		);
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('shows the answer of a request that it has sent, although the filter hides it', async () => {
		answer = () => {
			pass('sent', { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'dig' } });
			pass('received', { jsonrpc: '2.0', id: 9, result: { content: [{ type: 'text', text: 'dug' }] } });
		};
		call(1);
		await show();
		await bare.click(row('tools/call'));
		await bare.page.getByRole('searchbox', { name: 'Filter' }).fill('water');
		await bare.click(bare.button('Send Request…'));
		await bare.page.getByRole('combobox', { name: 'Method' }).fill('tools/call');
		await bare.page.getByRole('textbox', { name: 'Parameters as JSON' }).fill('{"name":"dig"}');
		await bare.press('Control+Enter');
		assert.match((await bare.page.locator('.details pre').allTextContents()).join('\n'), /"dig"[^]*"dug"/);
	});

	it('fits a narrow page, with visible methods and outcomes', async () => {
		pass('sent', { jsonrpc: '2.0', id: 2, method: 'logging/setLevel', params: {} });
		pass('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'water' } });
		pass('received', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Dry' } });
		await bare.page.setViewportSize({ width: 400, height: 600 });
		await show();
		await bare.click(row('tools/call'));
		assert.ok((await bare.overflow()) <= 0);
		const outcome = row('Error -32602').locator('.outcome');
		const method = row('logging/setLevel').locator('.method');
		for (const it of [outcome, method]) {
			assert.equal(await it.evaluate(cell => cell.scrollWidth <= cell.clientWidth), true);
		}
		const box = await outcome.boundingBox();
		assert.ok(box && box.x + box.width < 400, JSON.stringify(box));
	});
});
