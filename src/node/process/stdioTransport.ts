/**
 * Runs a server as a child process, with messages as lines of JSON on its standard streams. Spec 2025-11-25, transports,
 * stdio; lifecycle, shutdown.
 */
import { constants } from 'node:buffer';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import spawn from 'cross-spawn';
import { clock } from '../../base/clock.js';
import { type Deferred, deferred, within } from '../../base/async.js';
import type { Disposable } from '../../base/lifecycle.js';
import {
	BaseTransport,
	type Chunk,
	defaultLimits,
	findAnsweredId,
	McpError,
	type Message,
	type SendOptions,
	type Transport,
} from '../../mcp/index.js';
import { LineReader, type LongLine } from './lineReader.js';
import { endSignals, groupOptions, type ProcessExit, ProcessGroup } from './processGroup.js';
import { findProgram, type FoundProgram, type ProgramSearch, spawnEnvironment, withInterpreter } from './program.js';

/** The process to run. `env` is its whole environment. */
export interface StdioLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
	/** The executable file of `command`; searched on the PATH by default. */
	readonly program?: FoundProgram | { readonly kind: 'unresolved' };
}

export interface StdioOptions {
	/** Milliseconds to wait after closing stdin, and again after SIGTERM, before the next step. */
	readonly graceMs: number;
	readonly onStderr: (line: string) => void;
	/** Records the process, so that it can be ended if the extension host is killed. */
	readonly records?: { open(pid: number): Disposable };
	/** Bytes of one message from the server, 64 MB by default. A longer message only fails its own request. */
	readonly maxMessageBytes?: number;
}

/** Milliseconds without output, after the process has exited, until its streams are closed. Other processes of the server may keep them open. */
const drainMs = 200;
/** Milliseconds after which the streams are closed although other processes of the server still write to them. */
const maxDrainMs = 2000;
/** Milliseconds to wait for the exit of a process that has closed its stdin, so that the exit is reported first. */
const brokenPipeMs = 1000;
/** Milliseconds for the lines of one chunk before other events are handled. */
const maxBusyMs = 10;
/** Bytes of a chunk that Node reads at once. After a shorter one, it handles other events anyway. */
const fullChunk = 64 * 1024;
/** Bytes of a line on stderr that are kept. */
const maxStderrBytes = 64 * 1024;

export class StdioTransport extends BaseTransport implements Transport {
	readonly kind = 'stdio';

	private readonly maxMessageBytes: number;
	private child: ChildProcessWithoutNullStreams | undefined;
	private group: ProcessGroup | undefined;
	private record: Disposable | undefined;
	private starting: Promise<void> | undefined;
	/** Settles after `onDidEnd` has fired. */
	private finished: Promise<void> | undefined;
	private closing: Promise<void> | undefined;
	/** The shutdown of the process, by `close` or because its stdout has ended. */
	private ending: Promise<void> | undefined;
	private ended = false;
	private isWriting = false;
	/** Lines that wait until the write in progress is over; the promise settles when they are written. */
	private outgoing = '';
	private waiting: Deferred<void> | undefined;

	constructor(
		private readonly launch: StdioLaunch,
		private readonly options: StdioOptions,
	) {
		super();
		// Messages become strings, which have a maximum length.
		this.maxMessageBytes = Math.min(options.maxMessageBytes ?? defaultLimits.messageBytes, constants.MAX_STRING_LENGTH);
	}

	/** The process id, once started. */
	get pid(): number | undefined {
		return this.child?.pid;
	}

	start(): Promise<void> {
		this.starting ??= this.spawn();
		return this.starting;
	}

	/**
	 * Resolves when the line was passed to the system. Lines that are sent during a write go into one later write, because
	 * writing is the most expensive step under load. Not async, because every message passes here.
	 */
	send(message: Message, options?: SendOptions): Promise<void> {
		const stdin = this.child?.stdin;
		if (!stdin?.writable) {
			return this.refuse();
		}
		const line = `${options?.text ?? JSON.stringify(message)}\n`;
		if (!this.isWriting) {
			return this.write(stdin, line);
		}
		this.outgoing += line;
		this.waiting ??= deferred();
		return this.waiting.promise;
	}

	/** A broken pipe is noticed before the exit that caused it; the exit is reported first. */
	private async refuse(): Promise<never> {
		await within(Promise.resolve(this.finished), brokenPipeMs);
		throw new McpError({ code: 'closed' });
	}

	close(): Promise<void> {
		this.closing ??= this.shutDown();
		return this.closing;
	}

	override dispose(): void {
		if (!this.ended) {
			this.group?.signal('SIGKILL');
		}
		super.dispose();
	}

	private async spawn(): Promise<void> {
		const { command, cwd, env } = this.launch;
		// Node would report a missing folder like a missing command, by ENOENT.
		if (cwd !== undefined && !(await stat(cwd).catch(() => undefined))?.isDirectory()) {
			throw new McpError({ code: 'noFolder', path: cwd });
		}
		const run = await this.findProgram();
		const { platform } = process;
		// cross-spawn runs and quotes .cmd and .bat files on Windows; elsewhere it is plain `spawn`.
		const child = spawn(run.program, run.args, {
			...(cwd === undefined ? {} : { cwd }),
			env: spawnEnvironment(platform, env),
			stdio: 'pipe',
			...groupOptions,
		}) as ChildProcessWithoutNullStreams;
		await spawned(child, command);
		this.child = child;
		this.group = new ProcessGroup(child);
		this.record = this.options.records?.open(child.pid ?? 0);
		this.listen(child, this.group);
		if (this.owned.isDisposed) {
			this.group.signal('SIGKILL');
		}
	}

	/** The full path of the program to run. @throws McpError `spawn` if the program is missing */
	private async findProgram(): Promise<{ readonly program: string; readonly args: readonly string[] }> {
		const { command, args, cwd, env } = this.launch;
		const { platform } = process;
		const search: ProgramSearch = {
			path: pathIn(env, platform),
			folder: cwd ?? process.cwd(),
			rules: { platform, pathExt: process.env['PATHEXT'] },
		};
		const { program = { kind: 'unresolved' } } = this.launch;
		const found = program.kind === 'unresolved' ? await findProgram(command, search) : program;
		if (found.kind === 'missing') {
			throw new McpError({ code: 'spawn', command, errno: found.errno });
		}
		const run = platform === 'win32' ? await withInterpreter(found.path, args, search) : { program: found.path, args };
		if ('missing' in run) {
			throw new McpError({ code: 'spawn', command: run.missing, errno: 'ENOENT' });
		}
		return run;
	}

	private write(stdin: Writable, text: string): Promise<void> {
		this.isWriting = true;
		return new Promise(resolve => {
			stdin.write(text, error => {
				this.isWriting = false;
				this.writeWaiting(stdin);
				resolve(error ? this.refuse() : undefined);
			});
		});
	}

	private writeWaiting(stdin: Writable): void {
		const { outgoing, waiting } = this;
		if (waiting) {
			this.outgoing = '';
			this.waiting = undefined;
			this.write(stdin, outgoing).then(
				() => waiting.resolve(),
				(error: unknown) => waiting.reject(error),
			);
		}
	}

	private async shutDown(): Promise<void> {
		// A process that is being started must be ended too.
		await this.starting?.catch(() => undefined);
		const { child, group } = this;
		if (!child || !group) {
			return;
		}
		this.ending ??= this.endProcess(child, group);
		await this.ending;
		await this.finished;
	}

	/** Spec, shutdown: close stdin, wait, SIGTERM, wait, SIGKILL. */
	private async endProcess(child: ChildProcessWithoutNullStreams, group: ProcessGroup): Promise<void> {
		const { graceMs } = this.options;
		this.writeWaiting(child.stdin);
		child.stdin.end();
		for (const signal of endSignals) {
			if (await within(group.exited, graceMs)) {
				break;
			}
			group.signal(signal);
		}
	}

	private listen(child: ChildProcessWithoutNullStreams, group: ProcessGroup): void {
		const stdout = new LineReader((line, chunk, start) => this.receive(line, chunk, start), {
			maxBytes: this.maxMessageBytes,
			onLongLine: line => this.receiveLong(line),
		});
		const { onStderr } = this.options;
		const stderr = new LineReader(line => onStderr(line), {
			maxBytes: maxStderrBytes,
			onOverflow: start => onStderr(`${wholeCharacters(start)}…`),
		});
		let chunks = 0;
		child.stdout.on('data', (chunk: Buffer) => {
			chunks++;
			if (chunk.length < fullChunk) {
				stdout.push(chunk);
				return;
			}
			const begin = clock.elapsed();
			stdout.push(chunk);
			if (clock.elapsed() - begin > maxBusyMs) {
				// Otherwise Node reads up to 32 chunks before it handles other events.
				child.stdout.pause();
				setImmediate(() => child.stdout.resume());
			}
		});
		child.stderr.on('data', (chunk: Buffer) => {
			chunks++;
			stderr.push(chunk);
		});
		// A server without stdout can't answer, so it is shut down.
		child.stdout.once('end', () => {
			this.ending ??= this.endProcess(child, group);
		});
		// Errors of streams are ignored, because a broken pipe also ends the process or its stdout.
		for (const stream of [child.stdin, child.stdout, child.stderr]) {
			stream.on('error', () => undefined);
		}
		const drained = deferred<true>();
		child.once('close', () => drained.resolve(true));
		const finish = async (): Promise<void> => {
			const exit = await group.exited;
			const until = clock.now() + maxDrainMs;
			for (let seen = -1; seen !== chunks && clock.now() < until;) {
				seen = chunks;
				if (await within(drained.promise, drainMs)) {
					break;
				}
			}
			// A process that has left the group may hold the pipes open and write to them.
			child.stdout.destroy();
			child.stderr.destroy();
			stdout.end();
			stderr.end();
			this.end(exit);
		};
		this.finished = finish();
	}

	private receive(line: string, chunk: Chunk, start: number): void {
		const value = this.parse(line);
		if (value !== undefined) {
			this._onDidReceive.fire({ value, text: line, chunk, start });
		}
	}

	private receiveLong({ head, tail, bytes }: LongLine): void {
		const id = findAnsweredId(head.toString(), tail.toString());
		if (id === undefined) {
			this._onDidReceiveNoise.fire({ text: `(${bytes} bytes) ${wholeCharacters(head)}…` });
		} else {
			this._onDidLose.fire({ id, error: new McpError({ code: 'tooLarge', limit: this.maxMessageBytes }) });
		}
	}

	protected override tellNoise(line: string): void {
		if (line.trim() !== '') {
			super.tellNoise(line);
		}
	}

	private end(exit: ProcessExit): void {
		if (!this.ended) {
			this.ended = true;
			this.record?.dispose();
			this._onDidEnd.fire({
				expected: this.closing !== undefined,
				exitCode: exit.code ?? undefined,
				signal: exit.signal ?? undefined,
			});
		}
	}
}

/** The text of the bytes, without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): string {
	return new StringDecoder('utf8').write(bytes);
}

/** The PATH of an environment. On Windows, names of variables are case-insensitive. */
function pathIn(env: Readonly<Record<string, string>>, platform: string): string | undefined {
	const isPath = (name: string): boolean => (platform === 'win32' ? name.toUpperCase() : name) === 'PATH';
	return Object.entries(env).find(([name]) => isPath(name))?.[1];
}

/** Resolves when the process has started. @throws McpError `spawn` */
function spawned(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
	return new Promise((resolve, reject) => {
		child.once('spawn', resolve);
		// Never removed, because a later error, such as a failed kill, must not be uncaught.
		child.on('error', (error: NodeJS.ErrnoException) =>
			reject(new McpError({ code: 'spawn', command, errno: error.code ?? error.message })),
		);
	});
}
