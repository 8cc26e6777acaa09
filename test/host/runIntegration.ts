// Runs an extension's tests in a real editor: desktop VS Code or our launcher, as `chooseHost.ts` says.
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { userDataVariable } from '../support/suiteInWindow.js';
import { checkWireLogs, traceLevel, wireVariable } from '../support/wireLog.js';
import type { BuiltIns } from './builtIns.js';
import { chooseHost, type Host } from './chooseHost.js';
import { linkExtensions, writeSettings } from './editorServer.js';
import { defaultTimeout, launch } from './launcher.js';
import { projectRoot } from './paths.js';
import { progress } from './run.js';
import { HostSession, sessionVariable } from './session.js';
import { TestPage } from './testPage.js';
import type { EditorName } from './versions.js';

export interface IntegrationOptions {
	/** A module that exports `run(): Promise<void>`. */
	readonly extensionTestsPath: string;
	/** This project unless said otherwise. */
	readonly extensionDevelopmentPath?: string;
	/**
	 * A fixture folder: it is copied, and its `.code-workspace` is opened if it has one. Missing: an empty folder. `none`:
	 * a window without a folder.
	 */
	readonly workspace?: string;
	/** User settings besides `quietSettings`. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Folders of fixture extensions to load as if they were installed. */
	readonly extensions?: readonly string[];
	/** Which of the editor's own extensions are loaded: few unless said otherwise. A desktop has all. */
	readonly builtIns?: BuiltIns;
	/** Opens the workspace in Restricted Mode. Only our launcher can: test-electron switches trust off. */
	readonly restricted?: boolean;
	/** More variables for the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	/** Seconds without a word of the tests until the run is given up. */
	readonly timeout?: number;
}

/** Runs in one editor after another, each with folders and processes of its own. Who makes it disposes it. */
export class IntegrationHost {
	#page: TestPage | undefined;

	constructor(private readonly host: Host) {}

	static async choose(editor: EditorName): Promise<IntegrationHost> {
		return new IntegrationHost(await chooseHost(editor));
	}

	/** Resolves with the exit code of the tests. */
	async run(options: IntegrationOptions): Promise<number | 'unsupported'> {
		progress(this.host.title);
		if (this.host.kind === 'browser') {
			return this.#runInBrowser(this.host.editor, options);
		}
		return options.restricted === true ? 'unsupported' : runOnDesktop(this.host.executable, options);
	}

	async dispose(): Promise<void> {
		const page = this.#page;
		this.#page = undefined;
		await page?.dispose();
	}

	/** The page goes on to the next run, unless something is amiss with it or with the tests. */
	async #runInBrowser(editor: EditorName, options: IntegrationOptions): Promise<number> {
		const session = new HostSession();
		this.#page ??= await TestPage.keep();
		let code: number | undefined;
		try {
			code = await launch(
				{
					editor,
					extensionDevelopmentPath: options.extensionDevelopmentPath ?? projectRoot,
					extensionTestsPath: options.extensionTestsPath,
					workspace: workspaceOf(options, session),
					settings: options.settings ?? {},
					workspaceTrust: options.restricted ?? false,
					extensions: options.extensions ?? [],
					builtIns: options.builtIns ?? 'few',
					timeout: options.timeout ?? defaultTimeout,
					env: { ...options.env, MCP_WORKBENCH_TEST_BROWSER: this.#page.folder },
				},
				this.#page,
			);
			return code;
		} finally {
			await session.dispose();
			if (code !== 0 || !this.#page.isFresh) {
				await this.dispose();
			}
		}
	}
}

async function runOnDesktop(executable: string, options: IntegrationOptions): Promise<number> {
	const session = new HostSession(15_000);
	// test-electron keeps its child to itself.
	session.onClose(() => {
		for (const { pid, parent } of session.processes()) {
			if (parent === process.pid) {
				process.kill(pid, 'SIGINT');
			}
		}
	});
	session.onEnd(folder => checkWireLogs(folder, options.env?.[wireVariable]));
	try {
		const workspace = workspaceOf(options, session);
		return await runTests({
			vscodeExecutablePath: executable,
			extensionDevelopmentPath: options.extensionDevelopmentPath ?? projectRoot,
			extensionTestsPath: options.extensionTestsPath,
			extensionTestsEnv: {
				...options.env,
				[sessionVariable]: session.id,
				[userDataVariable]: path.join(session.folder, 'user'),
			},
			launchArgs: [...(workspace === undefined ? [] : [workspace]), ...desktopArguments(options, session.folder)],
		});
	} catch (error) {
		if (error instanceof TestRunFailedError) {
			return error.code ?? 1;
		}
		throw error;
	} finally {
		await session.dispose();
	}
}

function workspaceOf({ workspace }: IntegrationOptions, { folder }: HostSession): string | undefined {
	return workspace === 'none' ? undefined : copyWorkspace(workspace, folder);
}

function desktopArguments(options: IntegrationOptions, folder: string): string[] {
	const userData = path.join(folder, 'user');
	writeSettings(userData, options.settings);
	const extensions = path.join(folder, 'extensions');
	linkExtensions(options.extensions ?? [], extensions);
	return [`--user-data-dir=${userData}`, `--extensions-dir=${extensions}`, `--log=${traceLevel}`];
}

/** Copies a workspace, so that tests may change it, and returns what to open. */
export function copyWorkspace(workspace: string | undefined, folder: string): string {
	const copy = path.join(folder, path.basename(workspace ?? 'workspace'));
	fs.mkdirSync(copy);
	if (workspace !== undefined && fs.existsSync(workspace)) {
		fs.cpSync(workspace, copy, { recursive: true });
	}
	const file = fs.readdirSync(copy).find(it => it.endsWith('.code-workspace'));
	return file === undefined ? copy : path.join(copy, file);
}
