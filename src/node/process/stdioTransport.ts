/**
 * A server as a child process that speaks newline-delimited JSON over its standard streams.
 * Spec 2025-11-25, transports, stdio; lifecycle, shutdown.
 */
import { constants } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import spawn from 'cross-spawn';
import { deferred, within } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { shorten } from '../../base/trim.js';
import {
	defaultLimits,
	type Lost,
	lostBy,
	McpError,
	type Message,
	type Received,
	type Transport,
	type TransportEnd,
} from '../../mcp/index.js';
import { LineReader, type LongLine } from './lineReader.js';
import { type Noise, NoiseFilter } from './noiseFilter.js';
import { type ProcessExit, ProcessGroup } from './processGroup.js';
import { endSignals, spawnEnvironment, spawnRules } from './processRules.js';
import { markName, showsMarks } from './processTable.js';
import type { ProcessTree } from './processTree.js';
import { findProgram, type FoundProgram, type ProgramSearch, withInterpreter } from './program.js';
import type { RecordedServer } from './serverRecords.js';

/** What to run. `env` is the whole environment of the process. */
export interface StdioLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
	/** The file that is run for `command`, if it is known; it is looked for otherwise. */
	readonly program?: FoundProgram | { readonly kind: 'unresolved' };
}

export interface StdioOptions {
	/** Milliseconds to wait after closing stdin, and again after SIGTERM, before the next step. */
	readonly graceMs: number;
	readonly onStderr: (line: string) => void;
	/** Writes the process down, so that it can be ended should we be killed. */
	readonly records?: { open(tree: ProcessTree): RecordedServer };
	/** Bytes that one message from the server may have, 64 MB unless told. A longer one fails its request alone. */
	readonly maxMessageBytes?: number;
}

/**
 * How long nothing may come after the process has exited before what its streams still hold is given up: a
 * grandchild may keep them open for ever. One that goes on writing is not listened to for longer than the second.
 */
const drainMs = 200;
const maxDrainMs = 2000;
/** How long a process that does not read any more may take to exit before it counts as one that just does not read. */
const brokenPipeMs = 1000;
const maxNoiseLength = 300;
/** Of a line on stderr; what follows is not for reading. */
const maxStderrBytes = 64 * 1024;

export class StdioTransport extends Owner implements Transport {
	readonly kind = 'stdio';

	private readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	private readonly _onDidReceiveNoise = this.own(new Emitter<Noise>());
	/** Once for each kind of line, and again with a `count` now and then. */
	readonly onDidReceiveNoise: Event<Noise> = this._onDidReceiveNoise.event;

	private readonly _onDidLose = this.own(new Emitter<Lost>());
	/** An answer or a request was larger than `maxMessageBytes`: all else goes on. */
	readonly onDidLose: Event<Lost> = this._onDidLose.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	private readonly noise = new NoiseFilter();
	private readonly maxMessageBytes: number;
	private child: ChildProcessWithoutNullStreams | undefined;
	private group: ProcessGroup | undefined;
	private record: RecordedServer | undefined;
	private hasAnswered = false;
	private starting: Promise<void> | undefined;
	/** Settles after the end was told. */
	private finished: Promise<void> | undefined;
	private closing: Promise<void> | undefined;
	/** Of the process, asked for or not. */
	private ending: Promise<void> | undefined;
	private ended = false;
	/** Lines to be written; the promise settles when they were. */
	private outgoing = '';
	private written: Promise<void> | undefined;

	constructor(
		private readonly launch: StdioLaunch,
		private readonly options: StdioOptions,
	) {
		super();
		// No string can be longer than that.
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

	/** Not async, and one promise for all that is sent at once: the way of every message leads through here. */
	send(message: Message): Promise<void> {
		const stdin = this.child?.stdin;
		return stdin?.writable ? this.write(stdin, `${JSON.stringify(message)}\n`) : this.refuse();
	}

	/** A broken pipe is news before the exit that caused it: how it ended is told first. */
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
		// Node reports a missing folder as a missing command: ENOENT either way.
		if (cwd !== undefined && !(await isFolder(cwd))) {
			throw new McpError({ code: 'noFolder', path: cwd });
		}
		const run = await this.findProgram();
		const { platform } = process;
		const mark = showsMarks(platform) ? randomUUID() : undefined;
		// cross-spawn: runs .cmd and .bat on Windows and quotes for them; elsewhere it is plain spawn.
		const child = spawn(run.program, run.args, {
			...(cwd === undefined ? {} : { cwd }),
			env: { ...spawnEnvironment(platform, env), ...(mark !== undefined && { [markName]: mark }) },
			stdio: 'pipe',
			...spawnRules(platform),
		}) as ChildProcessWithoutNullStreams;
		await spawned(child, command);
		this.child = child;
		this.group = new ProcessGroup(child, child.pid ?? 0, mark);
		this.record = this.options.records?.open(this.group.tree);
		this.listen(child, this.group);
		if (this.owned.isDisposed) {
			this.group.signal('SIGKILL');
		}
	}

	/** The full path of what is run. @throws McpError `spawn` if there is none */
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

	/**
	 * Resolves when the line was handed over. All that is sent before the event loop comes round goes in one write:
	 * under load, writing costs more than everything else.
	 */
	private write(stdin: Writable, line: string): Promise<void> {
		this.outgoing += line;
		this.written ??= new Promise(resolve => {
			process.nextTick(() => {
				const text = this.outgoing;
				this.outgoing = '';
				this.written = undefined;
				stdin.write(text, error => resolve(error ? this.refuse() : undefined));
			});
		});
		return this.written;
	}

	private async shutDown(): Promise<void> {
		// A process that is about to be there must not outlive this.
		await this.starting?.catch(() => undefined);
		const { child, group } = this;
		if (!child || !group) {
			return;
		}
		this.ending ??= this.endProcess(child, group);
		await this.ending;
		// Its last words were read and its end was told.
		await this.finished;
	}

	/** Spec, shutdown: close stdin, wait, SIGTERM, wait, SIGKILL. */
	private async endProcess(child: ChildProcessWithoutNullStreams, group: ProcessGroup): Promise<void> {
		const { graceMs } = this.options;
		// Descendants of the child can only be found by it while it runs.
		group.tree.members();
		// What was sent just now is still to be written.
		process.nextTick(() => child.stdin.end());
		for (const signal of endSignals(process.platform)) {
			if (await within(group.exited, graceMs)) {
				break;
			}
			group.signal(signal);
		}
	}

	private listen(child: ChildProcessWithoutNullStreams, group: ProcessGroup): void {
		const stdout = new LineReader(line => this.receive(line), {
			maxBytes: this.maxMessageBytes,
			onLongLine: line => this.receiveLong(line),
		});
		const { onStderr } = this.options;
		const stderr = new LineReader(onStderr, {
			maxBytes: maxStderrBytes,
			onOverflow: start => onStderr(`${wholeCharacters(start)}…`),
		});
		let chunks = 0;
		child.stdout.on('data', (chunk: Buffer) => {
			chunks++;
			stdout.push(chunk);
		});
		child.stderr.on('data', (chunk: Buffer) => {
			chunks++;
			stderr.push(chunk);
		});
		// A server that can't answer any more is of no use, however long its process lives.
		child.stdout.once('end', () => {
			this.ending ??= this.endProcess(child, group);
		});
		// A broken pipe also ends the process or its stdout, which is what we act on.
		for (const stream of [child.stdin, child.stdout, child.stderr]) {
			stream.on('error', () => undefined);
		}
		const drained = deferred<true>();
		child.once('close', () => drained.resolve(true));
		const finish = async (): Promise<void> => {
			const exit = await group.exited;
			const rest = group.endRest(this.options.graceMs);
			const until = Date.now() + maxDrainMs;
			for (let seen = -1; seen !== chunks && Date.now() < until;) {
				seen = chunks;
				if (await within(drained.promise, drainMs)) {
					break;
				}
			}
			// A process that couldn't be ended may hold the pipes open and write to them.
			child.stdout.destroy();
			child.stderr.destroy();
			stdout.end();
			stderr.end();
			await rest.finally(() => this.end(exit));
		};
		this.finished = finish();
	}

	private receive(line: string): void {
		let value: unknown;
		try {
			value = JSON.parse(line);
		} catch {
			if (line.trim() !== '') {
				this.tellNoise(shorten(line, maxNoiseLength));
			}
			return;
		}
		if (!this.hasAnswered) {
			this.hasAnswered = true;
			// By now a runner such as `npx` has started what it runs.
			this.record?.update();
		}
		this._onDidReceive.fire({ value, text: line });
	}

	private receiveLong({ head, tail, bytes }: LongLine): void {
		const lost = lostBy(head.toString(), tail.toString(), this.maxMessageBytes);
		if (lost) {
			this._onDidLose.fire(lost);
		} else {
			this.tellNoise(`${wholeCharacters(head.subarray(0, maxNoiseLength))}… (${bytes} bytes)`);
		}
	}

	private tellNoise(text: string): void {
		const noise = this.noise.accept(text);
		if (noise) {
			this._onDidReceiveNoise.fire(noise);
		}
	}

	private end(exit: ProcessExit): void {
		if (!this.ended) {
			this.ended = true;
			this.record?.close();
			this._onDidEnd.fire({
				expected: this.closing !== undefined,
				exitCode: exit.code ?? undefined,
				signal: exit.signal ?? undefined,
			});
		}
	}
}

/** The text of these bytes, without half a character at its end. */
function wholeCharacters(bytes: Buffer): string {
	return new StringDecoder('utf8').write(bytes);
}

/** The PATH of an environment; Windows writes its name in any case. */
function pathIn(env: Readonly<Record<string, string>>, platform: string): string | undefined {
	const isPath = (name: string): boolean => (platform === 'win32' ? name.toUpperCase() : name) === 'PATH';
	return Object.entries(env).find(([name]) => isPath(name))?.[1];
}

async function isFolder(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isDirectory();
	} catch {
		return false;
	}
}

/** Resolves when the process runs. @throws McpError `spawn` */
function spawned(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
	return new Promise((resolve, reject) => {
		child.once('spawn', resolve);
		// Stays on: an 'error' after the start (a failed kill) must not be uncaught.
		child.on('error', (error: NodeJS.ErrnoException) =>
			reject(new McpError({ code: 'spawn', command, errno: error.code ?? error.message })),
		);
	});
}
