/**
 * PURE: `dev` of a server that somebody is writing: what is watched, and how it is run under a debugger. The format is
 * VS Code's: `dev: { watch?: glob or globs, debug?: { type: "node" } | { type: "debugpy", debugpyPath? } }`.
 */
import { getNodeValue, type Node } from 'jsonc-parser';
import type { JsonObject } from '../../mcp/index.js';
import { child, textOf } from '../text/jsonNodes.js';
import type { ConfigProblem } from './serverConfig.js';
import type { LaunchDefinition } from './serverDefinition.js';

/** Which debugger; part of what is run, since it changes the command. */
export type DebugDefinition =
	| { readonly type: 'node' }
	/** `debugpyPath`: the program `debugpy`, where it is not the interpreter's own module. May hold variables. */
	| { readonly type: 'debugpy'; readonly debugpyPath: string | undefined };

export interface DevDefinition {
	/** Globs relative to the workspace folder; one that begins with `!` takes files out again. */
	readonly watch: readonly string[];
	readonly debug: DebugDefinition | undefined;
}

/** Reads `dev` of a server; what is wrong in it costs only itself. */
export function readDev(server: Node, launch: LaunchDefinition, problems: ConfigProblem[]): DevDefinition {
	const dev = child(server, 'dev');
	const nothing: DevDefinition = { watch: [], debug: undefined };
	if (!dev) {
		return nothing;
	}
	if (dev.type !== 'object') {
		problems.push({ code: 'wrongType', key: 'dev', expected: 'object', ...placeOf(dev) });
		return nothing;
	}
	return { watch: readWatch(dev, problems), debug: readDebug(dev, launch, problems) };
}

function readWatch(dev: Node, problems: ConfigProblem[]): readonly string[] {
	const watch = child(dev, 'watch');
	const value: unknown = watch && getNodeValue(watch);
	const globs: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
	if (watch && !globs.every(it => typeof it === 'string')) {
		problems.push({ code: 'wrongType', key: 'watch', expected: 'string or strings', ...placeOf(watch) });
		return [];
	}
	return globs.filter(it => typeof it === 'string' && it !== '') as string[];
}

/** Folders that are nested deeper are not watched one by one. */
const maxFolders = 100;

/** The folders that a glob spells out, from the outermost: `a` and `a/b` of `a/b/*.js`. */
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
	const place = placeOf(child(debug, 'type') ?? debug);
	if (debug.type !== 'object') {
		problems.push({ code: 'wrongType', key: 'debug', expected: 'object', ...place });
	} else if (type !== 'node' && type !== 'debugpy') {
		problems.push({ code: 'unknownDebugger', value: type ?? '', ...place });
	} else if (launch.kind !== 'stdio') {
		problems.push({ code: 'cannotDebug', type, command: undefined, ...place });
	} else if (!launch.command.includes('${') && !isDebuggable(type, launch.command)) {
		problems.push({ code: 'cannotDebug', type, command: launch.command, ...place });
	} else {
		return type === 'node' ? { type } : { type, debugpyPath: textOf(debug, 'debugpyPath') };
	}
	return undefined;
}

function placeOf({ offset, length }: Node): { readonly offset: number; readonly length: number } {
	return { offset, length };
}

/** Whether it is the interpreter itself that is run: what starts it for us does not hand our arguments on. */
export function isDebuggable(type: DebugDefinition['type'], command: string): boolean {
	const pattern = type === 'node' ? /(^|[\\/])node(js)?[0-9]*(\.exe)?$/i : /(^|[\\/])(python[0-9.]*w?|py)(\.exe)?$/i;
	return pattern.test(command);
}

/** What runs under the debugger, and what the editor's debugger is told. */
export interface DebugPlan {
	readonly command: string;
	readonly args: readonly string[];
	readonly configuration: JsonObject & { readonly type: string; readonly name: string; readonly request: string };
	/** The debugger tries until the process listens; otherwise it must be told when. */
	readonly waitsItself: boolean;
}

export interface DebugTarget {
	readonly name: string;
	readonly port: number;
	/** Where the editor's Python extension keeps its debugpy. */
	readonly debugpyModule?: string | undefined;
}

const host = '127.0.0.1';

/**
 * Both wait for the debugger before their first line, so that breakpoints hold from the beginning.
 * @param process of a command that `isDebuggable`
 */
export function planDebugging(
	{ command, args }: { readonly command: string; readonly args: readonly string[] },
	debug: DebugDefinition,
	{ name, port, debugpyModule }: DebugTarget,
): DebugPlan {
	const common = { name, request: 'attach', internalConsoleOptions: 'neverOpen', suppressMultipleSessionWarning: true };
	if (debug.type === 'node') {
		const own = { type: debuggerType(debug), address: host, port, timeout: 30_000, continueOnAttach: true };
		return {
			command,
			args: [`--inspect-brk=${host}:${port}`, ...args],
			configuration: { ...common, ...own },
			waitsItself: true,
		};
	}
	const { options, rest } = splitPythonArgs(args);
	const listen = ['--listen', `${host}:${port}`, '--wait-for-client', ...rest];
	const module = debugpyModule === undefined ? ['-m', 'debugpy'] : [debugpyModule];
	const run = debug.debugpyPath
		? { command: debug.debugpyPath, args: listen }
		: { command, args: [...options, ...module, ...listen] };
	const own = { type: debuggerType(debug), connect: { host, port }, justMyCode: true };
	return { ...run, configuration: { ...common, ...own }, waitsItself: false };
}

/** What the editor calls the debugger. */
export function debuggerType({ type }: DebugDefinition): string {
	return type === 'node' ? 'pwa-node' : 'debugpy';
}

/** Options of the interpreter come before `-m debugpy`; of what it runs, debugpy knows a file, `-m` and `-c`. */
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

/** A restart that comes sooner after the last one than this may have been caused by it. */
const suspiciousMs = 5000;
const maxSuspicious = 4;

/** Notices that a server changes the files itself for which it is restarted. What a person has just saved counts not. */
export class RestartGuard {
	private startedAt = -Infinity;
	private suspicious = 0;

	/** Someone saved a file. */
	didSave(): void {
		this.suspicious = 0;
	}

	/** @param now milliseconds; when the change was seen. @returns false if another restart would only go on for ever */
	mayRestart(now: number): boolean {
		this.suspicious = now - this.startedAt < suspiciousMs ? this.suspicious + 1 : 0;
		return this.suspicious <= maxSuspicious;
	}

	/** @param now milliseconds; when it had been started again */
	didRestart(now: number): void {
		this.startedAt = now;
	}

	/** A person says that it is all right. */
	reset(): void {
		this.suspicious = 0;
		this.startedAt = -Infinity;
	}
}
