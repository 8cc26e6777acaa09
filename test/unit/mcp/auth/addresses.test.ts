import * as assert from 'node:assert/strict';
import {
	isLoopback,
	Nearness,
	nearnessOf,
	findUrlProblem,
	findPageProblem,
	readPage,
	withoutQuery,
} from '../../../../src/mcp/auth/addresses.js';

const { machine, network } = Nearness;
const far = Nearness.public;

describe('addresses', () => {
	const near: readonly (readonly [host: string, Nearness])[] = [
		['example.com', far],
		['8.8.8.8', far],
		['172.15.0.1', far],
		['172.32.0.1', far],
		['192.169.0.1', far],
		['100.63.0.1', far],
		['100.128.0.1', far],
		['[2606:4700::1111]', far],
		['[::ffff:8.8.8.8]', far],
		['localhost.example.com', far],
		['10.0.0.1.example.com', far],
		['fd.example.com', far],
		['127.evil.com', far],
		['127.0.0.1.nip.io', far],
		['evillocalhost', network],
		['evillocalhost.com', far],
		['localdomain.com', far],
		['[2606:4700:1:2:3:4:5:6]', far],
		['arpa.example', far],
		['1.home.arpa.example', far],
		['168.63.129.15', far],
		['168.63.129.17', far],
		['191.255.255.255', far],
		['192.0.1.0', far],
		['198.17.255.255', far],
		['198.20.0.0', far],
		['223.255.255.255', far],
		['[::ffff:0:8.8.8.8]', far],
		['[64:ff9b::8.8.8.8]', far],
		['[2002:808:808::1]', far],
		['[2001:0:808:808::f7f7:f7f7]', far],
		['[2001:1::7f00:1]', far],
		['[2003:7f00:1::]', far],
		['[65:ff9b::7f00:1]', far],
		['[fbff::1]', far],
		['10.1.2.3', network],
		['172.16.0.1', network],
		['172.31.255.255', network],
		['192.168.0.1', network],
		['100.64.0.1', network],
		['[fd00::1]', network],
		['[fc00::1]', network],
		['[::ffff:192.168.0.1]', network],
		['[64:ff9b::10.0.0.1]', network],
		['router', network],
		['printer.local', network],
		['git.internal', network],
		['nas.home.arpa', network],
		['nas.home.arpa.', network],
		['intranet.', network],
		['intranet..', network],
		['router.lan.', network],
		['kubernetes.default.svc', network],
		['printer.localdomain', network],
		['a.private', network],
		['192.0.0.192', network],
		['198.18.0.1', network],
		['198.19.255.255', network],
		['224.0.0.1', network],
		['239.255.255.255', network],
		['240.0.0.1', network],
		['255.255.255.255', network],
		['[ff02::1]', network],
		['[fec0::1]', network],
		['[feff::1]', network],
		['[fdff::1]', network],
		['[::10.0.0.1]', network],
		['[64:ff9b:1::8.8.8.8]', network],
		['[64:ff9b:1:2::808:808]', network],
		['[2002:c0a8:1::]', network],
		['[2001:0:a00:1::]', network],
		['[2001:0:808:808::f5ff:fffe]', network],
		['①②⑦.0.0.1', machine],
		['127.0.0.1', machine],
		['0.1.2.3', machine],
		['168.63.129.16', machine],
		['localhost.localdomain', machine],
		['a.localhost.localdomain', machine],
		['[fe80:1:2:3:4:5:6:7]', machine],
		['[::7f00:1]', machine],
		['[::ffff:0:7f00:1]', machine],
		['[64:ff9b::7f00:1]', machine],
		['[64:ff9b:1::7f00:1]', machine],
		['[2002:7f00:1::]', machine],
		['[2001:0:7f00:1::]', machine],
		['[2001:0:808:808::80ff:fffe]', machine],
		['[fe90::1]', machine],
		['[febf::1]', machine],
		['127.9.9.9', machine],
		['0.0.0.0', machine],
		['0x7f.1', machine],
		['2130706433', machine],
		['017700000001', machine],
		['169.254.169.254', machine],
		['localhost', machine],
		['LOCALHOST', machine],
		['localhost.', machine],
		['a.localhost', machine],
		['[::1]', machine],
		['[::]', machine],
		['[fe80::1]', machine],
		['[::ffff:127.0.0.1]', machine],
		['[::ffff:169.254.169.254]', machine],
	];
	for (const [host, expected] of near) {
		it(`${host} is ${['public', 'of the network', 'of the machine'][expected]}`, () => {
			assert.equal(nearnessOf(new URL(`https://${host}/x`)), expected);
		});
	}

	it('this machine is what answers to itself', () => {
		const hosts = [
			'localhost',
			'x.localhost',
			'127.0.0.1',
			'127.1.2.3',
			'127.11.22.33',
			'[::1]',
			'0.0.0.0',
			'169.254.1.1',
			'10.0.0.1',
			'a.b',
			'127.evil.com',
			'127.0.0.1.nip.io',
			'evillocalhost',
			'localhost.evil.com',
			'localhost.localdomain',
		];
		assert.deepEqual(
			hosts.filter(it => isLoopback(new URL(`http://${it}/`))),
			hosts.slice(0, 6),
		);
	});

	// covers: auth.httpsOnly
	it('https anywhere, http on this machine alone, nothing else', () => {
		const urls: readonly (readonly [string, string | undefined])[] = [
			['https://a.example/x?y', undefined],
			['http://localhost:3000', undefined],
			['http://[::1]:3000', undefined],
			['http://a.example', 'insecure'],
			['http://192.168.0.1', 'insecure'],
			['http://localhost.example.com', 'insecure'],
			['ftp://a.example', 'scheme'],
			['javascript:alert(1)', 'scheme'],
			['data:text/html,x', 'scheme'],
			['https://user@a.example', 'credentials'],
			['https://:p@a.example', 'credentials'],
			['https://a.example/\t', 'characters'],
			['https://a.example/ b', 'characters'],
			['java\nscript:alert(1)', 'characters'],
			['https://a.example/\u2028', 'characters'],
			['/relative', 'notAUrl'],
			['', 'notAUrl'],
		];
		assert.deepEqual(
			urls.map(([it]) => [it, findUrlProblem(it)]),
			urls,
		);
		assert.deepEqual(
			[findUrlProblem('https://a.example/$x'), findPageProblem('https://a.example/$x')],
			[undefined, 'characters'],
		);
		assert.equal(findPageProblem('https://a.example/b/authorize?tenant=c&d=%20'), undefined);
	});

	it('pages need not be encrypted, and mean nothing to a shell', () => {
		for (const [text, expected] of [
			['https://a.example/x?y=1#z', 'https://a.example/x?y=1#z'],
			['http://a.example', 'http://a.example/'],
			['HTTP://A.example/', 'http://a.example/'],
			['https://a.example/a_(b)', 'https://a.example/a_%28b%29'],
			[`https://a.example/"'\`<>\\^{|}$;()!*`, 'https://a.example/%22%27%60%3C%3E/%5E%7B%7C%7D%24%3B%28%29%21%2A'],
			[`https://a.example/?"'\`<>\\^{|}$;()!*`, 'https://a.example/?%22%27%60%3C%3E%5C%5E%7B%7C%7D%24%3B%28%29%21%2A'],
			['https://$(x).example/', 'characters'],
			['https://a.example/ b', 'characters'],
			['https://a.example/\n', 'characters'],
			['https://me@a.example/', 'credentials'],
			['file:///etc/passwd', 'scheme'],
			['vscode://a.b/c', 'scheme'],
			['a.example', 'notAUrl'],
		] as const) {
			const page = readPage(text);
			assert.equal(page.kind === 'page' ? page.url.href : page.why, expected);
		}
		for (const text of ['https://$(x).example/', 'a.example']) {
			assert.equal(readPage(text).kind, 'unsafe');
		}
	});

	it('for reports they have neither query nor user', () => {
		assert.equal(withoutQuery('https://u:p@a.example:8443/b?c=d#e'), 'https://a.example:8443/b');
		assert.equal(withoutQuery('no url'), 'no url');
	});

	it('for reports they are not long', () => {
		assert.equal(withoutQuery('x'.repeat(300)), 'x'.repeat(200));
		assert.equal(withoutQuery(`https://a/${'x'.repeat(600)}`), `https://a/${'x'.repeat(490)}`);
	});
});
