import * as assert from 'node:assert/strict';
import { inputsOf, valuesOf } from '../../../../src/core/config/inputs.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { LaunchDefinition } from '../../../../src/core/config/serverDefinition.js';

const source = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
} as const;

/** The inputs that a server of the file may use, and each problem with the text at its place. */
function read(inputs: string): { inputs: readonly unknown[]; problems: unknown[] } {
	const text = `{ "inputs": ${inputs}, "servers": { "a": { "command": "x" } } }`;
	const { servers, problems } = parseServerConfig(text, source);
	assert.equal(servers.length, 1, 'a mistake in the inputs costs no server');
	return {
		inputs: servers[0]?.inputs ?? ['none'],
		problems: problems.map(({ offset, length, ...rest }) => [text.slice(offset, offset + length), rest]),
	};
}

describe('inputs of mcp.json', () => {
	it('of every kind are read', () => {
		const { inputs, problems } = read(`[
			// VS Code's format
			{ "id": "plain", "type": "promptString" },
			{ "id": "full", "type": "promptString", "description": "Key", "default": "d", "password": true, },
			{ "id": "pick", "type": "pickString", "description": "Which", "default": "b",
				"options": ["a", { "label": "B", "value": "b" }, { "value": "c" }] },
			{ "id": "run", "type": "command", "command": "my.command", "args": { "a": [1] } },
			{ "id": "bare", "type": "command", "command": "my.command" },
		]`);
		assert.deepEqual(problems, []);
		const description = undefined;
		assert.deepEqual(inputs, [
			{ kind: 'promptString', id: 'plain', description, default: undefined, password: false },
			{ kind: 'promptString', id: 'full', description: 'Key', default: 'd', password: true },
			{
				kind: 'pickString',
				id: 'pick',
				description: 'Which',
				options: [
					{ label: 'a', value: 'a' },
					{ label: 'B', value: 'b' },
					{ label: 'c', value: 'c' },
				],
				default: 'b',
			},
			{ kind: 'command', id: 'run', description, command: 'my.command', args: { a: [1] } },
			{ kind: 'command', id: 'bare', description, command: 'my.command', args: undefined },
		]);
	});

	it('are beside the servers, at any level', () => {
		const shared = { folderUri: undefined, folderName: undefined } as const;
		const inner = '"inputs": [{ "id": "x", "type": "promptString" }], "servers": { "a": { "command": "x" } }';
		const dotted = inner.replaceAll(/"(inputs|servers)"/g, '"mcp.$1"');
		const table = [
			['workspaceFile', `{ "settings": { "mcp": { ${inner} } } }`],
			['workspaceFile', `{ "settings": { ${dotted} } }`],
			['userSettings', `{ ${inner} }`],
		] as const;
		for (const [kind, text] of table) {
			const { servers, problems } = parseServerConfig(text, { kind, uri: 'file:///w/a.code-workspace', ...shared });
			assert.deepEqual([servers[0]?.inputs.map(it => it.id), problems], [['x'], []], text);
		}
	});

	const wrong = (key: string, expected: string): object => ({ code: 'wrongType', key, expected });
	const missing = (input: string | undefined, key: string): object => ({ code: 'missingInInput', input, key });
	const prompt = '"id": "a", "type": "promptString"';
	const table: readonly (readonly [inputs: string, at: string, problem: object])[] = [
		['{}', '{}', wrong('inputs', 'array')],
		['"x"', '"x"', wrong('inputs', 'array')],
		['["x"]', '"x"', wrong('inputs', 'object')],
		['[{}]', '{}', missing(undefined, 'id')],
		['[{ "id": "", "type": "promptString" }]', '{ "id": "", "type": "promptString" }', missing(undefined, 'id')],
		['[{ "id": 5, "type": "promptString" }]', '5', wrong('id', 'string')],
		['[{ "id": "a" }]', '{ "id": "a" }', missing('a', 'type')],
		['[{ "id": "a", "type": "prompt" }]', '"prompt"', { code: 'unknownInputType', input: 'a', value: 'prompt' }],
		[`[{ ${prompt}, "password": "yes" }]`, '"yes"', wrong('password', 'boolean')],
		[`[{ ${prompt}, "default": 5 }]`, '5', wrong('default', 'string')],
		[`[{ ${prompt}, "description": [] }]`, '[]', wrong('description', 'string')],
		['[{ "id": "a", "type": "pickString" }]', '{ "id": "a", "type": "pickString" }', missing('a', 'options')],
		['[{ "id": "a", "type": "pickString", "options": [] }]', '[]', wrong('options', 'options')],
		['[{ "id": "a", "type": "pickString", "options": ["a", 5] }]', '["a", 5]', wrong('options', 'options')],
		['[{ "id": "a", "type": "pickString", "options": "b" }]', '"b"', wrong('options', 'options')],
		[
			'[{ "id": "a", "type": "pickString", "options": [{ "label": "a" }] }]',
			'[{ "label": "a" }]',
			wrong('options', 'options'),
		],
		[
			'[{ "id": "a", "type": "pickString", "options": [{ "label": 5, "value": "a" }] }]',
			'[{ "label": 5, "value": "a" }]',
			wrong('options', 'options'),
		],
		['[{ "id": "a", "type": "command" }]', '{ "id": "a", "type": "command" }', missing('a', 'command')],
	];
	for (const [inputs, at, problem] of table) {
		it(`say what is wrong: ${inputs}`, () => {
			assert.deepEqual(read(inputs), { inputs: [], problems: [[at, problem]] });
		});
	}

	it('must be defined if a server uses them, even if invalid', () => {
		const inputs = '[{ "id": "a", "type": "promptString" }, { "id": "wrong" }]';
		const problemsOf = (list: string, command: string): unknown[] =>
			parseServerConfig(`{ "inputs": ${list}, "servers": { "s": { "command": "${command}" } } }`, source)
				.problems.filter(it => it.code === 'undefinedInput')
				.map(it => it.code === 'undefinedInput' && it.input);
		assert.deepEqual(problemsOf(inputs, '${input:a}${input:wrong}'), []);
		assert.deepEqual(problemsOf(inputs, '${input:b c}${env:input:d}'), ['b c']);
		assert.deepEqual(problemsOf('{}', '${input:b}'), [], 'nobody can say');
	});

	it('with the same id count once', () => {
		const { inputs, problems } = read(`[{ ${prompt} }, { "id": "a", "type": "command", "command": "x" }]`);
		assert.deepEqual(inputs.length, 1);
		assert.deepEqual(problems, [['"a"', { code: 'duplicateInput', input: 'a' }]]);
	});
});

describe('inputsOf', () => {
	const stdio = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {}, envFile: undefined } as const;
	const uses = (launch: LaunchDefinition): object => Object.fromEntries(inputsOf(launch));

	it('lists the places of each input, in the order of the values', () => {
		assert.deepEqual(
			uses({
				kind: 'stdio',
				command: '${input:c}',
				args: ['--key=${input:k}', '${input:k}${input:k}-${env:k}'],
				cwd: '${input:d}',
				env: { K: '${input:k}', N: null },
				envFile: '${input:f}',
			}),
			{
				c: [{ kind: 'command' }],
				k: [
					{ kind: 'argument', number: 1 },
					{ kind: 'argument', number: 2 },
					{ kind: 'environment', name: 'K' },
				],
				d: [{ kind: 'folder' }],
				f: [{ kind: 'envFile' }],
			},
		);
		assert.deepEqual(uses({ kind: 'http', url: 'https://${input:host}/', headers: { A: 'Bearer ${input:key}' } }), {
			host: [{ kind: 'url' }],
			key: [{ kind: 'header', name: 'A' }],
		});
	});

	it('are searched for in these texts only', () => {
		assert.deepEqual(
			valuesOf({
				kind: 'stdio',
				command: 'c',
				args: ['a'],
				cwd: 'd',
				env: { A: 'b', N: null },
				envFile: 'f',
				debug: { type: 'node' },
			}),
			[
				[{ kind: 'command' }, 'c'],
				[{ kind: 'argument', number: 1 }, 'a'],
				[{ kind: 'folder' }, 'd'],
				[{ kind: 'envFile' }, 'f'],
				[{ kind: 'environment', name: 'A' }, 'b'],
				[{ kind: 'environment', name: 'N' }, ''],
			],
		);
		assert.deepEqual(valuesOf(stdio), [[{ kind: 'command' }, 'x']]);
		assert.deepEqual(valuesOf({ kind: 'http', url: 'u', headers: {}, oauth: { clientId: '${input:a}' } }), [
			[{ kind: 'url' }, 'u'],
		]);
	});

	it('finds no more than what is replaced', () => {
		for (const text of ['', 'input:a', '$input:a', '${input}', '${ input:a}', '${env:input:a}', '${input:a']) {
			assert.deepEqual(uses({ ...stdio, command: text }), {}, text);
		}
		assert.deepEqual(uses({ ...stdio, command: '${x${input:my key: 1}}' }), { 'my key: 1': [{ kind: 'command' }] });
		assert.deepEqual(uses({ ...stdio, command: '${input:}' }), { '': [{ kind: 'command' }] });
	});
});
