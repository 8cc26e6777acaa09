// Records of real processes, and the end of those that a killed extension host has left.
import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ServerRecords } from '../../../../src/node/process/serverRecords.js';
import { readStartTime } from '../../../../src/node/process/startTime.js';
import { fixtureLaunch, fixtureTransport } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually, isAlive } from '../../../support/waiting.js';

interface RecordedProcess {
	readonly pid: number;
	readonly startTime: string;
}

describe('readStartTime', function () {
	this.timeout(20_000);
	const { later } = leakCheck();

	it('tells a process from another, whatever its name, and none from one that has ended', async () => {
		// The name is a field of /proc/<pid>/stat.
		const script = `process.title = 'a) S 1 (b'; process.stdout.write('x'); setInterval(() => {}, 1000)`;
		const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
		later(async () => void child.kill('SIGKILL'));
		await new Promise(resolve => {
			child.stdout.once('data', resolve);
		});
		const { pid = 0 } = child;
		const [own, other] = [await readStartTime(process.pid), await readStartTime(pid)];
		assert.ok(own && other && own !== other);
		assert.deepEqual([await readStartTime(process.pid), await readStartTime(pid)], [own, other]);
		child.kill('SIGKILL');
		await eventually(async () => (await readStartTime(pid)) === '', 'the process is gone');
	});
});

describe('records of running servers', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();
	let folder: string;
	let log: TestLogger;
	let records: ServerRecords;

	beforeEach(() => {
		const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'));
		later(() => Promise.resolve(fs.rmSync(parent, { recursive: true })));
		folder = path.join(parent, 'servers');
		log = new TestLogger();
		records = new ServerRecords(folder, log);
	});

	const names = (): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

	function write(name: string, value: unknown): void {
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
	}

	async function identity(pid: number): Promise<RecordedProcess> {
		const startTime = await readStartTime(pid);
		assert.ok(startTime, `process ${pid} is unknown`);
		return { pid, startTime };
	}

	/** An owner, its server, and another process that ignores everything. */
	async function start(): Promise<{ owner: ChildProcess; record: object; server: RecordedProcess; pids: number[] }> {
		const { command, args, env } = fixtureLaunch('owner');
		const owner = spawn(command, [...args, 'stay'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
		let text = '';
		owner.stdout.setEncoding('utf8').on('data', chunk => (text += chunk));
		const pids = [owner.pid ?? 0];
		later(async () => {
			pids.filter(it => it > 1 && isAlive(it)).forEach(it => process.kill(it, 'SIGKILL'));
			await eventually(() => !pids.some(isAlive), 'nothing is left');
		});
		await eventually(() => text.endsWith('\n'), 'the server has started');
		const { params } = JSON.parse(text) as { params: { server: number; grandchild: number } };
		pids.push(params.server, params.grandchild);
		const server = await identity(params.server);
		return { owner, record: { server, owner: await identity(owner.pid ?? 0) }, server, pids };
	}

	/** Ends a process so that it can end nothing itself. The system has buried it when this resolves. */
	async function kill(child: ChildProcess): Promise<void> {
		const exited = new Promise(resolve => {
			child.once('exit', resolve);
		});
		child.kill('SIGKILL');
		await exited;
	}

	it('are there as long as the server runs', async () => {
		const transport = own(fixtureTransport('good', { records }));
		await transport.start();
		const name = `${process.pid}-${transport.pid}.json`;
		const text = (): string => (names().includes(name) ? fs.readFileSync(path.join(folder, name), 'utf8') : '');
		await eventually(() => text() !== '', 'its record');
		assert.deepEqual(JSON.parse(text()), {
			server: await identity(transport.pid ?? 0),
			owner: await identity(process.pid),
		});
		await transport.close();
		await eventually(() => names().length === 0, 'the record is gone');
		assert.deepEqual(log.lines, []);
	});

	it('that cannot be written are logged, and the server runs', async () => {
		fs.writeFileSync(folder, 'a file');
		const transport = own(fixtureTransport('good', { records }));
		await transport.start();
		await eventually(() => log.lines.some(it => it.startsWith('debug: Server record: ')), 'the line');
		await transport.close();
	});

	it('end the server of a killed owner with what it started, and no one else’s', async () => {
		const [killed, living] = [await start(), await start()];
		write('killed.json', killed.record);
		write('living.json', living.record);
		await kill(killed.owner);
		assert.deepEqual(killed.pids.map(isAlive), [false, true, true]);
		await records.sweep();
		await eventually(() => !killed.pids.some(isAlive), 'the orphan is gone');
		assert.deepEqual(living.pids.map(isAlive), [true, true, true]);
		assert.deepEqual(names(), ['living.json']);
		assert.deepEqual(log.lines, [
			`info: Ended a server that a killed extension host had left behind: process ${killed.server.pid}.`,
		]);
	});

	it('never end another process that has the id of a server, nor this one', async () => {
		const { owner, record, server, pids } = await start();
		await kill(owner);
		const other = { ...record, server: { ...server, startTime: `${server.startTime}0` } };
		write('reused.json', other);
		write('self.json', { ...record, server: await identity(process.pid) });
		for (const pid of [0, 1, -1, -server.pid]) {
			write(`${pid}.json`, { ...record, server: { ...server, pid } });
		}
		write('half.json', '{"server":');
		write('other.txt', 'x');
		await records.sweep();
		assert.deepEqual(pids.map(isAlive), [false, true, true]);
		assert.deepEqual(names().includes('reused.json'), false);
		assert.deepEqual(log.lines, []);
	});

	it('are not needed', async () => {
		await records.sweep();
		assert.match(log.lines.join(), /^debug: No sweep: ENOENT/);
	});
});
