import * as assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { skip } from '../../../support/skip.js';
import { openForwardingPage, openLoopbackPage } from '../../../../src/node/http/loopback.js';

describe('the page that a browser comes back to', () => {
	/** Status and body. */
	function ask(uri: string, path: string, host?: string, method = 'GET'): Promise<[number | undefined, string]> {
		const { port, host: own } = new URL(uri);
		return new Promise((resolve, reject) => {
			const asked = request({ port, host: '127.0.0.1', path, method, headers: { host: host ?? own } }, response => {
				let body = '';
				response
					.on('data', (it: Buffer) => (body += it.toString()))
					.on('end', () => resolve([response.statusCode, body]));
			});
			asked.on('error', reject).end();
		});
	}

	it('hands on where the browser came with, and shows what it is given, without scripts', async () => {
		const returned: string[] = [];
		const page = await openLoopbackPage(undefined, it => {
			returned.push(it.href);
			return '<p>there</p>';
		});
		try {
			const response = await fetch(`${page.uri}?code=a%2Bb&state=s`);
			assert.equal(await response.text(), '<p>there</p>');
			assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
			assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
			assert.deepEqual(returned, [`${page.uri}?code=a%2Bb&state=s`]);
		} finally {
			page.dispose();
		}
		await assert.rejects(fetch(page.uri));
	});

	it('answers nobody who comes by another name, method or path', async () => {
		const page = await openLoopbackPage(undefined, () => assert.fail('not told'));
		try {
			assert.deepEqual(await ask(page.uri, '/callback?code=1', 'evil.example'), [400, '']);
			assert.deepEqual(await ask(page.uri, '/callback?code=1', undefined, 'POST'), [400, '']);
			assert.deepEqual(await ask(page.uri, '/other?code=1'), [404, '']);
		} finally {
			page.dispose();
		}
	});

	it('serves the page only on the path that the sign-in asked for', async () => {
		const first = await openLoopbackPage(undefined, () => 'there', '/0a1b');
		const { port } = new URL(first.uri);
		try {
			assert.equal(first.uri, `http://127.0.0.1:${port}/callback/0a1b`);
			assert.deepEqual(await ask(first.uri, '/callback/0a1b?code=1'), [200, 'there']);
			for (const path of ['/callback?code=1', '/callback/0a1c?code=1', '/callback/0a1b/?code=1']) {
				assert.deepEqual(await ask(first.uri, path), [404, '']);
			}
		} finally {
			first.dispose();
		}
		const again = await openLoopbackPage(first.uri, () => '');
		assert.equal(again.uri, `http://127.0.0.1:${port}/callback`, 'the port of before, not the path');
		again.dispose();
	});

	it('takes the port it had before if that is free, another if not, and listens at no port of others', async () => {
		const first = await openLoopbackPage(undefined, () => '');
		const second = await openLoopbackPage(first.uri, () => '');
		assert.notEqual(second.uri, first.uri);
		first.dispose();
		const again = await openLoopbackPage(first.uri, () => '');
		assert.equal(again.uri, first.uri);
		again.dispose();
		const other = await openLoopbackPage(first.uri.replace('127.0.0.1', 'example.org'), () => '');
		assert.match(other.uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
		assert.notEqual(other.uri, first.uri);
		other.dispose();
		second.dispose();
	});

	it('of a URI of the settings is served at exactly that URI, at each address of its host', async () => {
		const free = await openLoopbackPage(undefined, () => '');
		const { port } = new URL(free.uri);
		free.dispose();
		const returned: string[] = [];
		const uri = `http://localhost:${port}/back`;
		const page = await openLoopbackPage(undefined, it => (returned.push(it.href), 'there'), '', uri);
		try {
			assert.equal(page.uri, uri);
			assert.deepEqual(await ask(uri, '/back?code=1'), [200, 'there']);
			assert.deepEqual(await ask(uri, '/callback?code=1'), [404, '']);
			assert.deepEqual(await ask(uri, '/back?code=1', `127.0.0.1:${port}`), [400, '']);
			assert.deepEqual(returned, [`${uri}?code=1`]);
			await assert.rejects(
				openLoopbackPage(undefined, () => '', '', `http://127.0.0.1:${port}/`),
				{ code: 'EADDRINUSE' },
			);
		} finally {
			page.dispose();
		}
		await assert.rejects(fetch(`http://127.0.0.1:${port}/back`));
	});

	it('of a name whose other address someone else listens at is not served', async function () {
		const other = createServer();
		const isThere = await new Promise<boolean>(resolve => {
			other.once('error', () => resolve(false)).listen({ host: '::1', port: 0 }, () => resolve(true));
		});
		if (!isThere) {
			skip(this, 'no IPv6');
		}
		const { port } = other.address() as AddressInfo;
		const opening = openLoopbackPage(undefined, () => '', '', `http://localhost:${port}/`);
		await assert.rejects(opening, { code: 'EADDRINUSE' });
		await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
		await new Promise(resolve => other.close(resolve));
	});

	it('leads on from an address that nobody guesses, as it was told and by any name, until it is over', async () => {
		const to = 'http://127.0.0.1:1/auth?redirect_uri=http%3A%2F%2Fe.example%2Fcallback%3Fid%3D1%2526&state=s%2B';
		const page = await openForwardingPage(to);
		const { status, headers } = await fetch(page.uri, { redirect: 'manual' });
		assert.deepEqual([status, headers.get('location'), headers.get('referrer-policy')], [302, to, 'no-referrer']);
		assert.deepEqual(await ask(page.uri, new URL(page.uri).pathname, 'proxy.example'), [302, '']);
		assert.deepEqual(await ask(page.uri, '/'), [404, '']);
		assert.deepEqual(await ask(page.uri, new URL(page.uri).pathname, undefined, 'POST'), [404, '']);
		page.dispose();
		await assert.rejects(fetch(page.uri));
	});
});
