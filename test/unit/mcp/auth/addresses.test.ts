import * as assert from 'node:assert/strict';
import {
	isLoopback,
	Nearness,
	nearnessOf,
	problemOf,
	problemOfPage,
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
		['127.0.0.1', machine],
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
			'[::1]',
			'0.0.0.0',
			'169.254.1.1',
			'10.0.0.1',
			'a.b',
		];
		assert.deepEqual(
			hosts.filter(it => isLoopback(new URL(`http://${it}/`))),
			hosts.slice(0, 5),
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
			urls.map(([it]) => [it, problemOf(it)]),
			urls,
		);
		assert.deepEqual(
			[problemOf('https://a.example/$x'), problemOfPage('https://a.example/$x')],
			[undefined, 'characters'],
		);
		assert.equal(problemOfPage('https://a.example/b/authorize?tenant=c&d=%20'), undefined);
	});

	it('for reports they have neither query nor user', () => {
		assert.equal(withoutQuery('https://u:p@a.example:8443/b?c=d#e'), 'https://a.example:8443/b');
		assert.equal(withoutQuery('no url'), 'no url');
	});
});
