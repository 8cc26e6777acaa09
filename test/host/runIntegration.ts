// Runs an extension's tests in a real editor: desktop VS Code or our launcher, as `chooseHost.ts` says.
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkWireLogs, traceLevel, wireVariable } from '../support/wireLog.js';
import { chooseHost } from './chooseHost.js';
import { linkExtensions, writeSettings } from './editorServer.js';
import { projectRoot } from './paths.js';
import { progress } from './run.js';
import { HostSession, sessionVariable } from './session.js';
import type { EditorName } from './versions.js';

export interface IntegrationOptions {
	readonly editor: EditorName;
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
	/** Opens the workspace in Restricted Mode. Only our launcher can: test-electron switches trust off. */
	readonly restricted?: boolean;
	/** More variables for the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	/** Seconds until the run is given up. */
	readonly timeout?: number;
}

/** Resolves with the exit code of the tests. */
export async function runIntegration(options: IntegrationOptions): Promise<number | 'unsupported'> {
	const host = await chooseHost(options.editor);
	if (options.restricted === true && host.kind === 'desktop') {
		return 'unsupported';
	}
	const session = new HostSession(15_000);
	// test-electron keeps its child to itself.
	session.onClose(() => {
		for (const { pid, parent } of session.processes()) {
			if (parent === process.pid) {
				process.kill(pid, 'SIGINT');
			}
		}
	});
	// The launcher has a session of its own and looks there.
	session.onEnd(folder => checkWireLogs(folder, options.env?.[wireVariable]));
	try {
		progress(host.title);
		return await runTests({
			vscodeExecutablePath: host.executable,
			extensionDevelopmentPath: options.extensionDevelopmentPath ?? projectRoot,
			extensionTestsPath: options.extensionTestsPath,
			extensionTestsEnv: { ...options.env, [sessionVariable]: session.id },
			launchArgs: [
				...(options.workspace === 'none' ? [] : [copyWorkspace(options.workspace, session.folder)]),
				...(host.kind === 'browser' ? browserArguments(options) : desktopArguments(options, session.folder)),
			],
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

function browserArguments(options: IntegrationOptions): string[] {
	return [
		`--host-settings=${JSON.stringify(options.settings ?? {})}`,
		`--host-extensions=${JSON.stringify(options.extensions ?? [])}`,
		...(options.timeout === undefined ? [] : [`--host-timeout=${options.timeout}`]),
		...(options.restricted === true ? ['--host-workspace-trust'] : []),
	];
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
