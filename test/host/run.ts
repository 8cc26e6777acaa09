// Runs programs and says what goes on.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** Like `spawn`, and on Windows also for `.cmd` files: these need a shell, for which Node quotes nothing. */
export function spawnProgram(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
	const [program = command, ...rest] = [command, ...args].map(it => (process.platform === 'win32' ? `"${it}"` : it));
	return spawn(program, rest, { ...options, shell: process.platform === 'win32' });
}

/** Runs a program to its end without showing its output; rejects with the output when it fails. */
export async function run(
	command: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
	const child = spawnProgram(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	// An installation must not go on behind our back, into a folder that the next one empties.
	const kill = (): void => void child.kill();
	process.once('exit', kill);
	const output: Buffer[] = [];
	child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
	child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code, signal) => {
			process.off('exit', kill);
			const text = Buffer.concat(output).toString();
			if (code === 0) {
				resolve(text);
			} else {
				reject(new Error(`${command} ${args.join(' ')}: ${signal ?? `exit code ${code}`}\n${text.trim()}`));
			}
		});
	});
}

/** One line on stderr: stdout belongs to the tests. */
export function progress(what: string, since?: number): void {
	const elapsed = since === undefined ? '' : ` (${((Date.now() - since) / 1000).toFixed(1)} s)`;
	process.stderr.write(`[host] ${what}${elapsed}\n`);
}
