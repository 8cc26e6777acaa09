// What test-electron is where there is no desktop VS Code: runs the tests of an extension in a VS Code server and
// headless Chromium, prints what they print and returns their exit code. Each run has a server of its own; several
// may have one page after another.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltIns } from './builtIns.js';
import { EditorServer, type ServerOptions } from './editorServer.js';
import { ensureEditor } from './install.js';
import { progress } from './run.js';
import { userDataVariable } from '../support/suiteInWindow.js';
import { checkWireLogs, traceLevel, wireVariable } from '../support/wireLog.js';
import { HostSession, isEnding } from './session.js';
import { TestPage } from './testPage.js';
import type { EditorName } from './versions.js';

export interface LaunchOptions {
	readonly editor: EditorName;
	readonly extensionDevelopmentPath: string;
	readonly extensionTestsPath: string;
	readonly workspace: string | undefined;
	readonly settings: Readonly<Record<string, unknown>>;
	readonly workspaceTrust: boolean;
	/** Folders of fixture extensions to load besides. */
	readonly extensions: readonly string[];
	readonly builtIns: BuiltIns;
	/** Seconds without a word of the tests until they are given up. */
	readonly timeout: number;
	/** More variables for the server and so for the extension host. */
	readonly env?: Readonly<Record<string, string>>;
}

/** What the launcher and the extension host exchange. */
interface Files {
	/** The module that the workbench takes for the tests. */
	readonly entry: string;
	/** Where the tests' console goes. */
	readonly output: string;
	/** Exists when the tests ended without an error. */
	readonly passed: string;
}

// Long enough for a cold start on a busy machine.
const startTimeout = 90;
/** Seconds in which every test says something: mocha gives each a shorter time. */
export const defaultTimeout = 150;

/** Reads the arguments that test-electron passes, and ours, which begin with `--host-`. Others are for desktops. */
export function parseLaunchArguments(args: readonly string[]): LaunchOptions {
	const values = new Map<string, string>();
	let workspace: string | undefined;
	for (const arg of args) {
		const match = /^--([^=]+)(?:=(.*))?$/s.exec(arg);
		if (match === null) {
			workspace = path.resolve(arg);
		} else {
			values.set(match[1] ?? '', match[2] ?? '');
		}
	}
	const required = (name: string): string => {
		const value = values.get(name);
		if (value === undefined) {
			throw new Error(`Missing argument --${name}=…`);
		}
		return path.resolve(value);
	};
	const settings: Record<string, unknown> = JSON.parse(values.get('host-settings') ?? '{}');
	return {
		editor: values.get('host-editor') === 'oldest' ? 'oldest' : 'newest',
		extensionDevelopmentPath: required('extensionDevelopmentPath'),
		extensionTestsPath: required('extensionTestsPath'),
		workspace,
		settings,
		extensions: JSON.parse(values.get('host-extensions') ?? '[]') as string[],
		// Not `--disable-workspace-trust`: test-electron passes that one always.
		workspaceTrust: values.has('host-workspace-trust'),
		builtIns: values.get('host-built-ins') === 'all' ? 'all' : 'few',
		timeout: Number(values.get('host-timeout') ?? defaultTimeout),
	};
}

/**
 * Runs the tests; resolves with their exit code, rejects when they could not be run to their end.
 * @param kept the page to run them in, which is fresh again if all went well; without it, they have one of their own
 */
export async function launch(options: LaunchOptions, kept?: TestPage): Promise<number> {
	const session = new HostSession();
	session.onEnd(folder => checkWireLogs(folder, options.env?.[wireVariable]));
	const files: Files = {
		entry: path.join(session.folder, 'entry.js'),
		output: path.join(session.folder, 'output.txt'),
		passed: path.join(session.folder, 'passed'),
	};
	writeEntry(files, options.extensionTestsPath);
	const dataFolder = path.join(session.folder, 'editor');
	const output = new OutputFile(files.output);
	try {
		const editor = await ensureEditor(options.editor);
		const started = Date.now();
		const server = await startServer(
			{
				session,
				editor,
				settings: options.settings,
				extensions: options.extensions,
				builtIns: options.builtIns,
				workspaceTrust: options.workspaceTrust,
				smokeTestDriver: true,
				dataFolder,
				env: { ...options.env, [userDataVariable]: path.join(dataFolder, 'user') },
			},
			kept,
		);
		const page = kept ?? (await TestPage.open(session));
		try {
			const code = await Promise.race([
				page.run(
					server.url({
						workspace: options.workspace,
						payload: {
							extensionDevelopmentPath: server.remoteUri(options.extensionDevelopmentPath),
							extensionTestsPath: server.remoteUri(files.entry),
							skipWelcome: 'true',
							logLevel: traceLevel,
						},
					}),
				),
				server.exited.then(how => {
					throw new Error(`The VS Code server ended (${how}).`);
				}),
				watchClock(options.timeout, output),
			]);
			// The workbench reports success when the extension host crashes.
			if (code === 0 && !fs.existsSync(files.passed)) {
				throw new Error('The extension host ended before the tests did.');
			}
			// Whoever keeps it looks whether it did.
			await kept?.forget().catch(() => undefined);
			return code;
		} catch (error) {
			output.flush();
			if (isEnding()) {
				// Not a failure to explain; the signal handler ends this process.
				await new Promise(() => {});
			}
			progress(`workbench:\n${page.diagnostics.slice(-40).join('\n')}`);
			progress(`server:\n${server.tail()}`);
			throw error;
		} finally {
			output.flush();
			progress(`VS Code ${editor.version.vscode}`, started);
		}
	} finally {
		// The extension may still have something to say when it is deactivated.
		await session.dispose();
		output.dispose();
	}
}

/** What a page has compiled, it knows by the address: a server of the same port saves it the work. */
async function startServer(options: ServerOptions, page: TestPage | undefined): Promise<EditorServer> {
	const again = page?.port === undefined ? undefined : { ...options, port: String(page.port) };
	// Somebody else may have taken the port meanwhile.
	const server =
		(again && (await EditorServer.start(again).catch(() => undefined))) ?? (await EditorServer.start(options));
	if (page) {
		page.port = server.port;
	}
	return server;
}

/**
 * Writes the entry: it sends the console to a file, then runs the real one.
 * The extension host's own console goes to the workbench, where mocha's output is mixed with everybody's.
 */
function writeEntry(files: Files, extensionTestsPath: string): void {
	fs.writeFileSync(
		files.entry,
		`const fs = require('node:fs');
const { Console } = require('node:console');
const { Writable } = require('node:stream');
const fd = fs.openSync(${JSON.stringify(files.output)}, 'a');
const stream = new Writable({
	write(chunk, encoding, callback) {
		fs.writeSync(fd, chunk);
		callback();
	},
});
// Replaced as a whole: the extension host has made their methods read-only.
globalThis.console = new Console(stream);
Object.defineProperty(process, 'stdout', { value: stream });
Object.defineProperty(process, 'stderr', { value: stream });
exports.run = async () => {
	await require(${JSON.stringify(extensionTestsPath)}).run();
	fs.writeFileSync(${JSON.stringify(files.passed)}, '');
};
`,
	);
}

/** Copies what is appended to a file to stdout. */
class OutputFile {
	#read = 0;
	readonly #descriptor: number;
	readonly #timer: NodeJS.Timeout;

	readonly #flush = (): void => {
		this.flush();
	};

	constructor(readonly file: string) {
		this.#descriptor = fs.openSync(file, 'a+');
		this.#timer = setInterval(this.#flush, 100);
		process.on('exit', this.#flush);
	}

	/** Bytes until now. */
	get length(): number {
		return this.#read;
	}

	flush(): void {
		const buffer = Buffer.alloc(65536);
		for (let size; (size = fs.readSync(this.#descriptor, buffer, 0, buffer.length, this.#read)) > 0;) {
			this.#read += size;
			process.stdout.write(Buffer.from(buffer.subarray(0, size)));
		}
	}

	dispose(): void {
		clearInterval(this.#timer);
		process.off('exit', this.#flush);
		this.flush();
		fs.closeSync(this.#descriptor);
	}
}

/** Rejects when the tests say nothing for too long. */
async function watchClock(timeout: number, output: OutputFile): Promise<never> {
	for (let limit = Math.min(startTimeout, timeout); ; limit = timeout) {
		const { length } = output;
		await delay(limit * 1000, undefined, { ref: false });
		if (output.length === length) {
			throw new Error(`The tests ${length === 0 ? 'did not begin' : 'said nothing'} within ${limit} s.`);
		}
	}
}
