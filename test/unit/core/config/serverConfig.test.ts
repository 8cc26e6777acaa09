import * as assert from 'node:assert/strict';
import { type ParsedConfig, parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { ConfigProblem } from '../../../../src/core/config/configProblem.js';
import { isSameLaunch, type LaunchDefinition } from '../../../../src/core/config/serverDefinition.js';

const source = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
} as const;

function parse(text: string): ParsedConfig {
	return parseServerConfig(text, source);
}

/**
 * Takes `⟦…⟧` out of a text: what stands between them is where a problem is expected. Gives the problems with the
 * text at their place instead of offset and length.
 */
function problems(marked: string): { found: unknown[]; at: string[]; servers: string[] } {
	const text = marked.replaceAll(/[⟦⟧]/g, '');
	const { servers, problems: list } = parse(text);
	const found = list.map(({ offset: _offset, length: _length, ...rest }: ConfigProblem) => rest);
	const remark = list.toSorted((a, b) => b.offset - a.offset).reduce(mark, text);
	assert.equal(remark, marked);
	return {
		found,
		at: list.map(it => text.slice(it.offset, it.offset + it.length)),
		servers: servers.map(it => it.name),
	};
}

function mark(text: string, { offset, length }: ConfigProblem): string {
	return `${text.slice(0, offset)}⟦${text.slice(offset, offset + length)}⟧${text.slice(offset + length)}`;
}

function launch(text: string): LaunchDefinition {
	const [server] = parse(`{ "servers": { "a": ${text} } }`).servers;
	assert.ok(server);
	return server.launch;
}

function same(a: string, b: string): boolean {
	return isSameLaunch(launch(a), launch(b));
}

describe('parseServerConfig', () => {
	it('reads the OAuth client of a server at a URL, but no secret', () => {
		const text = (oauth: string): string => `{ "url": "https://a.test/mcp", "oauth": ${oauth} }`;
		const common = { kind: 'http', url: 'https://a.test/mcp', headers: {} };
		assert.deepEqual(launch(text('{ "clientId": "me", "scopes": ["a"], "clientSecret": "no" }')), {
			...common,
			oauth: { clientId: 'me', scopes: ['a'] },
		});
		assert.deepEqual(launch(text('{}')), { ...common, oauth: {} });
		assert.deepEqual(problems(`{ "servers": { "a": ${text('⟦"me"⟧')} } }`).found, [
			{ code: 'wrongType', key: 'oauth', expected: 'object' },
		]);
		assert.ok(!same(text('{ "clientId": "me" }'), text('{ "clientId": "you" }')));
	});

	it('reads every kind of server, with comments and trailing commas', () => {
		const text = `// servers of this project
{
	"inputs": [{ "id": "key", "type": "promptString" }],
	"servers": {
		/* with everything */
		"full": {
			"type": "stdio",
			"command": "node",
			"args": ["a", "\${workspaceFolder}/b",],
			"cwd": "\${userHome}",
			"env": { "A": "1", "N": 5, "GONE": null, "E": "" },
			"envFile": ".env",
			"dev": { "watch": "x" },
		},
		"short": { "command": "x" },
		"remote": { "url": "https://a/b", "headers": { "X": "y", "N": 5, "GONE": null } },
		"old": { "type": "sse", "url": "https://a/sse" },
		"new": { "type": "http", "url": "https://a", "command": "ignored" },
		"": { "command": "the name is empty" },
	},
}`;
		const { servers, ...rest } = parse(text);
		assert.deepEqual(rest, { problems: [], hasSyntaxError: false });
		assert.deepEqual(
			servers.map(it => [it.id, it.name, text.slice(it.offset, it.offset + it.name.length + 2), it.source]),
			['full', 'short', 'remote', 'old', 'new', ''].map(it => [`${source.uri}#${it}`, it, `"${it}"`, source]),
		);
		const plain = { kind: 'stdio', args: [], cwd: undefined, env: {}, envFile: undefined };
		assert.deepEqual(
			servers.map(it => it.launch),
			[
				{
					kind: 'stdio',
					command: 'node',
					args: ['a', `\${workspaceFolder}/b`],
					cwd: `\${userHome}`,
					env: { A: '1', N: '5', GONE: null, E: '' },
					envFile: '.env',
				},
				{ ...plain, command: 'x' },
				{ kind: 'http', url: 'https://a/b', headers: { X: 'y', N: '5' } },
				{ kind: 'sse', url: 'https://a/sse', headers: {} },
				{ kind: 'http', url: 'https://a', headers: {} },
				{ ...plain, command: 'the name is empty' },
			],
		);
	});

	it('reports only that a text is too deep or too long', () => {
		const rest = { servers: [], hasSyntaxError: true };
		assert.deepEqual(parse('['.repeat(300)), {
			...rest,
			problems: [{ code: 'tooDeep', limit: 256, offset: 256, length: 1 }],
		});
		assert.deepEqual(parse(' '.repeat(1024 * 1024 + 1)), {
			...rest,
			problems: [{ code: 'tooLong', limit: 1024 * 1024, offset: 1024 * 1024, length: 1 }],
		});
	});

	it('ignores a transport that is not a text', () => {
		assert.equal(launch('{ "command": "x", "transport": 5, "transportType": null }').kind, 'stdio');
	});

	it('an empty configuration is valid', () => {
		const files = ['{}', '{ "servers": {} }', '{ "inputs": [], "other": 1 }', '// nothing yet\n{}'];
		// Not JSON, but no mistake either: a file that was just made, or emptied.
		for (const text of [...files, '', ' \n\t']) {
			assert.deepEqual(parse(text), { servers: [], problems: [], hasSyntaxError: false });
		}
	});

	const good = '"good": { "command": "x" }';
	const table: readonly (readonly [text: string, ...problems: object[]])[] = [
		['⟦[]⟧', { code: 'wrongType', key: 'mcp.json', expected: 'object' }],
		['⟦"servers"⟧', { code: 'wrongType', key: 'mcp.json', expected: 'object' }],
		['⟦null⟧', { code: 'wrongType', key: 'mcp.json', expected: 'object' }],
		['{ "servers": ⟦[1, 2]⟧ }', { code: 'wrongType', key: 'servers', expected: 'object' }],
		['{ "servers": ⟦null⟧ }', { code: 'wrongType', key: 'servers', expected: 'object' }],
		[`{ "servers": { "a": ⟦"x"⟧, ${good} } }`, { code: 'wrongType', key: 'a', expected: 'object' }],
		[`{ "servers": { "a": ⟦[]⟧, ${good} } }`, { code: 'wrongType', key: 'a', expected: 'object' }],
		[`{ "servers": { ⟦"a"⟧: {}, ${good} } }`, { code: 'missing', server: 'a', key: 'command' }],
		[`{ "servers": { ⟦"a"⟧: { "command": "" }, ${good} } }`, { code: 'missing', server: 'a', key: 'command' }],
		[
			`{ "servers": { ⟦"a"⟧: { "command": ⟦5⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'command', expected: 'string' },
			{ code: 'missing', server: 'a', key: 'command' },
		],
		[`{ "servers": { ⟦"a"⟧: { "type": "http" }, ${good} } }`, { code: 'missing', server: 'a', key: 'url' }],
		[`{ "servers": { ⟦"a"⟧: { "type": "sse", "url": "" }, ${good} } }`, { code: 'missing', server: 'a', key: 'url' }],
		[
			`{ "servers": { "a": { "type": ⟦"ws"⟧, "url": "x" }, ${good} } }`,
			{ code: 'unknownTransport', server: 'a', value: 'ws' },
		],
		[
			`{ "servers": { "a": { "type": ⟦5⟧, "command": "x" }, ${good} } }`,
			{ code: 'wrongType', key: 'type', expected: 'string' },
		],
		[
			`{ "servers": { "a": { "command": "x", "args": ⟦"y"⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'args', expected: 'array of strings' },
		],
		[
			`{ "servers": { "a": { "command": "x", "args": ⟦["y", 5]⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'args', expected: 'array of strings' },
		],
		[
			`{ "servers": { "a": { "command": "x", "cwd": ⟦{}⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'cwd', expected: 'string' },
		],
		[
			`{ "servers": { "a": { "command": "x", "envFile": ⟦null⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'envFile', expected: 'string' },
		],
		[
			`{ "servers": { "a": { "command": "x", "env": ⟦["A=1"]⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'env', expected: 'object of strings' },
		],
		[
			`{ "servers": { "a": { "command": "x", "env": ⟦{ "A": true }⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'env', expected: 'object of strings' },
		],
		[
			`{ "servers": { "a": { "command": "x", "env": ⟦{ "A": "y", "B": true }⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'env', expected: 'object of strings' },
		],
		[
			`{ "servers": { "a": { "command": "⟦\${b}⟧", "args": ["⟦\${c}⟧"], "cwd": "⟦\${d}⟧", "env": { "E": "⟦\${e}⟧" }, "envFile": "⟦\${f}⟧" }, ${good} } }`,
			...['b', 'c', 'd', 'e', 'f'].map(variable => ({ code: 'unknownVariable', variable })),
		],
		[
			`{ "servers": { "a": { "url": "⟦\${b}⟧", "serverUrl": "⟦\${c}⟧", "httpUrl": "⟦\${d}⟧", "headers": { "E": "⟦\${e}⟧" } }, ${good} } }`,
			...['b', 'c', 'd', 'e'].map(variable => ({ code: 'unknownVariable', variable })),
		],
		[
			`{ "servers": { "a": { "url": "x", "headers": ⟦{ "A": {} }⟧ }, ${good} } }`,
			{ code: 'wrongType', key: 'headers', expected: 'object of strings' },
		],
		[
			`{ "servers": { "a": { "url": ⟦5⟧, "command": "x" }, ${good} } }`,
			{ code: 'wrongType', key: 'url', expected: 'string' },
		],
		[
			`{ "servers": { "good": { "command": "x" }, ⟦"good"⟧: { "command": "y" } } }`,
			{ code: 'duplicate', server: 'good' },
		],
		// Two mistakes of one server, and of two.
		[
			`{ "servers": { "a": { "command": "x", "args": ⟦5⟧, "env": ⟦5⟧ }, "b": ⟦5⟧, ${good} } }`,
			{ code: 'wrongType', key: 'args', expected: 'array of strings' },
			{ code: 'wrongType', key: 'env', expected: 'object of strings' },
			{ code: 'wrongType', key: 'b', expected: 'object' },
		],
	];
	for (const [text, ...expected] of table) {
		it(`reports the position: ${text}`, () => {
			const { found, servers } = problems(text);
			assert.deepEqual(found, expected);
			const names = found.some(it => (it as ConfigProblem).code === 'unknownVariable') ? ['a', 'good'] : ['good'];
			assert.deepEqual(servers, text.includes('"good"') ? names : []);
		});
	}

	it('half-typed JSON never throws, is reported, and keeps the servers before it', () => {
		const text = `{ "servers": { "first": { "command": "x", "args": ["y"] }, "second": { "url": "https://a" } } }`;
		for (let length = 1; length < text.length; length++) {
			const { hasSyntaxError, problems: list, servers } = parse(text.slice(0, length));
			assert.equal(hasSyntaxError, true, text.slice(0, length));
			assert.ok(list.some(it => it.code === 'syntax'));
			assert.ok(list.every(it => it.offset <= length && it.offset + it.length <= length));
			if (length > text.indexOf(', "second"')) {
				assert.equal(servers[0]?.name, 'first');
			}
		}
	});

	it('a JSON error is one problem, with its position and its kind', () => {
		const table2 = [
			['{ "servers": ⟦}⟧', 'ValueExpected'],
			[`{ "servers": { "a" ⟦{⟧ "command": "x" } } }`, 'ColonExpected'],
			['{ ⟦servers⟧: {} }', 'InvalidSymbol'],
			[`{ "servers": {} } ⟦5⟧`, 'EndOfFileExpected'],
		] as const;
		for (const [marked, error] of table2) {
			const text = marked.replaceAll(/[⟦⟧]/g, '');
			const syntax = parse(text).problems.filter(it => it.code === 'syntax');
			assert.deepEqual(
				syntax.map(it => [it.error, mark(text, it)]),
				[[error, marked]],
			);
		}
	});

	it('reads names and values that are special in JavaScript', () => {
		const { servers, problems: list } = parse(
			`{ "servers": { "__proto__": { "command": "x" }, "constructor": { "command": "y", "env": { "__proto__": "z", "toString": "t" } } } }`,
		);
		assert.deepEqual(list, []);
		assert.deepEqual(
			servers.map(it => [it.name, it.launch.kind === 'stdio' ? Object.entries(it.launch.env) : []]),
			[
				['__proto__', []],
				[
					'constructor',
					[
						['__proto__', 'z'],
						['toString', 't'],
					],
				],
			],
		);
	});

	it('distinguishes a change from a move', () => {
		assert.deepEqual(
			[
				same('{ "command": "x" }', '{\n"type": "stdio", "command": "x", "args": [] } // moved'),
				same('{ "command": "x", "cwd": "y", "args": ["1"] }', '{ "args": ["1"], "cwd": "y", "command": "x" }'),
				same('{ "command": "x" }', '{ "command": "y" }'),
				same('{ "command": "x" }', '{ "command": "x", "cwd": "y" }'),
				same('{ "command": "x" }', '{ "command": "x", "env": { "A": null } }'),
				same('{ "url": "x" }', '{ "type": "sse", "url": "x" }'),
			],
			[true, true, false, false, false, false],
		);
	});
});
