// What npm does not carry: a compiler and Chromium. Taken from the machine; installed where we may (root on Debian).
import * as fs from 'node:fs';
import { findOnPath, isExecutable } from './paths.js';
import { progress, run } from './run.js';

/** The headless shell of Chromium, program and Debian package alike: an editor in it takes about a sixth less CPU time. */
const headlessShell = 'chromium-headless-shell';
const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const chromiumFiles = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** What was installed, or takes its place: asked for once. */
let chromium: Promise<string> | undefined;

/** The browser of the tests: MCP_WORKBENCH_CHROMIUM, the headless shell, or another on this machine. */
export async function ensureChromium(): Promise<string> {
	const chosen = process.env['MCP_WORKBENCH_CHROMIUM'];
	if (chosen !== undefined && chosen !== '') {
		if (!isExecutable(chosen)) {
			throw new Error(`MCP_WORKBENCH_CHROMIUM names no executable: ${chosen}`);
		}
		return chosen;
	}
	const other = findOnPath(...chromiumNames) ?? chromiumFiles.find(it => isExecutable(it));
	if (other !== undefined && !mayInstall()) {
		return findOnPath(headlessShell) ?? other;
	}
	return (chromium ??= installChromium().catch((error: unknown) => {
		if (other === undefined) {
			throw error;
		}
		progress(`using ${other}: ${error instanceof Error ? error.message : String(error)}`);
		return other;
	}));
}

function installChromium(): Promise<string> {
	return ensure(
		'Chromium',
		() => findOnPath(headlessShell),
		[headlessShell, 'fonts-dejavu-core'],
		' or set MCP_WORKBENCH_CHROMIUM to one',
	);
}

/** What node-gyp needs. */
export async function ensureBuildTools(): Promise<void> {
	await ensure('make', () => findOnPath('make'), ['make']);
	await ensure('a C++ compiler', () => findOnPath('c++', 'g++', 'clang++'), ['g++']);
	await ensure('Python 3', () => findOnPath('python3', 'python'), ['python3']);
}

function mayInstall(): boolean {
	return process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');
}

/** The installation before: Debian does one at a time. */
let turn: Promise<unknown> = Promise.resolve();

async function ensure(
	what: string,
	find: () => string | undefined,
	packages: readonly string[],
	otherwise = '',
): Promise<string> {
	const present = find();
	if (present !== undefined) {
		return present;
	}
	const installed = turn.then(() => installPackages(what, find, packages, otherwise));
	turn = installed.catch(() => undefined);
	return installed;
}

async function installPackages(
	what: string,
	find: () => string | undefined,
	packages: readonly string[],
	otherwise: string,
): Promise<string> {
	const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
	if (!mayInstall()) {
		const how = fs.existsSync('/etc/debian_version') ? `Install it as root (${command})` : 'Install it';
		throw new Error(`The tests need ${what}, and this machine has none. ${how}${otherwise}.`);
	}
	const started = Date.now();
	progress(`installing ${what} (${command})`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await run('apt-get', ['update'], { env });
	await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env });
	const installed = find();
	if (installed === undefined) {
		throw new Error(`Debian's ${packages.join(', ')} did not bring ${what}.`);
	}
	progress(`${what} is ready`, started);
	return installed;
}
