import * as assert from 'node:assert/strict';
import { type Outcome, runLanes } from '../../host/lanes.js';
import { HostSession } from '../../host/session.js';
import { emptyTally } from '../../host/tally.js';

describe('lanes of stages', () => {
	it('go on two at a time, and are told in their order; one that fails fails the run', async function () {
		// Four processes of the test runner, and one of mocha.
		this.timeout(60_000);
		const session = new HostSession(15_000);
		const outcome: Outcome = { report: ['ok     package'], tally: { ...emptyTally(), passed: 10 }, ok: true };
		const { log } = console;
		const lines: string[] = [];
		console.log = (line: string) => lines.push(line);
		try {
			const grep = '--grep=^the tally of a stage is empty';
			await runLanes(session, [['unit', grep], ['nothing of the kind'], ['nothing else']], 2, outcome);
		} finally {
			console.log = log;
			await session.dispose();
		}
		assert.deepEqual([outcome.tally.passed, outcome.tally.failed, outcome.ok], [11, 0, false]);
		assert.match(outcome.report.join('\n'), /^ok {5}package\nok {5}unit, \d+\.\d s$/);
		assert.ok(lines.includes('unit | 1 passed, 0 failed'), lines.join('\n'));
		assert.ok(lines.includes('nothing of the kind | 0 passed, 0 failed'), lines.join('\n'));
		assert.ok(lines.includes('nothing else | 0 passed, 0 failed'), lines.join('\n'));
	});
});
