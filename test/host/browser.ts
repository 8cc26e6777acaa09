// Headless Chromium as part of a session.
import * as path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { ensureChromium } from './debian.js';
import type { HostSession } from './session.js';

/**
 * Starts Chromium with a fresh profile inside the session's folder; it ends with the session.
 * @param viewport the size of its pages; painting a small one takes less of the processor
 * @param deviceScaleFactor how many pixels of a screenshot one pixel of a page gets, in each direction
 */
export async function openBrowser(
	session: HostSession,
	viewport = { width: 1280, height: 800 },
	deviceScaleFactor = 1,
): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(path.join(session.folder, 'chromium'), {
		executablePath: await ensureChromium(),
		headless: true,
		viewport,
		deviceScaleFactor,
		locale: 'en-US',
		// Where there are no windows, nothing else grants them.
		permissions: ['clipboard-read', 'clipboard-write'],
		env: definedOnly(session.sandboxEnv),
		// The session ends the browser, after the page had a chance to say good-bye.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// A container's /dev/shm is often too small for a workbench.
			'--disable-dev-shm-usage',
		],
	});
	session.onClose(async () => {
		await context.close();
	});
	return context;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(Object.entries(env).filter((it): it is [string, string] => it[1] !== undefined));
}
