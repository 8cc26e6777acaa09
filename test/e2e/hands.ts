/** What a person does who has no mouse: keys, and a look at where the focus is after each of them. */
import * as assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { retryAfterMs, maxWaitMs, persist, until } from '../host/gestures.js';

/** In the page: what has the focus, as a person would name it. */
const lookAtFocus = `(() => {
	let it = document.activeElement;
	while (it?.shadowRoot?.activeElement) {
		it = it.shadowRoot.activeElement;
	}
	const text = (place, part) => place.querySelector(part)?.textContent ?? '';
	const clean = text => text.replace(/\\s+/g, ' ').trim();
	if (!it || it === document.body) {
		return 'nothing';
	}
	const name = clean(it.getAttribute('aria-label') || it.textContent || '');
	if (it.tagName === 'IFRAME') {
		return 'a view';
	}
	const quick = it.closest('.quick-input-widget');
	if (quick) {
		const active = quick.querySelector('.quick-input-list .monaco-list-row.focused')?.getAttribute('aria-label');
		return clean(['ask', text(quick, '.quick-input-title'), active ?? ''].join(': '));
	}
	if (it.closest('.monaco-menu')) {
		return 'menu: ' + (it.matches('[role^=menuitem]') ? clean(it.querySelector('.action-label')?.textContent ?? name) : 'no line');
	}
	if (it.closest('.monaco-dialog-box')) {
		return 'dialog: ' + name;
	}
	if (it.closest('.monaco-editor')) {
		return 'editor: ' + name;
	}
	const list = it.closest('.monaco-list');
	if (list && it.classList.contains('monaco-list')) {
		const row = document.getElementById(it.getAttribute('aria-activedescendant') ?? '');
		return (name || 'list') + ': ' + (row?.getAttribute('aria-label') ?? 'no line');
	}
	return (it.getAttribute('role') || it.tagName.toLowerCase()) + ': ' + name;
})()`;

/** In the page: the line that has the focus, whatever is written in it meanwhile; `undefined` where it is no line. */
const lookAtLine = `(() => {
	const line = document.activeElement?.closest('.quick-input-widget')?.querySelector('.quick-input-list .monaco-list-row.focused');
	return line?.getAttribute('data-index') ?? undefined;
})()`;

/** In the view of a result. */
const lookInView = `(() => {
	const it = document.activeElement;
	if (!document.hasFocus() || !it) {
		return undefined;
	}
	if (it === document.body) {
		return 'result: its page';
	}
	const role = it.getAttribute('role') || it.tagName.toLowerCase();
	const row = it.querySelector(':scope > .row');
	const states = ['level', 'expanded'].flatMap(state => {
		const value = it.getAttribute('aria-' + state);
		return value === null ? [] : [state + '=' + value];
	});
	const name = it.getAttribute('aria-label') || (row ?? it).textContent || '';
	return ['result: ' + role, name.trim().slice(0, 60), ...states].join(' ');
})()`;

export class Hands {
	constructor(readonly page: Page) {}

	/** A pointer that is pressed from now on is told by `wasTouched`. */
	async watchPointer(): Promise<void> {
		await this.page.evaluate(`addEventListener('pointerdown', () => { globalThis.wasTouched = true; }, true)`);
	}

	async wasTouched(): Promise<boolean> {
		return this.page.evaluate<boolean>('globalThis.wasTouched === true');
	}

	/** Presses keys, one after the other. */
	async press(...keys: readonly string[]): Promise<void> {
		for (const key of keys) {
			await this.page.keyboard.press(key);
		}
	}

	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
	}

	/** What has the focus, as a person would name it. */
	async focus(): Promise<string> {
		const there = await this.page.evaluate<string>(lookAtFocus);
		if (there !== 'a view') {
			return there;
		}
		const seen = await Promise.all(this.page.frames().slice(1).map(inFrame));
		return seen.filter(it => it !== undefined).at(-1) ?? there;
	}

	/** Where the focus is: the same while a title counts seconds, or a line says more. */
	private async place(): Promise<string> {
		const focus = await this.focus();
		const line = await this.page.evaluate<string | undefined>(lookAtLine);
		const [title] = focus.split(': ', 2).slice(1);
		return line === undefined ? focus : `${withoutClock(title ?? '')} ${line}`;
	}

	/** Waits until that has the focus. */
	async expectFocus(wanted: RegExp | string, ms = maxWaitMs): Promise<string> {
		const fits = (it: string): boolean => (typeof wanted === 'string' ? it === wanted : wanted.test(it));
		let seen = '';
		await until('the focus', async () => fits((seen = await this.focus())), ms).catch(() => {
			assert.fail(`The focus is not on ${String(wanted)} but on ${seen}`);
		});
		return seen;
	}

	/**
	 * Waits until that has the focus and keeps it: what had it before may take it back a moment later, and the keys that
	 * are pressed before the palette is quite gone reach nobody.
	 */
	async settleFocus(wanted: RegExp, ms = maxWaitMs): Promise<string> {
		let [seen, times] = ['', 0];
		await until(
			'a focus that stays',
			async () => {
				seen = await this.focus();
				times = wanted.test(seen) ? times + 1 : 0;
				await delay(75);
				return times === 6;
			},
			ms,
		);
		return seen;
	}

	/**
	 * Runs a command that asks something, until what it asks has the focus. A view that had the focus before may take it
	 * back from the palette or from the question, and a person then runs the command again.
	 */
	async ask(title: string, wanted: RegExp): Promise<void> {
		await persist(async () => {
			await this.command(title);
			await this.expectFocus(wanted, retryAfterMs);
		});
	}

	/** Gives the list of one of our views the focus. */
	async focusView(name: 'Servers' | 'History'): Promise<string> {
		let seen = '';
		await persist(async () => {
			await this.command(`MCP Workbench: Focus on ${name} View`);
			seen = await this.settleFocus(new RegExp(`^${name}: `), retryAfterMs);
		});
		return seen;
	}

	/**
	 * Presses a key that gives that the focus. A menu that opens while a tree is drawn anew is gone at once: a key that
	 * came to nothing is pressed again, as a person would.
	 */
	async go(key: string, wanted: RegExp | string): Promise<void> {
		const before = await this.place();
		await persist(async () => {
			if ((await this.place()) === before) {
				await this.press(key);
			}
			await this.expectFocus(wanted, retryAfterMs);
		});
	}

	/** Presses a key until that has the focus; at most `times`. */
	async pressUntil(key: string, wanted: RegExp, times = 40): Promise<void> {
		for (let count = 0; count < times; count++) {
			if (wanted.test(await this.focus())) {
				return;
			}
			const before = await this.place();
			await this.press(key);
			await until('a step', async () => (await this.place()) !== before, 2000).catch(() => undefined);
		}
		await this.expectFocus(wanted);
	}

	/** Runs a command by its title. Whatever had the focus before may take it back, and the palette closes. */
	async command(title: string): Promise<void> {
		await persist(async attempt => {
			if (attempt > 0) {
				await this.press('Escape');
			}
			await this.press('F1');
			await this.expectFocus(/^ask: /, retryAfterMs);
			// All at once: the palette looks through all commands for each key.
			await this.page.keyboard.insertText(title);
			await this.expectFocus(new RegExp(`^ask: : ${title}`), retryAfterMs);
		});
		await this.press('Enter');
	}
}

/** A title that counts seconds changes without a key. */
function withoutClock(focus: string): string {
	return focus.replaceAll(/\b\d+ s\b/g, '');
}

async function inFrame(frame: Frame): Promise<string | undefined> {
	return frame.evaluate<string | undefined>(lookInView).catch(() => undefined);
}
