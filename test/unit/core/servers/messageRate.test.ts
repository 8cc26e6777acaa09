import * as assert from 'node:assert/strict';
import { MessageRate } from '../../../../src/core/servers/messageRate.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('MessageRate', () => {
	beforeEach(() => stopTime(5000));
	afterEach(() => releaseTime());

	/** Number of reports for these numbers of messages in each second. */
	function told(seconds: readonly number[], length = 0): number {
		let count = 0;
		const rate = new MessageRate(() => count++);
		for (const messages of seconds) {
			for (let message = 0; message < messages; message++) {
				rate.add(length);
			}
			passTime(1000);
		}
		return count;
	}

	for (const [what, seconds, expected, length] of [
		['many for five seconds', [2000, 2000, 2000, 2000, 2000, 1], 1],
		['many for a minute, once', Array.from({ length: 60 }, () => 2000), 1],
		['many for four seconds', [2000, 2000, 2000, 2000, 1, 1], 0],
		['many with a pause between', [2000, 2000, 2000, 0, 2000, 2000, 2000, 1], 0],
		['very many in one second, as in a long list', [100_000, 1, 1, 1, 1, 1], 0],
		['few for a minute', Array.from({ length: 60 }, () => 1999), 0],
		['few, but long ones', [21, 21, 21, 21, 21, 1], 1, 1_000_000],
	] as const) {
		it(`${what}: ${expected === 1 ? 'told' : 'not told'}`, () => {
			assert.equal(told(seconds, length), expected);
		});
	}
});

describe('a server that keeps the processor busy with messages', () => {
	const cleanup = leakCheck();
	afterEach(() => releaseTime());

	it('is told of once in each run, however the messages are made', async () => {
		const fixture = new ModelFixture(cleanup);
		const registry = cleanup.own(new ServerRegistry(fixture.deps));
		const told: string[] = [];
		cleanup.own(registry.onDidOverload(it => told.push(it.name)));
		registry.update([definition('calm'), definition('busy')]);
		const [calm, busy] = registry.servers;
		await calm?.start();
		for (let run = 1; run <= 2; run++) {
			await busy?.start();
			// Later than all earlier measurements.
			stopTime(1_000_000_000);
			for (let second = 0; second < 12; second++) {
				for (let message = 0; message < 500; message++) {
					fixture.transport.notify('notifications/unknown');
					fixture.transport.notify('notifications/progress', { progressToken: 'nobody', progress: message });
					fixture.transport.notify('notifications/message', { level: 'info', data: 'x' });
					fixture.transport.receive({ jsonrpc: '2.0', id: 99_999, result: {} });
				}
				passTime(1000);
			}
			releaseTime();
			assert.deepEqual(
				told,
				Array.from({ length: run }, () => 'busy'),
			);
			await busy?.stop();
		}
	});
});
