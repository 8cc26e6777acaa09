/**
 * The PATH that the person's login shell sets up. An editor that was started from a dock or a menu has not read
 * `.profile` and the like, where version managers write themselves.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { basename } from 'node:path';

export type ReadShellPath =
	| { readonly kind: 'known'; readonly shell: string; readonly path: string }
	| { readonly kind: 'unknown'; readonly shell: string; readonly why: 'unsupported' | 'timeout' | 'failed' };

export interface ShellPathOptions {
	/** The shell to run; that of the person unless told. */
	readonly shell?: string | undefined;
	readonly platform: string;
	readonly env: Readonly<Record<string, string>>;
	readonly home: string;
	/** Milliseconds after which the shell is ended. */
	readonly timeoutMs: number;
}

/** What they print cannot be asked of them in the words of POSIX shells and fish. */
const otherShells = /^-?(?:t?csh|nu|pwsh|powershell|xonsh|elvish|cmd|ion|oil|ysh|false|nologin)(?:\.exe)?$/i;
/** A shell that greets with more than this does not get to the end. */
const maxOutput = 1_000_000;

/** Runs the shell as a login and interactive one. Never throws. */
export async function readShellPath(options: ShellPathOptions): Promise<ReadShellPath> {
	const shell = options.shell ?? personsShell(options.env);
	if (options.platform === 'win32' || shell === '' || otherShells.test(basename(shell))) {
		return { kind: 'unknown', shell, why: 'unsupported' };
	}
	// What start-up files print stands around it. The shell repeats the mark only in two halves.
	const mark = `${process.pid}-${Date.now().toString(36)}`;
	// fish joins PATH by colons where it stands in quotes, as all others do.
	const script = `printf '\\n<%s|%s|%s>\\n' '${mark}' "$PATH" '${mark}'`;
	return new Promise(resolve => {
		let child: ChildProcess;
		try {
			child = spawn(shell, ['-ilc', script], {
				cwd: options.home,
				// The editor's own name for this: start-up files may know it and leave out what takes long.
				env: { ...options.env, VSCODE_RESOLVING_ENVIRONMENT: '1' },
				stdio: ['ignore', 'pipe', 'ignore'],
				// Without a terminal to stop at, and in a group of its own that can be ended.
				detached: true,
			});
		} catch {
			resolve({ kind: 'unknown', shell, why: 'failed' });
			return;
		}
		let output = '';
		const give = (result: ReadShellPath): void => {
			child.stdout?.destroy();
			resolve(result);
		};
		const timer = setTimeout(() => {
			killGroup(child);
			give({ kind: 'unknown', shell, why: 'timeout' });
		}, options.timeoutMs);
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			output = (output + text).slice(-maxOutput);
			const path = between(output, `<${mark}|`, `|${mark}>`);
			if (path !== undefined) {
				// Not at the end of the shell: what start-up files left running may keep its output open. The timer
				// stays, for a shell that does not end.
				give(path === '' ? { kind: 'unknown', shell, why: 'failed' } : { kind: 'known', shell, path });
			}
		});
		const fail = (): void => give({ kind: 'unknown', shell, why: 'failed' });
		child.once('error', () => {
			clearTimeout(timer);
			fail();
		});
		child.once('exit', () => {
			clearTimeout(timer);
			// What it printed last may still be on its way.
			setTimeout(fail, drainMs);
		});
		child.once('close', fail);
	});
}

/** How long output may be late after the shell has ended. */
const drainMs = 200;

function between(text: string, start: string, end: string): string | undefined {
	const from = text.indexOf(start);
	const to = from === -1 ? -1 : text.indexOf(end, from + start.length);
	return to === -1 ? undefined : text.slice(from + start.length, to);
}

function killGroup(child: ChildProcess): void {
	try {
		process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
	} catch {
		// It ended just now.
	}
}

/** A window without a terminal may not know `SHELL`: then the system's list of users does. */
function personsShell(env: Readonly<Record<string, string>>): string {
	try {
		return env['SHELL'] || (userInfo().shell ?? '');
	} catch {
		return '';
	}
}
