import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import {
	addServers,
	changeServer,
	type ConfigEdit,
	correctServersKey,
} from '../../../../src/core/config/configEdit.js';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { ServerInput } from '../../../../src/core/config/serverInputs.js';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';

const entry: ServerEntry = { type: 'stdio', command: 'x' };

function edit(
	text: string,
	name = 'new',
	it: ServerEntry = entry,
	inputs: readonly ServerInput[] = [],
	eol = '\n',
): ConfigEdit {
	return addServers(text, [{ name, entry: it }], inputs, 'vscodeFolder', eol);
}

function edited(...args: Parameters<typeof edit>): string {
	const result = edit(...args);
	assert.equal(result.kind, 'edited', JSON.stringify(result));
	return result.kind === 'edited' ? result.text : '';
}

describe('addServers', () => {
	it('makes a file out of nothing', () => {
		const text = '{\n\t"servers": {\n\t\t"new": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n';
		assert.equal(edited(''), text);
		assert.equal(edited(' \n'), text);
		assert.equal(edited('', 'new', entry, [], '\r\n'), text.replaceAll('\n', '\r\n'));
	});

	const added = '"new": {\n    "type": "stdio",\n    "command": "x"\n  }';
	const table: [what: string, before: string, after: string][] = [
		[
			'a comment behind the last server stays with it',
			'{\n "servers": {\n  "a": {} // of a\n }\n}',
			`{\n "servers": {\n  "a": {}, // of a\n  "new": {\n   "type": "stdio",\n   "command": "x"\n  }\n }\n}`,
		],
		[
			'so does one behind its comma, and a trailing comma is the style of the file',
			'{\n  "servers": {\n    "a": {}, /* 1 */ // 2  \n    // end\n  },\n}\n',
			'{\n  "servers": {\n    "a": {}, /* 1 */ // 2\n    "new": {\n      "type": "stdio",\n      "command": "x"\n    },  \n    // end\n  },\n}\n',
		],
		[
			'tabs and CRLF',
			'{\r\n\t"servers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
			'{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t\t"new": {\r\n\t\t\t"type": "stdio",\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
		],
		[
			'an empty place',
			'{\n  "servers": {}\n}',
			`{\n  "servers": {\n    "new": {\n      "type": "stdio",\n      "command": "x"\n    }\n  }\n}`,
		],
		[
			'no place yet',
			'{\n  // mine\n  "inputs": [] // none\n}',
			`{\n  // mine\n  "inputs": [], // none\n  "servers": {\n    "new": {\n      "type": "stdio",\n      "command": "x"\n    }\n  }\n}`,
		],
	];
	for (const [what, before, after] of table) {
		it(what, () => assert.equal(edited(before, 'new', entry, [], before.includes('\r') ? '\r\n' : '\n'), after));
	}

	it('says where the new server stands', () => {
		const result = edit('{\n  "servers": {\n    "a": {}\n  }\n}');
		assert.ok(result.kind === 'edited');
		assert.equal(result.text.slice(result.offset, result.offset + 5), '"new"');
		assert.ok(added.startsWith('"new"'));
	});

	const spellings: readonly (readonly [kind: ConfigSource['kind'], before: string, after: object])[] = [
		['projectRoot', '', { mcpServers: { new: entry } }],
		['projectRoot', '{ "servers": { "a": {} } }', { servers: { a: {}, new: entry } }],
		['projectRoot', '{ "a": { "url": "x" } }', { a: { url: 'x' }, new: entry }],
		[
			'vscodeFolder',
			'{ "mcpServers": { "a": {} }, "servers": {} }',
			{ mcpServers: { a: {}, new: entry }, servers: {} },
		],
		['workspaceFile', '{ "folders": [] }', { folders: [], settings: { mcp: { servers: { new: entry } } } }],
		['workspaceFile', '{ "settings": { "mcp.servers": {} } }', { settings: { 'mcp.servers': { new: entry } } }],
	];
	for (const [kind, before, after] of spellings) {
		it(`adds to the servers of ${kind}, ${before}`, () => {
			const result = addServers(before, [{ name: 'new', entry }], [], kind, '\n');
			assert.deepEqual(result.kind === 'edited' && parse(result.text), after);
		});
	}

	const refused: [text: string, ...expected: unknown[]][] = [
		['{ "servers": { "a": ', 'syntax'],
		['{ "servers": {} } }', 'syntax'],
		['// only this', 'syntax'],
		['[]', 'shape'],
		['{ "servers": [] }', 'shape'],
		['{ "servers": {}, "inputs": {} }', 'shape'],
		['{ "servers": { "new": {} } }', 'taken'],
	];
	for (const [text, why] of refused) {
		it(`does not touch ${text}`, () => {
			const result = edit(text);
			assert.equal(result.kind === 'refused' && result.why, why);
		});
	}

	it('adds the inputs that are used, once, and gives a new id where one means something else', () => {
		const key: ServerInput = { id: 'key', type: 'promptString', description: 'Key', password: true };
		const uses: ServerEntry = { type: 'stdio', command: 'x', env: { A: '${input:key}', B: '${input:my-token}' } };
		const first = edited('', 'a', uses, [key, { ...key, id: 'unused' }]);
		const second = edited(first, 'b', uses, [key]);
		const third = edited(second, 'c', uses, [{ ...key, description: 'Other' }]);
		const token = { id: 'my-token', type: 'promptString', description: 'my-token', password: true };
		const value = parse(third) as { inputs: unknown; servers: Record<string, { env: unknown }> };
		assert.deepEqual(value.inputs, [key, token, { ...key, description: 'Other', id: 'key-2' }]);
		assert.deepEqual(value.servers['b']?.env, { A: '${input:key}', B: '${input:my-token}' });
		assert.deepEqual(value.servers['c']?.env, { A: '${input:key-2}', B: '${input:my-token}' });
	});

	it('writes the names of variables for inputs into .mcp.json, and describes them beside the servers', () => {
		const key: ServerInput = { id: 'gh-token', type: 'promptString', description: 'Token', password: true };
		const uses: ServerEntry = {
			type: 'stdio',
			command: 'x',
			args: ['${workspaceFolder}', '${env:HOST:-a}'],
			env: { TOKEN: 'Bearer ${input:gh-token}' },
		};
		const add = (text: string, name: string, input: ServerInput): ConfigEdit =>
			addServers(text, [{ name, entry: uses }], [input], 'projectRoot', '\n');
		const before = '{ "mcpServers": { "old": { "command": "${GH_TOKEN_2}" } } }';
		const first = add(before, 'a', key);
		assert.ok(first.kind === 'edited');
		const second = add(first.text, 'b', key);
		assert.ok(second.kind === 'edited');
		const third = add(second.text, 'c', { ...key, description: 'Other' });
		assert.ok(third.kind === 'edited');
		assert.deepEqual(
			[first, second, third].map(it => it.renamed.get('gh-token')),
			['GH_TOKEN', 'GH_TOKEN', 'GH_TOKEN_3'],
		);
		const written = (name: string): object => ({
			...uses,
			args: ['${workspaceFolder}', '${HOST:-a}'],
			env: { TOKEN: `Bearer \${${name}}` },
		});
		assert.deepEqual(parse(third.text), {
			mcpServers: {
				old: { command: '${GH_TOKEN_2}' },
				a: written('GH_TOKEN'),
				b: written('GH_TOKEN'),
				c: written('GH_TOKEN_3'),
			},
			inputs: [
				{ ...key, id: 'GH_TOKEN' },
				{ ...key, description: 'Other', id: 'GH_TOKEN_3' },
			],
		});
		const source = {
			kind: 'projectRoot',
			uri: 'file:///w/.mcp.json',
			folderUri: 'file:///w',
			folderName: 'w',
		} as const;
		const { servers, problems } = parseServerConfig(third.text, source);
		assert.deepEqual(problems, []);
		const [, a] = servers.map(it => it.launch);
		assert.deepEqual(a?.kind === 'stdio' && [a.args[1], a.env], [
			'${env:HOST:-a}',
			{ TOKEN: 'Bearer ${input:GH_TOKEN}' },
		]);
	});

	it('whatever the file looks like, it keeps all that was there and gets what is new', () => {
		const name = fc.string({ unit: 'grapheme' }).filter(it => it !== 'new' && it !== '__proto__' && !it.includes('}'));
		const file = fc.record({ servers: fc.dictionary(name, fc.constant({ command: 'y' })) }, { requiredKeys: [] });
		const indent = fc.constantFrom('', '\t', '  ');
		const decorate = fc.constantFrom(
			(it: string) => it,
			(it: string) => it.replaceAll('}', '/* } */ }'),
			(it: string) => it.replaceAll('\n', ' // ,\n'),
		);
		fc.assert(
			fc.property(file, indent, decorate, (value, unit, change) => {
				const before = change(JSON.stringify(value, undefined, unit));
				const errors: never[] = [];
				assert.deepEqual(parse(edited(before), errors, { allowTrailingComma: true }), {
					...value,
					servers: { ...value.servers, new: entry },
				});
				assert.deepEqual(errors, []);
				for (const comment of before.match(/\/\/ ,|\/\* \} \*\//g) ?? []) {
					assert.ok(edited(before).includes(comment));
				}
			}),
		);
	});
});

describe('correctServersKey', () => {
	const a = '"a": { "command": "x" }';
	const table: readonly (readonly [
		kind: ConfigSource['kind'],
		before: string,
		key: string,
		after: string | undefined,
	])[] = [
		['projectRoot', `{ "mcp": { ${a} } }`, 'mcp', `{ "mcpServers": { ${a} } }`],
		[
			'workspaceFile',
			`{ "settings": { "mcp": { "server": { ${a} } } } }`,
			'server',
			`{ "settings": { "mcp": { "servers": { ${a} } } } }`,
		],
		[
			'vscodeFolder',
			`{ "mcp": { "inputs": [], "servers": { ${a} } }, "b": 1 }`,
			'mcp',
			`{ "inputs": [], "servers": { ${a} }, "b": 1 }`,
		],
		['vscodeFolder', '{ "mcp": {} }', 'mcp', undefined],
	];
	for (const [kind, before, key, after] of table) {
		it(before, () => assert.equal(correctServersKey(before, before.indexOf(`"${key}"`), kind), after));
	}
});

describe('changeServer', () => {
	const change = (text: string, ...changes: Parameters<typeof changeServer>[2]): string | undefined =>
		changeServer(text, 'a', changes, 'vscodeFolder', '\n');

	it('sets values and leaves everything else alone', () => {
		const before =
			'{ // 1\n  "servers": {\n    "a": { "command": "x", /* 2 */ "args": ["y"], }, // 3\n    "b": {}\n  }\n}\n';
		assert.equal(change(before, { path: ['command'], value: '/h/x' }), before.replace('"x"', '"/h/x"'));
		const both = change(
			before,
			{ path: ['command'], value: '/h/x' },
			{ path: ['env', 'PATH'], value: '/h:${env:PATH}' },
		);
		assert.deepEqual(parse(both ?? '', [], { allowTrailingComma: true }), {
			servers: { a: { command: '/h/x', args: ['y'], env: { PATH: '/h:${env:PATH}' } }, b: {} },
		});
		for (const comment of ['// 1', '/* 2 */', '// 3']) {
			assert.ok(both?.includes(comment), both);
		}
	});

	it('replaces a value that is there', () => {
		const before = '{"servers":{"a":{"env":{"PATH":"/a","B":"1"}}}}';
		assert.equal(change(before, { path: ['env', 'PATH'], value: '/b' }), before.replace('/a', '/b'));
	});

	for (const text of [
		'',
		'{',
		'{"servers":{"b":{}}}',
		'{"servers":{"a":1}}',
		'{"servers":[]}',
		'{"servers":{"a":{}}',
		'[]',
	]) {
		it(`does not touch ${JSON.stringify(text)}`, () => {
			assert.equal(change(text, { path: ['command'], value: 'x' }), undefined);
		});
	}
});
