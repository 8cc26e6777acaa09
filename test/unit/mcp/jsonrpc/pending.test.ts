import * as assert from 'node:assert/strict';
import { RequestInFlight, RequestsInFlight } from '../../../../src/mcp/jsonrpc/pending.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('requests that wait for an answer', () => {
	beforeEach(() => stopTime());
	afterEach(() => releaseTime());

	it('have no timer any more after a time-out that was the end of the connection', () => {
		let looks = 0;
		const givenUp: number[] = [];
		const requests: RequestsInFlight = new RequestsInFlight(
			({ id }) => {
				givenUp.push(id);
				requests.takeAll();
			},
			() => {
				looks++;
				return -Infinity;
			},
		);
		const none = (): void => undefined;
		requests.add(new RequestInFlight(1, 'a', { timeoutMs: 100 }, none, none));
		requests.add(new RequestInFlight(2, 'b', { timeoutMs: 200 }, none, none));
		passTime(100);
		passTime(10_000);
		assert.deepEqual([givenUp, looks, requests.size], [[1], 1, 0]);
	});
});
