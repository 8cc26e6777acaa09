/**
 * PURE: where a command is looked for. On a PATH as the systems do it; and beyond it, in the places where version
 * managers and installers put programs that only an interactive shell is told of.
 */

import { posix, win32 } from 'node:path';

/** What a system's rules need to know. */
export interface SearchRules {
	/** Node's name for the system. */
	readonly platform: string;
	/** The variable of that name; Windows alone has it. */
	readonly pathExt: string | undefined;
}

const defaultPathExt = '.COM;.EXE;.BAT;.CMD';
/** Where systems look that are told no PATH. */
const defaultPath = '/usr/bin:/bin';

/**
 * The files that `command` may mean, in order: on the PATH, or, with a separator in it, in the folder. The folder itself
 * is never searched for a bare name: on Windows, programs that look there first run what a repository holds.
 * @param path `undefined` for the system's default
 * @param folder what relative paths are relative to, those of the PATH as well
 */
export function candidates(command: string, path: string | undefined, folder: string, rules: SearchRules): string[] {
	const names = fileNames(command, rules);
	if (hasFolder(command, rules)) {
		return names.map(it => joinPaths(folder, it, rules));
	}
	const isWindows = rules.platform === 'win32';
	return splitPath(path ?? (isWindows ? '' : defaultPath), rules.platform).flatMap(parent =>
		names.map(it => joinPaths(joinPaths(folder, parent, rules), it, rules)),
	);
}

/** Whether a command is a path, and not a name that is looked for. */
export function hasFolder(command: string, { platform }: SearchRules): boolean {
	return platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
}

/** `path` as seen from `folder`; an absolute one stays. */
export function joinPaths(folder: string, path: string, { platform }: SearchRules): string {
	if (platform !== 'win32') {
		return posix.isAbsolute(path) ? path : posix.join(folder, path);
	}
	if (/^[a-z]:[\\/]|^[\\/]{2}/i.test(path)) {
		return win32.normalize(path);
	}
	// `\tools` is on the drive of the folder.
	return /^[\\/]/.test(path) ? win32.normalize(`${drive.exec(folder)?.[0] ?? ''}${path}`) : win32.join(folder, path);
}

const drive = /^(?:[a-z]:)?/i;

/** The folders of a PATH. An empty entry is left out: it stands for wherever one happens to be. */
export function splitPath(path: string, platform: string): string[] {
	return platform === 'win32'
		? path
				.split(';')
				.map(it => it.trim().replace(/^"(.*)"$/, '$1'))
				.filter(it => it !== '')
		: path.split(':').filter(it => it !== '');
}

/** A PATH with the entries of both, each once, those of the first in front. */
export function mergePaths(first: string, second: string, platform: string): string {
	const all = [...splitPath(first, platform), ...splitPath(second, platform)];
	return [...new Set(all)].join(platform === 'win32' ? ';' : ':');
}

/** A name as it is, and on Windows with each extension that makes a program; without one it is none. */
export function fileNames(command: string, { platform, pathExt }: SearchRules): string[] {
	if (platform !== 'win32') {
		return [command];
	}
	const extensions = (pathExt ?? defaultPathExt).split(';').filter(it => it !== '');
	const hasExtension = extensions.some(it => command.toLowerCase().endsWith(it.toLowerCase()));
	return [...(hasExtension ? [command] : []), ...extensions.map(it => command + it.toLowerCase())];
}

/** The machine as far as the usual places depend on it. */
export interface HomeFacts {
	readonly platform: string;
	readonly home: string;
	/** A variable of the environment. */
	readonly get: (name: string) => string | undefined;
}

/**
 * Folders where programs are that may not be on the PATH. One part of a path may be `*`: each folder there, those
 * that look like newer versions first.
 */
export function usualPlaces({ platform, home, get }: HomeFacts): string[] {
	const or = (name: string, otherwise: string): string => get(name) || otherwise;
	if (platform === 'win32') {
		const roaming = or('APPDATA', `${home}\\AppData\\Roaming`);
		const local = or('LOCALAPPDATA', `${home}\\AppData\\Local`);
		const programs = or('ProgramFiles', 'C:\\Program Files');
		return [
			...(get('NVM_SYMLINK') ? [or('NVM_SYMLINK', '')] : []),
			`${local}\\Volta\\bin`,
			`${or('FNM_DIR', `${roaming}\\fnm`)}\\aliases\\default`,
			`${or('FNM_DIR', `${roaming}\\fnm`)}\\node-versions\\*\\installation`,
			`${or('NVM_HOME', `${roaming}\\nvm`)}\\*`,
			`${local}\\mise\\shims`,
			`${programs}\\nodejs`,
			`${roaming}\\npm`,
			`${home}\\.local\\bin`,
			`${home}\\.cargo\\bin`,
			`${home}\\.bun\\bin`,
			`${home}\\.deno\\bin`,
			`${home}\\scoop\\shims`,
			`${or('ChocolateyInstall', 'C:\\ProgramData\\chocolatey')}\\bin`,
			`${local}\\Microsoft\\WinGet\\Links`,
			`${local}\\Programs\\Python\\*`,
			`${programs}\\Docker\\Docker\\resources\\bin`,
			`${programs}\\dotnet`,
		];
	}
	const fnm = get('FNM_DIR') ? [or('FNM_DIR', '')] : [`${home}/.local/share/fnm`, `${home}/.fnm`];
	const isMac = platform === 'darwin';
	return [
		// What a manager has chosen goes before any version there is.
		`${or('VOLTA_HOME', `${home}/.volta`)}/bin`,
		`${or('MISE_DATA_DIR', `${home}/.local/share/mise`)}/shims`,
		`${or('ASDF_DATA_DIR', `${home}/.asdf`)}/shims`,
		...[...fnm, ...(isMac ? [`${home}/Library/Application Support/fnm`] : [])].flatMap(it => [
			`${it}/aliases/default/bin`,
			`${it}/node-versions/*/installation/bin`,
		]),
		`${or('NVM_DIR', `${home}/.nvm`)}/versions/node/*/bin`,
		`${or('PYENV_ROOT', `${home}/.pyenv`)}/shims`,
		`${home}/.local/bin`,
		`${home}/bin`,
		`${or('CARGO_HOME', `${home}/.cargo`)}/bin`,
		`${or('BUN_INSTALL', `${home}/.bun`)}/bin`,
		`${or('DENO_INSTALL', `${home}/.deno`)}/bin`,
		or('PNPM_HOME', isMac ? `${home}/Library/pnpm` : `${home}/.local/share/pnpm`),
		`${or('GOPATH', `${home}/go`)}/bin`,
		or('DOTNET_ROOT', `${home}/.dotnet`),
		`${home}/.npm-global/bin`,
		`${home}/.nix-profile/bin`,
		...(isMac ? ['/opt/homebrew/bin', '/opt/local/bin', '/Applications/Docker.app/Contents/Resources/bin'] : []),
		...(isMac ? [] : ['/home/linuxbrew/.linuxbrew/bin', '/snap/bin']),
		'/usr/local/bin',
		'/usr/local/go/bin',
		'/usr/bin',
	];
}

/** Newer versions first: `v22.1.0`, `22.1.0`, `Python313`. Names without a number come last. */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [numbersOf(a), numbersOf(b)];
	for (let index = 0; index < Math.max(left.length, right.length); index++) {
		const difference = (right[index] ?? -1) - (left[index] ?? -1);
		if (difference !== 0) {
			return difference;
		}
	}
	return 0;
}

function numbersOf(name: string): number[] {
	return (name.match(/\d+/g) ?? []).map(Number);
}
