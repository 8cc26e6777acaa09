// Aborted requests and late responses, over a scripted fetch.
import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import type { RequestMessage } from '../../../../src/mcp/jsonrpc/messages.js';
import { HttpEndpoint, type HttpEndpointOptions } from '../../../../src/mcp/transport/httpEndpoint.js';
import { HttpAbort, type HttpRequest, type HttpResponse } from '../../../../src/mcp/transport/httpFetch.js';
import { StreamableHttp } from '../../../../src/mcp/transport/streamableHttp.js';
import { leakCheck } from '../../../support/leakCheck.js';

const url = 'http://example.test/mcp';

/** A response that counts its calls of `discard`. */
class Played implements HttpResponse {
	discarded = 0;

	constructor(
		readonly status: number,
		readonly headers: Readonly<Record<string, string>> = {},
		private readonly body = '',
	) {}

	read(onBytes: (bytes: Uint8Array) => void): Promise<void> {
		onBytes(new TextEncoder().encode(this.body));
		return Promise.resolve();
	}

	discard(): void {
		this.discarded++;
	}
}

function answer(id: number, session: string): Played {
	const headers = { 'content-type': 'application/json', 'mcp-session-id': session };
	return new Played(200, headers, JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
}

describe('HttpAbort', () => {
	it('ends what goes on, or what begins too late, once', () => {
		const abort = new HttpAbort();
		const stopped: string[] = [];
		abort.setStop(() => stopped.push('first'));
		abort.setStop(() => stopped.push('second'));
		abort.abort();
		abort.abort();
		assert.deepEqual(stopped, ['second']);
		abort.setStop(() => stopped.push('third'));
		assert.deepEqual([stopped, abort.isAborted], [['second', 'third'], true]);
	});
});

describe('HttpEndpoint, redirected', () => {
	const { own } = leakCheck();
	const auth = (headers: Record<string, string>): HttpEndpointOptions['auth'] => ({
		prove: () => ({ headers }),
		reviewResponse: () => false,
	});
	const upgraded = 'https://example.test/mcp?x';
	const other = { code: 'redirected', to: 'https://other.test/mcp' };
	const named = { code: 'redirected', to: 'https://example.test/mcp' };
	const login = { code: 'redirected', to: 'http://example.test/login' };
	const table: readonly (readonly [
		what: string,
		method: HttpRequest['method'],
		status: number,
		location: string,
		options: Partial<HttpEndpointOptions>,
		expected: unknown,
	])[] = [
		['the same host over TLS', 'POST', 307, upgraded, {}, upgraded],
		['the same host over TLS, nothing to prove', 'POST', 308, upgraded, { auth: auth({}) }, upgraded],
		['the same host over TLS, on GET', 'GET', 301, upgraded, {}, upgraded],
		['the same host over TLS, which would make it a GET', 'POST', 301, upgraded, {}, named],
		['the same host over TLS, with configured headers', 'POST', 307, upgraded, { headers: { 'X-Key': 'k' } }, named],
		['the same host over TLS, signed in', 'POST', 307, upgraded, { auth: auth({ authorization: 'Bearer t' }) }, named],
		['its own origin, which would make it a GET', 'POST', 302, '/login?token=t#f', {}, login],
		['its own origin with a password', 'POST', 303, 'http://me:secret@example.test/login', {}, login],
		['another host on GET', 'GET', 302, 'https://other.test/mcp', {}, other],
		['another host on DELETE', 'DELETE', 307, 'https://other.test/mcp', {}, other],
		['another host on POST', 'POST', 307, 'https://other.test/mcp?key=k', {}, other],
		['what is no server', 'GET', 307, 'file:///etc/passwd', {}, 307],
		['nothing', 'GET', 307, '', {}, url],
		['a status that is none', 'GET', 304, 'https://other.test/mcp', {}, 304],
	];
	for (const [what, method, status, location, options, expected] of table) {
		it(`to ${what}`, async () => {
			const asked: HttpRequest[] = [];
			const first = new Played(status, { location });
			const fetch = (request: HttpRequest): Promise<HttpResponse> => {
				asked.push(request);
				return Promise.resolve(asked.length === 1 ? first : new Played(200));
			};
			const endpoint = own(new HttpEndpoint({ url, fetch, log: nullLogger, ...options }));
			const headers = { 'mcp-session-id': 's1' };
			const done = endpoint.call({ method, headers, body: '{}', abort: new HttpAbort() });
			if (typeof expected === 'object') {
				await assert.rejects(done, { failure: expected });
				assert.deepEqual([asked.length, first.discarded], [1, 1]);
			} else if (typeof expected === 'number') {
				assert.equal((await done).status, expected);
				assert.equal(asked.length, 1);
			} else {
				assert.equal((await done).status, 200);
				assert.deepEqual(
					asked.slice(1).map(it => [it.method, it.url, it.headers, it.body]),
					[[method, expected, headers, '{}']],
				);
			}
		});
	}

	it('never back from TLS', async () => {
		const rest = [new Played(307, { location: upgraded }), new Played(307, { location: url })];
		const fetch = (): Promise<HttpResponse> => Promise.resolve(rest.shift() ?? assert.fail('once too often'));
		const endpoint = own(new HttpEndpoint({ url, fetch, log: nullLogger }));
		await assert.rejects(endpoint.call({ method: 'GET', headers: {}, abort: new HttpAbort() }), {
			failure: { code: 'redirected', to: url },
		});
	});
});

describe('StreamableHttp, late', () => {
	const { own } = leakCheck();
	const request = (id: number, method = 'tools/list'): RequestMessage => ({ jsonrpc: '2.0', id, method, params: {} });

	/** Responds when the test says so, by the number of the request. */
	function play() {
		const asked: { readonly request: HttpRequest; readonly give: (response: HttpResponse) => void }[] = [];
		const fetch = (it: HttpRequest): Promise<HttpResponse> =>
			new Promise(resolve => asked.push({ request: it, give: resolve }));
		const transport = own(new StreamableHttp({ url, fetch, log: nullLogger, delays: { close: 60_000, getStream: 0 } }));
		return { transport, asked };
	}

	it('the answer to a request of the session before does not bring that session back', async () => {
		const { transport, asked } = play();
		await transport.start();
		const first = transport.send(request(1, 'initialize'));
		asked[0]?.give(answer(1, 's1'));
		await first;
		const slow = transport.send(request(2));
		transport.forgetSession();
		const second = transport.send(request(3, 'initialize'));
		asked[2]?.give(answer(3, 's2'));
		await second;
		asked[1]?.give(answer(2, 's1'));
		await slow;
		void transport.send(request(4)).catch(() => undefined);
		assert.deepEqual(
			asked.map(it => it.request.headers['mcp-session-id']),
			[undefined, 's1', undefined, 's2'],
		);
	});
});
