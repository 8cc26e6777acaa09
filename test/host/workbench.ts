// A workbench in headless Chromium, driven as a person drives it: for end-to-end tests and their pictures.
// No smoke-test driver, so toasts and dialogs appear.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { EditorServer } from './editorServer.js';
import {
	answerQuickInput,
	click,
	clickOnce,
	retryAfterMs,
	onKnownLine,
	maxWaitMs,
	persist,
	quickInputSight,
	settledQuickInput,
	until,
	type ClickOptions,
} from './gestures.js';
import { leaveMachine, takeMachine, type Machine, type MachineOptions } from './machine.js';
import { projectRoot } from './paths.js';
import { copyWorkspace } from './runIntegration.js';
import type { HostSession } from './session.js';
import { themeId, themes, type Theme } from './themes.js';
import { setInWorkspace } from './workspaceSettings.js';

/** The variable that has the end-to-end tests leave pictures of what they see. */
export const picturesVariable = 'MCP_WORKBENCH_PICTURES';
const arePicturesWanted = process.env[picturesVariable] === '1';

export interface WorkbenchOptions {
	/** A fixture folder, copied; or with `inPlace` opened where it is. Missing: an empty folder. */
	readonly workspace?: string;
	readonly inPlace?: boolean;
	/** An editor server and a browser that end with the workbench, for tests that end them or need others. */
	readonly machine?: MachineOptions;
	readonly viewport?: { readonly width: number; readonly height: number };
	readonly theme?: Theme;
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Of most tests, the servers are known; those about consent and the first steps ask like for anybody. */
	readonly confirmServers?: 'newOrChanged';
	/** What the editor takes for its display language; its own words stay English, as no language pack is installed. */
	readonly language?: string;
	/** Restricted Mode is possible, and the editor asks for trust unless settings say otherwise. */
	readonly workspaceTrust?: boolean;
}

export interface Row {
	/** What is written in the row, label and description joined by a blank. */
	readonly text: string;
	/** What a screen reader says. */
	readonly label: string;
	/** Depth from 1. */
	readonly level: number;
	readonly expanded: boolean | undefined;
}

const pictures = path.join(projectRoot, 'test', 'e2e', 'output');

/** Opens a workbench that knows of no other before it, and waits until it can be used. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
	const machine = await takeMachine(options.machine);
	try {
		const workspace =
			options.inPlace === true && options.workspace !== undefined
				? options.workspace
				: copyWorkspace(options.workspace, machine.newFolder());
		const settings = {
			'workbench.colorTheme': themeId(options.theme ?? 'dark', machine.editor),
			'mcpWorkbench.confirmServers': options.confirmServers ?? 'never',
			'security.workspace.trust.enabled': options.workspaceTrust ?? false,
			...options.settings,
		};
		machine.writeSettings(settings);
		const page = await (options.language === undefined ? machine.page() : machine.pageIn(options.language));
		await page.setViewportSize(options.viewport ?? { width: 1280, height: 800 });
		const workbench = new Workbench(machine, page, workspace);
		await workbench.open();
		return workbench;
	} catch (error) {
		await leaveMachine(machine).catch(() => undefined);
		throw error;
	}
}

export class Workbench {
	readonly session: HostSession;

	constructor(
		readonly machine: Machine,
		readonly page: Page,
		/** What is open: the copy of the fixture. */
		readonly workspace: string,
	) {
		this.session = machine.session;
		page.setDefaultTimeout(maxWaitMs);
	}

	get server(): EditorServer {
		return this.machine.server;
	}

	/** Opens the workspace in the page. */
	async open(): Promise<void> {
		await this.page.goto(this.machine.url(this.workspace));
		await this.whenReady();
	}

	/** The same workspace or another in a second window. */
	async openBeside(workspace = this.workspace): Promise<Workbench> {
		const other = new Workbench(this.machine, await this.machine.browser.newPage(), workspace);
		await other.open();
		return other;
	}

	/** Writes a setting into those of the workspace, which the editor follows while it runs. */
	set(setting: string, value: unknown): void {
		setInWorkspace(this.workspace, setting, value);
	}

	/** Gives the workbench, as it is, other colours. */
	async setTheme(theme: Theme): Promise<void> {
		await persist(async () => {
			this.set('workbench.colorTheme', themeId(theme, this.machine.editor));
			await this.page.locator(`.monaco-workbench.${themes[theme].kind}`).waitFor({ timeout: retryAfterMs });
		});
		// Views of results get their colours by a message.
		for (const frame of this.page.frames().filter(it => it !== this.page.mainFrame())) {
			const look = `['${themes[theme].view}', undefined].includes(document.body?.dataset.vscodeThemeKind)`;
			await until('the colours of a view', () => frame.evaluate<boolean>(look).catch(() => true));
		}
	}

	/** Waits until the workbench has its final look and its late parts; extensions may still be starting. */
	async whenReady(): Promise<void> {
		// Only when the extension with the theme is loaded do all parts have their colours.
		await this.page.locator('.monaco-workbench[class*="vscode-theme-"]').waitFor({ timeout: 60_000 });
		await this.page.locator('.part.statusbar [id="status.problems"]').waitFor({ timeout: 30_000 });
	}

	/** Leaves a picture for people to look at, where that is wanted: `npm run pictures -- all`. */
	async screenshot(name: string): Promise<void> {
		await (arePicturesWanted && this.takePicture(name));
	}

	/** Leaves `test/e2e/output/<name>.png` and returns its path. */
	async takePicture(name: string): Promise<string> {
		fs.mkdirSync(pictures, { recursive: true });
		const file = path.join(pictures, `${name}.png`);
		await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
		return file;
	}

	/** Leaves a picture, and beside it the logs of the editor and of the extension. */
	async takeEvidence(name: string): Promise<void> {
		fs.cpSync(this.machine.logs, path.join(pictures, `${name}-logs`), { recursive: true });
		await this.takePicture(name);
	}

	/** The same in each of the themes, the last of which stays. */
	async screenshots(themes: readonly Theme[], name: (theme: Theme) => string): Promise<void> {
		for (const theme of arePicturesWanted ? themes : []) {
			await this.setTheme(theme);
			await this.screenshot(name(theme));
		}
	}

	/** Clicks, and makes sure that just that got the click. */
	async click(target: Locator, options?: ClickOptions, place?: Locator): Promise<void> {
		await click(target, options, place);
	}

	/** Runs a command by its title, as typed into the palette. */
	async runCommand(title: string): Promise<void> {
		const isPalette = async (): Promise<boolean> =>
			(await this.quickInput().count()) > 0 &&
			(await this.quickInput().inputValue({ timeout: retryAfterMs })).startsWith('>');
		const row = this.#item(title);
		// Whatever had the focus before may take it back, and the palette closes.
		await persist(async () => {
			await this.page.keyboard.press('F1');
			await until('the palette', isPalette, retryAfterMs);
			await this.quickInput().fill(`>${title}`, { timeout: retryAfterMs });
			await row.waitFor({ timeout: retryAfterMs });
			await clickOnce(row);
		});
		await until('the end of the palette', async () => !(await isPalette().catch(() => false)));
	}

	/** Runs a command that asks something, and waits until its quick input is there to stay. */
	async ask(title: string): Promise<void> {
		// The focus may come back from the palette too late, and closes it.
		await persist(async () => {
			await this.runCommand(title);
			// A list of ten thousand lines takes a busy machine seconds, and asking again would begin it again.
			await until('a question', async () => (await quickInputSight(this.page)) !== undefined, maxWaitMs / 2);
			await settledQuickInput(this.page, retryAfterMs);
		});
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

	/** Opens or closes a line of a tree. */
	async toggle(row: Locator): Promise<void> {
		const isExpanded = (): Promise<string | null> => row.getAttribute('aria-expanded');
		await row.waitFor();
		const before = await isExpanded();
		// A tree that is drawn anew at this moment leaves the line as it was.
		await persist(async () => {
			await ((await isExpanded()) === before ? click(row) : undefined);
			await until('a line that opens or closes', async () => (await isExpanded()) !== before, retryAfterMs);
		});
	}

	/** Clicks an action of a row, as it appears on hovering, or of a view's title bar. */
	async clickAction(place: Locator, title: string): Promise<void> {
		// A row that moves while a tree fills slips from under the pointer, and its actions are gone again.
		await onKnownLine(place, () => click(place.locator(`.action-label[aria-label^="${title}"]`).first(), {}, place));
	}

	/** Clicks the action that runs a tool, and waits for its page. A tool without arguments runs at once. */
	async runTool(row: Locator, action = 'Run Tool'): Promise<void> {
		const button = this.#action(row, action);
		const title = (await row.locator('.label-name').first().textContent()) ?? '';
		const isOpen = async (): Promise<boolean> => (await this.toolPage(title).count()) > 0;
		await onKnownLine(row, () => click(button, {}, row), isOpen);
	}

	/** The heading of the page of a tool, if that is the visible page. @param title of the tool, or its name */
	toolPage(title: string): Locator {
		return this.resultFrame().locator('.run-page > header h1').getByText(title, { exact: true });
	}

	/** A field of the page of a tool, by its label. */
	field(label: string): Locator {
		return this.resultFrame().locator('.form').getByLabel(label, { exact: true }).first();
	}

	/** Enters texts into the fields of the page of a tool, and runs it. */
	async runPage(values: Readonly<Record<string, string>> = {}): Promise<void> {
		for (const [label, value] of Object.entries(values)) {
			await this.field(label).fill(value);
		}
		await click(this.resultFrame().locator('.bar .primary'));
	}

	/** Chooses a line of a line's menu. */
	async chooseFromMenu(row: Locator, title: string): Promise<void> {
		const menu = this.page.locator('.monaco-menu');
		const line = menu.locator('.action-item', { hasText: title }).first();
		await onKnownLine(row, () =>
			persist(async () => {
				await click(row, { button: 'right' });
				// A menu takes no click in its first moments.
				await line.hover({ timeout: retryAfterMs });
				await menu.locator('.action-item.focused', { hasText: title }).first().waitFor({ timeout: retryAfterMs });
				await this.page.keyboard.press('Enter');
				await menu.first().waitFor({ state: 'detached', timeout: retryAfterMs });
			}),
		);
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

	/** Types into the quick input and accepts it. */
	async answer(text: string): Promise<void> {
		// What is typed into an input that just makes room for the next one is lost.
		await persist(async () => {
			await this.quickInput().fill(text, { timeout: retryAfterMs });
			await settledQuickInput(this.page, retryAfterMs);
			assert.equal(await this.quickInput().inputValue({ timeout: retryAfterMs }), text);
		});
		await this.accept();
	}

	/** Accepts what stands in the quick input. */
	async accept(): Promise<void> {
		await answerQuickInput(this.page, () => this.quickInput().press('Enter', { timeout: retryAfterMs }));
	}

	/** Chooses an item of the quick pick, which makes place for something else. */
	async pick(text: string): Promise<void> {
		const row = this.#item(text);
		await row.waitFor();
		await answerQuickInput(this.page, () => click(row));
	}

	/** Chooses an item that leaves the quick pick as it is, but shows something elsewhere. */
	async pickToSee(text: string, shown: Locator): Promise<void> {
		await settledQuickInput(this.page);
		await persist(async () => {
			await click(this.#item(text));
			await shown.waitFor({ timeout: retryAfterMs });
		});
	}

	/** The inside of the view of a result or a page. */
	resultFrame(): FrameLocator {
		// The views of pages of tools stay while their tabs are hidden.
		const frame = this.page.locator('iframe.webview.ready').filter({ visible: true });
		return frame.contentFrame().frameLocator('#active-frame');
	}

	/** The tab of an editor. */
	tab(title: string): Locator {
		return this.page.locator('.tab', { hasText: title });
	}

	/** Until the window has all its parts, the editor draws some actions that can't be used yet. */
	#action(place: Locator, title: string): Locator {
		return place.locator(`.action-label[aria-label^="${title}"]:not(.disabled)`).first();
	}

	#item(text: string): Locator {
		return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
	}

	/** Leaves the quick input without an answer. */
	async dismiss(): Promise<void> {
		await this.quickInput().waitFor();
		await answerQuickInput(this.page, () => this.quickInput().press('Escape', { timeout: retryAfterMs }));
		await this.quickInput().waitFor({ state: 'hidden' });
	}

	/** Presses a button of a toast or a dialog. */
	async press(place: Locator, button: string | RegExp): Promise<void> {
		await click(place.locator('.monaco-button', { hasText: button }).first());
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

	/** Leaves the workbench, and gives extensions the time to deactivate; a machine of its own ends with it. */
	async dispose(): Promise<void> {
		await leaveMachine(this.machine);
	}
}
