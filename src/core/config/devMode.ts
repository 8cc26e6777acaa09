/**
 * Parses `dev` of a server under development: the files to watch, and the debugger. The format is VS Code's:
 * `dev: { watch?: glob or globs, debug?: { type: "node" | "debugpy" } }`.
 */
import { getNodeValue, type Node } from 'jsonc-parser';
import type { JsonObject } from '../../mcp/index.js';
import { child, rangeOf, textOf } from '../text/jsonNodes.js';
import type { ConfigProblem } from './configProblem.js';
import type { DebugDefinition, LaunchDefinition } from './serverDefinition.js';

interface DevDefinition {
	/** Globs relative to the workspace folder; one that begins with `!` excludes files. */
	readonly watch: readonly string[];
	readonly debug: DebugDefinition | undefined;
}

/** Reads `dev` of a server. An invalid part of it is left out. */
export function readDev(server: Node, launch: LaunchDefinition, problems: ConfigProblem[]): DevDefinition {
	const dev = child(server, 'dev');
	const nothing: DevDefinition = { watch: [], debug: undefined };
	if (!dev) {
		return nothing;
	}
	if (dev.type !== 'object') {
		problems.push({ code: 'wrongType', key: 'dev', expected: 'object', ...rangeOf(dev) });
		return nothing;
	}
	return { watch: readWatch(dev, problems), debug: readDebug(dev, launch, problems) };
}

function readWatch(dev: Node, problems: ConfigProblem[]): readonly string[] {
	const watch = child(dev, 'watch');
	const value: unknown = watch && getNodeValue(watch);
	const globs: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
	if (watch && !globs.every(it => typeof it === 'string')) {
		problems.push({ code: 'wrongType', key: 'watch', expected: 'string or strings', ...rangeOf(watch) });
		return [];
	}
	return globs.filter(it => typeof it === 'string' && it !== '') as string[];
}

/** Levels of folders that are watched one by one. */
const maxFolders = 100;

/** The folders before the first wildcard of a glob, from the outermost: `a` and `a/b` of `a/b/*.js`. */
export function foldersOf(glob: string): string[] {
	const parts = glob.split('/', maxFolders + 1).slice(0, -1);
	const wild = parts.findIndex(it => /[*?{[]/.test(it));
	const spelled = wild < 0 ? parts : parts.slice(0, wild);
	return spelled.map((_, index) => spelled.slice(0, index + 1).join('/'));
}

function readDebug(dev: Node, launch: LaunchDefinition, problems: ConfigProblem[]): DebugDefinition | undefined {
	const debug = child(dev, 'debug');
	if (!debug) {
		return undefined;
	}
	const type = textOf(debug, 'type');
	const place = rangeOf(child(debug, 'type') ?? debug);
	if (debug.type !== 'object') {
		problems.push({ code: 'wrongType', key: 'debug', expected: 'object', ...place });
	} else if (type !== 'node' && type !== 'debugpy') {
		problems.push({ code: 'unknownDebugger', value: type ?? '', ...place });
	} else if (launch.kind !== 'stdio') {
		problems.push({ code: 'cannotDebug', type, command: undefined, ...place });
	} else if (!launch.command.includes('${') && !isDebuggable(type, launch.command)) {
		problems.push({ code: 'cannotDebug', type, command: launch.command, ...place });
	} else {
		return { type };
	}
	return undefined;
}

/** Whether a command is the interpreter. A program that starts the interpreter may not pass our arguments on. */
export function isDebuggable(type: DebugDefinition['type'], command: string): boolean {
	const pattern = type === 'node' ? /(^|[\\/])node(js)?[0-9]*(\.exe)?$/i : /(^|[\\/])(python[0-9.]*w?|py)(\.exe)?$/i;
	return pattern.test(command);
}

/** How to run a server under the debugger: its arguments, and the configuration that attaches the editor's debugger. */
export interface DebugPlan {
	readonly args: readonly string[];
	readonly configuration: JsonObject & { readonly type: string; readonly name: string; readonly request: string };
	/** Whether the debugger retries until the process listens; otherwise it must be started after that. */
	readonly waitsItself: boolean;
}

interface DebugTarget {
	/** The name of the debug session. */
	readonly name: string;
	readonly port: number;
	/** The path of the debugpy module of the editor's Python extension. */
	readonly debugpyModule?: string | undefined;
}

const host = '127.0.0.1';

/**
 * Plans a run under the debugger. The process waits for the debugger before its first line, so that all breakpoints work.
 * @param args arguments of a command for which `isDebuggable` is true
 */
export function planDebugging(
	args: readonly string[],
	debug: DebugDefinition,
	{ name, port, debugpyModule }: DebugTarget,
): DebugPlan {
	const common = { name, request: 'attach', internalConsoleOptions: 'neverOpen', suppressMultipleSessionWarning: true };
	if (debug.type === 'node') {
		const own = { type: debuggerType(debug), address: host, port, timeout: 30_000, continueOnAttach: true };
		return {
			args: [`--inspect-brk=${host}:${port}`, ...args],
			configuration: { ...common, ...own },
			waitsItself: true,
		};
	}
	const { options, rest } = splitPythonArgs(args);
	const listen = ['--listen', `${host}:${port}`, '--wait-for-client', ...rest];
	const module = debugpyModule === undefined ? ['-m', 'debugpy'] : [debugpyModule];
	const own = { type: debuggerType(debug), connect: { host, port }, justMyCode: true };
	return {
		args: [...options, ...module, ...listen],
		configuration: { ...common, ...own },
		waitsItself: false,
	};
}

/** The editor's type of the debugger. */
export function debuggerType({ type }: DebugDefinition): string {
	return type === 'node' ? 'pwa-node' : 'debugpy';
}

/**
 * Splits the arguments of Python into the interpreter's options, which go before `-m debugpy`, and the rest for debugpy: a
 * file, `-m` or `-c`.
 */
function splitPythonArgs(args: readonly string[]): { readonly options: string[]; readonly rest: string[] } {
	const options: string[] = [];
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		const [, flags, run] = /^-([bBdEhiIOPqRsSuvx]*)([mc])$/.exec(arg) ?? [];
		if (run !== undefined) {
			return { options: flags ? [...options, `-${flags}`] : options, rest: [`-${run}`, ...args.slice(index + 1)] };
		}
		if (!arg.startsWith('-') || arg === '-') {
			return { options, rest: args.slice(index) };
		}
		options.push(arg);
		if (arg === '-W' || arg === '-X' || arg === '--check-hash-based-pycs') {
			options.push(...args.slice(++index, index + 1));
		}
	}
	return { options, rest: [] };
}
