// Installs what tests run on (Node, editors) from the npm registry into `.vscode-test/`, once.
// An installation is made under a temporary name and renamed at the end: a folder that exists is complete.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuildTools } from './debian.js';
import { cacheFolder } from './paths.js';
import { progress, run } from './run.js';
import { editors, type EditorName, type EditorVersion } from './versions.js';

export interface InstalledEditor {
	readonly name: EditorName;
	readonly version: EditorVersion;
	/** The Node to run it with. */
	readonly node: string;
	/** Its `server-main.js`. */
	readonly main: string;
	/** What code-server puts around that: a login, and a key by which the page keeps secrets over a reload. */
	readonly entry: string;
}

/** A Node binary of exactly that version; installed when missing. */
export async function ensureNode(version: string): Promise<string> {
	return path.join(
		await ensureNodePackage(version),
		process.platform === 'win32' ? 'node.exe' : path.join('bin', 'node'),
	);
}

/** A VS Code server with everything it needs; installed when missing. */
export async function ensureEditor(name: EditorName): Promise<InstalledEditor> {
	if (process.platform === 'win32') {
		throw new Error('The browser host does not run on Windows: use desktop VS Code (MCP_WORKBENCH_HOST=desktop).');
	}
	const version = editors[name];
	const nodePackage = await ensureNodePackage(version.node);
	const folder = await installOnce(`code-server-${version.codeServer}`, (target, step) =>
		installEditor(version, nodePackage, target, step),
	);
	const codeServer = path.join(folder, 'node_modules', 'code-server');
	return {
		name,
		version,
		node: path.join(nodePackage, 'bin', 'node'),
		main: path.join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
		entry: path.join(codeServer, 'out', 'node', 'entry.js'),
	};
}

/** The npm package that carries Node for this platform: binary and headers. */
async function ensureNodePackage(version: string): Promise<string> {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	// The names that the package `node` uses; asked for directly, because it installs them by a script.
	const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
	const name = `${prefix}-${platform}-${process.arch}`;
	const folder = await installOnce(`node-${version}`, async (target, step) => {
		step(`Node ${version}`);
		await npmInstall(target, `${name}@${version}`);
	});
	return path.join(folder, 'node_modules', name);
}

async function installEditor(
	version: EditorVersion,
	nodePackage: string,
	target: string,
	step: (what: string) => void,
): Promise<void> {
	step(`VS Code ${version.vscode} (code-server ${version.codeServer})`);
	await npmInstall(target, `code-server@${version.codeServer}`);

	step('its dependencies');
	const vscode = path.join(target, 'node_modules', 'code-server', 'lib', 'vscode');
	// Not `npm ci`: the shrinkwrap that code-server ships is not in sync with its package.json.
	await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: vscode });
	await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: path.join(vscode, 'extensions') });
	if (version.ripgrep !== undefined) {
		await installRipgrep(version.ripgrep, vscode, target);
	}
	// What the skipped install scripts would have linked.
	fs.symlinkSync('node_modules', path.join(vscode, 'node_modules.asar'));

	step('its native modules');
	await ensureBuildTools();
	await npm(['rebuild', ...version.nativeModules], {
		cwd: vscode,
		env: {
			// node-gyp runs on, and compiles for, the first `node` on PATH.
			PATH: path.join(nodePackage, 'bin') + path.delimiter + (process.env['PATH'] ?? ''),
			// The headers of the very Node that will load the modules; node-gyp would download them.
			npm_config_nodedir: nodePackage,
			JOBS: 'max',
		},
	});
	for (const name of version.nativeModules) {
		if (!fs.existsSync(path.join(vscode, 'node_modules', name, 'build', 'Release'))) {
			throw new Error(`npm did not build ${name}. Are install scripts switched off (ignore-scripts, allow-scripts)?`);
		}
	}
}

async function installRipgrep(version: string, vscode: string, target: string): Promise<void> {
	const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
	const folder = path.join(target, 'ripgrep');
	fs.mkdirSync(folder);
	await npmInstall(folder, `${name}@${version}`);
	fs.cpSync(
		path.join(folder, 'node_modules', name, 'bin'),
		path.join(vscode, 'node_modules', '@vscode', 'ripgrep', 'bin'),
		{ recursive: true },
	);
	fs.rmSync(folder, { recursive: true });
}

async function npmInstall(folder: string, ...specifiers: readonly string[]): Promise<void> {
	fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
	await npm(['install', '--ignore-scripts', '--prefix', folder, ...specifiers], { cwd: folder });
}

/** Runs npm silently; its output is part of the error when it fails. */
async function npm(args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<void> {
	const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--engine-strict=false'];
	const env = { ...process.env, ...options.env };
	// Under `npm test` these would make this npm believe that it works in our project.
	delete env['npm_config_local_prefix'];
	await run('npm', [...args, ...quiet], { cwd: options.cwd, env });
}

/** Makes `<root>/<name>` unless it exists: complete or not at all, and by one process at a time. */
export async function installOnce(
	name: string,
	install: (target: string, step: (what: string) => void) => Promise<void>,
	{ root = cacheFolder, report = progress }: { root?: string; report?: typeof progress } = {},
): Promise<string> {
	const folder = path.join(root, name);
	if (fs.existsSync(folder)) {
		return folder;
	}
	fs.mkdirSync(root, { recursive: true });
	const unlock = await lock(`${folder}.lock`, report);
	try {
		if (!fs.existsSync(folder)) {
			const partial = `${folder}.partial`;
			fs.rmSync(partial, { recursive: true, force: true });
			fs.mkdirSync(partial);
			const started = Date.now();
			await install(partial, what => {
				report(`installing ${what}`, started);
			});
			fs.renameSync(partial, folder);
			report(`${name} is ready`, started);
		}
		return folder;
	} finally {
		unlock();
	}
}

/** A lock file with the owner's pid; the lock of a dead process is taken over. */
async function lock(file: string, report: typeof progress): Promise<() => void> {
	for (let told = false; ; told = true) {
		try {
			fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
			return () => {
				fs.rmSync(file, { force: true });
			};
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
				throw error;
			}
		}
		const owner = readOwner(file);
		if (owner !== undefined && !isAlive(owner)) {
			fs.rmSync(file, { force: true });
			continue;
		}
		if (!told) {
			report(`waiting for another installation${owner === undefined ? '' : ` (process ${owner})`}`);
		}
		await delay(300);
	}
}

function readOwner(file: string): number | undefined {
	try {
		const pid = Number(fs.readFileSync(file, 'utf8'));
		return Number.isInteger(pid) && pid > 0 ? pid : undefined;
	} catch {
		return undefined;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
