// The configurations of other clients, pasted and as files.
import * as assert from 'node:assert/strict';
import { readClientFile } from '../../../../src/core/addServer/pastedServer.js';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';
import { found, http, problem, stdio } from '../../../support/pasted.js';

/** A configuration, and the servers in it by their names. */
type Row = readonly [what: string, text: string, servers: Readonly<Record<string, ServerEntry>>];

const table: readonly Row[] = [
	[
		'Codex TOML',
		`# Codex
model = "x"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]
startup_timeout_sec = 20

[mcp_servers.context7.env]
KEY = "v"

[mcp_servers."figma"]
url = "https://mcp.figma.example/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us" }
env_http_headers = { "X-Team" = "TEAM" }
`,
		{
			context7: stdio('npx', ['-y', '@upstash/context7-mcp'], { env: { LOCAL_TOKEN: '${env:LOCAL_TOKEN}', KEY: 'v' } }),
			figma: http('https://mcp.figma.example/mcp', {
				'X-Team': '${env:TEAM}',
				Authorization: 'Bearer ${env:FIGMA_TOKEN}',
				'X-Region': 'us',
			}),
		},
	],
	[
		'Codex TOML in dotted keys',
		'mcp_servers.a = { command = "npx", args = ["-y", "a"] }',
		{ a: stdio('npx', ['-y', 'a']) },
	],
	[
		'Continue YAML',
		`name: My assistant
version: 0.0.1
schema: v1
models:
  - name: M
    provider: openai
mcpServers:
  - name: ctx
    command: npx
    args:
      - "-y"
      - "@upstash/context7-mcp"
    env:
      KEY: \${{ secrets.CTX_KEY }}
  - name: remote
    type: streamable-http
    url: https://r.example/mcp
    requestOptions:
      headers:
        Authorization: "Bearer \${{ secrets.R }}"
`,
		{
			ctx: stdio('npx', ['-y', '@upstash/context7-mcp'], { env: { KEY: '<CTX_KEY>' } }),
			remote: http('https://r.example/mcp', { Authorization: 'Bearer <R>' }),
		},
	],
	[
		'Goose YAML',
		`GOOSE_PROVIDER: x
extensions:
  developer:
    type: builtin
    enabled: true
    bundled: true
  x:
    enabled: true
    type: stdio
    cmd: npx
    args: [-y, "@a/b"]
    envs: { LEVEL: info }
    env_keys: [API_KEY]
    timeout: 300
  r:
    type: streamable_http
    uri: https://r.example/mcp
    headers: { A: b }
    env_keys: []
  s:
    type: sse
    uri: https://s.example/events
`,
		{
			x: stdio('npx', ['-y', '@a/b'], { env: { API_KEY: '<API_KEY>', LEVEL: 'info' } }),
			r: http('https://r.example/mcp', { A: 'b' }),
			s: { type: 'sse', url: 'https://s.example/events' },
		},
	],
	[
		'Zed JSON with comments',
		`// Zed settings
{
  "theme": "One",
  "context_servers": {
    "local": { "source": "custom", "command": "some", "args": ["a"], "env": {} },
    "older": { "command": { "path": "z", "args": ["a"], "env": { "A": "b" } } },
    "remote": { "url": "https://z.example/mcp", "headers": { "Authorization": "Bearer <token>" } },
    "extension": { "source": "extension", "settings": { "url": "https://other.example" } },
  },
}`,
		{
			local: stdio('some', ['a']),
			older: stdio('z', ['a'], { env: { A: 'b' } }),
			remote: http('https://z.example/mcp', { Authorization: 'Bearer <token>' }),
		},
	],
	[
		'opencode JSON',
		JSON.stringify({
			$schema: 'https://opencode.ai/config.json',
			provider: { x: { options: { baseURL: 'https://llm.example' } } },
			mcp: {
				local: { type: 'local', command: ['npx', '-y', 'a'], environment: { K: '{env:MY_KEY}' }, enabled: true },
				remote: { type: 'remote', url: 'https://o.example/mcp', headers: { Authorization: 'Bearer {env:TOKEN}' } },
			},
		}),
		{
			local: stdio('npx', ['-y', 'a'], { env: { K: '${env:MY_KEY}' } }),
			remote: http('https://o.example/mcp', { Authorization: 'Bearer ${env:TOKEN}' }),
		},
	],
	[
		'opencode JSON, version 2',
		JSON.stringify({ mcp: { servers: { a: { type: 'local', command: ['npx', 'a'], cwd: '.' } } } }),
		{ a: stdio('npx', ['a'], { cwd: '.' }) },
	],
	[
		'Gemini JSON',
		JSON.stringify({
			theme: 'x',
			mcp: { allowed: ['a'], serverCommand: 'x' },
			mcpServers: {
				a: {
					command: 'a',
					args: ['--x'],
					env: { K: '$MY_TOKEN' },
					cwd: './a',
					timeout: 3,
					trust: true,
					includeTools: [],
				},
				b: { httpUrl: 'https://b.example/mcp', headers: { A: '1' } },
				c: { url: 'https://c.example/sse' },
			},
		}),
		{
			a: stdio('a', ['--x'], { cwd: './a', env: { K: '${env:MY_TOKEN}' } }),
			b: http('https://b.example/mcp', { A: '1' }),
			c: { type: 'sse', url: 'https://c.example/sse' },
		},
	],
	[
		'Cline and Roo JSON',
		JSON.stringify({
			mcpServers: {
				a: { command: 'node', args: ['/a.js'], disabled: false, autoApprove: ['x'], alwaysAllow: [], timeout: 60 },
				b: { type: 'streamableHttp', url: 'https://b.example/mcp', disabled: true },
				c: { type: 'streamable-http', url: 'https://c.example/mcp', watchPaths: [] },
			},
		}),
		{
			a: stdio('node', ['/a.js']),
			b: http('https://b.example/mcp'),
			c: http('https://c.example/mcp'),
		},
	],
];

describe('configurations of other clients', () => {
	for (const [what, text, servers] of table) {
		const format = what.includes('TOML') ? 'TOML' : what.includes('YAML') ? 'YAML' : 'JSON';
		it(`${what}, pasted`, () => assert.deepEqual(Object.fromEntries(found(text)), servers));

		it(`${what}, pasted as a block of code`, () => {
			assert.deepEqual(Object.fromEntries(found(`\`\`\`${format.toLowerCase()}\n${text}\n\`\`\``)), servers);
		});

		it(`${what}, as a file`, () => {
			const groups = readClientFile(text, format) ?? assert.fail('not read');
			const all = groups.flatMap(it => it.servers.map(({ name, entry }) => [name, entry] as const));
			assert.deepEqual(Object.fromEntries(all), servers);
		});
	}

	it('names the format of a text that lost its line breaks, or has another mistake', () => {
		const joined = (text = ''): string => text.replaceAll('\n', ' ');
		assert.deepEqual(problem('[mcp_servers.a] command = "npx" args = ["-y"]'), { code: 'format', format: 'TOML' });
		assert.deepEqual(problem(joined(table.find(([it]) => it === 'Goose YAML')?.[1])), {
			code: 'format',
			format: 'YAML',
		});
		assert.deepEqual(problem('mcpServers: - name: a command: npx'), { code: 'format', format: 'YAML' });
		assert.deepEqual(
			(['TOML', 'YAML'] as const).map(it => readClientFile('a = [\n: x', it)),
			[undefined, undefined],
		);
	});

	it('names a file that has no server', () => {
		assert.deepEqual(
			[
				'{"name":"x","version":"1","repository":{"type":"git","url":"https://git.example/x"},"scripts":{}}',
				'{"openapi":"3.1.0","servers":[{"url":"https://api.example","description":"main"}]}',
				'services:\n  db:\n    image: x\n    command: ["a"]\n',
				'startCommand:\n  type: stdio\n',
				'[project]\nname = "x"\n',
				'[tool.x]\ny = 1\n',
				'on: push\njobs: {}\n',
			].map(problem),
			['package.json', 'OpenAPI', 'compose.yaml', 'smithery.yaml', 'pyproject.toml', 'TOML', 'YAML'].map(file => ({
				code: 'otherFile',
				file,
			})),
		);
	});

	it('takes no member of a manifest that merely has a URL', () => {
		for (const text of [
			{ name: 'x', author: { name: 'A', url: 'https://a.example' } },
			{ author: { name: 'A', url: 'https://a.example' }, repository: { url: 'https://git.example/x' } },
			{ a: { url: 'https://github.com/a/x' } },
			{ type: 'git', url: 'https://github.com/a/x' },
			{ servers: [{ url: 'https://api.example' }] },
		]) {
			assert.deepEqual(problem(JSON.stringify(text)), { code: 'noServer' });
		}
	});
});

describe('readClientFile', () => {
	it('reads servers for all and for one folder, and passes over everything else', () => {
		const text = JSON.stringify({
			numStartups: 5,
			mcpServers: { a: { command: 'a' }, bad: {}, worse: 1 },
			projects: { '/w': { mcpServers: { b: { type: 'http', url: 'https://b.dev' } } }, '/empty': {}, '/odd': 1 },
		});
		assert.deepEqual(
			readClientFile(text, 'JSON')?.map(it => [it.project, it.servers.map(({ name }) => name)]),
			[
				[undefined, ['a']],
				['/w', ['b']],
			],
		);
	});

	it("reads VS Code's own file with comments and inputs", () => {
		const input = { id: 'k', type: 'promptString', description: 'K' };
		const groups = readClientFile(
			`{ // mine\n"servers": { "a": { "command": "a" }, }, "inputs": [${JSON.stringify(input)}] }`,
			'JSON',
		);
		assert.deepEqual(groups?.[0]?.inputs, [input]);
	});

	it('reads nothing that is nested too deeply', () => {
		const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
		assert.deepEqual(
			[255, 256].map(it => readClientFile(deep(it), 'JSON')),
			[[], undefined],
		);
	});

	it('reads a project that is none as one without servers', () => {
		const text = '{"projects":{"a":5,"b":{"mcpServers":{"x":{"command":"x"}},"inputs":[{"id":"a","type":"b"}]}}}';
		assert.deepEqual(readClientFile(text, 'JSON'), [
			{ project: 'b', servers: [{ name: 'x', entry: { type: 'stdio', command: 'x' }, leftOut: [] }], inputs: [] },
		]);
	});

	it('tells nothing from what cannot be read', () => {
		assert.deepEqual(
			['', ' \n', '{}', '{"mcpServers":{}}', '{"mcpServers":[]}'].map(it => readClientFile(it, 'JSON')),
			[[], [], [], [], []],
		);
		assert.deepEqual(
			['{', '[]', '1', '{ "mcpServers": { }'].map(it => readClientFile(it, 'JSON')),
			[undefined, undefined, undefined, undefined],
		);
	});
});
