import * as assert from 'node:assert/strict';
import { clock } from '../../../../src/base/clock.js';
import { AbortError } from '../../../../src/base/errors.js';
import { nullLogger } from '../../../../src/base/log.js';
import { GetStream } from '../../../../src/mcp/transport/getStream.js';
import { HttpEndpoint } from '../../../../src/mcp/transport/httpEndpoint.js';
import type { HttpRequest, HttpResponse } from '../../../../src/mcp/transport/httpFetch.js';
import { readEvents, startOfStream } from '../../../../src/mcp/transport/eventStream.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

/** A stream with this text that stays open. */
function streamOf(text: string, ends = false): HttpResponse {
	return {
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		read: async onBytes => {
			onBytes(new TextEncoder().encode(text));
			await (ends ? undefined : new Promise(() => undefined));
		},
		discard: () => undefined,
	};
}

describe('GetStream', () => {
	const { own } = leakCheck();

	function play(answer: (request: HttpRequest) => HttpResponse | undefined) {
		const asked: HttpRequest[] = [];
		const fetch = (request: HttpRequest): Promise<HttpResponse> =>
			new Promise((resolve, reject) => {
				asked.push(request);
				request.abort.setStop(() => reject(new AbortError()));
				const response = answer(request);
				if (response) {
					resolve(response);
				}
			});
		const received: string[] = [];
		const stream: GetStream = own(
			new GetStream({
				endpoint: own(new HttpEndpoint({ url: 'http://example.test/', fetch, log: nullLogger })),
				log: nullLogger,
				delays: { reconnect: 10, maxReconnect: 100, errorBody: 0 },
				maxMessageBytes: 1000,
				receive: text => {
					received.push(text);
					if (text === 'last') {
						stream.stop();
					}
				},
			}),
		);
		return { stream, asked, received };
	}

	/** Lets time pass until the stream has ended. @returns the milliseconds between its requests */
	async function waits(answer: (count: number) => HttpResponse): Promise<number[]> {
		const times: number[] = [];
		stopTime(1_000_000);
		try {
			const { stream } = play(() => answer(times.push(clock.now())));
			await stream.start({});
			for (let ms = 0; stream.isRunning && ms < 1000; ms += 5) {
				await settled();
				passTime(5);
			}
			assert.equal(stream.isRunning, false);
		} finally {
			releaseTime();
		}
		return times.slice(1).map((it, index) => it - (times[index] ?? 0));
	}

	const tooLarge = `data: ${'x'.repeat(1001)}\n\n`;

	// covers: http.tooLarge
	it('a message past the limit ends the stream, which is opened again without a position', async () => {
		const streams = [`retry: 5\nid: 1\ndata: a\n\nid: 2\n${tooLarge}data: b\n\n`, 'id: 1\ndata: c\n\ndata: last\n\n'];
		const { stream, asked, received } = play(() => streamOf(streams.shift() ?? ''));
		await stream.start({});
		await eventually(() => !stream.isRunning, 'the last message');
		assert.deepEqual(
			asked.map(it => it.headers['last-event-id']),
			[undefined, undefined],
		);
		assert.deepEqual(received, ['a', 'c', 'last']);
	});

	// covers: http.retry
	it('comes back after the delay that the server requested', async () => {
		const streams = ['retry: 65\ndata: a\n\n', 'data: last\n\n'];
		assert.deepEqual(await waits(count => streamOf(streams[count - 1] ?? '', true)), [65]);
	});

	// covers: http.retryAfter
	it('waits as long as a busy server asks, within our limit', async () => {
		for (const [status, value, ms] of [
			[429, '1', 100],
			[503, new Date(1_000_000 + 3_600_000).toUTCString(), 100],
			[503, undefined, 10],
		] as const) {
			const busy = { ...streamOf('', true), status, headers: value === undefined ? {} : { 'retry-after': value } };
			assert.deepEqual(await waits(count => (count === 1 ? busy : streamOf('data: last\n\n'))), [ms], value);
		}
	});
});

describe('readEvents', () => {
	async function read(ids: readonly string[], position = startOfStream()) {
		const told: string[] = [];
		const text = ids.map(id => `id: ${id}\ndata: x\n\n`).join('');
		await readEvents(streamOf(text, true), position, 1000, ({ id = '' }) => told.push(id));
		return { told, position };
	}

	it('remembers the last thousand ids', async () => {
		const ids = Array.from({ length: 1500 }, (_, index) => String(index));
		const { position } = await read(ids);
		assert.deepEqual([...position.delivered], ids.slice(500));
		assert.deepEqual((await read(['499', '500', '1499', 'new'], position)).told, ['499', 'new']);
	});
});
