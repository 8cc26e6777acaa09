// Every public asynchronous operation settles within its bound, whatever goes on beside it. Time is stopped.
import * as assert from 'node:assert/strict';
import type { Server } from '../../../src/core/servers/server.js';
import { DigestWork } from '../../support/digestWork.js';
import { leakCheck } from '../../support/leakCheck.js';
import { type Cell, type Condition, conditions, type Row, type Table } from '../../support/liveness/row.js';
import { more, rows } from '../../support/liveness/rows.js';
import { World } from '../../support/liveness/world.js';
import { settled } from '../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../support/stoppedClock.js';

/** Milliseconds that pass at once. */
const stepMs = 1000;
/** Far beyond what a slow machine needs, below mocha's limit for a test. */
const deadlineNs = 10_000_000_000n;

interface Outcome {
	state: 'pending' | 'fulfilled' | 'rejected';
	error?: unknown;
}

function outcomeOf(run: () => unknown): Outcome {
	const outcome: Outcome = { state: 'pending' };
	const begun = (async () => run())();
	begun.then(
		() => (outcome.state = 'fulfilled'),
		(error: unknown) => Object.assign(outcome, { state: 'rejected', error }),
	);
	return outcome;
}

const digests = new DigestWork();

/** Lets everything happen that takes none of the stopped time. */
async function happens(condition: () => boolean): Promise<boolean> {
	const end = process.hrtime.bigint() + deadlineNs;
	while (!condition() && process.hrtime.bigint() < end) {
		await settled();
		passTime(0);
	}
	return condition();
}

/** Until nothing goes on but waits for the stopped clock. */
async function quiet(): Promise<void> {
	do {
		await settled();
	} while (digests.isRunning);
}

describe('liveness', () => {
	const cleanup = leakCheck();
	let world: World;

	before(async () => {
		// Loaded once: a module takes time that cannot be stopped.
		await import('../../../src/authorization.js');
	});
	before(() => digests.watch());
	after(() => digests.unwatch());
	beforeEach(() => {
		stopTime(1_000_000);
		world = new World(cleanup);
	});
	afterEach(() => releaseTime());

	async function check(row: Row, condition: Condition, boundMs: number): Promise<void> {
		await world.bringTo(row.from);
		if (condition === 'question') {
			await world.ask();
			const outcome = outcomeOf(() => row.run(world));
			assert.ok(await happens(() => outcome.state !== 'pending'), 'it waits for the question');
			assert.ok(outcome.state === 'fulfilled' || row.mayFail, String(outcome.error));
			return;
		}
		world.isSilent = true;
		const outcomes = [outcomeOf(() => row.run(world))];
		const isSettled = (): boolean => outcomes.every(it => it.state !== 'pending');
		const { hung } = row.cells;
		if (typeof hung === 'string') {
			await quiet();
			assert.ok(!isSettled(), `it does not wait for the ${hung}`);
		} else if (hung > 0) {
			assert.ok(await happens(() => world.ignored > 0), 'nothing was asked');
			assert.ok(!isSettled(), 'it does not wait for the answer');
		}
		switch (condition) {
			case 'hung':
				break;
			case 'gone':
				world.end();
				break;
			case 'stopped':
				outcomes.push(outcomeOf(() => world.stop()));
				break;
			case 'cancelled':
				world.cancel();
				break;
			case 'disposed':
				world.dispose();
				break;
		}
		for (let passed = 0; passed < boundMs && !isSettled(); passed += stepMs) {
			await quiet();
			passTime(stepMs);
			await quiet();
		}
		const errors = (): string => outcomes.map(it => String(it.error)).join();
		assert.ok(await happens(isSettled), `it has not settled within ${boundMs} ms`);
		assert.ok(!errors().includes('Logged after the end'), errors());
	}

	function each(operation: string, row: Row): void {
		for (const [condition, cell] of Object.entries(row.cells) as [Condition, Cell][]) {
			it(`${operation}: ${conditions[condition]}`, async () => {
				if (typeof cell === 'string') {
					assert.match(cell, /^\p{L}+$/u, 'why there is no such case');
				} else {
					await check(row, condition, cell);
				}
			});
		}
	}

	for (const [name, table] of Object.entries(rows)) {
		for (const [operation, row] of Object.entries<Row>(table)) {
			each(`${name}.${operation}`, row);
		}
	}
	for (const [operation, row] of Object.entries(more)) {
		each(operation, row);
	}

	it('an operation without a row does not compile', () => {
		// @ts-expect-error: `start` and others are missing.
		const table: Table<Server> = { stop: rows.Server.stop };
		assert.ok(table);
	});
});
