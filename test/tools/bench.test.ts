/** `npm run bench` itself: that it runs, and that it notices what got worse. How fast anything is, is no test. */
import * as assert from 'node:assert/strict';
import { clientNames } from '../bench/clients/client.js';
import { measureRecords } from '../bench/recordRows.js';
import { measureMemory } from '../bench/memory.js';
import { replaceTable } from '../bench/recording.js';
import { growthRow, measure } from '../bench/run.js';
import { fiftyMegabytes, scenarios, tenMegabytes } from '../bench/scenarios.js';
import { figureOf, isMet, isWorse, renderTable, type Row } from '../bench/table.js';

const row: Row = { name: 'a', unit: 'ms', target: { ratio: 1.3 }, values: { floor: 10, sdkV1: 24, ours: 12 } };
const heap: Row = { name: 'b', unit: 'MB', target: { atMost: 2 }, values: { floor: 0.1, ours: 1 } };

function withOurs(of: Row, ours: number): Row {
	return { ...of, values: { ...of.values, ours } };
}

describe('the bench', () => {
	it('runs a scenario with every client', async function () {
		// Eight processes, on whatever machine.
		this.timeout(30_000);
		const [cheap] = scenarios;
		assert.ok(cheap);
		const { row: measured, failures } = await measure(cheap, { rounds: 1 });
		assert.deepEqual(failures, []);
		assert.deepEqual(Object.keys(measured.values), [...clientNames]);
		assert.ok(Object.values(measured.values).every(it => it > 0));
		assert.ok((measured.delayMs ?? -1) >= 0);
	});

	it('runs a cold scenario, each round of which has new processes', async function () {
		this.timeout(30_000);
		const cold = scenarios.find(it => it.isCold);
		assert.ok(cold);
		const { row: measured, failures } = await measure({ ...cold, clients: ['floor', 'ours'] }, { rounds: 2 });
		assert.deepEqual([failures, Object.keys(measured.values)], [[], ['floor', 'ours']]);
		assert.ok((measured.delayMs ?? -1) >= 0);
	});

	it('says of a client that failed why, and goes on with the others', async function () {
		this.timeout(30_000);
		const { row: measured, failures } = await measure(
			{ ...tenMegabytes, name: 'no such scenario', clients: ['ours'] },
			{ rounds: 1 },
		);
		assert.deepEqual(failures, ['ours: Name a client and a scenario.']);
		assert.deepEqual(measured.values, {});
	});

	it('holds long lists, and compares what they cost', function () {
		this.timeout(30_000);
		const { values } = measureMemory(1);
		assert.ok((values.floor ?? 0) > 10 && (values.ours ?? 0) > 10, JSON.stringify(values));
	});

	it('says what a decision costs', () => {
		const [decision, ...others] = measureRecords(/^one decision/, 1);
		assert.deepEqual([others.length, (decision?.values.ours ?? 0) > 0], [0, true]);
	});

	it('has every scenario once', () => {
		const names = scenarios.map(it => it.name);
		assert.equal(new Set(names).size, names.length);
	});

	it('judges factors over the floor, factors over a rival, and values', () => {
		const overV2: Row = { ...row, target: { ratio: 0.33, over: 'sdkV2' }, values: { sdkV2: 100, ours: 30 } };
		assert.deepEqual(
			[row, overV2, heap].map(it => figureOf(it, 'ours')),
			[1.2, 0.3, 1],
		);
		const missed = [withOurs(row, 13.1), withOurs(overV2, 34), withOurs(heap, 2.1), { ...row, values: { floor: 10 } }];
		assert.deepEqual([row, overV2, heap, ...missed].map(isMet), [true, true, true, false, false, false, false]);
	});

	it('calls worse what is more than 20 % above the recorded figure', () => {
		const verdicts = [14.3, 14.5].map(ours => isWorse(withOurs(row, ours), row));
		assert.deepEqual(verdicts, [false, true]);
		// Everything on a slower machine takes longer.
		assert.equal(isWorse({ ...row, values: { floor: 20, ours: 24 } }, row), false);
		assert.equal(isWorse({ ...row, values: { floor: 10 } }, row), true);
		assert.equal(isWorse(row, undefined), false);
		assert.deepEqual(
			[withOurs(heap, 0.3), withOurs(heap, 0.7)].map(it => isWorse(it, withOurs(heap, 0.1))),
			[false, true],
		);
	});

	it('shows how the time grows with the size', () => {
		const ten: Row = { ...row, name: tenMegabytes.name, values: { floor: 10, sdkV1: 100, ours: 11 } };
		const fifty: Row = { ...row, name: fiftyMegabytes.name, values: { floor: 50, sdkV1: 2500, sdkV2: 1, ours: 55 } };
		assert.deepEqual(growthRow([ten, fifty])?.values, { floor: 5, sdkV1: 25, ours: 5 });
		assert.equal(growthRow([ten]), undefined);
	});

	it('prints the recorded figures beside the new ones, with verdicts', () => {
		const now = [
			{ ...withOurs(row, 14.5), delayMs: 60.4 },
			{ ...heap, mayBlock: true, delayMs: 60.4 },
		];
		const table = renderTable(now, { date: '2026-01-02', machine: '', rows: [row] });
		assert.deepEqual(table.split('\n'), [
			'| scenario | floor   | SDK v1 | SDK v2 | ours    | recorded 2026-01-02 | target | loop delay p99 | verdict                                   |',
			'| -------- | ------- | ------ | ------ | ------- | ------------------- | ------ | -------------- | ----------------------------------------- |',
			'| a        | 10.0 ms | 2.40×  | –      | 1.45×   | 1.20×               | ≤ 1.3× | 60 ms          | MISSED, LOOP BLOCKED, WORSE THAN RECORDED |',
			'| b        | 0.10 MB | –      | –      | 1.00 MB |                     | ≤ 2 MB | 60 ms          | met                                       |',
		]);
	});

	it('puts the table between its marks, again and again', () => {
		const mark = (which: string): string => `<!-- npm run bench -- --record: ${which} -->`;
		const recording = { date: '2026-01-02', machine: '2 cores', rows: [row] };
		const once = replaceTable(`before\n${mark('begin')}\n${mark('end')}\nafter\n`, recording);
		const expected = `Measured 2026-01-02 on 2 cores.\n\n${renderTable([row])}`;
		assert.equal(once, `before\n${mark('begin')}\n\n${expected}\n\n${mark('end')}\nafter\n`);
		assert.equal(replaceTable(once, recording), once);
		assert.throws(() => replaceTable('no marks', recording), /No place/);
	});
});
