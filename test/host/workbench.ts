// A workbench in headless Chromium, driven as a person drives it: for end-to-end tests and their pictures.
// No smoke-test driver, so toasts and dialogs appear.
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import { EditorServer } from './editorServer.js';
import { ensureEditor } from './install.js';
import { projectRoot } from './paths.js';
import { checkWireLogs, traceLevel } from '../support/wireLog.js';
import { copyWorkspace } from './runIntegration.js';
import { HostSession } from './session.js';
import type { EditorName } from './versions.js';

export interface WorkbenchOptions {
	/** The newest unless said otherwise. */
	readonly editor?: EditorName;
	/** A fixture folder, copied; or with `inPlace` opened where it is. Missing: an empty folder. */
	readonly workspace?: string;
	readonly inPlace?: boolean;
	/** Extensions to install; by default what `npm run package` made. */
	readonly vsix?: readonly string[];
	/** Folders of fixture extensions to load besides. */
	readonly extensions?: readonly string[];
	readonly viewport?: { readonly width: number; readonly height: number };
	readonly theme?: Theme;
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Of most tests, the servers are known; those about consent and the first steps ask like for anybody. */
	readonly confirmServers?: 'newOrChanged';
	/** Restricted Mode is possible, and the editor asks for trust unless settings say otherwise. */
	readonly workspaceTrust?: boolean;
	readonly env?: NodeJS.ProcessEnv;
}

export type Theme = 'dark' | 'light' | 'contrast' | 'contrastLight';

export interface Row {
	/** What is written in the row, label and description joined by a blank. */
	readonly text: string;
	/** What a screen reader says. */
	readonly label: string;
	/** Depth from 1. */
	readonly level: number;
	readonly expanded: boolean | undefined;
}

// Ids of 1.99, which newer editors still understand.
const themes: Readonly<Record<Theme, string>> = {
	dark: 'Default Dark Modern',
	light: 'Default Light Modern',
	contrast: 'Default High Contrast',
	contrastLight: 'Default High Contrast Light',
};

const pictures = path.join(projectRoot, 'test', 'e2e', 'output');

/** Starts server and browser and waits until the workbench can be used. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
	const session = new HostSession();
	session.onEnd(folder => checkWireLogs(folder));
	try {
		const workspace =
			options.inPlace === true && options.workspace !== undefined
				? options.workspace
				: copyWorkspace(options.workspace, session.folder);
		const server = await EditorServer.start({
			session,
			editor: await ensureEditor(options.editor ?? 'newest'),
			vsix: options.vsix ?? [path.join(projectRoot, 'mcp-workbench.vsix')],
			extensions: options.extensions ?? [],
			settings: {
				'workbench.colorTheme': themes[options.theme ?? 'dark'],
				'mcpWorkbench.confirmServers': options.confirmServers ?? 'never',
				...options.settings,
			},
			workspaceTrust: options.workspaceTrust ?? false,
			env: options.env ?? {},
		});
		const browser = await openBrowser(session, options.viewport === undefined ? {} : { viewport: options.viewport });
		const page = browser.pages()[0] ?? (await browser.newPage());
		const workbench = new Workbench(page, server, session, workspace);
		await page.goto(server.url({ workspace, payload: { logLevel: traceLevel } }));
		await workbench.whenReady();
		return workbench;
	} catch (error) {
		await session.dispose();
		throw error;
	}
}

export class Workbench {
	constructor(
		readonly page: Page,
		readonly server: EditorServer,
		readonly session: HostSession,
		/** What is open: the copy of the fixture. */
		readonly workspace: string,
	) {
		// Waiting for what will not come is a failure that should be told soon.
		page.setDefaultTimeout(15_000);
	}

	/** Waits until the workbench has its final look and its late parts; extensions may still be starting. */
	async whenReady(): Promise<void> {
		// Only when the extension with the theme is loaded do all parts have their colours.
		await this.page.locator('.monaco-workbench[class*="vscode-theme-"]').waitFor({ timeout: 60_000 });
		await this.page.locator('.part.statusbar [id="status.problems"]').waitFor({ timeout: 30_000 });
	}

	/** Leaves `test/e2e/output/<name>.png` and returns its path. */
	async screenshot(name: string): Promise<string> {
		fs.mkdirSync(pictures, { recursive: true });
		const file = path.join(pictures, `${name}.png`);
		await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
		return file;
	}

	/** Runs a command by its title, as typed into the palette. */
	async runCommand(title: string): Promise<void> {
		await this.page.keyboard.press('F1');
		const input = this.quickInput();
		await input.waitFor();
		await input.fill(`>${title}`);
		const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
		await row.waitFor();
		await row.click();
	}

	/** Shows a view container. */
	async openView(title: string): Promise<void> {
		const item = this.page.locator(`.activitybar .action-item:has(a[aria-label^="${title}"])`);
		await item.waitFor();
		if (!(await item.evaluate(it => it.classList.contains('checked')))) {
			await item.click();
		}
		await this.page.locator('.part.sidebar .composite.title', { hasText: title }).waitFor();
	}

	/** The view of that name in the side bar; without a name, the whole side bar. */
	view(name?: string): Locator {
		const sidebar = this.page.locator('.part.sidebar');
		return name === undefined
			? sidebar
			: sidebar.locator('.pane', { has: this.page.locator('.pane-header', { hasText: name }) });
	}

	/** The visible rows of a tree, top to bottom. */
	async rows(tree: Locator = this.view()): Promise<Row[]> {
		const rows = await tree.locator('.monaco-list-row').evaluateAll(elements =>
			elements
				.map(it => ({ it, top: it.getBoundingClientRect().top }))
				.toSorted((a, b) => a.top - b.top)
				.map(({ it }) => {
					const parts = ['.label-name', '.label-description'].map(part => it.querySelector(part)?.textContent ?? '');
					const expanded = it.getAttribute('aria-expanded');
					return {
						text: parts.filter(Boolean).join(' ') || (it.textContent ?? ''),
						label: it.getAttribute('aria-label') ?? '',
						level: Number(it.getAttribute('aria-level') ?? 1),
						expanded: expanded === null ? undefined : expanded === 'true',
					};
				}),
		);
		return rows;
	}

	/** The row of a tree whose label begins with the text. */
	row(text: string, tree: Locator = this.view()): Locator {
		return tree.locator('.monaco-list-row', { hasText: text }).first();
	}

	/** Clicks an action of a row, as it appears on hovering, or of a view's title bar. */
	async clickAction(place: Locator, title: string): Promise<void> {
		const action = place.locator(`.action-label[aria-label^="${title}"]`).first();
		// A row that moves while a tree fills slips from under the pointer, and its actions are gone again.
		for (let attempt = 1; ; attempt++) {
			await place.hover();
			try {
				await action.click({ timeout: 1000 });
				return;
			} catch (error) {
				if (attempt === 10) {
					throw error;
				}
			}
		}
	}

	/** The field of the quick pick or input box. */
	quickInput(): Locator {
		return this.page.locator('.quick-input-widget:visible .quick-input-box input');
	}

	/** Title, message and items of what the quick input shows. */
	async readQuickInput(): Promise<{ title: string; message: string; items: string[] }> {
		const widget = this.page.locator('.quick-input-widget:visible');
		await widget.waitFor();
		return {
			title: (await widget.locator('.quick-input-title').textContent()) ?? '',
			message: (await widget.locator('.quick-input-message').textContent()) ?? '',
			items: await widget
				.locator('.quick-input-list .monaco-list-row')
				.evaluateAll(rows => rows.map(it => it.getAttribute('aria-label') ?? '')),
		};
	}

	/** Types into an input box and accepts it. */
	async answer(text: string): Promise<void> {
		const input = this.quickInput();
		await input.waitFor();
		await input.fill(text);
		await input.press('Enter');
	}

	/** Chooses an item of the quick pick. */
	async pick(text: string): Promise<void> {
		await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
	}

	/** Waits for a toast that contains the text. */
	async notification(text: string | RegExp): Promise<Locator> {
		const toast = this.page.locator('.notification-toast', { hasText: text }).first();
		await toast.waitFor();
		return toast;
	}

	/** The texts of the toasts on the screen. */
	async notifications(): Promise<string[]> {
		return this.page.locator('.notification-toast .notification-list-item-message').allTextContents();
	}

	/** Waits for a modal dialog and returns it; its buttons are `.monaco-button`. */
	async dialog(): Promise<Locator> {
		const dialog = this.page.locator('.monaco-dialog-box');
		await dialog.waitFor();
		return dialog;
	}

	/** Ends browser and server, gives extensions the time to deactivate, and removes every temporary file. */
	async dispose(): Promise<void> {
		await this.session.dispose();
	}
}
