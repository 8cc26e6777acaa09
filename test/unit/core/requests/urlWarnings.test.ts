import * as assert from 'node:assert/strict';
import { Nearness } from '../../../../src/mcp/index.js';
import { nearnessOfServer, warningsOfUrl } from '../../../../src/core/requests/urlWarnings.js';

describe('what is strange about an address', () => {
	const cases: readonly (readonly [string, readonly string[]])[] = [
		['https://example.com/sign-in?x=1', []],
		['https://router1/', []],
		['http://localhost:8080/', []],
		['http://127.0.0.1/', []],
		['http://[::1]/', []],
		['http://app.localhost/', []],
		['https://xn--pple-43d.com/', ['punycode']],
		['https://аpple.com/', ['punycode']],
		['https://login.xn--pple-43d.com/', ['punycode']],
		['https://93.184.216.34/', ['address']],
		['https://[2001:db8::1]/', ['address']],
		// Browsers read a number as an IP address.
		['https://1572395042/', ['address']],
		['http://example.com/', ['notEncrypted']],
		['http://xn--pple-43d.com/', ['punycode', 'notEncrypted']],
		['http://127.evil.com/', ['notEncrypted']],
		['http://192.168.0.1/', ['address', 'notEncrypted']],
	];
	for (const [url, expected] of cases) {
		it(url, () => assert.deepEqual(warningsOfUrl(new URL(url), Nearness.machine), expected));
	}

	it('what is nearer than the server is told', () => {
		const { machine, network } = Nearness;
		const far = Nearness.public;
		for (const [url, server, expected] of [
			['https://a.example/', far, []],
			['https://a.example/', machine, []],
			['https://router/', far, ['network']],
			['https://router/', network, []],
			['http://localhost/', far, ['machine']],
			['http://localhost/', network, ['machine']],
			['http://localhost/', machine, []],
			['http://169.254.169.254/', far, ['address', 'machine', 'notEncrypted']],
		] as const) {
			assert.deepEqual(warningsOfUrl(new URL(url), server), expected, url);
		}
	});

	it('a program is on the machine, and a server where its URL says', () => {
		const http = (url: string): Nearness => nearnessOfServer({ kind: 'http', url, headers: {} });
		assert.equal(
			nearnessOfServer({ kind: 'stdio', command: 'x', args: [], env: {}, cwd: undefined, envFile: undefined }),
			Nearness.machine,
		);
		assert.equal(http('unix:///run/mcp.sock#/mcp'), Nearness.machine);
		assert.equal(http('pipe:///mcp'), Nearness.machine);
		assert.equal(http('http://localhost:1/'), Nearness.machine);
		assert.equal(http('http://10.0.0.1/'), Nearness.network);
		assert.equal(http('https://a.example/'), Nearness.public);
		assert.equal(http('https://a.example/unix:/run'), Nearness.public);
		assert.equal(http('${input:url}'), Nearness.public);
	});
});
