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
	for (const [expected, hosts] of [
		[
			far,
			[
				'example.com',
				'8.8.8.8',
				'172.15.0.1',
				'172.32.0.1',
				'100.63.0.1',
				'100.128.0.1',
				'[2606:4700::1111]',
				'[2606:4700:1:2:3:4:5:6]',
				'[::ffff:8.8.8.8]',
				'localhost.example.com',
				'10.0.0.1.example.com',
				'127.0.0.1.nip.io',
				'evillocalhost.com',
				'168.63.129.17',
				'192.0.1.0',
				'198.20.0.0',
				'223.255.255.255',
				'[2001:1::7f00:1]',
				'[2003:7f00:1::]',
			],
		],
		[
			network,
			[
				'evillocalhost',
				'10.1.2.3',
				'172.16.0.1',
				'172.31.255.255',
				'192.168.0.1',
				'100.64.0.1',
				'[fd00::1]',
				'[fc00::1]',
				'[::ffff:192.168.0.1]',
				'[64:ff9b::10.0.0.1]',
				'router',
				'printer.local',
				'git.internal',
				'nas.home.arpa.',
				'intranet..',
				'kubernetes.default.svc',
				'192.0.0.192',
				'198.19.255.255',
				'224.0.0.1',
				'255.255.255.255',
				'[ff02::1]',
				'[fec0::1]',
				'[::10.0.0.1]',
				'[64:ff9b:1::8.8.8.8]',
				'[2002:7f00:1::]',
				'[2001:0:7f00:1::]',
				'[2001::1]',
			],
		],
		[
			machine,
			[
				'①②⑦.0.0.1',
				'127.0.0.1',
				'0.1.2.3',
				'168.63.129.16',
				'a.localhost.localdomain',
				'[fe80:1:2:3:4:5:6:7]',
				'[::7f00:1]',
				'[febf::1]',
				'127.9.9.9',
				'0x7f.1',
				'2130706433',
				'169.254.169.254',
				'LOCALHOST',
				'localhost.',
				'a.localhost',
				'[::1]',
				'[::]',
				'[::ffff:127.0.0.1]',
				'[::ffff:169.254.169.254]',
			],
		],
	] as const) {
		for (const host of hosts) {
			it(`${host} is ${['public', 'of the network', 'of the machine'][expected]}`, () => {
				assert.equal(nearnessOf(new URL(`https://${host}/x`)), expected);
			});
		}
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
