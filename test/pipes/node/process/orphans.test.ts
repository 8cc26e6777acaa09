import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
	isAlive as isOwnerAlive,
	classifyRecord,
	type ServerRecord,
	sweep,
} from '../../../../src/node/process/orphans.js';
import {
	describeProcess,
	type ProcessIdentity,
	type ProcessStatus,
} from '../../../../src/node/process/processIdentity.js';
import { hasMark, markName } from '../../../../src/node/process/processTable.js';
import { ProcessTree } from '../../../../src/node/process/processTree.js';
import { fixtureLaunch } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, isAlive } from '../../../support/waiting.js';
import { skip } from '../../../support/skip.js';

describe('classifyRecord', () => {
	const rows: readonly (readonly [ProcessStatus, ...(readonly (readonly [boolean | undefined, string])[])])[] = [
		['running', [false, 'orphan'], [true, 'owned'], [undefined, 'unknown']],
		['gone', [false, 'gone'], [true, 'gone'], [undefined, 'gone']],
		['elsewhere', [false, 'elsewhere'], [true, 'elsewhere'], [undefined, 'elsewhere']],
		['unknown', [false, 'unknown'], [true, 'unknown'], [undefined, 'unknown']],
	];
	for (const [server, ...cases] of rows) {
		for (const [isOwned, expected] of cases) {
			it(`server ${server}, owner ${isOwned === undefined ? 'unknown' : isOwned ? 'alive' : 'dead'}: ${expected}`, () => {
				assert.equal(classifyRecord(server, isOwned), expected);
			});
		}
	}
});

describe('sweep', function () {
	this.timeout(20_000);
	const { later } = leakCheck();

	before(function () {
		if (!['linux', 'darwin', 'win32'].includes(process.platform)) {
			skip(this, 'nothing is known here of when a process started, so nothing is recorded');
		}
	});

	interface Started {
		readonly owner: ChildProcess;
		readonly record: ServerRecord;
		readonly grandchild: number;
		/** True for the owner, the server and what that started. */
		readonly alive: () => readonly boolean[];
	}

	/** An owner, its server, and another process that ignores everything. */
	async function start(how: 'stay' | 'leave' = 'stay'): Promise<Started> {
		const { command, args, env } = fixtureLaunch('owner');
		const owner = spawn(command, [...args, how], { env, stdio: ['ignore', 'pipe', 'inherit'] });
		let text = '';
		owner.stdout.setEncoding('utf8').on('data', chunk => (text += chunk));
		const pids: number[] = [owner.pid ?? 0];
		later(async () => {
			for (const pid of pids.filter(it => it > 1 && isAlive(it))) {
				process.kill(pid, 'SIGKILL');
			}
			await eventually(() => !pids.some(isAlive), 'nothing is left');
		});
		await eventually(() => text.endsWith('\n'), 'Server "has started"');
		const { params } = JSON.parse(text) as { params: { server: number; grandchild: number } };
		pids.push(params.server, params.grandchild);
		const record = { server: await identity(params.server), owner: await identity(owner.pid ?? 0) };
		return { owner, record, grandchild: params.grandchild, alive: () => pids.map(isAlive) };
	}

	async function identity(pid: number): Promise<ProcessIdentity> {
		const it = await describeProcess(pid);
		assert.ok(it, `process ${pid} is unknown`);
		return it;
	}

	/** kill -9, so that it can end nothing itself. The system has buried it when this resolves. */
	async function killOwner({ owner }: Started): Promise<void> {
		const exited = new Promise(resolve => {
			owner.once('exit', resolve);
		});
		owner.kill('SIGKILL');
		await exited;
	}

	it('kills the server of a dead owner with all it started, and nobody else’s', async () => {
		const [dead, living] = [await start(), await start()];
		await killOwner(dead);
		assert.equal(isAlive(dead.grandchild), true);
		assert.deepEqual(await sweep([dead.record, living.record]), ['killed', 'owned']);
		await eventually(() => !dead.alive().includes(true), 'the orphan is gone');
		assert.deepEqual(living.alive(), [true, true, true]);
		assert.deepEqual(await sweep([dead.record]), ['gone']);
	});

	it('kills what a server has left behind, if that was recorded', async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has no process groups');
		}
		const started = await start('leave');
		const { server } = started.record;
		const members = [await identity(started.grandchild)];
		const left = (): readonly number[] => new ProcessTree(server.pid, { members }).members().map(it => it.pid);
		assert.deepEqual(left(), [started.grandchild]);
		await killOwner(started);
		await eventually(() => !isAlive(server.pid), 'Server "has ended with its stdin"');
		assert.deepEqual(left(), [started.grandchild]);
		const reused = members.map(it => ({ ...it, startTime: `${it.startTime}0` }));
		// A file that somebody has changed: ourselves.
		const stranger = [await identity(process.pid)];
		assert.deepEqual(
			await sweep([started.record, ...[[], reused, stranger].map(it => ({ ...started.record, members: it }))]),
			['gone', 'gone', 'gone', 'gone'],
		);
		assert.equal(isAlive(started.grandchild), true);
		assert.deepEqual(await sweep([{ ...started.record, members }]), ['killed']);
		await eventually(() => !started.alive().includes(true), 'what was left is gone');
	});

	it('kills what has left the session of a server, though nobody has seen it before', async function () {
		if (process.platform !== 'linux') {
			skip(this, 'elsewhere a process that has lost its parent before anybody looked is not found');
		}
		const mark = `test ${process.pid}`;
		const { command, args, env } = fixtureLaunch('daemon');
		const server = spawn(command, args, {
			detached: true,
			env: { ...env, [markName]: mark },
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		let text = '';
		server.stdout.setEncoding('utf8').on('data', chunk => (text += chunk));
		await eventually(() => text.endsWith('\n'), 'both are there');
		const { pids } = (JSON.parse(text) as { params: { pids: number[] } }).params;
		later(async () => pids.filter(isAlive).forEach(it => process.kill(it, 'SIGKILL')));
		const record = { server: await identity(server.pid ?? 0), mark, owner: await identity(process.pid) };
		server.kill('SIGKILL');
		await eventually(() => !isAlive(record.server.pid), 'Server "has ended"');
		assert.deepEqual(
			[pids.map(isAlive), pids.map(it => hasMark(it, mark))],
			[
				[true, true],
				[true, true],
			],
		);
		const isOwnerAlive = async (): Promise<boolean> => false;
		const { mark: _, ...unmarked } = record;
		assert.deepEqual(await sweep([unmarked, { ...record, mark: 'another' }], isOwnerAlive), ['gone', 'gone']);
		assert.deepEqual(await sweep([record], async () => true), ['owned']);
		assert.deepEqual(pids.map(isAlive), [true, true]);
		assert.deepEqual(await sweep([record], isOwnerAlive), ['killed']);
		await eventually(() => !pids.some(isAlive), 'both are gone');
	});

	it('spares every other process, whoever the owner was', async () => {
		const started = await start();
		const { server, owner } = started.record;
		await killOwner(started);
		const [, ...family] = started.alive();
		const records: readonly ServerRecord[] = [
			// The pid was given to another.
			{ server: { ...server, startTime: `${server.startTime}0` }, owner },
			// Written before the machine was started again.
			{ server: { ...server, boot: 'another boot' }, owner: { ...owner, boot: 'another boot' } },
			// Somebody whom we cannot see may own it.
			{ server, owner: { ...owner, boot: 'another boot' } },
			// What means a group, or everything.
			...[0, 1, -1, -server.pid].map(pid => ({ server: { ...server, pid }, owner })),
			// A file that somebody has changed: ourselves.
			{ server: await identity(process.pid), owner },
			// A second window, here: we own it.
			{ server, owner: await identity(process.pid) },
		];
		assert.deepEqual(await sweep(records), [
			'gone',
			'elsewhere',
			'unknown',
			'gone',
			'gone',
			'gone',
			'gone',
			'failed',
			'owned',
		]);
		assert.deepEqual(started.alive().slice(1), family);
		assert.deepEqual(await sweep([{ server, owner }]), ['killed']);
		await eventually(() => !started.alive().includes(true), 'the orphan is gone');
	});

	it('takes an owner whose pid was given to another for dead', async () => {
		const owner = await identity(process.pid);
		assert.equal(await isOwnerAlive(owner), true);
		assert.equal(await isOwnerAlive({ ...owner, startTime: '1' }), false);
		assert.equal(await isOwnerAlive({ ...owner, boot: 'another' }), undefined);
	});

	it('asks who lives, looks at the server last, and says what it could not kill', async () => {
		const asked: string[] = [];
		const server: ProcessIdentity = { pid: 42, startTime: '1', boot: 'b' };
		const owner: ProcessIdentity = { pid: 41, startTime: '1', boot: 'b' };
		const outcomes = await sweep(
			[{ server, owner }],
			async it => {
				asked.push(`owner ${it.pid}`);
				return false;
			},
			{
				locate: async it => {
					asked.push(`server ${it.server.pid}`);
					return 'running';
				},
				kill: it => {
					asked.push(`kill ${it.server.pid}`);
					return false;
				},
			},
		);
		assert.deepEqual([asked, outcomes], [['owner 41', 'server 42', 'kill 42'], ['failed']]);
	});
});
