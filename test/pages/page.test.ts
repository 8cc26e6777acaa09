/** The view of pages in a bare page: what it shows of a page's content, and what its buttons send. */
import * as assert from 'node:assert/strict';
import { Pages } from '../../src/features/pages/pages.js';
import type { PageContent, PageSection } from '../../src/webviews/page/reading/protocol.js';
import { env, ViewColumn } from '../support/vscodeDouble.js';
import { BarePage, extensionUri } from './barePage.js';

const attack = '$(zap) [free](command:x) <img src=x onerror="document.title=1"> \u202Elive\u200B';

describe('the view of a page in a bare page', () => {
	let bare: BarePage;
	let pages: Pages;
	/** The buttons of the page that were pressed. */
	const done: string[] = [];

	before(async () => {
		bare = await BarePage.shared();
	});
	beforeEach(async () => {
		await bare.reset();
		done.length = 0;
		pages = new Pages(extensionUri);
	});
	afterEach(function () {
		pages.dispose();
		assert.deepEqual(this.currentTest?.state === 'passed' ? bare.problems : [], []);
	});

	const content = (more: Partial<PageContent> = {}): PageContent => ({
		title: 'Decision',
		summary: 'This call needs your approval.',
		tone: 'plain',
		facts: [],
		sections: [],
		...more,
	});
	const actions = ['Open Policy', 'Add Rule…'].map(label => ({ label, run: () => done.push(label) }));
	async function show(shown: PageContent): Promise<void> {
		pages.show({ name: 'a page', content: shown, actions, key: 'one' });
		await bare.load();
	}
	async function showNext(shown: PageContent): Promise<void> {
		pages.show({ name: 'another page', content: shown, actions: [], key: 'one' });
		await bare.settle();
	}
	const long = (title = 'Long'): PageContent =>
		content({ title, sections: [{ title: 's', blocks: [{ kind: 'text', text: 'line\n'.repeat(300) }] }] });
	const top = (): Promise<number> => bare.page.evaluate<number>('scrollY');

	it('takes the focus only if the person wants to read it now', async () => {
		await show(content());
		assert.deepEqual(bare.panel?.place, { viewColumn: ViewColumn.Active, preserveFocus: true });
		pages.show({ name: 'a page', content: content(), actions, key: 'one', isRead: true });
		assert.deepEqual(bare.panel?.reveals, [[undefined, false]]);
	});

	it('shows every kind of block', async () => {
		const sections: PageSection[] = [
			{ title: 'Text', blocks: [{ kind: 'text', text: 'one\ntwo' }] },
			{ title: 'Code', blocks: [{ kind: 'code', text: '{ "a": 1 }' }] },
			{ title: 'Rows', blocks: [{ kind: 'rows', rows: [{ label: 'Server', value: 'garden', note: 'Unverified' }] }] },
			{ title: 'List', blocks: [{ kind: 'list', items: ['a', 'b'] }] },
			{ title: 'Numbers', blocks: [{ kind: 'numbers', items: ['c', 'd'] }] },
		];
		await show(content({ facts: [{ label: 'Caller', value: 'Model' }], sections }));
		assert.equal(await bare.page.locator('h1').textContent(), 'Decision');
		assert.equal(await bare.page.locator('.summary.plain').textContent(), 'This call needs your approval.');
		assert.deepEqual(await bare.page.locator('h2').allTextContents(), ['Text', 'Code', 'Rows', 'List', 'Numbers']);
		assert.equal(await bare.page.locator('p.text').innerText(), 'one\ntwo');
		assert.equal(await bare.page.locator('pre').textContent(), '{ "a": 1 }');
		assert.deepEqual(await bare.page.locator('dt').allTextContents(), ['Caller', 'Server']);
		assert.deepEqual(await bare.page.locator('dd').allTextContents(), ['Model', 'gardenUnverified']);
		assert.deepEqual(await bare.page.locator('ul li').allTextContents(), ['a', 'b']);
		assert.deepEqual(await bare.page.locator('ol li').allTextContents(), ['c', 'd']);
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('marks what a server wrote', async () => {
		const blocks = [{ kind: 'text', text: 'Waters.' }] as const;
		await show(content({ sections: [{ title: 'Description', isServers: true, blocks }] }));
		const section = bare.page.getByRole('region', { name: 'Description' });
		assert.equal(await section.locator('.quoted .note').first().textContent(), 'From the server:');
		assert.equal(await section.locator('.quoted .text, .quoted pre').first().textContent(), 'Waters.');
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('shows text of a server as text only', async () => {
		const rows = [{ label: attack, value: attack, note: attack }];
		const sections: PageSection[] = [{ title: attack, isServers: true, blocks: [{ kind: 'rows', rows }] }];
		await show(content({ title: attack, summary: attack, sections }));
		assert.equal(await bare.page.locator('body :is(a, img, iframe, script, link, style, .codicon)').count(), 0);
		const text = (await bare.page.locator('body').textContent()) ?? '';
		assert.ok(text.includes('\\u{202e}live\\u{200b}'), text);
		assert.doesNotMatch(text, /[\u202E\u200B]/);
		assert.notEqual(await bare.page.title(), '1');
	});

	it('says how much of a long text is not shown', async () => {
		const sections: PageSection[] = [
			{ title: 's', blocks: [{ kind: 'code', text: 'x'.repeat(100_001) }] },
			{ title: 'l', blocks: [{ kind: 'list', items: Array.from({ length: 600 }, () => 'y') }] },
		];
		await show(content({ sections }));
		assert.match(
			(await bare.page.locator('pre').textContent()) ?? '',
			/x\nOnly the first 100,000 characters are shown\.$/,
		);
		assert.equal(await bare.page.locator('li').count(), 501);
		assert.equal(await bare.page.locator('li').last().textContent(), '100 more');
	});

	it('runs what its buttons say, and copies itself as text', async () => {
		await show(content());
		assert.deepEqual(await bare.toolbar(), ['Open Policy', 'Add Rule…', 'Copy as Text']);
		await bare.click(bare.button('Add Rule…'));
		await bare.click(bare.button('Open Policy'));
		assert.deepEqual(done, ['Add Rule…', 'Open Policy']);
		await bare.click(bare.button('Copy as Text'));
		assert.equal(await env.clipboard.readText(), '# Decision\n\nThis call needs your approval.\n');
		assert.equal(await bare.page.getByRole('status').textContent(), 'Copied');
	});

	it('has the focus on its title, then on its buttons', async () => {
		await show(content());
		await bare.page.locator('h1:focus').waitFor();
		await bare.press('Tab');
		assert.equal(await bare.page.locator(':focus').textContent(), 'Open Policy');
	});

	it('replaces the page by the next one of the same kind, from the top', async () => {
		await show(long());
		await bare.page.evaluate('scrollTo(0, 500)');
		await showNext(long('Next'));
		assert.equal(await bare.page.locator('h1').textContent(), 'Next');
		assert.equal(await top(), 0);
		assert.deepEqual(await bare.toolbar(), ['Copy as Text']);
		assert.equal(bare.panel?.title, 'another page');
	});

	it('keeps its scroll position when its tab is hidden and shown again', async () => {
		await show(long());
		await bare.page.evaluate('scrollTo(0, 500)');
		await bare.until('the kept state', `sessionStorage.getItem('state') !== null`);
		await bare.load();
		assert.equal(await bare.page.locator('h1').textContent(), 'Long');
		assert.equal(await top(), 500);
	});

	it('is never wider than its tab', async () => {
		const word = 'unbroken'.repeat(60);
		const sections: PageSection[] = [
			{
				title: word,
				blocks: [
					{ kind: 'text', text: word },
					{ kind: 'code', text: word },
				],
			},
			{ title: 'r', blocks: [{ kind: 'rows', rows: [{ label: word, value: word, note: word }] }] },
		];
		await show(content({ title: word, summary: word, sections }));
		for (const width of [800, 400]) {
			await bare.page.setViewportSize({ width, height: 600 });
			assert.ok((await bare.overflow()) <= 0, `${width} pixels wide`);
		}
	});

	it('ignores messages from other senders', async () => {
		await show(content());
		for (const message of [
			undefined,
			{},
			{ type: 'page', page: {}, strings: {} },
			{ type: 'announce', id: 99, text: 'x' },
		]) {
			await bare.receive(message);
		}
		assert.equal(await bare.page.locator('h1').textContent(), 'Decision');
		assert.equal(await bare.page.getByRole('status').textContent(), '');
		for (const message of [{ type: 'press', id: 99, action: 0 }, { type: 'press', id: 1, action: 7 }, 'press']) {
			bare.panel?.receive(message);
		}
		await bare.settle();
		assert.deepEqual(done, []);
	});
});
