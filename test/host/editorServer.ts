// A VS Code server of a pinned version on a free port of 127.0.0.1, with folders of its own.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { builtInArguments, type BuiltIns } from './builtIns.js';
import { startPortRedirects } from './portRedirects.js';
import type { InstalledEditor } from './install.js';
import { run } from './run.js';
import type { HostSession } from './session.js';

export interface ServerOptions {
	readonly session: HostSession;
	readonly editor: InstalledEditor;
	/** Where user data and extensions are kept; by default in the session's temporary folder. */
	readonly dataFolder?: string;
	/** User settings besides those that keep the workbench quiet. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Which of the editor's own extensions it loads: all unless said otherwise. */
	readonly builtIns?: BuiltIns;
	/** `.vsix` files to install before the start. */
	readonly vsix?: readonly string[];
	/** Folders of extensions to load as if they were installed. */
	readonly extensions?: readonly string[];
	/** Restricted Mode is possible. Off unless asked for. */
	readonly workspaceTrust?: boolean;
	/** Accept `extensionDevelopmentPath` and so on from the address; suppresses toasts and dialogs. */
	readonly smokeTestDriver?: boolean;
	/** A port or a range (`8000-8099`) to take the first free one from; any unless said otherwise. */
	readonly port?: string;
	/**
	 * Seconds for which an extension host waits for its page to come back. A page that is loaded anew does not always tell
	 * it to end, and the editor's own time is three hours. The oldest editor knows no other.
	 */
	readonly graceSeconds?: number;
	/** More variables for the server and so for its extension hosts. */
	readonly env?: NodeJS.ProcessEnv;
	/** Through code-server's own entry: secrets outlive the page, and the server. Pages need `loginCookie`. */
	readonly keepsSecrets?: boolean;
}

/** What a page needs to ask for. */
export interface PageRequest {
	/** Absolute path of a folder or a `.code-workspace` file. */
	readonly workspace: string | undefined;
	/** What a desktop takes as arguments. Extensions under development are only heard of with the smoke-test driver. */
	readonly payload?: Readonly<Record<string, string>>;
}

/** Keeps pictures the same everywhere and the workbench from opening things nobody asked for. */
export const quietSettings: Readonly<Record<string, unknown>> = {
	'chat.disableAIFeatures': true,
	// The editor's own host would run the same servers a second time, without being asked where `dev.watch` is set.
	'chat.mcp.access': 'none',
	'chat.mcp.enabled': false,
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': false,
	'extensions.ignoreRecommendations': true,
	'git.openRepositoryInParentFolders': 'never',
	// The editor's server would look through the open files of all processes for ports, again and again.
	'remote.autoForwardPorts': false,
	'security.workspace.trust.banner': 'never',
	'security.workspace.trust.startupPrompt': 'never',
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'window.commandCenter': true,
	'workbench.enableExperiments': false,
	'workbench.reduceMotion': 'on',
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'workbench.startupEditor': 'none',
	'workbench.tips.enabled': false,
};

export class EditorServer {
	readonly #origin: string;
	readonly #output: string[];
	/** Settles when the server process ends, for whatever reason. */
	readonly exited: Promise<string>;

	private constructor(
		readonly pid: number,
		readonly port: number,
		readonly token: string,
		output: string[],
		exited: Promise<string>,
	) {
		this.#origin = `127.0.0.1:${port}`;
		this.#output = output;
		this.exited = exited;
	}

	/** Starts the server and waits until it listens. It ends with the session. */
	static async start(options: ServerOptions): Promise<EditorServer> {
		const dataFolder = options.dataFolder ?? path.join(options.session.folder, 'editor');
		const folders = prepareFolders(dataFolder, options);
		const builtIns = builtInArguments(options.builtIns ?? 'all', options.editor, dataFolder);
		// An environment that no login shell changes: the tests' PATH is the extension host's PATH.
		const env: NodeJS.ProcessEnv = {
			...options.session.sandboxEnv,
			VSCODE_CLI: '1',
			...(options.keepsSecrets !== true && { VSCODE_PROXY_URI: await startPortRedirects(options.session) }),
			...options.env,
		};
		for (const vsix of options.vsix ?? []) {
			await run(options.editor.node, [options.editor.main, ...folders, '--install-extension', vsix], { env });
		}
		const args =
			options.keepsSecrets === true
				? [options.editor.entry, ...builtIns, ...entryArguments(dataFolder, options)]
				: [options.editor.main, ...builtIns, ...folders, ...serverArguments(options)];
		const child = spawn(options.editor.node, args, {
			env: { ...env, ...(options.keepsSecrets === true && { HASHED_PASSWORD: options.session.id }) },
			// A group of its own: Ctrl+C in a terminal must not reach it before we ended it in good order.
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		if (child.pid === undefined) {
			throw new Error(`Cannot start ${options.editor.node}`);
		}
		options.session.adopt(child.pid);
		// The server only: extension hosts then see that it is gone and deactivate their extensions.
		options.session.onClose(() => void child.kill('SIGTERM'));
		const exited = new Promise<string>(resolve => {
			child.on('exit', (code, signal) => {
				resolve(signal ?? `exit code ${code}`);
			});
		});
		const output: string[] = [];
		const port = await new Promise<number>((resolve, reject) => {
			const read = (chunk: Buffer): void => {
				output.push(chunk.toString());
				const match = /(?:Extension host agent listening on |HTTP server listening on \S+:)(\d+)/.exec(output.join(''));
				if (match !== null) {
					resolve(Number(match[1]));
				}
				output.splice(0, output.length - 500);
			};
			child.stdout.on('data', read);
			child.stderr.on('data', read);
			child.on('exit', () => {
				reject(new Error(`The VS Code server ended at once:\n${output.join('')}`));
			});
		});
		return new EditorServer(child.pid, port, options.session.id, output, exited);
	}

	/** The address of a workbench on this server. */
	url(request: PageRequest): string {
		const url = new URL(`http://${this.#origin}/`);
		url.searchParams.set('tkn', this.token);
		if (request.workspace === undefined) {
			// Else the editor opens what was open last.
			url.searchParams.set('ew', 'true');
		} else {
			url.searchParams.set(request.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', request.workspace);
		}
		if (request.payload !== undefined) {
			url.searchParams.set('payload', JSON.stringify(Object.entries(request.payload)));
		}
		return url.href;
	}

	/** The cookie that signs a browser in to code-server. */
	get loginCookie(): { readonly name: string; readonly value: string; readonly url: string } {
		return { name: 'code-server-session', value: this.token, url: `http://${this.#origin}` };
	}

	/** Ends the server; its extension hosts end by themselves. */
	async stop(): Promise<void> {
		process.kill(this.pid, 'SIGTERM');
		await this.exited;
	}

	/** How the workbench addresses a file on this machine. */
	remoteUri(file: string): string {
		return `vscode-remote://${this.#origin}${file}`;
	}

	/** The last of what the server wrote, for a post-mortem. */
	tail(lines = 30): string {
		return this.#output.join('').trimEnd().split('\n').slice(-lines).join('\n');
	}
}

function serverArguments(options: ServerOptions): string[] {
	const { editor, graceSeconds } = options;
	return [
		'--host',
		'127.0.0.1',
		'--port',
		options.port ?? '0',
		// Other users of this machine, and pages in other tabs, must not get in.
		'--connection-token',
		options.session.id,
		'--accept-server-license-terms',
		'--telemetry-level',
		'off',
		...(options.smokeTestDriver === true ? ['--enable-smoke-test-driver'] : []),
		...(graceSeconds === undefined || editor.name === 'oldest' ? [] : [`--reconnection-grace-time=${graceSeconds}`]),
		...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
	];
}

function entryArguments(dataFolder: string, options: ServerOptions): string[] {
	return [
		'--bind-addr',
		`127.0.0.1:${options.port ?? '0'}`,
		'--auth',
		'password',
		// Not of the person who runs the tests.
		'--config',
		path.join(dataFolder, 'code-server.yaml'),
		'--user-data-dir',
		path.join(dataFolder, 'user'),
		'--extensions-dir',
		path.join(dataFolder, 'extensions'),
		'--disable-telemetry',
		'--disable-update-check',
		...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
	];
}

/** Makes the folders and returns the arguments that name them. */
function prepareFolders(dataFolder: string, options: ServerOptions): string[] {
	const user = path.join(dataFolder, 'user');
	const extensions = path.join(dataFolder, 'extensions');
	fs.mkdirSync(path.join(user, 'User'), { recursive: true });
	fs.mkdirSync(extensions, { recursive: true });
	writeSettings(user, options.settings);
	// Links of an earlier start may be of another version; without its list, the server looks into the folder again.
	fs.rmSync(path.join(extensions, 'extensions.json'), { force: true });
	for (const entry of fs.readdirSync(extensions, { withFileTypes: true }).filter(it => it.isSymbolicLink())) {
		fs.rmSync(path.join(extensions, entry.name));
	}
	linkExtensions(options.extensions ?? [], extensions);
	return [
		'--server-data-dir',
		path.join(dataFolder, 'server'),
		'--user-data-dir',
		user,
		'--extensions-dir',
		extensions,
	];
}

/** Pre-writes the user settings; what a person has changed since (`npm start`) is kept. */
export function writeSettings(userDataFolder: string, settings: Readonly<Record<string, unknown>> = {}): void {
	const file = path.join(userDataFolder, 'User', 'settings.json');
	fs.mkdirSync(path.dirname(file), { recursive: true });
	const kept = fs.existsSync(file) ? readSettings(file) : {};
	// A file that a person has broken is theirs to mend.
	if (kept !== undefined) {
		fs.writeFileSync(file, JSON.stringify({ ...quietSettings, ...settings, ...kept }, undefined, '\t'));
	}
}

function readSettings(file: string): Record<string, unknown> | undefined {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}

/** Puts links to folders of extensions where an editor looks for those that are installed. */
export function linkExtensions(folders: readonly string[], extensions: string): void {
	fs.mkdirSync(extensions, { recursive: true });
	folders.forEach(it => linkExtension(it, extensions));
}

function linkExtension(folder: string, extensions: string): void {
	const manifest: Record<'publisher' | 'name' | 'version', string> = JSON.parse(
		fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
	);
	fs.symlinkSync(folder, path.join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`), 'dir');
}
