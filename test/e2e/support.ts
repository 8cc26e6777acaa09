/** What the end-to-end tests share. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { commandLine, type ProcessInfo } from '../host/processes.js';
import { maxWaitMs } from '../host/gestures.js';
import { endSharedMachine } from '../host/machine.js';
import type { Workbench } from '../host/workbench.js';

const warnings: string[] = [];
process.on('warning', it => warnings.push(it.name));

// Of the whole run: suites leave the machine they share to each other.
after(async () => {
	await endSharedMachine();
	assert.ok(!warnings.includes('MaxListenersExceededWarning'), 'each start listens to the end of this process anew');
});

/** Leaves a picture of the screen, and all logs, for each test that failed, and for what failed before the first. */
export function pictureOnFailure(workbench: () => Workbench | undefined): void {
	const picture = async (title: string): Promise<void> => {
		// There may be no screen left to take a picture of.
		await workbench()
			?.takeEvidence(`failed-${title.replace(/\W+/g, '-').slice(0, 80)}`)
			.catch(() => undefined);
	};
	afterEach(async function () {
		if (this.currentTest?.state === 'failed') {
			await picture(this.currentTest.fullTitle());
		}
	});
	after(async function () {
		const suite = this.test?.parent;
		if (suite?.tests.some(it => it.state === undefined && !it.pending)) {
			await picture(`${suite.fullTitle()} before`);
		}
	});
}

/** Repeats `check` until it does not throw; after 60 seconds its last error is the failure. */
export async function eventually(what: string, check: () => Promise<void> | void): Promise<void> {
	for (const deadline = Date.now() + maxWaitMs; ; await delay(50)) {
		try {
			await check();
			return;
		} catch (error) {
			if (Date.now() > deadline) {
				throw new Error(`${what} did not come: ${error instanceof Error ? error.message : String(error)}`, {
					cause: error,
				});
			}
		}
	}
}

/** Waits for the question with this title. */
export function titled(workbench: Workbench, title: string): Promise<void> {
	return eventually(title, async () => assert.equal((await workbench.readQuickInput()).title, title));
}

/** A workspace folder of its own, in the folder of temporary files; removed with everything beside it. */
export class OwnWorkspace {
	readonly folder: string;

	/** @param what the tests are about @param name of the folder, as the person sees it */
	constructor(what: string, name: string) {
		this.folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), `mcp-workbench-${what}-`)), name);
	}

	/** A file of `.vscode`. */
	write(file: string, value: object): void {
		fs.mkdirSync(path.join(this.folder, '.vscode'), { recursive: true });
		fs.writeFileSync(path.join(this.folder, '.vscode', file), JSON.stringify(value, undefined, '\t'));
	}

	remove(): void {
		fs.rmSync(path.dirname(this.folder), { recursive: true });
	}
}

/** The visible text of the nth text editor. */
export async function editorText(workbench: Workbench, index = 0): Promise<string> {
	const lines = workbench.page.locator('.editor-instance .view-lines').nth(index).locator('.view-line');
	const texts = await lines.evaluateAll(elements =>
		elements
			.map(it => ({ text: it.textContent ?? '', top: it.getBoundingClientRect().top }))
			.sort((a, b) => a.top - b.top)
			.map(it => it.text),
	);
	// The editor draws blanks as no-break spaces.
	return texts.join('\n').replaceAll('\u00A0', ' ');
}

/** The MCP servers that the extension hosts of this workbench have started and that are alive. */
export function serverProcesses({ session }: Workbench): (ProcessInfo & { readonly command: string })[] {
	return session
		.processes()
		.map(it => ({ ...it, command: commandLine(it.pid) }))
		.filter(it => /server-everything|server-filesystem|(?:demo|fixtures)\/servers\//.test(it.command));
}

/** What stands in a server's log channel, read from the disk. */
export function serverLog(workbench: Workbench, server: string): string {
	return logNamed(workbench, `MCP Workbench ${server}.log`);
}

/** What stands in the log channel of no server, in all windows. */
export function extensionLog(workbench: Workbench): string {
	return logNamed(workbench, `MCP Workbench.log`);
}

function logNamed({ machine }: Workbench, name: string): string {
	const logs = fs
		.readdirSync(machine.logs, { recursive: true, encoding: 'utf8' })
		.filter(it => path.basename(it).endsWith(name));
	return logs.map(it => fs.readFileSync(path.join(machine.logs, it), 'utf8')).join('');
}

/** What can be pressed, filled in or looked at in our parts of the screen, and has no name; or no role, in a view. */
export async function unnamed(bench: Workbench): Promise<string[]> {
	const places = [bench.view(), bench.page.locator('.quick-input-widget:visible'), bench.page.locator('.statusbar')];
	const lines: string[] = [];
	for (const place of places) {
		if ((await place.count()) > 0) {
			lines.push(...(await place.first().ariaSnapshot()).split('\n'));
		}
	}
	assert.ok(lines.length > 5, 'there is something to look at');
	const isNameless = (it: string): boolean => /^\s*- (button|link|textbox|checkbox|treeitem|tree)\b(?! ")/.test(it);
	const isThere = (await bench.page.locator('iframe.webview.ready').count()) > 0;
	return [...lines.filter(isNameless), ...(isThere ? await unnamedInResult(bench) : [])];
}

async function unnamedInResult(bench: Workbench): Promise<string[]> {
	const body = bench.resultFrame().locator('body');
	const lines = (await body.ariaSnapshot()).split('\n');
	const isNameless = (it: string): boolean =>
		/^\s*- (button|link|treeitem|tree|img|article|toolbar|region|heading)\b(?! ")/.test(it);
	return [...lines.filter(isNameless), ...(await withoutRole(body))];
}

/** In the view of a result: what takes the focus, and is nothing to a screen reader. */
async function withoutRole(body: Locator): Promise<string[]> {
	return body.evaluate<string[], unknown>(`(() => {
		const own = ['BUTTON', 'SUMMARY', 'AUDIO', 'H1', 'INPUT', 'SELECT', 'TEXTAREA'];
		const isNothing = it => !it.getAttribute('role') && !own.includes(it.tagName);
		const labelsOf = it => [
			...(it.labels ?? []),
			...(it.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id)),
		];
		const nameOf = it => it.getAttribute('aria-label') ?? [it, ...labelsOf(it)].map(one => one?.textContent).join('');
		const hasNoName = it => nameOf(it).trim() === '';
		const found = [...document.body.querySelectorAll('button, summary, audio, a, input, [tabindex]')];
		return found.filter(it => isNothing(it) || hasNoName(it)).map(it => it.outerHTML.slice(0, 200));
	})()`);
}
