import * as assert from 'node:assert/strict';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('a server that keeps the processor busy with messages', () => {
	const cleanup = leakCheck();
	afterEach(() => releaseTime());

	/** How often it is reported in a run with these numbers of messages in each second. */
	async function told(seconds: readonly number[], data = 'x'): Promise<number> {
		const fixture = new ModelFixture(cleanup);
		const registry = cleanup.own(new ServerRegistry(fixture.deps));
		let count = 0;
		cleanup.own(registry.onDidOverload(() => count++));
		registry.update([definition('busy')]);
		const [server] = registry.servers;
		await server?.start();
		// Later than all earlier messages.
		stopTime(1_000_000_000);
		for (const messages of seconds) {
			for (let message = 0; message < messages; message++) {
				fixture.transport.notify('notifications/message', { level: 'debug', data });
			}
			passTime(1000);
		}
		releaseTime();
		await server?.stop();
		return count;
	}

	for (const [what, seconds, expected, data] of [
		['many for ten seconds', Array.from({ length: 10 }, () => 2100), 1],
		['many for four seconds', [2100, 2100, 2100, 2100, 1, 1], 0],
		['many with a pause between', [2100, 2100, 2100, 0, 2100, 2100, 2100, 1], 0],
		['very many in one second, as in a long list', [20_000, 1, 1, 1, 1, 1], 0],
		['few, but long ones', [30, 30, 30, 30, 30, 1], 1, 'x'.repeat(1_000_000)],
	] as const) {
		it(`${what}: ${expected === 1 ? 'reported once' : 'not reported'}`, async () => {
			assert.equal(await told(seconds, data), expected);
		});
	}
});
