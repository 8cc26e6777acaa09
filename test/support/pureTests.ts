// Keeps the tests of `test/unit` pure: in their process, nothing can start a program, open a socket, or watch a file.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

/** Replaces these functions of Node for the rest of the process by ones that throw. Tests that need them are in `test/pipes`. */
export function keepPure(): void {
	const replace = (owner: object, names: readonly string[]): void => {
		for (const name of names) {
			Object.assign(owner, {
				[name]: () => {
					throw new Error(`A test in test/unit called ${name}. Move it to test/pipes.`);
				},
			});
		}
	};
	replace(childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']);
	replace(net.Server.prototype, ['listen']);
	replace(net.Socket.prototype, ['connect']);
	replace(fs, ['watch', 'watchFile']);
}
