import * as assert from 'node:assert/strict';
import {
	describeUrl,
	isSocketUrl,
	originOf,
	redirectTarget,
	resolveReference,
} from '../../../../src/mcp/transport/httpUrl.js';

describe('URLs of servers', () => {
	const socket = 'unix:///run/mcp.sock#/mcp?a=1';

	it('sockets are told by their scheme', () => {
		for (const [url, expected] of [
			['unix:///a', true],
			['pipe:///a', true],
			['http://unix/', false],
			['https://pipe/', false],
		] as const) {
			assert.equal(isSocketUrl(new URL(url)), expected, url);
		}
	});

	it('each socket is an origin of its own', () => {
		for (const [url, expected] of [
			['https://a.example:443/x?y', 'https://a.example'],
			['http://a.example:8080/x', 'http://a.example:8080'],
			['unix:///run/a.sock#/x', 'unix:///run/a.sock'],
			['unix:///run/b.sock#/x', 'unix:///run/b.sock'],
			['pipe:///run/a.sock#/x', 'pipe:///run/a.sock'],
		] as const) {
			assert.equal(originOf(new URL(url)), expected);
		}
	});

	describe('a reference', () => {
		const table: readonly (readonly [base: string, reference: string, expected: string | undefined])[] = [
			['https://a.example/mcp/', 'sub?x=1', 'https://a.example/mcp/sub?x=1'],
			['https://a.example/mcp', '/other', 'https://a.example/other'],
			['https://a.example/', 'https://b.example/', 'https://b.example/'],
			['http://a.example/', 'https://a.example/', 'https://a.example/'],
			['http://a.example/', 'http://b.example/', 'http://b.example/'],
			// No downgrade from https to http.
			['https://a.example/', 'http://a.example/', undefined],
			['https://a.example/', 'file:///etc/passwd', undefined],
			['https://a.example/', 'https://', undefined],
			[socket, '/other?b=2', 'unix:///run/mcp.sock#/other?b=2'],
			[socket, 'http://socket/x', 'unix:///run/mcp.sock#/x'],
			[socket, 'http://socket:81/x', undefined],
			[socket, 'http://a.example/x', undefined],
			[socket, 'unix:///run/other.sock#/x', undefined],
			['pipe:///p', 'x', 'pipe:///p#/x'],
			['unix:///run/mcp.sock#/a/b', 'c', 'unix:///run/mcp.sock#/a/c'],
			[socket, 'http://', undefined],
		];
		for (const [base, reference, expected] of table) {
			it(`${reference} at ${base}`, () => {
				assert.equal(resolveReference(new URL(base), reference)?.href, expected);
			});
		}
	});

	describe('a redirect', () => {
		const table: readonly (readonly [from: string, to: string, expected: [kind: string, url: string] | undefined])[] = [
			['https://a.example/mcp', '/x?y', ['sameOrigin', 'https://a.example/x?y']],
			['https://a.example/mcp', 'https://a.example:443/x', ['sameOrigin', 'https://a.example/x']],
			['https://a.example/mcp', 'https://A.EXAMPLE/x', ['sameOrigin', 'https://a.example/x']],
			['http://a.example/mcp', 'https://a.example/mcp', ['upgrade', 'https://a.example/mcp']],
			['http://a.example/mcp', 'https://b.example/mcp', ['otherOrigin', 'https://b.example/mcp']],
			['http://a.example/mcp', 'https://a.example:8443/mcp', ['otherOrigin', 'https://a.example:8443/mcp']],
			['http://a.example:8080/mcp', 'https://a.example/mcp', ['otherOrigin', 'https://a.example/mcp']],
			['https://a.example/mcp', 'https://sub.a.example/mcp', ['otherOrigin', 'https://sub.a.example/mcp']],
			['https://a.example/mcp', 'https://a.example:8443/mcp', ['otherOrigin', 'https://a.example:8443/mcp']],
			['https://a.example/mcp', 'http://a.example/mcp', ['otherOrigin', 'http://a.example/mcp']],
			['https://a.example/mcp', '//b.example/mcp', ['otherOrigin', 'https://b.example/mcp']],
			['https://a.example/mcp', 'file:///etc/passwd', undefined],
			['https://a.example/mcp', 'javascript:0', undefined],
			['https://a.example/mcp', 'https://', undefined],
			[socket, '/other', ['sameOrigin', 'unix:///run/mcp.sock#/other']],
			[socket, 'https://socket/x', ['sameOrigin', 'unix:///run/mcp.sock#/x']],
			[socket, 'https://a.example/x', ['otherOrigin', 'https://a.example/x']],
			[socket, 'unix:///run/other.sock#/x', undefined],
		];
		for (const [from, to, expected] of table) {
			it(`from ${from} to ${to}`, () => {
				const target = redirectTarget(new URL(from), to);
				assert.deepEqual(target && [target.kind, target.url.href], expected);
			});
		}
	});

	it('is described without what may be secret', () => {
		for (const [url, expected] of [
			['https://me:pass@a.example:8443/mcp?key=k#f', 'https://a.example:8443/mcp'],
			['unix:///run/a.sock#/x?key=k', 'unix:///run/a.sock#/x'],
			['pipe:///p', 'pipe:///p#'],
		] as const) {
			assert.equal(describeUrl(new URL(url)), expected);
		}
	});
});
