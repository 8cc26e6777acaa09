/**
 * Records of running servers, by which the next start of the extension ends servers whose extension host was killed. Each
 * server has its own file, so two windows never write the same one.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clock } from '../../base/clock.js';
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { isObject } from '../../mcp/index.js';
import { type ServerRecord, sweep, type SweepOutcome } from './orphans.js';
import { describeProcess, type ProcessIdentity } from './processIdentity.js';
import type { Member, ProcessTree } from './processTree.js';

/** The record of one server process. */
export interface RecordedServer {
	/** Writes the record again, with the current descendants of the server. */
	update(): void;
	/** Deletes the record, because the server has ended. */
	close(): void;
}

/** Age at which records of another machine or boot, and unreadable ones, are deleted. */
const maxAgeMs = 30 * 24 * 60 * 60_000;

export class ServerRecords {
	private owner: Promise<ProcessIdentity | undefined> | undefined;

	/** @param folder created by the first write */
	constructor(
		private readonly folder: string,
		private readonly log: Logger,
	) {}

	/** Writes the record of a child process. Failures are only logged. */
	open(tree: ProcessTree): RecordedServer {
		const file = join(this.folder, `${process.pid}-${tree.root}.json`);
		const writes = new Sequencer();
		let isClosed = false;
		const write = async (seen: readonly Member[]): Promise<void> => {
			this.owner ??= describeProcess(process.pid);
			const [owner, server] = await Promise.all([this.owner, describeProcess(tree.root)]);
			if (owner && server && !isClosed) {
				const { boot } = server;
				const members = seen.map(({ pid, startTime }) => ({ pid, startTime, boot }));
				const mark = tree.mark === undefined ? {} : { mark: tree.mark };
				await mkdir(this.folder, { recursive: true });
				await writeFile(file, JSON.stringify({ server, members, owner, ...mark } satisfies ServerRecord));
			}
		};
		const run = (what: () => Promise<void>): void => {
			writes.run(what).catch((error: unknown) => this.log.debug(`Server record: ${toMessage(error)}`));
		};
		run(() => write([]));
		return {
			update: () => run(async () => (isClosed ? undefined : write(tree.members()))),
			close: () => {
				isClosed = true;
				run(() => deleteRecord(file));
			},
		};
	}

	/** Ends servers whose extension host was killed. Never throws. */
	async sweep(): Promise<void> {
		try {
			const files = (await readdir(this.folder)).filter(it => it.endsWith('.json')).map(it => join(this.folder, it));
			if (files.length === 0) {
				return;
			}
			const found = await Promise.all(files.map(async file => ({ file, record: await readRecord(file) })));
			const records = found.flatMap(({ file, record }) => (record ? [{ file, record }] : []));
			const outcomes = await sweep(records.map(it => it.record));
			await Promise.all([
				...found.filter(it => !it.record).map(it => deleteOldRecord(it.file)),
				...records.map(({ file, record }, index) => this.settle(file, record, outcomes[index])),
			]);
		} catch (error) {
			// The folder doesn't exist before the first server has run.
			this.log.debug(`No sweep: ${toMessage(error)}`);
		}
	}

	private async settle(file: string, { server }: ServerRecord, outcome: SweepOutcome | undefined): Promise<void> {
		if (outcome === 'killed') {
			this.log.info(`Ended a server that a killed extension host had left behind: process ${server.pid}.`);
		} else if (outcome === 'failed') {
			this.log.warn(`A server that a killed extension host had left behind could not be ended: ${server.pid}.`);
		}
		if (outcome === 'killed' || outcome === 'gone') {
			await deleteRecord(file);
		} else if (outcome === 'elsewhere' || outcome === 'unknown') {
			await deleteOldRecord(file);
		}
	}
}

async function readRecord(file: string): Promise<ServerRecord | undefined> {
	try {
		const value: unknown = JSON.parse(await readFile(file, 'utf8'));
		if (!isObject(value) || !isIdentity(value['server']) || !isIdentity(value['owner'])) {
			return undefined;
		}
		const members = Array.isArray(value['members']) ? value['members'].filter(isIdentity) : [];
		const mark = typeof value['mark'] === 'string' ? { mark: value['mark'] } : {};
		return { server: value['server'], owner: value['owner'], members, ...mark };
	} catch {
		// Partly written, or just deleted by another window.
		return undefined;
	}
}

function isIdentity(value: unknown): value is ProcessIdentity {
	return (
		isObject(value) &&
		Number.isInteger(value['pid']) &&
		Number(value['pid']) > 1 &&
		typeof value['startTime'] === 'string' &&
		typeof value['boot'] === 'string'
	);
}

async function deleteRecord(file: string): Promise<void> {
	await rm(file, { force: true });
}

async function deleteOldRecord(file: string): Promise<void> {
	const { mtimeMs } = await stat(file);
	if (clock.now() - mtimeMs > maxAgeMs) {
		await deleteRecord(file);
	}
}
