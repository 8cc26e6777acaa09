/**
 * Records of running servers, by which the next start of the extension ends servers whose extension host was killed. They
 * are identified by process id and start time, never by name, because another window may run the same command. Each server
 * has its own file, so two windows never write the same one.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toMessage } from '../../base/errors.js';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { isObject } from '../../mcp/index.js';
import { signalGroup } from './processGroup.js';
import { readStartTime } from './startTime.js';

interface RecordedProcess {
	readonly pid: number;
	/** See `readStartTime`. */
	readonly startTime: string;
}

interface ServerRecord {
	/** The child process, which leads a process group. */
	readonly server: RecordedProcess;
	/** The extension host that started it. */
	readonly owner: RecordedProcess;
}

export class ServerRecords {
	private owner: Promise<string | undefined> | undefined;

	/** @param folder created by the first write */
	constructor(
		private readonly folder: string,
		private readonly log: Logger,
	) {}

	/** Writes the record of a child process; disposing the result deletes it. Failures are only logged. */
	open(pid: number): Disposable {
		const file = join(this.folder, `${process.pid}-${pid}.json`);
		const report = (error: unknown): void => this.log.debug(`Server record: ${toMessage(error)}`);
		const written = this.write(file, pid).catch(report);
		return toDisposable(() => void written.then(() => rm(file, { force: true })).catch(report));
	}

	/** Ends servers whose extension host was killed. Never throws. */
	async sweep(): Promise<void> {
		try {
			const names = (await readdir(this.folder)).filter(it => it.endsWith('.json'));
			await Promise.all(names.map(it => this.settle(join(this.folder, it))));
		} catch (error) {
			// The folder doesn't exist before the first server has run.
			this.log.debug(`No sweep: ${toMessage(error)}`);
		}
	}

	private async write(file: string, pid: number): Promise<void> {
		this.owner ??= readStartTime(process.pid);
		const [owner, server] = await Promise.all([this.owner, readStartTime(pid)]);
		if (owner && server) {
			const record: ServerRecord = {
				server: { pid, startTime: server },
				owner: { pid: process.pid, startTime: owner },
			};
			await mkdir(this.folder, { recursive: true, mode: 0o700 });
			await writeFile(file, JSON.stringify(record), { mode: 0o600 });
		}
	}

	/** Ends the server of a record if its owner has ended, and deletes the record if the server has ended. */
	private async settle(file: string): Promise<void> {
		const record = await readRecord(file);
		if (!record) {
			return;
		}
		const { server, owner } = record;
		const ownerStart = await readStartTime(owner.pid);
		// Read last, directly before the signal, so that the process id isn't reused in between.
		const serverStart = await readStartTime(server.pid);
		if (serverStart === undefined) {
			return;
		}
		if (serverStart === server.startTime) {
			const isOrphan = ownerStart !== undefined && ownerStart !== owner.startTime;
			if (!isOrphan || server.pid === process.pid) {
				return;
			}
			if (!signalGroup(server.pid, 'SIGKILL')) {
				this.log.warn(`A server that a killed extension host had left behind could not be ended: ${server.pid}.`);
				return;
			}
			this.log.info(`Ended a server that a killed extension host had left behind: process ${server.pid}.`);
		}
		await rm(file, { force: true });
	}
}

/** `undefined` if another window is just writing or deleting the record. */
async function readRecord(file: string): Promise<ServerRecord | undefined> {
	try {
		const value: unknown = JSON.parse(await readFile(file, 'utf8'));
		const { server, owner } = isObject(value) ? value : {};
		return isRecorded(server) && isRecorded(owner) ? { server, owner } : undefined;
	} catch {
		return undefined;
	}
}

function isRecorded(value: unknown): value is RecordedProcess {
	return (
		isObject(value) &&
		Number.isSafeInteger(value['pid']) &&
		Number(value['pid']) > 1 &&
		typeof value['startTime'] === 'string' &&
		value['startTime'] !== ''
	);
}
