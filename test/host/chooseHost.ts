// The one rule that says which editor runs the integration tests:
//  1. MCP_WORKBENCH_HOST, when set: `desktop`, `newest`, `oldest` or the absolute path of an executable.
//  2. Desktop VS Code, where a window can be shown and test-electron can download it (or did before).
//  3. Otherwise our launcher: the VS Code server inside `code-server` with headless Chromium.
import * as path from 'node:path';
import { download, SilentReporter } from '@vscode/test-electron';
import { cacheFolder, canShowWindows, isExecutable } from './paths.js';
import { progress } from './run.js';
import { editors, type EditorName } from './versions.js';

export type Host =
	| {
			readonly kind: 'desktop';
			/** For the headline of a test run. */
			readonly title: string;
			/** What `runTests` takes as `vscodeExecutablePath`. */
			readonly executable: string;
	  }
	| { readonly kind: 'browser'; readonly title: string; readonly editor: EditorName };

/** What the person asked for, if anything. */
export function hostOverride(): string | undefined {
	return process.env['MCP_WORKBENCH_HOST'] || undefined;
}

/** The host for an editor version; installs or downloads it when missing. */
export async function chooseHost(editor: EditorName): Promise<Host> {
	const override = hostOverride();
	switch (override) {
		case undefined:
			return (canShowWindows() ? await tryDesktop(editor) : undefined) ?? browserHost(editor);
		case 'desktop': {
			const desktop = await tryDesktop(editor);
			if (desktop === undefined) {
				throw new Error('MCP_WORKBENCH_HOST=desktop, but desktop VS Code cannot be downloaded here.');
			}
			return desktop;
		}
		case 'newest':
		case 'oldest':
			return browserHost(override);
		default:
			if (!path.isAbsolute(override) || !isExecutable(override)) {
				throw new Error(`MCP_WORKBENCH_HOST is not desktop, newest, oldest or the path of an executable: ${override}`);
			}
			return { kind: 'desktop', title: override, executable: override };
	}
}

/** Desktop VS Code by test-electron, which asks the network only for what it does not have. */
async function tryDesktop(editor: EditorName): Promise<Host | undefined> {
	const version = editors[editor].vscode;
	try {
		// The time-out is for silence on the network, not for the whole download.
		const options = { version, cachePath: cacheFolder, timeout: 5000, reporter: new SilentReporter() };
		return { kind: 'desktop', title: `desktop VS Code ${version}`, executable: await download(options) };
	} catch (error) {
		progress(`no desktop VS Code ${version} (${error instanceof Error ? error.message : String(error)})`);
		return undefined;
	}
}

function browserHost(editor: EditorName): Host {
	return { kind: 'browser', title: `VS Code ${editors[editor].vscode} in a browser`, editor };
}
