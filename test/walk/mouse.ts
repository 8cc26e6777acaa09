/**
 * Gestures of a person with a mouse. Each waits until the editor is ready for it, is made once, and waits for its effect.
 * What tells that the editor is ready: a tree or quick input that no longer changes, and an element that doesn't move.
 */
import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { persist, quickInputSight, retryAfterMs, settledLines, settledQuickInput, until } from '../host/gestures.js';
import type { Workbench } from '../host/workbench.js';

export class Mouse {
	private readonly page: Page;

	constructor(private readonly workbench: Workbench) {
		this.page = workbench.page;
	}

	/** Opens or closes a row of a tree. */
	async toggle(row: Locator): Promise<void> {
		await this.#settleRow(row);
		const isExpanded = (): Promise<string | null> => row.getAttribute('aria-expanded');
		const before = await isExpanded();
		await row.click();
		await until('a row that opens or closes', async () => (await isExpanded()) !== before);
	}

	/** Clicks a row of a tree. */
	async clickRow(row: Locator): Promise<void> {
		await this.#settleRow(row);
		await row.click();
	}

	/** Clicks an action that a row shows while the pointer is over it. */
	async clickAction(row: Locator, title: string): Promise<void> {
		await this.#settleRow(row);
		await row.hover();
		// The editor draws actions as disabled until it knows their commands.
		await row.locator(`.action-label[aria-label^="${title}"]:not(.disabled)`).first().click();
	}

	/**
	 * Opens the page of a tool that has arguments. A tree that is drawn again takes no click: then it is made again, which is
	 * harmless, as the page would only open again.
	 */
	async openTool(row: Locator): Promise<void> {
		await this.#settleRow(row);
		const title = (await row.locator('.label-name').first().textContent()) ?? '';
		await persist(async () => {
			await this.clickAction(row, 'Run Tool');
			await this.workbench.toolPage(title).waitFor({ timeout: retryAfterMs });
		});
	}

	/** Waits for the quick input with this title. */
	async step(title: string): Promise<void> {
		await until(`"${title}"`, async () => {
			const sight = await quickInputSight(this.page);
			return sight !== undefined && (JSON.parse(sight) as unknown[])[0] === title;
		});
		await settledQuickInput(this.page);
	}

	/** Chooses an item of the quick pick. */
	async pick(text: string): Promise<void> {
		const item = this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
		await item.waitFor();
		await this.#answer(() => item.click());
	}

	/** Types into the quick input. */
	async type(text: string): Promise<void> {
		await settledQuickInput(this.page);
		await this.workbench.quickInput().fill(text);
		await settledQuickInput(this.page);
		assert.equal(await this.workbench.quickInput().inputValue(), text);
	}

	/** Types into the quick input and accepts it. */
	async answer(text: string): Promise<void> {
		await this.type(text);
		await this.#answer(() => this.workbench.quickInput().press('Enter'));
	}

	/** Presses a button of a notification. */
	async press(notification: Locator, button: string): Promise<void> {
		await notification.locator('.monaco-button', { hasText: button }).first().click();
	}

	async #settleRow(row: Locator): Promise<void> {
		await row.waitFor();
		await settledLines(this.page);
	}

	/** Waits until the quick input is gone or asks something else. */
	async #answer(gesture: () => Promise<void>): Promise<void> {
		const before = await settledQuickInput(this.page);
		await gesture();
		await until('the next step', async () => (await quickInputSight(this.page)) !== before);
	}
}
