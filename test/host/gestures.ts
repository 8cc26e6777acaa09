// Clicks and keys that check their effect: on a busy machine the editor may redraw between a look and a click.
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Milliseconds to wait for something that must happen, even on a busy machine. */
export const maxWaitMs = 60_000;

/** Milliseconds after which a click or key without effect is repeated. */
export const retryAfterMs = 5000;

export interface ClickOptions {
	readonly button?: 'right';
	readonly modifiers?: 'ControlOrMeta'[];
}

/** Waits until `check` holds. @throws Error that says what did not come */
export async function until(what: string, check: () => Promise<boolean>, timeout = maxWaitMs): Promise<void> {
	for (const deadline = Date.now() + timeout; !(await check()); await delay(25)) {
		if (Date.now() > deadline) {
			throw new Error(`${what}: not within ${timeout / 1000} s`);
		}
	}
}

/** Makes a gesture, and makes it again as long as it fails and there is time. */
export async function persist(gesture: (attempt: number) => Promise<void>): Promise<void> {
	const deadline = Date.now() + maxWaitMs;
	for (let attempt = 0; ; attempt++) {
		try {
			await gesture(attempt);
			return;
		} catch (error) {
			if (Date.now() > deadline) {
				throw error;
			}
		}
	}
}

/**
 * Clicks, and makes sure that this element got the click: lists reuse the element of a line for another line, and redraw
 * under the pointer. A click that missed its element reaches no other, and is repeated.
 * @param place what the pointer must be over before the element appears
 */
export async function click(target: Locator, options: ClickOptions = {}, place?: Locator): Promise<void> {
	await persist(async attempt => {
		// A tooltip may have opened where the click was to go.
		await (attempt === 0 ? undefined : target.page().mouse.move(0, 0));
		await clickOnce(target, options, place);
	});
}

/** As `click`, but once. @throws Error if the click reached nobody */
export async function clickOnce(target: Locator, options: ClickOptions = {}, place?: Locator): Promise<void> {
	const event = options.button === 'right' ? 'contextmenu' : 'click';
	await place?.hover({ timeout: retryAfterMs });
	const witness = await target.evaluateHandle(watchNextClick, event, { timeout: retryAfterMs });
	// One that fails may have been made all the same, and must not be made twice.
	const click = target.click({ ...options, timeout: place === undefined ? retryAfterMs : 1000 });
	const problem = await click.then(
		() => undefined,
		(error: unknown) => (error instanceof Error ? error : new Error(String(error))),
	);
	// The page may be gone because it was clicked.
	const taken = await witness.evaluate(it => it.taken).catch(() => problem === undefined);
	if (!taken) {
		throw problem ?? new Error('The click slipped.');
	}
}

/** In the page: lets the next click through only if it is for this element and its line is still the same. */
function watchNextClick(element: PageElement, event: string): { taken: boolean } {
	const window = element.ownerDocument.defaultView;
	const line = element.closest('.monaco-list-row') ?? element;
	const text = line.textContent;
	const witness = { taken: false };
	const listen = (it: PageEvent): void => {
		witness.taken = it.composedPath().includes(element) && line.textContent === text;
		if (!witness.taken) {
			it.preventDefault();
			it.stopImmediatePropagation();
		}
	};
	// The one before may never have heard a click.
	window.mcpWorkbenchForget?.();
	window.addEventListener(event, listen, { capture: true, once: true });
	window.mcpWorkbenchForget = (): void => {
		window.removeEventListener(event, listen, { capture: true });
	};
	return witness;
}

/** What of the page's own types is used here; the tests are compiled without these. */
interface PageElement {
	readonly ownerDocument: { readonly defaultView: PageWindow };
	readonly textContent: string | null;
	closest(selector: string): PageElement | null;
}

interface PageWindow {
	mcpWorkbenchForget?: () => void;
	addEventListener(event: string, listen: (event: PageEvent) => void, options: object): void;
	removeEventListener(event: string, listen: (event: PageEvent) => void, options: object): void;
}

interface PageEvent {
	composedPath(): unknown[];
	preventDefault(): void;
	stopImmediatePropagation(): void;
}

/** Waits until the lines of the side bar have been the same for a moment. */
export async function settledLines(page: Page): Promise<void> {
	const lines = page.locator('.part.sidebar .monaco-list-row');
	let [seen, times] = ['', 0];
	await until('lines that stand still', async () => {
		const now = (await lines.allTextContents()).join('\n');
		times = now === seen ? times + 1 : 0;
		seen = now;
		return times === 3;
	});
}

/** All that the quick input shows; `undefined` if there is none. Another step shows something else. */
export async function quickInputSight(page: Page): Promise<string | undefined> {
	const look = `(() => {
		const widget = document.querySelector('.quick-input-widget');
		if (widget === null || widget.getClientRects().length === 0) {
			return undefined;
		}
		const text = part => widget.querySelector(part)?.textContent ?? '';
		const input = widget.querySelector('.quick-input-box input');
		const rows = [...widget.querySelectorAll('.quick-input-list .monaco-list-row')];
		return JSON.stringify([
			text('.quick-input-title'),
			text('.quick-input-message'),
			input?.placeholder,
			input?.value,
			rows.map(it => it.getAttribute('aria-label')),
		]);
	})()`;
	// While a page is left, there is nothing to see.
	return page.evaluate<string | undefined>(look).catch(() => undefined);
}

/**
 * All texts that a command on a place can change: the place, quick input, panel, tabs, the editor's own pages, toasts and
 * dialogs. Other lines of a tree change for reasons of their own.
 */
async function sight(place: Locator): Promise<string> {
	const page = place.page();
	const parts = '.part.panel .view-line, .tab, .workspace-trust-editor, .notification-toast, .monaco-dialog-box';
	const texts = [place, page.locator(parts)].map(it => it.allTextContents());
	return JSON.stringify([await quickInputSight(page), ...(await Promise.all(texts))]);
}

/** Waits until a quick input shows, for a moment, the same: lists are filtered a moment after what is typed. */
export async function settledQuickInput(page: Page, timeout = maxWaitMs): Promise<string> {
	let [seen, times] = [undefined as string | undefined, 0];
	await until(
		'a quick input',
		async () => {
			const now = await quickInputSight(page);
			times = now !== undefined && now === seen ? times + 1 : 0;
			seen = now;
			return times === 2;
		},
		timeout,
	);
	return seen ?? '';
}

/** Answers the quick input by `act`, and waits until it is gone or asks something else. */
export async function answerQuickInput(page: Page, act: () => Promise<void>): Promise<void> {
	const before = await settledQuickInput(page);
	await persist(async () => {
		await act();
		await until('the effect of an answer', async () => (await quickInputSight(page)) !== before, retryAfterMs);
	});
}

/**
 * Makes a gesture on a line of a tree, and waits for its effect; if nothing is said about that, until the line or anything
 * beside the tree has changed. The editor may have drawn a line that the extension doesn't know again yet: then the person is
 * told so, and makes it again.
 */
export async function onKnownLine(
	line: Locator,
	gesture: () => Promise<void>,
	hasEffect?: () => Promise<boolean>,
): Promise<void> {
	const page = line.page();
	const changed = page.locator('.notification-toast', {
		hasText: /The selected item has just changed|所选项刚刚发生了变化/,
	});
	for (let attempt = 0; attempt < 5; attempt++) {
		await settledLines(page);
		const before = await sight(line);
		const isOther = async (): Promise<boolean> => (await sight(line)) !== before;
		await gesture();
		let isUnknown = false;
		await until('the effect of an action', async () => {
			const isThere = await (hasEffect ?? isOther)();
			// Looked for last: the message that the line is unknown counts as a change, too.
			isUnknown = (await changed.count()) > 0;
			return isUnknown || isThere;
		});
		if (!isUnknown) {
			return;
		}
		// Its buttons are drawn while the pointer is over it.
		await click(changed.locator('.codicon-notifications-clear').first(), {}, changed.first());
	}
	throw new Error('The extension does not know a line that the editor shows.');
}
