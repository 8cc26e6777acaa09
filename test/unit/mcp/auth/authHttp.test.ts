// Requests of authorization, one by one: over a fetch that answers as it is told.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { AuthHttp, type AuthInit } from '../../../../src/mcp/auth/authHttp.js';
import type { AuthStep, HttpFetch } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { settled } from '../../../support/waiting.js';

const url = 'https://as.example/token';

interface Answer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly text?: string;
	/** In place of the body. */
	readonly broken?: Error;
}

function bench(answer: (url: string) => Answer | Promise<Answer>, requestMs?: number) {
	const sent: Omit<Parameters<HttpFetch>[0], 'abort'>[] = [];
	const steps: AuthStep[] = [];
	const hidden: string[] = [];
	const ended: string[] = [];
	const fetch: HttpFetch = async ({ abort, ...request }) => {
		sent.push(request);
		abort.setStop(() => ended.push('aborted'));
		const { status = 200, headers = {}, text = '', broken } = await answer(request.url);
		return {
			status,
			headers,
			read: async onBytes => {
				if (broken) {
					throw broken;
				}
				onBytes(new TextEncoder().encode(text));
			},
			discard: () => void ended.push('discarded'),
		};
	};
	const http = new AuthHttp({
		server: new URL('https://mcp.example/'),
		fetch,
		report: step => void steps.push(step),
		secrecy: {
			hide: secrets => void hidden.push(...[...secrets].filter(it => typeof it !== 'string' || it !== '')),
			text: text => hidden.reduce((it, secret) => it.replaceAll(secret, '***'), text),
		},
		requestMs,
		mayVisit: () => Promise.resolve(false),
	});
	const { signal } = new AbortController();
	return {
		sent,
		steps,
		hidden,
		ended,
		http,
		post: (body: string, headers: Record<string, string> = {}) =>
			http.fetcher('token', signal)(url, { method: 'POST', headers, body: new URLSearchParams(body) }),
		get: (from = url) => http.send('serverMetadata', from, { method: 'GET', headers: { a: 'b' } }, signal),
	};
}

const error = (message: string, code?: unknown): Error =>
	Object.assign(new Error(message), code === undefined ? {} : { code });
const noAnswer = (why: string): object => ({ code: 'noAnswer', request: 'serverMetadata', url, why });

describe('requests of authorization', () => {
	it('are sent as they are given, and told', async () => {
		const { get, post, sent, steps } = bench(() => ({ text: '{}' }));
		await get(`${url}?secret=1`);
		await post('a=b', { c: 'd' });
		assert.deepEqual(sent, [
			{ method: 'GET', url: `${url}?secret=1`, headers: { a: 'b' }, body: undefined },
			{ method: 'POST', url, headers: { c: 'd' }, body: 'a=b' },
		]);
		assert.deepEqual(steps, [
			{ kind: 'requested', request: 'serverMetadata', url, outcome: 200 },
			{ kind: 'requested', request: 'token', url, outcome: 200 },
		]);
	});

	it('hide what is secret of what they send, and nothing else', async () => {
		const secrets =
			'token access_token refresh_token id_token subject_token registration_access_token client_secret code ' +
			'code_verifier client_assertion assertion';
		const others = 'grant_type scope my_token tokens codes code_challenge other_assertion state';
		const form = [...secrets.split(' '), ...others.split(' ')].map(it => `${it}=value-of-${it}`).join('&');
		const { post, hidden } = bench(() => ({ text: '{}' }));
		await post(form, { authorization: 'Basic proof' });
		assert.deepEqual(hidden, [...secrets.split(' ').map(it => `value-of-${it}`), 'proof']);
		hidden.length = 0;
		await post('grant_type=x');
		assert.deepEqual(hidden, []);
	});

	it('take what a refusal repeats of what was sent out of it', async () => {
		for (const text of ['{"error_description":"no r1"}', 'no r1', '"r1"', '["r1"]']) {
			const { post, hidden } = bench(() => ({
				status: 400,
				text,
				headers: { 'www-authenticate': 'Bearer error="r1"' },
			}));
			const response = await post('refresh_token=r1');
			assert.equal(response.status, 400);
			assert.equal(await response.text(), text.replace('r1', '***'));
			assert.equal(response.headers.get('www-authenticate'), 'Bearer error="***"');
			assert.deepEqual(hidden, ['r1']);
		}
	});

	it('follow redirects of a GET to the same origin, and no others', async () => {
		const to = (location: string, status = 302) =>
			bench(it => (it === url ? { status, headers: { location } } : { text: 'there' }));
		for (const status of [301, 302, 303, 307, 308]) {
			const { get, ended } = to('/other', status);
			const { text, headers } = await get();
			assert.deepEqual([text, headers, ended], ['there', {}, ['discarded']]);
		}
		for (const location of ['https://b.example/', 'http://as.example/', 'http://[', 'x:']) {
			assert.deepEqual((await to(location).get()).status, 302, location);
		}
		assert.equal((await to('/other', 300).get()).status, 300);
		assert.equal((await bench(() => ({ status: 302 })).get()).status, 302);
		assert.deepEqual((await bench(() => ({ status: 201, headers: { location: '/x' } })).get()).headers, {
			location: '/x',
		});
		const posted = to('/other', 307);
		assert.equal((await posted.post('code=c')).status, 307);
		assert.equal(posted.sent.length, 1);
	});

	it('say what broke: a code of the system, or a message', async () => {
		for (const [thrown, why] of [
			[error('connect failed', 'ECONNREFUSED'), 'ECONNREFUSED'],
			[error('failed'), 'failed'],
			[error('failed', 5), 'failed'],
			[new AbortError('of something else'), 'of something else'],
		] as const) {
			const head = bench(() => Promise.reject(thrown));
			assert.deepEqual(await authFailureOf(head.get()), noAnswer(why));
			assert.deepEqual(head.steps, [{ kind: 'requested', request: 'serverMetadata', url, outcome: why }]);
			assert.deepEqual(await authFailureOf(bench(() => ({ broken: thrown })).get()), noAnswer(why));
		}
		const text = bench(() => Promise.reject('a text'));
		assert.deepEqual(await authFailureOf(text.get()), noAnswer('a text'));
		const nothing = bench(() => Promise.reject(undefined));
		assert.deepEqual(await authFailureOf(nothing.get()), noAnswer('undefined'));
	});

	it('are ended where no answer comes, and what fails later is nobody’s', async () => {
		let fail = (_error: Error): void => undefined;
		const never = bench(() => new Promise((_resolve, reject) => (fail = reject)), 10);
		assert.deepEqual(await authFailureOf(never.get()), noAnswer('no answer within 10 ms'));
		assert.deepEqual(never.ended, ['aborted']);
		const unhandled: unknown[] = [];
		const listener = (it: unknown): void => void unhandled.push(it);
		process.on('unhandledRejection', listener);
		fail(error('too late'));
		await settled();
		process.off('unhandledRejection', listener);
		assert.deepEqual(unhandled, []);
	});

	it('are ended with what wants them, which is no failure', async () => {
		const init: AuthInit = { method: 'GET', headers: {} };
		for (const [thrown, expected] of [
			[new AbortError(), 'AbortError'],
			[error('failed'), noAnswer('failed')],
		] as const) {
			for (const isBody of [false, true]) {
				const abort = new AbortController();
				const { http, ended } = bench(() => {
					abort.abort();
					return isBody ? { broken: thrown } : Promise.reject(thrown);
				});
				assert.deepEqual(await authFailureOf(http.send('serverMetadata', url, init, abort.signal)), expected);
				assert.deepEqual(ended, ['aborted']);
			}
		}
		const abort = new AbortController();
		const { http, ended } = bench(() => {
			abort.abort();
			return { text: 'whole' };
		});
		assert.equal((await http.send('serverMetadata', url, init, abort.signal)).text, 'whole');
		assert.deepEqual(ended, ['aborted']);
	});
});
