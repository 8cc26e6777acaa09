// What must be true after any fault, whatever it was: nothing of it is left in this process or beside it.
import * as assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { eventually, isAlive, settled } from '../waiting.js';

/** What keeps Node alive, and what listens to it, at one moment. */
interface Snapshot {
	readonly resources: Readonly<Record<string, number>>;
	readonly processListeners: number;
}

/** Begins before the fault; `check` is called when everything that was made for it has been closed. */
export class Aftermath {
	/** Processes that were started since. */
	readonly pids: number[] = [];
	/** Given to every call: nothing may go on listening to it. */
	readonly controller = new AbortController();

	private readonly before = snapshot();
	private readonly accidents: string[] = [];
	private readonly onRejection = (reason: unknown): void => {
		this.accidents.push(`unhandled rejection: ${String(reason)}`);
	};
	private readonly onException = (error: unknown): void => {
		this.accidents.push(`uncaught exception: ${String(error)}`);
	};
	private readonly onWarning = (warning: Error): void => {
		this.accidents.push(`warning: ${warning.message}`);
	};

	/** To be awaited: the timer of the test itself is set once the test has begun to wait. */
	static async begin(): Promise<Aftermath> {
		await settled();
		return new Aftermath();
	}

	private constructor() {
		process.on('unhandledRejection', this.onRejection);
		process.on('uncaughtExceptionMonitor', this.onException);
		process.on('warning', this.onWarning);
	}

	/** Fails if anything is left. */
	async check(): Promise<void> {
		try {
			await eventually(() => !this.pids.some(isAlive), `processes are gone: ${this.pids.filter(isAlive).join(', ')}`);
			await eventually(
				() => leftOf(this.before).length === 0,
				() => `only what was there before keeps Node alive, but ${leftOf(this.before).join(', ')}`,
			);
			assert.equal(getEventListeners(this.controller.signal, 'abort').length, 0, 'listeners of the signal are left');
		} finally {
			process.off('unhandledRejection', this.onRejection);
			process.off('uncaughtExceptionMonitor', this.onException);
			process.off('warning', this.onWarning);
		}
		assert.deepEqual(this.accidents, []);
		assert.equal(countProcessListeners(), this.before.processListeners, 'listeners of the process are left');
	}
}

/** What is there now and was not before: `PipeWrap: 3 more`. */
function leftOf(before: Snapshot): string[] {
	const now = snapshot().resources;
	return Object.entries(now)
		.map(([kind, count]) => [kind, count - (before.resources[kind] ?? 0)] as const)
		.filter(([, more]) => more > 0)
		.map(([kind, more]) => `${kind}: ${more} more`);
}

function snapshot(): Snapshot {
	const resources: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) {
		resources[kind] = (resources[kind] ?? 0) + 1;
	}
	return { resources, processListeners: countProcessListeners() };
}

/** Not `exit`: one listener of ours, added with the first process, stays for good. */
function countProcessListeners(): number {
	const names = ['SIGTERM', 'SIGINT', 'SIGHUP', 'beforeExit', 'uncaughtException', 'unhandledRejection', 'warning'];
	return names.reduce((sum, name) => sum + process.listenerCount(name), 0);
}
