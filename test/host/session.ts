// What one run of the host would leave behind: processes, found by a mark in their environment and by their
// ancestry, and a temporary folder. Whatever happens (error, signal, exit), both are gone in the end.
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from './paths.js';
import { spawnProgram } from './run.js';
import { commandLine, isMarked, listProcesses, type ProcessInfo } from './processes.js';

/** The environment variable that marks every process of a session. */
export const sessionVariable = 'MCP_WORKBENCH_HOST_SESSION';

// VS Code gives `deactivate` 5 s, and an extension host notices within 1 s that its server is gone.
const defaultGrace = 8000;

const live = new Set<HostSession>();

let ending = false;

/** Whether a signal told this process to end: start nothing new. */
export function isEnding(): boolean {
	return ending;
}

export class HostSession {
	readonly id = randomUUID();
	// Short, because sockets are made inside and their paths may have about 100 characters: macOS has a long TMPDIR.
	readonly folder = fs.mkdtempSync(path.join(process.platform === 'darwin' ? '/tmp' : os.tmpdir(), 'mcp-workbench-'));
	/** The environment that marks what the session starts. */
	readonly env: NodeJS.ProcessEnv = { ...process.env, [sessionVariable]: this.id };
	/** The same for programs whose temporary files are to go with the session. */
	readonly sandboxEnv: NodeJS.ProcessEnv = { ...this.env, TMPDIR: this.folder, XDG_RUNTIME_DIR: this.folder };
	readonly #closers: (() => Promise<void> | void)[] = [];
	readonly #examiners: ((folder: string) => void)[] = [];
	/** What we saw last, number → start time: a child that left the tree and dropped the mark is still ours. */
	readonly #members = new Map<number, string>();
	#disposed: Promise<void> | undefined;

	/** @param grace how many milliseconds processes have to end by themselves */
	constructor(readonly grace = defaultGrace) {
		installHandlers();
		live.add(this);
	}

	/** Takes over a process: it, and all that descends from it, dies with the session. */
	adopt(pid: number): void {
		const started = listProcesses().find(it => it.pid === pid)?.started;
		if (started !== undefined) {
			this.#members.set(pid, started);
		}
	}

	/** Registers a polite request to end, made before processes are killed; the last registered goes first. */
	onClose(close: () => Promise<void> | void): void {
		this.#closers.unshift(close);
	}

	/** Looks at the folder when every process has ended; what it throws, `dispose` throws when all is gone. */
	onEnd(examine: (folder: string) => void): void {
		this.#examiners.push(examine);
	}

	/**
	 * Runs a program of ours that cleans up after itself; resolves with its exit code.
	 * @param onLine is given each line of its output, which is shown as it comes otherwise
	 */
	async run(
		command: string,
		args: readonly string[],
		env: NodeJS.ProcessEnv = {},
		onLine?: (line: string) => void,
	): Promise<number> {
		const output = onLine ? 'pipe' : 'inherit';
		const child = spawnProgram(command, args, {
			cwd: projectRoot,
			env: { ...this.env, ...env },
			stdio: ['ignore', output, output],
		});
		for (const stream of onLine ? [child.stdout, child.stderr] : []) {
			if (stream && onLine) {
				createInterface({ input: stream }).on('line', onLine);
			}
		}
		if (child.pid !== undefined) {
			this.adopt(child.pid);
			this.onClose(() => void child.kill('SIGTERM'));
		}
		return new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('close', code => {
				resolve(code ?? 1);
			});
		});
	}

	/** The processes of this session that are alive now. */
	processes(): ProcessInfo[] {
		const all = listProcesses();
		const wanted = new Set(all.filter(it => this.#isOurs(it)).map(it => it.pid));
		// A child may be listed before its parent: repeat until nothing is added.
		for (let size = -1; size !== wanted.size;) {
			size = wanted.size;
			for (const { pid } of all.filter(it => wanted.has(it.parent))) {
				wanted.add(pid);
			}
		}
		// Never ourselves, whatever the marks say.
		wanted.delete(process.pid);
		const found = all.filter(it => wanted.has(it.pid));
		this.#members.clear();
		for (const it of found) {
			this.#members.set(it.pid, it.started);
		}
		return found;
	}

	#isOurs({ pid, started }: ProcessInfo): boolean {
		// The same number with another start time is a stranger.
		return this.#members.get(pid) === started || isMarked(pid, `${sessionVariable}=${this.id}`);
	}

	/** Ends everything: asks politely, waits, kills the rest, removes the folder. */
	async dispose(): Promise<void> {
		this.#disposed ??= this.#dispose(this.grace);
		await this.#disposed;
	}

	/** The same without waiting, for a process that is about to exit. */
	disposeNow(): void {
		for (let round = 0; round < 20 && this.#kill() > 0; round++) {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
		}
		this.#forget();
	}

	async #dispose(grace: number): Promise<void> {
		const deadline = Date.now() + grace;
		this.processes();
		for (const close of this.#closers) {
			// A request that fails or hangs is answered by the kill below.
			await Promise.race([
				Promise.resolve()
					.then(close)
					.catch(() => {}),
				delay(grace / 2, undefined, { ref: false }),
			]);
		}
		while (this.processes().some(deservesGrace) && Date.now() < deadline) {
			await delay(50);
		}
		for (let round = 0; round < 100 && this.#kill() > 0; round++) {
			await delay(50);
		}
		try {
			for (const examine of this.#examiners) {
				examine(this.folder);
			}
		} finally {
			this.#forget();
		}
	}

	#kill(): number {
		const processes = this.processes();
		for (const { pid } of processes) {
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// Gone meanwhile.
			}
		}
		return processes.length;
	}

	#forget(): void {
		fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
		live.delete(this);
	}
}

/** VS Code's helpers look for their parent only every 5 s and have nothing to put in order. */
function deservesGrace({ pid }: ProcessInfo): boolean {
	return !/--type=(fileWatcher|ptyHost)/.test(commandLine(pid));
}

let handlersInstalled = false;

function installHandlers(): void {
	if (handlersInstalled) {
		return;
	}
	handlersInstalled = true;
	process.on('exit', () => {
		for (const session of live) {
			session.disposeNow();
		}
	});
	let first: number | undefined;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			// A terminal sends Ctrl+C to the whole group and parents pass it on: the echo is not a second wish.
			if (first !== undefined && Date.now() - first < 1000) {
				return;
			}
			const code = 128 + os.constants.signals[signal];
			if (first !== undefined) {
				process.exit(code);
			}
			first = Date.now();
			ending = true;
			void Promise.allSettled([...live].map(it => it.dispose())).then(() => process.exit(code));
		});
	}
}
