// Runs programs and says what goes on.
import { spawn } from 'node:child_process';

/** Runs a program to its end without showing its output; rejects with the output when it fails. */
export async function run(
	command: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
	const child = spawn(command, args, {
		...options,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	// An installation must not go on behind our back, into a folder that the next one empties.
	const kill = (): void => void child.kill();
	process.once('exit', kill);
	const output: Buffer[] = [];
	child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
	child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
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
