// Where things are on this machine, found from wherever a bundle of ours lies.
import * as fs from 'node:fs';
import * as path from 'node:path';

/** The project's folder: the nearest one above this bundle that has esbuild.js. */
export const projectRoot = findUp(__dirname, 'esbuild.js');

/** Downloads and installations; test-electron keeps its editors in the same folder. */
export const cacheFolder = path.join(projectRoot, '.vscode-test');

/** A program of ours after bundling: `test/host/bin/<name>.ts`. */
export function programPath(name: string): string {
	return path.join(projectRoot, 'out', 'host', 'bin', `${name}.js`);
}

/** The first executable of that name on PATH. */
export function findOnPath(...names: string[]): string | undefined {
	const extensions = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
	const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(it => it !== '');
	const candidates = names.flatMap(name =>
		folders.flatMap(folder => extensions.map(extension => path.join(folder, name + extension))),
	);
	return candidates.find(isExecutable);
}

/** Whether there is a screen to show a window on. */
export function canShowWindows(): boolean {
	return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/** Whether the path is a file that may be executed. */
export function isExecutable(file: string): boolean {
	try {
		fs.accessSync(file, fs.constants.X_OK);
		return fs.statSync(file).isFile();
	} catch {
		return false;
	}
}

function findUp(from: string, name: string): string {
	for (let folder = from; ; folder = path.dirname(folder)) {
		if (fs.existsSync(path.join(folder, name))) {
			return folder;
		}
		if (folder === path.dirname(folder)) {
			throw new Error(`No ${name} above ${from}`);
		}
	}
}
