/** The gestures of all other tests, on a page that behaves as badly as an editor on a busy machine. */
import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser } from '../host/browser.js';
import { answerQuickInput, click } from '../host/gestures.js';
import { HostSession } from '../host/session.js';

describe('gestures', () => {
	const session = new HostSession();
	let page: Page;

	before(async () => {
		page = await (await openBrowser(session)).newPage();
	});
	after(() => session.dispose());

	it('click the line that was meant, though a list gives its element to another one', async () => {
		await page.setContent(`
			<div class="monaco-list-row">wanted</div>
			<div class="monaco-list-row">other</div>
			<script>
				const rows = [...document.querySelectorAll('.monaco-list-row')];
				window.clicked = [];
				document.addEventListener('click', it => window.clicked.push(it.target.textContent));
				document.addEventListener('mousedown', () => {
					[rows[0].textContent, rows[1].textContent] = ['other', 'wanted'];
				}, { once: true });
			</script>`);
		await click(page.locator('.monaco-list-row', { hasText: 'wanted' }));
		assert.deepEqual(await page.evaluate('clicked'), ['wanted']);
	});

	it('are over when the quick input that was answered is gone', async () => {
		await page.setContent(`
			<div class="quick-input-widget"><div class="quick-input-list"><div class="monaco-list-row">Run</div></div></div>
			<script>
				const widget = document.querySelector('.quick-input-widget');
				window.answers = 0;
				widget.addEventListener('click', () => {
					window.answers++;
					setTimeout(() => (widget.style.display = 'none'), 300);
				});
			</script>`);
		await answerQuickInput(page, () => click(page.locator('.monaco-list-row')));
		assert.equal(await page.locator('.quick-input-widget').isVisible(), false);
		assert.equal(await page.evaluate('answers'), 1);
	});
});
