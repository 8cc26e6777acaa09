/**
 * Every running server is written down, so that the next start of the extension can end those whose extension
 * host was killed. One file a server: two windows never write the same one.
 */
import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { isObject } from '../../mcp/index.js';
import { type ServerRecord, sweep, type SweepOutcome } from './orphans.js';
import { describeProcess, type ProcessIdentity } from './processIdentity.js';
import type { Member, ProcessTree } from './processTree.js';

/** What one server process is written down as. */
export interface RecordedServer {
	/** Writes the record again, with the descendants that the server has now. */
	update(): void;
	/** It has ended. */
	close(): void;
}

/** Of another machine or boot, or of a process that nobody can judge: forgotten after so long. */
const maxAgeMs = 30 * 24 * 60 * 60_000;

export class ServerRecords {
	private owner: Promise<ProcessIdentity | undefined> | undefined;

	/** @param folder made when it is needed */
	constructor(
		private readonly folder: string,
		private readonly log: Logger,
	) {}

	/** Writes down a child process of ours. Where that cannot be done the server runs all the same. */
	open(tree: ProcessTree): RecordedServer {
		const file = join(this.folder, `${process.pid}-${tree.root}.json`);
		const writes = new Sequencer();
		let isOver = false;
		const write = async (seen: readonly Member[]): Promise<void> => {
			this.owner ??= describeProcess(process.pid);
			const [owner, server] = await Promise.all([this.owner, describeProcess(tree.root)]);
			if (owner && server && !isOver) {
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
			update: () => run(async () => (isOver ? undefined : write(tree.members()))),
			close: () => {
				isOver = true;
				run(() => forget(file));
			},
		};
	}

	/** Ends the servers whose owner was killed. Never throws. */
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
				...found.filter(it => !it.record).map(it => forgetOld(it.file)),
				...records.map(({ file, record }, index) => this.settle(file, record, outcomes[index])),
			]);
		} catch (error) {
			// There is no folder before the first server has run.
			this.log.debug(`No sweep: ${toMessage(error)}`);
		}
	}

	private async settle(file: string, { server }: ServerRecord, outcome: SweepOutcome | undefined): Promise<void> {
		switch (outcome) {
			case 'killed':
				this.log.info(`Ended a server that a killed extension host had left behind: process ${server.pid}.`);
				return forget(file);
			case 'gone':
				return forget(file);
			case 'failed':
				this.log.warn(`A server that a killed extension host had left behind could not be ended: ${server.pid}.`);
				return;
			case 'elsewhere':
			case 'unknown':
				return forgetOld(file);
			case 'owned':
			case undefined:
				return;
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
		// Half-written, or forgotten by another window in this moment.
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

async function forget(file: string): Promise<void> {
	await unlink(file).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'ENOENT') {
			throw error;
		}
	});
}

async function forgetOld(file: string): Promise<void> {
	const { mtimeMs } = await stat(file);
	if (Date.now() - mtimeMs > maxAgeMs) {
		await forget(file);
	}
}
