/**
 * Shows the webviews of results and of pages in a bare page of Chromium, without an editor. The extension's side is the
 * real one: its panel class creates the HTML, sends the messages and reacts to what the page sends.
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as axe from 'axe-core';
import type { Locator, Page, Route } from 'playwright-core';
import { until } from '../host/gestures.js';
import { openBrowser } from '../host/browser.js';
import { projectRoot } from '../host/paths.js';
import { HostSession } from '../host/session.js';
import { type PanelSerializer, Uri, window } from '../support/vscodeDouble.js';
import { type PageTheme, pageThemes } from './pageThemes.js';

/** The origin that stands for the editor's resource server. Every request to it is answered from this repository. */
const origin = 'https://webview.test';

/** The folder of the extension, as the classes under test get it. */
export const extensionUri = Uri.file(projectRoot);

/** Runs in the page before its script: what the editor gives to a webview. The state survives a reload. */
const webviewApi = `(() => {
	const outbox = [];
	globalThis.takeOutbox = () => outbox.splice(0);
	let isAcquired = false;
	globalThis.acquireVsCodeApi = () => {
		if (isAcquired) {
			throw new Error('The editor gives its API once.');
		}
		isAcquired = true;
		return {
			postMessage: message => void outbox.push(structuredClone(message)),
			getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
			setState: state => sessionStorage.setItem('state', JSON.stringify(state)),
		};
	};
	// The editor copies a message, and delivers it in a task of its own.
	globalThis.receive = message => {
		const deliver = () => dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
		return new Promise(done => setTimeout(() => done(deliver())));
	};
	globalThis.setTheme = name => {
		const themes = ${JSON.stringify(pageThemes)};
		const variables = Object.entries(themes[name]).map(([variable, value]) => '--vscode-' + variable + ':' + value);
		document.documentElement.style.cssText = variables.join(';');
		document.body.className = name;
	};
	document.addEventListener('DOMContentLoaded', () => setTheme('vscode-dark'));
})()`;

/** The globals that `webviewApi` defines. */
interface WebviewGlobals {
	takeOutbox(): unknown[];
	receive(message: unknown): Promise<boolean>;
}

/** The part of the editor's `WebviewPanel` that the classes under test use. */
class PanelDouble {
	readonly visible = true;
	readonly active = true;
	readonly viewColumn = 1;
	/** The arguments of each `reveal`: the column, and whether the focus stays where it is. */
	readonly reveals: (readonly unknown[])[] = [];
	isDisposed = false;
	private readonly onMessage: ((message: unknown) => unknown)[] = [];
	private readonly onClose: (() => unknown)[] = [];
	readonly webview = {
		html: '',
		cspSource: origin,
		asWebviewUri: (uri: Uri): string => `${origin}${uri.path.slice(extensionUri.path.length)}`,
		onDidReceiveMessage: (listener: (message: unknown) => unknown): void => void this.onMessage.push(listener),
		postMessage: (message: unknown): Promise<boolean> => {
			assert.ok(!this.isDisposed, 'Webview is disposed');
			this.posted.push(message);
			return Promise.resolve(true);
		},
	};
	/** Messages that the page hasn't received yet. */
	readonly posted: unknown[] = [];

	constructor(
		public title: string,
		/** How it is shown, as given to `createWebviewPanel`. */
		readonly place: unknown,
		readonly options: unknown,
	) {}

	onDidDispose(listener: () => unknown): void {
		this.onClose.push(listener);
	}

	reveal(...how: readonly unknown[]): void {
		this.reveals.push(how);
	}

	dispose(): void {
		if (!this.isDisposed) {
			this.isDisposed = true;
			this.onClose.forEach(it => it());
		}
	}

	/** Delivers a message of the page to the extension. */
	receive(message: unknown): void {
		this.onMessage.forEach(it => it(message));
	}
}

let shared: Promise<BarePage> | undefined;
after(async () => {
	await (await shared)?.close();
});

export class BarePage {
	/** The panel that was created last. */
	panel: PanelDouble | undefined;
	/** What the page has sent since the test began. */
	readonly sent: unknown[] = [];
	/** Errors of the page's script, and what its content security policy has blocked. */
	readonly problems: string[] = [];
	#serializer: PanelSerializer | undefined;

	private constructor(
		private readonly session: HostSession,
		readonly page: Page,
	) {}

	/** The page of all tests, each of which calls `reset` first. Its browser ends with the run. */
	static shared(): Promise<BarePage> {
		return (shared ??= BarePage.open());
	}

	private static async open(): Promise<BarePage> {
		const session = new HostSession();
		try {
			const context = await openBrowser(session, { width: 800, height: 600 });
			const page = context.pages()[0] ?? (await context.newPage());
			page.setDefaultTimeout(10_000);
			await context.addInitScript(webviewApi);
			const bare = new BarePage(session, page);
			await page.route('**/*', route => bare.#answer(route));
			page.on('pageerror', error => bare.problems.push(error.stack ?? error.message));
			page.on('console', it => it.type() === 'error' && bare.problems.push(it.text()));
			return bare;
		} catch (error) {
			await session.dispose();
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.session.dispose();
	}

	/** Forgets everything. The next panel that the extension creates is shown in the page. */
	async reset(): Promise<void> {
		this.panel?.dispose();
		this.panel = undefined;
		if (this.page.url().startsWith(origin)) {
			// The page of the previous test must not store its state again when it is left.
			await this.page.evaluate('sessionStorage.clear(); Storage.prototype.setItem = () => undefined;');
		}
		await this.page.setViewportSize({ width: 800, height: 600 });
		this.sent.length = 0;
		this.problems.length = 0;
		window.createWebviewPanel = (...options) =>
			(this.panel = new PanelDouble(String(options[1]), options[2], options[3]));
		window.registerWebviewPanelSerializer = (_viewType, serializer) => {
			this.#serializer = serializer;
			return { dispose: () => undefined };
		};
	}

	/** Opens the tab again with what its page has kept, as the editor does after a reload of the window. */
	async restore(): Promise<void> {
		const state = await this.page.evaluate<unknown>(`JSON.parse(sessionStorage.getItem('state'))`);
		this.panel = new PanelDouble('restored', undefined, undefined);
		await this.#serializer?.deserializeWebviewPanel(this.panel, state);
		await this.load();
	}

	/** Loads the panel's HTML, as the editor does for a new panel and for a panel that was hidden. */
	async load(): Promise<void> {
		await this.page.goto(`${origin}/`);
		await this.settle();
	}

	/** Delivers all messages in both directions, until none is left. */
	async settle(): Promise<void> {
		for (;;) {
			// The extension answers in microtasks.
			await new Promise(setImmediate);
			const toPage = this.#shownPanel().posted.splice(0);
			for (const message of toPage) {
				await this.receive(message);
			}
			const fromPage = await this.page.evaluate(() => (globalThis as unknown as WebviewGlobals).takeOutbox());
			for (const message of fromPage) {
				this.sent.push(message);
				this.#shownPanel().receive(message);
			}
			if (toPage.length + fromPage.length === 0) {
				return;
			}
		}
	}

	/** Has the page receive a message, whoever sent it. */
	async receive(message: unknown): Promise<void> {
		await this.page.evaluate(data => (globalThis as unknown as WebviewGlobals).receive(data), message);
	}

	/** Clicks, and delivers the messages that follow from it. */
	async click(target: Locator): Promise<void> {
		await target.click();
		await this.settle();
	}

	/** Presses a key, and delivers the messages that follow from it. */
	async press(key: string): Promise<void> {
		await this.page.keyboard.press(key);
		await this.settle();
	}

	button(name: string): Locator {
		return this.page.getByRole('button', { name, exact: true });
	}

	/** The texts of the buttons of a toolbar. */
	toolbar(name = 'Actions'): Promise<string[]> {
		return this.page.getByRole('toolbar', { name, exact: true }).getByRole('button').allTextContents();
	}

	/** Tells the page, as the editor does, whether motion is reduced. */
	async setReducedMotion(isReduced: boolean): Promise<void> {
		await this.page.evaluate(`document.body.classList.toggle('vscode-reduce-motion', ${isReduced})`);
	}

	/** Waits until an expression is true in the page. Playwright's own `waitForFunction` is blocked by the page's policy. */
	async until(what: string, expression: string): Promise<void> {
		await until(what, () => this.page.evaluate<boolean>(expression), 10_000);
	}

	/** Elements that can have the focus but have no role or no name for screen readers. */
	unnamed(): Promise<string[]> {
		return this.page.evaluate<string[]>(`(() => {
			const native = ['BUTTON', 'SUMMARY', 'AUDIO', 'H1', 'INPUT', 'SELECT', 'TEXTAREA'];
			const hasNoRole = it => !it.getAttribute('role') && !native.includes(it.tagName);
			const labelsOf = it => [
				...(it.labels ?? []),
				...(it.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id)),
			];
			const nameOf = it => it.getAttribute('aria-label') ?? [it, ...labelsOf(it)].map(one => one?.textContent).join('');
			const hasNoName = it => nameOf(it).trim() === '';
			const found = [...document.body.querySelectorAll('button, summary, audio, a, input, [tabindex]')];
			const regions = [...document.body.querySelectorAll('article, section:not(.failure), [role=tree], [role=img], img')];
			const isUnlabelled = it => !(it.getAttribute('aria-label') ?? it.getAttribute('alt'));
			return [
				...found.filter(it => hasNoRole(it) || hasNoName(it)),
				...regions.filter(isUnlabelled),
			].map(it => it.outerHTML.slice(0, 200));
		})()`);
	}

	/** What axe finds wrong within an element by the rules of WCAG 2.2, levels A and AA. */
	async axe(selector: string): Promise<string[]> {
		await this.page.evaluate(axe.source);
		return this.page.evaluate<string[]>(`(async () => {
			const options = {
				runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
				rules: { 'label-content-name-mismatch': { enabled: true } },
				resultTypes: ['violations'],
			};
			const { violations } = await axe.run('${selector}', options);
			return violations.map(it => it.id + ': ' + it.nodes.map(node => node.html.slice(0, 200)).join(', '));
		})()`);
	}

	/** What axe finds wrong in the page in any theme. */
	async axeInThemes(): Promise<string[]> {
		const found: string[] = [];
		for (const theme of Object.keys(pageThemes) as PageTheme[]) {
			await this.page.evaluate(`setTheme('${theme}')`);
			found.push(...(await this.axe('body')).map(it => `${theme}: ${it}`));
		}
		await this.page.evaluate(`setTheme('vscode-dark')`);
		return found;
	}

	/** What has the focus: its name for screen readers, or its text. */
	focused(): Promise<string> {
		return this.page.evaluate<string>(`(() => {
			const { activeElement: it } = document;
			const named = document.getElementById(it.getAttribute('aria-labelledby')) ?? it.labels?.[0] ?? it;
			return it === document.body ? 'nothing' : it.getAttribute('aria-label') ?? named.innerText;
		})()`);
	}

	/** How many pixels the content is wider than the page. */
	overflow(): Promise<number> {
		return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
	}

	#shownPanel(): PanelDouble {
		if (!this.panel) {
			throw new Error('The extension has created no panel.');
		}
		return this.panel;
	}

	async #answer(route: Route): Promise<void> {
		const { pathname } = new URL(route.request().url());
		const file = path.join(projectRoot, pathname);
		const isOurs = /^\/(?:dist|media|out\/pages)\/[\w.]+$/.test(pathname) && fs.existsSync(file);
		if (pathname === '/') {
			await route.fulfill({ contentType: 'text/html', body: this.#shownPanel().webview.html });
		} else if (pathname === '/favicon.ico') {
			await route.fulfill({ status: 204 });
		} else if (isOurs) {
			await route.fulfill({ path: file });
		} else {
			this.problems.push(`The page asked for ${route.request().url()}.`);
			await route.abort();
		}
	}
}
