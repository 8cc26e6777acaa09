/** The demo's guarded server in a workbench, and a person who signs in to it: what tests of signing in share. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { MachineOptions } from '../host/machine.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { browse, type Guarded } from '../integration/auth/guarded.js';
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
	await page.waitForURL(/client_id=/, { waitUntil: 'commit' });
	// This editor leads to its own machine through a proxy of its own, under a path where cookies of the page do not
	// reach, and takes what is encoded within a parameter apart: what is behind the proxy is opened without it.
	const direct = page
		.url()
		.replace(/^.*\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/')
		.replace(/(?<=&redirect_uri=).*?(?=&state=)/, it => encodeURIComponent(decodeURI(it).replace('%3F', '?')));
	await page.goto(await browse(direct, 'allow', url => url.includes('vscode-reqid')));
	await bench.row('trackerrunning').waitFor();
	if (picture !== undefined) {
		await bench.screenshot(picture);
	}
	await page.close();
}
