// An editor server and a browser, and one workbench after another in them: a start costs many seconds, another folder
// in the same page a few.
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { checkWireLogs, traceLevel } from '../support/wireLog.js';
import { openBrowser } from './browser.js';
import type { BuiltIns } from './builtIns.js';
import { EditorServer, type ServerOptions, writeSettings } from './editorServer.js';
import { retryAfterMs, until } from './gestures.js';
import { ensureEditor } from './install.js';
import { projectRoot } from './paths.js';
import { commandLine, type ProcessInfo } from './processes.js';
import { HostSession } from './session.js';
import type { EditorName } from './versions.js';

export interface MachineOptions {
	/** The newest unless said otherwise. */
	readonly editor?: EditorName;
	/** Extensions to install; by default what `npm run package` made. */
	readonly vsix?: readonly string[];
	/** Folders of extensions to load besides; by default the one that calls tools as another would. */
	readonly extensions?: readonly string[];
	/** Which of the editor's own extensions are loaded: few unless said otherwise. */
	readonly builtIns?: BuiltIns;
	/** As of `EditorServer`. */
	readonly keepsSecrets?: boolean;
	/** As of `openBrowser`. */
	readonly deviceScaleFactor?: number;
}

let shared: Machine | undefined;

/** A new machine if options are given; otherwise the shared one, which its users take in turns. */
export async function takeMachine(own?: MachineOptions): Promise<Machine> {
	return own === undefined ? (shared ??= await Machine.start()) : Machine.start(own);
}

/** Gives it back: the shared one forgets what it was used for, others end. */
export async function leaveMachine(machine: Machine): Promise<void> {
	if (machine !== shared) {
		await machine.dispose();
		return;
	}
	try {
		await machine.clear();
	} catch (error) {
		// The next user must not find anything that was left.
		await endSharedMachine();
		throw error;
	}
}

/** Ends the shared one; who asks for it again gets another. */
export async function endSharedMachine(): Promise<void> {
	const machine = shared;
	shared = undefined;
	await machine?.dispose();
}

export class Machine {
	#folders = 0;
	#page: Page | undefined;
	#server: EditorServer;

	private constructor(
		readonly session: HostSession,
		private readonly options: ServerOptions,
		server: EditorServer,
		readonly browser: BrowserContext,
	) {
		this.#server = server;
	}

	static async start(options: MachineOptions = {}): Promise<Machine> {
		const session = new HostSession();
		session.onEnd(folder => checkWireLogs(folder));
		try {
			const editor = await ensureEditor(options.editor ?? 'newest');
			const home = path.join(session.folder, 'home');
			fs.mkdirSync(home);
			const serverOptions: ServerOptions = {
				session,
				editor,
				extensions: options.extensions ?? [path.join(projectRoot, 'test', 'fixtures', 'caller')],
				// Each workbench says in its settings whether there is such a thing.
				workspaceTrust: true,
				// A home of its own: what other clients have configured on this machine is nobody's business.
				env: { MCP_WORKBENCH_PROJECT: projectRoot, HOME: home },
				builtIns: options.builtIns ?? 'few',
				keepsSecrets: options.keepsSecrets ?? false,
				graceSeconds: 10,
			};
			const vsix = options.vsix ?? [path.join(projectRoot, 'mcp-workbench.vsix')];
			const server = await EditorServer.start({ ...serverOptions, vsix });
			const browser = await openBrowser(session, undefined, options.deviceScaleFactor);
			if (options.keepsSecrets === true) {
				await browser.addCookies([server.loginCookie]);
			}
			return new Machine(session, serverOptions, server, browser);
		} catch (error) {
			await session.dispose();
			throw error;
		}
	}

	get editor(): EditorName {
		return this.options.editor.name;
	}

	get server(): EditorServer {
		return this.#server;
	}

	/** Ends the server, and starts it again at the same address; pages must be loaded again. */
	async restartServer(): Promise<void> {
		await this.#server.stop();
		this.#server = await EditorServer.start({ ...this.options, port: String(this.#server.port) });
	}

	/** The home folder of the extension hosts and of what they start. */
	get home(): string {
		return path.join(this.session.folder, 'home');
	}

	/** Where the extension hosts keep their logs. */
	get logs(): string {
		return path.join(this.#user, 'logs');
	}

	get #user(): string {
		return path.join(this.session.folder, 'editor', 'user');
	}

	/** A folder that is new to the editor, for a copy of a workspace. */
	newFolder(): string {
		const folder = path.join(this.session.folder, `w${++this.#folders}`);
		fs.mkdirSync(folder);
		return folder;
	}

	/** The page for the next workbench, the same as long as nobody closes it. The browser's first page stays empty. */
	async page(): Promise<Page> {
		if (this.#page === undefined || this.#page.isClosed()) {
			this.#page = await this.browser.newPage();
		}
		return this.#page;
	}

	/** A page whose workbench believes that a language pack has been loaded. */
	async pageIn(language: string): Promise<Page> {
		const page = await this.browser.newPage();
		await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
		return page;
	}

	/** Where the person's own settings and keybindings are. */
	get userFolder(): string {
		return path.join(this.#user, 'User');
	}

	/** Makes these the user's settings, besides the quiet ones. A window of a server reads those of a machine elsewhere. */
	writeSettings(settings: Readonly<Record<string, unknown>>): void {
		fs.rmSync(path.join(this.#user, 'User', 'settings.json'), { force: true });
		writeSettings(this.#user, settings);
		const ours = Object.entries(settings).filter(([name]) => name.startsWith('mcpWorkbench.'));
		fs.mkdirSync(path.join(this.#user, 'Machine'), { recursive: true });
		fs.writeFileSync(path.join(this.#user, 'Machine', 'settings.json'), JSON.stringify(Object.fromEntries(ours)));
	}

	/** The address of a workbench that logs what goes over the wire. */
	url(workspace: string): string {
		return this.server.url({ workspace, payload: { logLevel: traceLevel } });
	}

	/**
	 * Leaves the workbench, waits until all that it has started has ended, and forgets what it has kept.
	 * @throws Error if something goes on, or if a message that our client has sent does not fit
	 */
	async clear(): Promise<void> {
		const page = await this.page();
		const [empty, ...others] = this.browser.pages();
		for (const other of others.filter(it => it !== page && it !== empty)) {
			const closed = other.waitForEvent('close', { timeout: retryAfterMs }).catch(() => other.close());
			await other.close({ runBeforeUnload: true });
			await closed;
		}
		// No workbench, but of the same origin: the page's process goes on, in which the workbench is compiled.
		const { origin } = new URL(this.server.url({ workspace: undefined }));
		await page.goto(`${origin}/version`);
		await this.#extensionHostsEnd();
		checkWireLogs(this.logs);
		for (const log of fs.readdirSync(this.logs, { recursive: true, encoding: 'utf8' })) {
			if (/^exthost[^/]*$/.test(path.basename(log))) {
				fs.rmSync(path.join(this.logs, log), { recursive: true, force: true });
			}
		}
		for (const kept of ['globalStorage', 'workspaceStorage', 'History']) {
			fs.rmSync(path.join(this.#user, 'User', kept), { recursive: true, force: true });
		}
		fs.rmSync(this.home, { recursive: true });
		fs.mkdirSync(this.home);
		const devtools = await this.browser.newCDPSession(page);
		const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage,file_systems';
		await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
		await devtools.detach();
	}

	/** A window that is left early cannot say good-bye to its extension host, which would wait for its return. */
	async #extensionHostsEnd(): Promise<void> {
		const left = (): ProcessInfo[] =>
			this.session.processes().filter(it => commandLine(it.pid).includes('--type=extensionHost'));
		await until('the end of extension hosts', async () => left().length === 0, 10_000).catch(() => undefined);
		const hosts = new Set(left().map(it => it.pid));
		for (const { pid, parent } of this.session.processes()) {
			if (hosts.has(pid) || hosts.has(parent)) {
				kill(pid);
			}
		}
		await until('the end of killed extension hosts', async () => left().length === 0);
	}

	/** Ends browser and server, gives extensions the time to deactivate, and removes every temporary file. */
	async dispose(): Promise<void> {
		await this.session.dispose();
	}
}

function kill(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// Gone meanwhile.
	}
}
