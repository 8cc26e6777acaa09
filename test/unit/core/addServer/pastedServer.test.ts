// Everything else that people paste: URLs, links, commands and files of other programs, JSON.
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { textLimits } from '../../../../src/mcp/index.js';
import type { PasteProblem } from '../../../../src/core/addServer/foundServer.js';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';
import { describeEntry, type ServerEntry } from '../../../../src/core/config/serverEntry.js';
import { nameOf } from '../../../../src/core/addServer/serverName.js';
import { type Row, base64, found, github, http, problem, stdio } from '../../../support/pasted.js';

describe('parsePasted', () => {
	describe('URLs and links', () => {
		const config = encodeURIComponent(JSON.stringify({ name: 'gh', type: 'http', url: 'https://x.dev/mcp' }));
		const redirect = encodeURIComponent(JSON.stringify(github));
		const table: Row[] = [
			['https://mcp.context7.com/mcp', 'context7', http('https://mcp.context7.com/mcp')],
			[' https://api.githubcopilot.com/mcp/ ', 'githubcopilot', http('https://api.githubcopilot.com/mcp/')],
			['https://mcp.linear.app/sse', 'linear', { type: 'sse', url: 'https://mcp.linear.app/sse' }],
			['http://localhost:3000/sse?x=1', 'localhost-3000', { type: 'sse', url: 'http://localhost:3000/sse?x=1' }],
			['https://docs.me.workers.dev/mcp', 'docs', http('https://docs.me.workers.dev/mcp')],
			[`vscode:mcp/install?${config}`, 'gh', http('https://x.dev/mcp')],
			[`vscode-insiders:mcp/install?${config}`, 'gh', http('https://x.dev/mcp')],
			[
				`https://insiders.vscode.dev/redirect/mcp/install?name=github&config=${redirect}`,
				'github',
				github as ServerEntry,
			],
			[
				`https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${config}`)}`,
				'gh',
				http('https://x.dev/mcp'),
			],
			[
				`cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${base64}`,
				'thing',
				stdio('npx', ['-y', '@scope/thing-mcp']),
			],
			[
				`https://cursor.com/en/install-mcp?name=thing&config=${encodeURIComponent(base64)}`,
				'thing',
				stdio('npx', ['-y', '@scope/thing-mcp']),
			],
		];
		for (const [pasted, name, entry] of table) {
			it(pasted.slice(0, 70), () => assert.deepEqual(found(pasted), [[name, entry]]));
		}
	});

	describe('other programs', () => {
		const table: Row[] = [
			[
				`code --add-mcp '{"name":"my","command":"uvx","args":["mcp-server-fetch"]}'`,
				'my',
				stdio('uvx', ['mcp-server-fetch']),
			],
			[`code-insiders --add-mcp='{"name":"my","url":"https://a.dev"}'`, 'my', http('https://a.dev')],
			[`windsurf --add-mcp '{"name":"my","command":"uvx"}'`, 'my', stdio('uvx')],
			['gemini mcp add --scope user srv npx -- -y thing', 'srv', stdio('npx', ['-y', 'thing'])],
			[
				'gemini mcp add -s user -t http -H "A: b" srv https://x.example/mcp --trust --include-tools a',
				'srv',
				http('https://x.example/mcp', { A: 'b' }),
			],
			['claude mcp add playwright npx @playwright/mcp@latest', 'playwright', stdio('npx', ['@playwright/mcp@latest'])],
			[
				'claude mcp add airtable --env AIRTABLE_API_KEY=YOUR_KEY -- npx -y airtable-mcp-server',
				'airtable',
				stdio('npx', ['-y', 'airtable-mcp-server'], { env: { AIRTABLE_API_KEY: 'YOUR_KEY' } }),
			],
			[
				'claude mcp add --transport http sentry https://mcp.sentry.dev/mcp',
				'sentry',
				http('https://mcp.sentry.dev/mcp'),
			],
			[
				'claude mcp add -t http gh https://api.x.dev/mcp -H "Authorization: Bearer YOUR_PAT"',
				'gh',
				http('https://api.x.dev/mcp', { Authorization: 'Bearer YOUR_PAT' }),
			],
			[`claude mcp add-json weather '{"type":"stdio","command":"/w","args":["--x"]}'`, 'weather', stdio('/w', ['--x'])],
			[
				'codex mcp add context7 -- npx -y @upstash/context7-mcp',
				'context7',
				stdio('npx', ['-y', '@upstash/context7-mcp']),
			],
			[
				'codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA',
				'figma',
				http('https://mcp.figma.com/mcp', { Authorization: 'Bearer ${env:FIGMA}' }),
			],
		];
		for (const [pasted, name, entry] of table) {
			it(pasted, () => assert.deepEqual(found(pasted), [[name, entry]]));
		}
	});

	describe('JSON', () => {
		const table: Row[] = [
			[
				'{"mcpServers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]}}}',
				'memory',
				stdio('npx', ['-y', '@modelcontextprotocol/server-memory']),
			],
			[
				'{\n  // a comment\n  "servers": { "x": { "type": "http", "url": "https://a.dev/mcp", }, },\n}',
				'x',
				http('https://a.dev/mcp'),
			],
			['```json\n{"mcpServers":{"x":{"command":"x"}}}\n```', 'x', stdio('x')],
			[
				'"github": { "url": "https://api.githubcopilot.com/mcp/" }',
				'github',
				http('https://api.githubcopilot.com/mcp/'),
			],
			['"mcpServers": { "x": { "command": "x" } },', 'x', stdio('x')],
			[
				'{ "command": "uvx", "args": ["mcp-server-sqlite", "--db-path", "~/test.db"] }',
				'sqlite',
				stdio('uvx', ['mcp-server-sqlite', '--db-path', '~/test.db']),
			],
			['{ "x": { "command": "npx -y thing" } }', 'x', stdio('npx', ['-y', 'thing'])],
			['{"mcpServers":{"w":{"serverUrl":"https://a.dev/sse"}}}', 'w', { type: 'sse', url: 'https://a.dev/sse' }],
			[
				'{"mcpServers":{"c":{"type":"streamable-http","url":"https://a.dev/sse","headers":{"K":"${API_KEY}"}}}}',
				'c',
				http('https://a.dev/sse', { K: '${env:API_KEY}' }),
			],
			[
				'{"mcp":{"o":{"type":"local","command":["npx","-y","thing"],"environment":{"A":"b"},"enabled":true}}}',
				'o',
				stdio('npx', ['-y', 'thing'], { env: { A: 'b' } }),
			],
			[
				'{"context_servers":{"z":{"source":"custom","command":{"path":"z","args":["a"],"env":{"A":"b"}}}}}',
				'z',
				stdio('z', ['a'], { env: { A: 'b' } }),
			],
			[
				'// my servers\n{"servers":{"x":{"command":"x","cwd":"${workspaceFolder}","envFile":".env"}}}',
				'x',
				stdio('x', [], { cwd: '${workspaceFolder}', envFile: '.env' }),
			],
		];
		for (const [pasted, name, entry] of table) {
			it(pasted.replaceAll('\n', ' ').slice(0, 90), () => assert.deepEqual(found(pasted), [[name, entry]]));
		}

		it('takes all servers of a snippet with their inputs, and names what it leaves out', () => {
			const input = { type: 'promptString', id: 'key', description: 'Key', password: true };
			const pasted = parsePasted(
				JSON.stringify({
					inputs: [input, 'none'],
					servers: {
						a: { command: 'a', env: { K: '${input:key}', O: {} }, autoApprove: [], disabled: true },
						b: { url: 'https://b.dev' },
						c: {},
					},
				}),
			);
			assert.deepEqual(pasted, {
				kind: 'servers',
				servers: [
					{ name: 'a', entry: stdio('a', [], { env: { K: '${input:key}' } }), leftOut: ['env.O', 'autoApprove'] },
					{ name: 'b', entry: http('https://b.dev'), leftOut: [] },
				],
				inputs: [input],
			});
		});
	});

	describe('what is no server', () => {
		const table: [string, PasteProblem][] = [
			['', { code: 'empty' }],
			[' \n', { code: 'empty' }],
			['npx "half', { code: 'unclosedQuote' }],
			['npx a | tee log', { code: 'shell', operator: '|' }],
			['npx a && npx b', { code: 'shell', operator: '&&' }],
			['npx a --key $(cat key)', { code: 'shell', operator: '$(' }],
			['npm install -g thing-mcp', { code: 'installs', command: 'npm install' }],
			['https://github.com/github/github-mcp-server', { code: 'url' }],
			['{ "servers": ', { code: 'json', offset: 12 }],
			['{ "servers": {} }', { code: 'noServer' }],
			['claude mcp list', { code: 'noServer' }],
			['{ "url": "ftp://a" }', { code: 'noServer' }],
			['x'.repeat(textLimits.pasted + 1), { code: 'tooLong' }],
			['{"a":'.repeat(40_000), { code: 'tooDeep' }],
		];
		for (const [pasted, expected] of table) {
			it(JSON.stringify(pasted).slice(0, 60), () => assert.deepEqual(problem(pasted), expected));
		}
	});

	it('never throws, and what it finds can be named and described', () => {
		const pieces =
			'npx -y " \' \\ ${ } $( ` < > && | = A=b { [ : , "a" // # https:// claude mcp add -- -e code --add-mcp ' +
			'vscode:mcp/install? %7B ~ ^ C:\\ @scope/ __proto__ "command" "servers" "url" "args" docker run cd export 😀 ' +
			'goose://extension? lmstudio://add_mcp? config= &cmd= &env= [mcp_servers.a] mcpServers: - name: command: [a]( ) ' +
			'"packages" "registryType" "npm" "identifier" "remotes" "manifest_version" {a} &b *b !!js <<:';
		const words = fc.constantFrom('\n', ' ', ...pieces.split(' '));
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.array(words).map(it => it.join('')),
			fc.array(words).map(it => it.join(' ')),
			fc.json(),
		);
		fc.assert(
			fc.property(text, it => {
				const pasted = parsePasted(it);
				for (const { name, entry } of pasted.kind === 'servers' ? pasted.servers : []) {
					assert.equal(typeof describeEntry(entry), 'string');
					assert.notEqual(name ?? nameOf(entry), undefined);
				}
			}),
			{ numRuns: 3000 },
		);
	});

	it('takes any words that were quoted for a shell back as they were', () => {
		const word = fc.string({ unit: 'grapheme' }).filter(it => !/[\r\n]/.test(it));
		fc.assert(
			fc.property(fc.array(word), args => {
				const quoted = args.map(it => `'${it.replaceAll("'", `'\\''`)}'`);
				assert.deepEqual(found(['my-command', ...quoted].join(' ')), [
					[nameOf(stdio('my-command')), stdio('my-command', args)],
				]);
			}),
		);
	});
});
