// `npm start`: an editor with this extension and the demo workspace, until its window is closed or Ctrl+C.
// Desktop VS Code where `code` is on PATH, otherwise our VS Code server for any browser.
//   --browser  the server even if there is a desktop
//   --no-open  the server, and only print its address
//   --data=…   where settings and layout are kept
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { EditorServer, writeSettings } from '../editorServer.js';
import { ensureEditor } from '../install.js';
import { cacheFolder, canShowWindows, findOnPath, projectRoot } from '../paths.js';
import { commandLine } from '../processes.js';
import { HostSession, isEnding } from '../session.js';

const workspace = path.join(projectRoot, 'demo');
/** Opens the view and the walkthrough at the first start. */
const opener = path.join(projectRoot, 'test', 'host', 'opener');
// Kept, so that the next start looks as this one was left.
const args = process.argv.slice(2);
const dataFolder =
	args.find(it => it.startsWith('--data='))?.slice('--data='.length) ?? path.join(cacheFolder, 'start');
const options = new Set(args);

async function main(): Promise<number> {
	const session = new HostSession();
	fs.mkdirSync(workspace, { recursive: true });
	const code = options.has('--browser') || options.has('--no-open') ? undefined : findDesktop();
	startTracker(session);
	try {
		return code === undefined ? await startServer(session) : await startDesktop(session, code);
	} finally {
		if (isEnding()) {
			// The signal handler ends this process when everything is in order.
			await new Promise(() => {});
		}
		await session.dispose();
	}
}

/** The demo's server at a URL, which nothing else would run; ends with the session. Without it the rest of the demo works. */
function startTracker(session: HostSession): void {
	const script = path.join(workspace, 'servers', 'tracker.mjs');
	const said: string[] = [];
	session
		.run(process.execPath, [script], {}, line => said.push(line))
		.then(
			() => {
				const why = said.find(it => it.includes('EADDRINUSE')) ? 'its port is taken' : said.at(-1);
				if (!isEnding() && why !== undefined) {
					console.error(`The demo's tracker does not run: ${why}`);
				}
			},
			(error: unknown) => console.error(error),
		);
}

function findDesktop(): string | undefined {
	// In a terminal of a remote window, `code` opens files in that window and nothing else.
	// As root on Linux, the desktop refuses to start.
	const isRemote = process.env['VSCODE_IPC_HOOK_CLI'] !== undefined;
	const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
	return isRemote || isRoot || !canShowWindows() ? undefined : findOnPath('code', 'code-insiders', 'codium');
}

async function startDesktop(session: HostSession, code: string): Promise<number> {
	const userData = path.join(dataFolder, 'desktop');
	writeSettings(userData, { 'chat.disableAIFeatures': false });
	console.log(`Opening ${workspace} in ${code}. Close the window or press Ctrl+C to end.`);
	// `--wait` only waits: the editor itself is a process of its own, which saves and deactivates on SIGTERM.
	session.onClose(() => {
		for (const { pid } of session.processes().filter(it => !commandLine(it.pid).includes('--type='))) {
			process.kill(pid, 'SIGTERM');
		}
	});
	return session.run(code, [
		`--user-data-dir=${userData}`,
		`--extensions-dir=${path.join(dataFolder, 'desktop-extensions')}`,
		`--extensionDevelopmentPath=${projectRoot}`,
		`--extensionDevelopmentPath=${opener}`,
		'--disable-workspace-trust',
		'--new-window',
		// Without it the command returns at once and leaves a process that is not our child.
		'--wait',
		workspace,
	]);
}

async function startServer(session: HostSession): Promise<number> {
	const server = await EditorServer.start({
		session,
		editor: await ensureEditor('newest'),
		dataFolder: path.join(dataFolder, 'server'),
		extensions: [projectRoot, opener],
		// Mostly the same address, because a browser keeps the layout by address.
		port: '8465-8565',
	});
	const address = server.url({ workspace });
	console.log(`MCP Workbench is at\n\n  ${address}\n\nCtrl+C ends it.`);
	if (!options.has('--no-open')) {
		openAddress(address);
	}
	const how = await server.exited;
	if (!isEnding()) {
		console.error(`The VS Code server ended (${how}):\n${server.tail()}`);
	}
	return 1;
}

function openAddress(address: string): void {
	const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
	if (canShowWindows() && findOnPath(opener) !== undefined) {
		// Not part of the session: the person's browser is not ours to end.
		spawn(opener, [address], { detached: true, stdio: 'ignore' }).unref();
	}
}

main().then(
	code => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
