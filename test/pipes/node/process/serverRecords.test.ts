import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { describeProcess } from '../../../../src/node/process/processIdentity.js';
import { ProcessTree } from '../../../../src/node/process/processTree.js';
import { ServerRecords } from '../../../../src/node/process/serverRecords.js';
import { StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { fixtureLaunch } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually } from '../../../support/waiting.js';
import { skip } from '../../../support/skip.js';

describe('records of running servers', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();
	let folder: string;
	let log: TestLogger;
	let records: ServerRecords;

	before(function () {
		if (!['linux', 'darwin', 'win32'].includes(process.platform)) {
			skip(this, 'nothing is known here of when a process started, so nothing is recorded');
		}
	});

	beforeEach(() => {
		const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'));
		later(() => Promise.resolve(fs.rmSync(parent, { recursive: true })));
		folder = path.join(parent, 'servers');
		log = new TestLogger();
		records = new ServerRecords(folder, log);
	});

	function written(): { name: string; text: string }[] {
		const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
		return names.flatMap(name => {
			try {
				return [{ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }];
			} catch {
				// Removed since the folder was read.
				return [];
			}
		});
	}

	function write(name: string, value: unknown): void {
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
	}

	it('records a running server, with the processes that it started', async () => {
		const transport = own(
			new StdioTransport(fixtureLaunch('grandchild'), { graceMs: 100, onStderr: () => undefined, records }),
		);
		await transport.start();
		await eventually(() => /"members":\[\{"pid":\d+/.test(written()[0]?.text ?? ''), 'its record, with its child');
		assert.equal(written()[0]?.name, `${process.pid}-${transport.pid}.json`);
		assert.equal(/"mark":"/.test(written()[0]?.text ?? ''), process.platform === 'linux');
		await transport.close();
		await eventually(() => written().length === 0, 'the record is gone');
		assert.deepEqual(log.lines, []);
	});

	it('does not record a server that has ended', async () => {
		const record = records.open(new ProcessTree(process.pid));
		record.close();
		record.update();
		// By the time that another has been written down three times, it would have been too.
		for (let round = 0; round < 3; round++) {
			const other = records.open(new ProcessTree(process.ppid));
			await eventually(() => written().some(it => it.name.endsWith(`-${process.ppid}.json`)), 'the other is there');
			other.close();
			await eventually(() => !written().some(it => it.name.endsWith(`-${process.ppid}.json`)), 'it is gone');
		}
		assert.deepEqual(written(), []);
	});

	it('logs a folder that cannot be written, and lets the server run', async () => {
		fs.writeFileSync(folder, 'a file');
		const transport = own(
			new StdioTransport(fixtureLaunch('good'), { graceMs: 100, onStderr: () => undefined, records }),
		);
		await transport.start();
		await eventually(() => log.lines.some(it => it.startsWith('debug: Server record: ')), 'the line');
		await transport.close();
	});

	it('a cleanup keeps records with an owner, removes those of ended processes, and unreadable ones only when they are old', async () => {
		const owner = await describeProcess(process.pid);
		assert.ok(owner);
		const gone = { ...owner, startTime: 'another' };
		const elsewhere = { ...owner, boot: 'another' };
		write('owned.json', { server: { ...owner, pid: process.ppid, startTime: 'x' }, owner, members: [] });
		write('alive.json', { server: await describeProcess(process.ppid), owner });
		write('elsewhere.json', { server: elsewhere, owner: elsewhere });
		write('old.json', { server: elsewhere, owner: elsewhere });
		write('gone.json', { server: gone, owner: gone });
		write('half.json', '{"server":');
		write('strange.json', { server: { pid: -1, startTime: '', boot: '' }, owner: 5 });
		write('other.txt', 'x');
		const old = new Date(Date.now() - 31 * 24 * 60 * 60_000);
		for (const name of ['old.json', 'strange.json']) {
			fs.utimesSync(path.join(folder, name), old, old);
		}
		await records.sweep();
		assert.deepEqual(
			written().map(it => it.name),
			['alive.json', 'elsewhere.json', 'half.json', 'other.txt'],
		);
		assert.deepEqual(log.lines, []);
	});

	it('a cleanup does nothing if there are no records', async () => {
		await records.sweep();
		assert.match(log.lines.join(), /^debug: No sweep: ENOENT/);
	});
});
