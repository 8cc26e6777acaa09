// One server, in the words of other clients and in those of `mcp.json`.
import * as assert from 'node:assert/strict';
import { describeEntry, isWebUrl, looksLikeSse, toServerEntry } from '../../../../src/core/config/serverEntry.js';

const url = 'https://a.example/mcp';

describe('a server of another client', () => {
	const table: readonly (readonly [value: object, entry: object | undefined, leftOut?: readonly string[]])[] = [
		[{ serverUrl: url }, { type: 'http', url }],
		[{ httpUrl: `${url}/sse` }, { type: 'http', url: `${url}/sse` }],
		[{ endpoint: url }, { type: 'http', url }],
		[{ url: `${url}/sse` }, { type: 'sse', url: `${url}/sse` }],
		[
			{ url, serverUrl: 'https://b.example' },
			{ type: 'http', url },
		],
		[
			{ serverUrl: 'https://b.example', url },
			{ type: 'http', url },
		],
		[
			{ serverUrl: url, endpoint: 'https://b.example' },
			{ type: 'http', url },
		],
		[
			{ url, transport: 'sse' },
			{ type: 'sse', url },
		],
		[
			{ url, transportType: 'SSE' },
			{ type: 'sse', url },
		],
		[
			{ url: `${url}/sse`, type: 'http' },
			{ type: 'http', url: `${url}/sse` },
		],
		[
			{ url, type: 'ssex' },
			{ type: 'http', url },
		],
		[
			{ url: `${url}/sse`, type: 'xsse' },
			{ type: 'http', url: `${url}/sse` },
		],
		[
			{ url, command: { headers: { A: 'b' } } },
			{ type: 'http', url },
		],
		[{ url: 'HTTP://a' }, { type: 'http', url: 'HTTP://a' }],
		[{ url: 'unix:/a' }, { type: 'http', url: 'unix:/a' }],
		[{ url: 'pipe:/a' }, { type: 'http', url: 'pipe:/a' }],
		[{ url: '${URL}/x' }, { type: 'http', url: '${env:URL}/x' }],
		[{ url: 'x-https://a' }, undefined],
		[{ url: ['https://a'] }, undefined],
		[{ url: 'a.example' }, undefined],
		[
			{ url, headers: { A: 'b', B: 1, C: null, D: true, E: {} }, oauth: { clientId: 'x' }, dev: { watch: 'a' } },
			{ type: 'http', url, headers: { A: 'b', B: '1', D: 'true' }, oauth: { clientId: 'x' }, dev: { watch: 'a' } },
			['headers.E'],
		],
		[
			{ url, headers: {}, oauth: 'x', dev: 'x', args: [], cwd: '', env: {}, envFile: 5 },
			{ type: 'http', url },
		],
		[{ command: 'npx' }, { type: 'stdio', command: 'npx' }],
		[{ command: 'npx  -y a' }, { type: 'stdio', command: 'npx', args: ['-y', 'a'] }],
		[
			{ command: 'npx -y', args: ['a'] },
			{ type: 'stdio', command: 'npx -y', args: ['a'] },
		],
		[{ command: ['npx -y', 'a'] }, { type: 'stdio', command: 'npx -y', args: ['a'] }],
		[{ command: ['npx', 5, true] }, { type: 'stdio', command: 'npx', args: ['5', 'true'] }],
		[{ command: ['npx', {}] }, undefined],
		[{ command: '/my programs/a b' }, { type: 'stdio', command: '/my programs/a b' }],
		[{ command: 'C:\\my programs\\a' }, { type: 'stdio', command: 'C:\\my programs\\a' }],
		[{ command: 'a b/c' }, { type: 'stdio', command: 'a', args: ['b/c'] }],
		[
			{ command: 'a', args: 'b c' },
			{ type: 'stdio', command: 'a', args: ['b c'] },
		],
		[{ command: '' }, undefined],
		[{}, undefined],
		[
			{ command: { path: 'a', args: ['b'], env: { C: 'd' } }, settings: {} },
			{ type: 'stdio', command: 'a', args: ['b'], env: { C: 'd' } },
			['settings'],
		],
		[{ command: { path: 5 } }, undefined],
		[
			{
				command: 'a',
				environment: { A: 'b', B: 1, C: null, D: false, E: [] },
				workingDirectory: '/c',
				envFile: '${HOME}/d',
			},
			{ type: 'stdio', command: 'a', cwd: '/c', env: { A: 'b', B: 1, C: null, D: 'false' }, envFile: '${env:HOME}/d' },
			['env.E'],
		],
		[
			{ command: 'a', cwd: '', env: {}, envFile: 5, dev: 5 },
			{ type: 'stdio', command: 'a' },
		],
		[
			{ command: '$HOME/x', args: ['--key=$KEY', 'a b:$C_1', 'p$A', '$$B', '$a', '$A1b', '\\$D'] },
			{
				type: 'stdio',
				command: '${env:HOME}/x',
				args: ['--key=${env:KEY}', 'a b:${env:C_1}', 'p$A', '$$B', '$a', '$A1b', '\\$D'],
			},
		],
		[
			{ url, headers: { Authorization: 'Bearer $TOKEN' } },
			{ type: 'http', url, headers: { Authorization: 'Bearer ${env:TOKEN}' } },
		],
		[
			{ command: '${A_1}/x', args: ['${B}', '${b}', '${C:-d}'], cwd: '${D}', env: { E: '${F}' }, dev: { watch: 'x' } },
			{
				type: 'stdio',
				command: '${env:A_1}/x',
				args: ['${env:B}', '${b}', '${env:C:-d}'],
				cwd: '${env:D}',
				env: { E: '${env:F}' },
				dev: { watch: 'x' },
			},
		],
		[
			{
				command: 'a',
				name: 'b',
				disabled: true,
				enabled: true,
				description: 'c',
				source: 'd',
				$schema: 'e',
				gallery: true,
				version: '1',
				type: 'stdio',
				url,
				headers: {},
				oauth: {},
				autoApprove: [],
				timeout: 5,
			},
			{ type: 'stdio', command: 'a' },
			['autoApprove', 'timeout'],
		],
	];
	for (const [value, entry, leftOut = []] of table) {
		it(JSON.stringify(value), () => {
			assert.deepEqual(toServerEntry(value), entry && { entry, leftOut });
		});
	}

	it('is no text, list, or nothing', () => {
		assert.deepEqual(
			[toServerEntry('npx'), toServerEntry(['npx']), toServerEntry(null)],
			[undefined, undefined, undefined],
		);
	});
});

describe('the address of a server', () => {
	it('is one of the web, with a host', () => {
		const texts = [
			'http://a',
			'HTTPS://a/b',
			'http://<host>',
			'http://',
			'http:///a',
			'http://?a',
			'ftp://a',
			'xhttp://a',
			'a',
		];
		assert.deepEqual(texts.map(isWebUrl), [true, true, true, false, false, false, false, false, false]);
	});

	it('looks like one of the older transport by its last folder', () => {
		const texts = ['/sse', '/SSE/', '/sse?a', '/sse/#a', '/sse/b', '/asse', '/ssex'];
		assert.deepEqual(texts.map(looksLikeSse), [true, true, true, true, false, false, false]);
	});
});

describe('the line that describes a server', () => {
	it('has its address, or its words, in quotes where they need them', () => {
		assert.equal(describeEntry({ type: 'http', url }), url);
		assert.equal(describeEntry({ type: 'stdio', command: 'a' }), 'a');
		assert.equal(
			describeEntry({ type: 'stdio', command: 'a b', args: ['', 'c"', 'd\ne', 'f'] }),
			'"a b" "" "c\\"" "d\\ne" f',
		);
	});
});
