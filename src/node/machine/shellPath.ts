/**
 * Reads the PATH of the person's login shell. An editor that was started from a dock or menu hasn't run `.profile` and
 * similar files, where version managers extend the PATH.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { clock } from '../../base/clock.js';

export type ReadShellPath =
	| { readonly kind: 'known'; readonly shell: string; readonly path: string }
	| { readonly kind: 'unknown'; readonly shell: string; readonly why: 'unsupported' | 'timeout' | 'failed' };

export interface ShellPathOptions {
	/** The shell to run; the person's login shell by default. */
	readonly shell?: string | undefined;
	readonly platform: string;
	readonly env: Readonly<Record<string, string>>;
	readonly home: string;
	/** Milliseconds after which the shell is killed. */
	readonly timeoutMs: number;
}

/** Shells that don't understand the script, which is written for POSIX shells and fish. */
const otherShells = /^-?(?:t?csh|nu|pwsh|powershell|xonsh|elvish|cmd|ion|oil|ysh|false|nologin)(?:\.exe)?$/i;
/** Characters of the shell's last output that are searched. */
const maxOutput = 1_000_000;
/** Milliseconds that output can be late after the shell has ended. */
const drainMs = 200;

/** Runs the shell as a login and interactive one. Never throws. */
export async function readShellPath(options: ShellPathOptions): Promise<ReadShellPath> {
	const shell = options.shell ?? personsShell(options.env);
	if (options.platform === 'win32' || shell === '' || otherShells.test(basename(shell))) {
		return { kind: 'unknown', shell, why: 'unsupported' };
	}
	// The mark separates the PATH from the output of start-up files. If the shell echoes the script, the marks don't match.
	const mark = `${process.pid}-${clock.now().toString(36)}`;
	// In quotes, fish joins the PATH with colons like the other shells.
	const script = `printf '\\n<%s|%s|%s>\\n' '${mark}' "$PATH" '${mark}'`;
	return new Promise(resolve => {
		let child: ChildProcess;
		try {
			child = spawn(shell, ['-ilc', script], {
				cwd: options.home,
				// The editor sets this variable too. Start-up files can check it to skip slow steps.
				env: { ...options.env, VSCODE_RESOLVING_ENVIRONMENT: '1' },
				stdio: ['ignore', 'pipe', 'ignore'],
				// Without a controlling terminal, which could suspend the shell, and in a process group that can be killed.
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
		const timer = clock.setTimeout(() => {
			killGroup(child);
			give({ kind: 'unknown', shell, why: 'timeout' });
		}, options.timeoutMs);
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			output = (output + text).slice(-maxOutput);
			const path = between(output, `<${mark}|`, `|${mark}>`);
			if (path !== undefined) {
				// Doesn't wait for the end of the output: programs of start-up files may keep it open. The timer still kills a
				// shell that doesn't end.
				give(path === '' ? { kind: 'unknown', shell, why: 'failed' } : { kind: 'known', shell, path });
			}
		});
		const fail = (): void => give({ kind: 'unknown', shell, why: 'failed' });
		child.once('error', () => {
			clock.clearTimeout(timer);
			fail();
		});
		child.once('exit', () => {
			clock.clearTimeout(timer);
			clock.setTimeout(fail, drainMs);
		});
		child.once('close', fail);
	});
}

function between(text: string, start: string, end: string): string | undefined {
	const from = text.indexOf(start);
	const to = from === -1 ? -1 : text.indexOf(end, from + start.length);
	return to === -1 ? undefined : text.slice(from + start.length, to);
}

function killGroup(child: ChildProcess): void {
	try {
		process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
	} catch {
		// The shell has just ended.
	}
}

/** The person's login shell: `SHELL` or, if it isn't set, the entry in the user database. */
function personsShell(env: Readonly<Record<string, string>>): string {
	try {
		return env['SHELL'] || (userInfo().shell ?? '');
	} catch {
		return '';
	}
}
