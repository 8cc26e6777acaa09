/** `npm run bench` itself: that it runs, and that it notices what got worse. How fast anything is, is no test. */
import * as assert from 'node:assert/strict';
import { clientNames } from '../bench/clients/client.js';
import { measure } from '../bench/run.js';
import { scenarios } from '../bench/scenarios.js';
import { isWorse, renderTable, type Row } from '../bench/table.js';

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

	it('has every scenario once', () => {
		const names = scenarios.map(it => it.name);
		assert.equal(new Set(names).size, names.length);
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
});
