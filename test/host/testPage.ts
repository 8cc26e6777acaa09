// A page in which tests run: it tells the exit code that the workbench reports, and what the workbench had to say.
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import { HostSession } from './session.js';

/** What hears of the run that goes on. */
interface Listener {
	exit(code: number): void;
	fail(error: Error): void;
}

export class TestPage {
	/** What the workbench has logged in this run. */
	readonly diagnostics: string[] = [];
	/** Of the server that it showed last. */
	port: number | undefined;
	/** Nothing of an earlier run is left in it. */
	isFresh = true;
	#listener: Listener | undefined;

	private constructor(
		private readonly session: HostSession,
		private readonly browser: BrowserContext,
		private readonly page: Page,
	) {}

	/** The folder in which the browser keeps what it keeps. */
	get folder(): string {
		return this.session.folder;
	}

	/** Opens a browser that ends with the session. */
	static async open(session: HostSession): Promise<TestPage> {
		// Nobody looks at it.
		const browser = await openBrowser(session, { width: 700, height: 500 });
		const page = browser.pages()[0] ?? (await browser.newPage());
		const opened = new TestPage(session, browser, page);
		await opened.#listen();
		return opened;
	}

	/** Opens one that outlives a run: who opens it disposes it. */
	static async keep(): Promise<TestPage> {
		const session = new HostSession();
		try {
			return await TestPage.open(session);
		} catch (error) {
			await session.dispose();
			throw error;
		}
	}

	/** Resolves with the exit code that the workbench at this address reports; rejects when the page or the browser dies. */
	async run(url: string): Promise<number> {
		this.isFresh = false;
		this.diagnostics.length = 0;
		const ended = new Promise<number>((resolve, reject) => {
			this.#listener = { exit: resolve, fail: reject };
		});
		// It may fail before the page is there.
		ended.catch(() => undefined);
		await this.page.goto(url);
		return ended;
	}

	/** Leaves the workbench, and forgets what it has kept. */
	async forget(): Promise<void> {
		this.#listener = undefined;
		// No workbench, but of the same origin: the page's process goes on, in which the workbench is compiled.
		const { origin } = new URL(this.page.url());
		await this.page.goto(`${origin}/version`);
		const [, ...others] = this.browser.pages();
		await Promise.all(others.map(it => it.close()));
		const devtools = await this.browser.newCDPSession(this.page);
		const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage,file_systems';
		await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
		await devtools.detach();
		this.isFresh = true;
	}

	/** Ends the browser. */
	async dispose(): Promise<void> {
		this.#listener = undefined;
		await this.session.dispose();
	}

	async #listen(): Promise<void> {
		const { page } = this;
		await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
			this.diagnostics.push(`${type}: ${args.map(String).join(' ')}`);
		});
		await page.exposeFunction('codeAutomationExit', (code: number) => this.#listener?.exit(code));
		page.on('pageerror', error => this.diagnostics.push(`page error: ${error.stack ?? error.message}`));
		page.on('crash', () => this.#listener?.fail(new Error('The page crashed.')));
		page.on('close', () => this.#listener?.fail(new Error('The browser ended.')));
	}
}
