/** The demo's guarded server in a workbench, and a person who signs in to it: what tests of signing in share. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { MachineOptions } from '../host/machine.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import type { Guarded } from '../integration/auth/guarded.js';
import { eventually } from './support.js';

/** A workbench with nothing but that server. */
export async function openTracker(tracker: Guarded, machine?: MachineOptions): Promise<Workbench> {
	const workspace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-sign-in-')), 'w');
	fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
	const servers = { tracker: { type: 'http', url: tracker.url } };
	fs.writeFileSync(path.join(workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
	const bench = await openWorkbench({ workspace, inPlace: true, ...(machine && { machine }) });
	await bench.openView('MCP Workbench');
	return bench;
}

/** Waits for the question whether to sign in. */
export function askedToSignIn(bench: Workbench): Promise<void> {
	const title = 'Sign in to "tracker"?';
	return eventually(title, async () => assert.equal((await bench.readQuickInput()).title, title));
}

/** Says yes to that, and all that it takes in the browser. */
export async function signInByBrowser(bench: Workbench, picture?: string): Promise<void> {
	await askedToSignIn(bench);
	const opened = bench.page.context().waitForEvent('page');
	await bench.pick('Sign In');
	const page = await opened;
	await page.getByRole('button', { name: 'Allow' }).waitFor();
	const name = page.getByLabel('Your name');
	if ((await name.count()) > 0) {
		await name.fill('Ada');
	}
	await page.getByRole('button', { name: 'Allow' }).click();
	await bench.row('trackerRunning').waitFor();
	if (picture !== undefined) {
		await bench.screenshot(picture);
	}
	await page.close();
}
