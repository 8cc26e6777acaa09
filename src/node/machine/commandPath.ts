/**
 * Where commands are searched: on the PATH by the rules of each operating system, and in folders of version managers and
 * installers that only interactive shells have on their PATH.
 */
import { posix, win32 } from 'node:path';

/** The inputs of the search rules. */
export interface SearchRules {
	/** Like `process.platform`. */
	readonly platform: string;
	/** The variable PATHEXT of Windows. */
	readonly pathExt: string | undefined;
}

const defaultPathExt = '.COM;.EXE;.BAT;.CMD';
/** The PATH of a process without one. */
const defaultPath = '/usr/bin:/bin';

/**
 * The files that `command` may mean, in order: on the PATH or, if the command is a path, relative to the folder. The folder
 * is never searched for a bare name, as Windows would: a repository could contain a program of that name.
 * @param path `undefined` for the system's default
 * @param folder the base of relative paths, also of those on the PATH
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

/** Whether a command is a path, not a bare name. */
export function hasFolder(command: string, { platform }: SearchRules): boolean {
	return platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
}

/** Resolves `path` against `folder`. */
export function joinPaths(folder: string, path: string, { platform }: SearchRules): string {
	if (platform === 'win32') {
		return win32.resolve(folder, path);
	}
	return posix.isAbsolute(path) ? path : posix.resolve(folder, path);
}

/** The folders of a PATH. Empty entries, which mean the working directory, are left out. */
export function splitPath(path: string, platform: string): string[] {
	return platform === 'win32'
		? path
				.split(';')
				.map(it => it.trim().replace(/^"(.*)"$/, '$1'))
				.filter(it => it !== '')
		: path.split(':').filter(it => it !== '');
}

/** A PATH with the distinct entries of both, those of the first in front. */
export function mergePaths(first: string, second: string, platform: string): string {
	const all = [...splitPath(first, platform), ...splitPath(second, platform)];
	return [...new Set(all)].join(platform === 'win32' ? ';' : ':');
}

/** The file names for a command. Windows requires an extension of PATHEXT. */
export function fileNames(command: string, { platform, pathExt }: SearchRules): string[] {
	if (platform !== 'win32') {
		return [command];
	}
	const extensions = (pathExt ?? defaultPathExt).split(';').filter(it => it !== '');
	const hasExtension = extensions.some(it => command.toLowerCase().endsWith(it.toLowerCase()));
	return [...(hasExtension ? [command] : []), ...extensions.map(it => command + it.toLowerCase())];
}

/** The inputs for finding install folders. */
export interface HomeFacts {
	readonly platform: string;
	readonly home: string;
	/** Reads an environment variable. */
	readonly get: (name: string) => string | undefined;
}

/** Folders with programs that may not be on the PATH. A part `*` stands for every folder there, newer versions first. */
export function installFolders({ platform, home, get }: HomeFacts): string[] {
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
		// Versions that a manager has selected come before all installed versions.
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

/** Orders names such as `v22.1.0` and `Python313` by version, newer first. Names without a number come last. */
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
