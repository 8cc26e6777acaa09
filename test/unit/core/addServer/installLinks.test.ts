// Install links of other clients, as custom scheme and as web address, and lines that install.
import * as assert from 'node:assert/strict';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';
import { base64, found, http, problem, type Row, stdio } from '../../../support/pasted.js';

const thing = stdio('npx', ['-y', '@scope/thing-mcp']);
const json = encodeURIComponent(JSON.stringify(thing));
const remote = Buffer.from(JSON.stringify({ url: 'https://r.example/mcp', headers: { A: 'Bearer <KEY>' } })).toString(
	'base64',
);

describe('install links', () => {
	const table: Row[] = [
		[`https://lmstudio.ai/install-mcp?name=thing&config=${base64}`, 'thing', thing],
		[
			`https://lmstudio.ai/install-mcp?config=${encodeURIComponent(remote)}&name=r`,
			'r',
			http('https://r.example/mcp', { A: 'Bearer <KEY>' }),
		],
		[`lmstudio://add_mcp?name=thing&config=${base64}`, 'thing', thing],
		[`https://kiro.dev/launch/mcp/add?name=thing&config=${json}`, 'thing', thing],
		[`kiro://kiro.mcp/add?name=thing&config=${json}`, 'thing', thing],
		[`cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${base64}`, 'thing', thing],
		[`cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${json}`, 'thing', thing],
		[`https://cursor.com/install-mcp?name=thing&config=${base64}`, 'thing', thing],
		[`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thing', ...thing }))}`, 'thing', thing],
		[`vscode-insiders:mcp/install?${JSON.stringify({ name: 'my thing', ...thing })}`, 'my thing', thing],
		[`https://insiders.vscode.dev/redirect/mcp/install?name=thing&config=${json}`, 'thing', thing],
		[
			`https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thing', ...thing }))}`)}`,
			'thing',
			thing,
		],
		['goose://extension?cmd=npx&arg=-y&arg=%40scope%2Fthing-mcp&id=thing&name=Thing&timeout=300', 'Thing', thing],
		[
			'https://block.github.io/goose/extension?cmd=npx&arg=%40playwright%2Fmcp%40latest&id=playwright&name=Playwright',
			'Playwright',
			stdio('npx', ['@playwright/mcp@latest']),
		],
		[
			'goose://extension?url=https%3A%2F%2Fr.example%2Fmcp&type=streamable_http&id=r&name=R&header=Authorization%3DToken',
			'R',
			http('https://r.example/mcp', { Authorization: '${input:r-authorization}' }),
		],
		[
			`[![Add to Kiro](https://kiro.dev/images/add.svg)](https://kiro.dev/launch/mcp/add?name=thing&config=${json})`,
			'thing',
			thing,
		],
		[`[Add](lmstudio://add_mcp?name=thing&config=${base64})`, 'thing', thing],
	];
	for (const [pasted, name, entry] of table) {
		it(pasted.slice(0, 90), () => assert.deepEqual(found(pasted), [[name, entry]]));
	}

	it('asks for the variables that a link of Goose names', () => {
		const pasted = parsePasted(
			'goose://extension?cmd=npx&arg=a&id=x&name=X&env=API_KEY%3DFrom%20the%20site&env=LEVEL%3Dinfo%3D1',
		);
		assert.deepEqual(pasted, {
			kind: 'servers',
			servers: [
				{
					name: 'X',
					entry: stdio('npx', ['a'], { env: { API_KEY: '${input:x-api-key}', LEVEL: '${input:level}' } }),
					leftOut: [],
				},
			],
			inputs: [
				{ id: 'x-api-key', type: 'promptString', description: 'From the site', password: true },
				{ id: 'level', type: 'promptString', description: 'info=1' },
			],
		});
	});

	it('takes the inputs of a link', () => {
		const input = { id: 'k', type: 'promptString' };
		const pasted = parsePasted(
			`https://vscode.dev/redirect/mcp/install?name=a&inputs=${encodeURIComponent(JSON.stringify([input]))}&config=${json}`,
		);
		assert.deepEqual(pasted.kind === 'servers' && pasted.inputs, [input]);
	});

	it('names the product of a link that has no server, and never takes it for an address or a program', () => {
		const rows: [string, string][] = [
			['https://lmstudio.ai/install-mcp?name=x', 'LM Studio'],
			['https://kiro.dev/launch/mcp/add?name=x&config=%7B%7D', 'Kiro'],
			['https://cursor.com/docs', 'Cursor'],
			['https://vscode.dev/redirect?url=vscode:mcp/by-name?x', 'vscode'],
			['vscode:mcp/by-name?io.github.me/x', 'vscode'],
			['goose://recipe?x=1', 'goose'],
			['https://block.github.io/goose/docs', 'Goose'],
			['https://claude.ai/new?q=x', 'Claude'],
			['windsurf://x', 'windsurf'],
			['ftp://a.example/mcp', 'ftp'],
		];
		for (const [pasted, product] of rows) {
			assert.deepEqual(problem(pasted), { code: 'link', product }, pasted);
		}
	});

	it('knows a bundle, which has to be unpacked, and pages about servers', () => {
		assert.deepEqual(
			[
				'https://github.com/me/x/releases/download/v1/x.mcpb',
				'https://a.example/x.dxt?download=1',
				'~/Downloads/x.mcpb',
				'https://smithery.ai/server/@a/b',
				'https://mcp.so/server/x/y',
				'https://registry.modelcontextprotocol.io/v0/servers',
				'https://raw.githubusercontent.com/a/b/main/server.json',
			].map(problem),
			['bundle', 'bundle', 'bundle', 'url', 'url', 'url', 'url'].map(code => ({ code })),
		);
		const address = 'https://server.smithery.ai/@a/b/mcp?config=e30%3D';
		assert.deepEqual(found(address)[0]?.[1], http(address));
	});
});

describe('lines that install', () => {
	const table: [string, string][] = [
		['npx -y @smithery/cli install @x/y --client claude', 'npx @smithery/cli install'],
		['npx -y @smithery/cli@latest mcp add x/y', 'npx @smithery/cli@latest'],
		['npx install-mcp https://x.example/mcp --client cursor', 'npx install-mcp'],
		['npx add-mcp@latest https://x.example/mcp', 'npx add-mcp@latest'],
		['npx -y thing-mcp install', 'npx thing-mcp install'],
		['gemini extensions install https://github.com/me/x', 'gemini extensions install'],
		['claude plugin install x@y', 'claude plugin install'],
		['kiro-cli mcp add --name x --command npx', 'kiro-cli mcp add'],
		['fastmcp install claude-code server.py', 'fastmcp install'],
		['mcp install server.py', 'mcp install'],
		['uv tool install x', 'uv tool install'],
	];
	for (const [pasted, command] of table) {
		it(pasted, () => assert.deepEqual(problem(pasted), { code: 'installs', command }));
	}

	it('are none where they start a server', () => {
		for (const [pasted, entry] of [
			[
				'npx -y @smithery/cli@latest run @x/y --key z',
				stdio('npx', ['-y', '@smithery/cli@latest', 'run', '@x/y', '--key', 'z']),
			],
			['claude mcp serve', stdio('claude', ['mcp', 'serve'])],
			['npx -y @a/b /install', stdio('npx', ['-y', '@a/b', '/install'])],
		] as const) {
			assert.deepEqual(found(pasted)[0]?.[1], entry);
		}
	});
});
