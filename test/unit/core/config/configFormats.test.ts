import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { offsetOfKey, valueAt } from '../../../../src/core/text/jsonNodes.js';
import { type ParsedConfig, parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import { projectRoot } from '../../../host/paths.js';

const shared = { folderUri: undefined, folderName: undefined } as const;
const folder = { folderUri: 'file:///w', folderName: 'w' } as const;
const sources = {
	vscodeFolder: { kind: 'vscodeFolder', uri: 'file:///w/.vscode/mcp.json', ...folder },
	projectRoot: { kind: 'projectRoot', uri: 'file:///w/.mcp.json', ...folder },
	workspaceFile: { kind: 'workspaceFile', uri: 'file:///w/my%20work.code-workspace', ...shared },
	userSettings: { kind: 'userSettings', uri: 'the.setting', ...shared },
} as const satisfies Record<string, ConfigSource>;
type Kind = ConfigSource['kind'];

function parse(kind: Kind, text: string): ParsedConfig {
	return parseServerConfig(text, sources[kind]);
}

const names = ({ servers }: ParsedConfig): string[] => servers.map(it => it.name);

describe('the key of the servers in each format', () => {
	const a = '"a": { "command": "x" }';
	const table: readonly (readonly [kind: Kind, text: string, names: string, problem?: object])[] = [
		['vscodeFolder', `{ "servers": { ${a} } }`, 'a'],
		['vscodeFolder', `{ "mcpServers": { ${a} } }`, 'a'],
		['vscodeFolder', `{ "servers": {}, "mcpServers": { ${a} } }`, 'a'],
		['vscodeFolder', `{ "inputs": [], ${a}, "b": { "url": "y" }, "c": {} }`, 'a b'],
		['vscodeFolder', `{ "server": { ${a} } }`, '', { code: 'wrongKey', found: 'server', expected: 'servers' }],
		['vscodeFolder', `{ "mcp": { "servers": { ${a} } } }`, '', { code: 'wrongKey', found: 'mcp', expected: 'servers' }],
		['vscodeFolder', '{ "inputs": [{ "id": "a", "type": "promptString" }], "other": { "x": {} } }', ''],
		['vscodeFolder', `{ "servers": { ${a} }, "mcpServers": { "b": { "command": "y" } } }`, 'a'],
		['projectRoot', `{ "mcpServers": { ${a} } }`, 'a'],
		['projectRoot', `{ "servers": { ${a} } }`, 'a'],
		['projectRoot', `{ "mcpServers": { ${a} }, "servers": { "b": { "command": "y" } } }`, 'a'],
		['projectRoot', `{ ${a} }`, 'a'],
		['projectRoot', `{ "mcp": { ${a} } }`, '', { code: 'wrongKey', found: 'mcp', expected: 'mcpServers' }],
		['projectRoot', '[]', '', { code: 'wrongType', key: '.mcp.json', expected: 'object' }],
		['projectRoot', '{ "mcpServers": 5 }', '', { code: 'wrongType', key: 'mcpServers', expected: 'object' }],
		['workspaceFile', `{ "folders": [], "settings": { "mcp": { "servers": { ${a} } } } }`, 'a'],
		['workspaceFile', `{ "settings": { "mcp.servers": { ${a} } } }`, 'a'],
		['workspaceFile', '{ "folders": [] }', ''],
		['workspaceFile', '{ "settings": 5 }', ''],
		['workspaceFile', `{ "settings": { "mcp": { "inputs": [] } } }`, ''],
		['workspaceFile', `{ "servers": { ${a} }, "mcp": { "servers": { ${a} } } }`, ''],
		['workspaceFile', `{ "settings": { "mcp": { "mcpServers": { ${a} } } } }`, 'a'],
		['workspaceFile', `{ "settings": { "mcp": { "inputs": [], ${a} } } }`, 'a'],
		[
			'workspaceFile',
			`{ "settings": { "mcp": { "server": { ${a} } } } }`,
			'',
			{ code: 'wrongKey', found: 'server', expected: 'servers' },
		],
		['workspaceFile', '5', '', { code: 'wrongType', key: 'my work.code-workspace', expected: 'object' }],
		['userSettings', `{ "servers": { ${a} } }`, 'a'],
		['userSettings', `{ "inputs": [], "servers": { "inputs": { "command": "x" } } }`, 'inputs'],
		['userSettings', `{ "inputs": [] }`, ''],
		['userSettings', '{ "servers": "x" }', '', { code: 'wrongType', key: 'servers', expected: 'object' }],
	];
	for (const [kind, text, expected, problem] of table) {
		it(`${kind}: ${text}`, () => {
			const parsed = parse(kind, text);
			assert.equal(names(parsed).join(' '), expected);
			const found = parsed.problems.map(({ offset: _offset, length: _length, ...rest }) => rest);
			assert.deepEqual(found, problem ? [problem] : []);
			for (const { id, source, offset, name } of parsed.servers) {
				assert.equal(id, `${source.uri}#${name}`);
				assert.equal(source, sources[kind]);
				assert.ok(text.slice(offset).startsWith(`"${name}"`));
			}
		});
	}
});

describe('definitions of other clients', () => {
	const table: readonly (readonly [server: string, launch: object | undefined])[] = [
		['{ "type": "streamable-http", "url": "u" }', { kind: 'http', url: 'u' }],
		['{ "type": "streamableHttp", "url": "u" }', { kind: 'http', url: 'u' }],
		['{ "type": "streamable_http", "url": "u" }', { kind: 'http', url: 'u' }],
		['{ "type": "HTTP", "url": "u" }', { kind: 'http', url: 'u' }],
		['{ "type": "remote", "url": "u" }', { kind: 'http', url: 'u' }],
		['{ "transport": "sse", "url": "u" }', { kind: 'sse', url: 'u' }],
		['{ "transportType": "sse", "url": "u" }', { kind: 'sse', url: 'u' }],
		['{ "serverUrl": "u" }', { kind: 'http', url: 'u' }],
		['{ "httpUrl": "u" }', { kind: 'http', url: 'u' }],
		['{ "type": "local", "command": "x" }', { kind: 'stdio', command: 'x' }],
		['{ "command": "x", "transport": { "some": "thing" } }', { kind: 'stdio', command: 'x' }],
		[
			'{ "command": "x", "alwaysAllow": ["t"], "autoApprove": [], "timeout": 60, "trust": true, "icon": {}, "description": "${foo}" }',
			{ kind: 'stdio', command: 'x' },
		],
		['{ "type": "ws", "url": "u" }', undefined],
	];
	for (const [server, launch] of table) {
		it(server, () => {
			const { servers, problems } = parse('projectRoot', `{ "mcpServers": { "a": ${server} } }`);
			const [found] = servers.map(it => it.launch);
			assert.deepEqual(
				found &&
					(found.kind === 'stdio'
						? { kind: found.kind, command: found.command }
						: { kind: found.kind, url: found.url }),
				launch,
			);
			assert.deepEqual(
				problems.map(it => it.code),
				launch ? [] : ['unknownTransport'],
			);
		});
	}

	it('a disabled server is still listed', () => {
		const { servers } = parse(
			'projectRoot',
			'{ "mcpServers": { "off": { "command": "x", "disabled": true }, "on": { "command": "x", "disabled": false } } }',
		);
		assert.deepEqual(
			servers.map(({ name, isDisabled }) => [name, isDisabled]),
			[
				['off', true],
				['on', undefined],
			],
		);
	});

	it('plain variables are those of the environment, in .mcp.json only', () => {
		const server = '{ "a": { "command": "${A}", "args": ["${B:-c}"], "env": { "D": "${E}" }, "cwd": "${userHome}" } }';
		const root = parse('projectRoot', `{ "mcpServers": ${server} }`);
		assert.deepEqual(root.problems, []);
		assert.deepEqual(root.servers[0]?.launch, {
			kind: 'stdio',
			command: '${env:A}',
			args: ['${env:B:-c}'],
			env: { D: '${env:E}' },
			cwd: '${userHome}',
			envFile: undefined,
		});
		const { servers, problems } = parse('vscodeFolder', `{ "servers": ${server} }`);
		assert.equal(servers[0]?.launch.kind === 'stdio' && servers[0].launch.command, '${A}');
		assert.deepEqual(
			problems.map(it => it.code === 'unknownVariable' && it.variable),
			['A', 'B:-c', 'E'],
		);
	});
});

describe('unknown variables', () => {
	it('do not include a documented variable', () => {
		const documentation = fs.readFileSync(path.join(projectRoot, 'docs', 'configuration.md'), 'utf8');
		const list = documentation.slice(documentation.indexOf('## Variables'), documentation.indexOf('`envFile` names'));
		const variables = Array.from(list.matchAll(/\$\{[^{}]+\}/g), it => it[0]).filter(it => !it.includes('input:'));
		assert.ok(variables.length >= 8);
		for (const [kind, key] of [
			['vscodeFolder', 'servers'],
			['projectRoot', 'mcpServers'],
			['userSettings', 'servers'],
		] as const) {
			const parsed = parse(kind, JSON.stringify({ [key]: { a: { command: 'x', args: variables } } }));
			assert.deepEqual(parsed.problems, []);
			const [launch] = parsed.servers.map(it => it.launch);
			const meant = variables.map(it => (kind === 'projectRoot' && it === '${NAME}' ? '${env:NAME}' : it));
			assert.deepEqual(launch?.kind === 'stdio' && launch.args, meant);
		}
	});

	it('are marked at their position, and do not remove the server', () => {
		const text = `{ "servers": { "a": {
	"command": "\${foo}/\\"\${bar:x}\\"", "args": ["\${userHome}", "\${ env:A }"],
	"env": { "\${notAValue}": "\${baz}" }, "dev": { "watch": "\${untouched}" } },
	"b": { "url": "https://\${host}", "headers": { "X": "\${}" } } } }`;
		const { servers, problems } = parse('vscodeFolder', text);
		assert.deepEqual(names({ servers, problems, hasSyntaxError: false }), ['a', 'b']);
		assert.deepEqual(
			problems.map(it => [it.code, text.slice(it.offset, it.offset + it.length)]),
			['${foo}', '${bar:x}', '${ env:A }', '${baz}', '${host}', '${}'].map(it => ['unknownVariable', it]),
		);
	});
});

it('~ is the home folder at the start of a command, a working directory and an environment file', () => {
	const launches = (['vscodeFolder', 'projectRoot', 'userSettings'] as const).map(kind => {
		const servers = {
			a: { command: '~/bin/srv', args: ['--dir', '~/data'], cwd: '~', envFile: '~\\.env' },
			b: { command: '~else/srv', cwd: 'a/~/b' },
		};
		return parse(kind, JSON.stringify({ servers })).servers.map(it => it.launch);
	});
	for (const [a, b] of launches) {
		assert.deepEqual(a, {
			kind: 'stdio',
			command: '${userHome}/bin/srv',
			args: ['--dir', '~/data'],
			cwd: '${userHome}',
			env: {},
			envFile: '${userHome}\\.env',
		});
		assert.deepEqual(b?.kind === 'stdio' && [b.command, b.cwd], ['~else/srv', 'a/~/b']);
	}
});

describe('places in JSON', () => {
	it('finds a key, and its value', () => {
		const text = '{ // comment\n "a.b": { "c": 1, }, "d": [ 2 ], }';
		assert.equal(offsetOfKey(text, ['a.b', 'c']), text.indexOf('"c"'));
		assert.equal(offsetOfKey(text, ['a', 'b']), undefined);
		assert.equal(offsetOfKey('', ['a']), undefined);
		assert.deepEqual(valueAt(text, ['d']), { value: [2], isWhole: true });
		assert.deepEqual(valueAt(text, ['x']), { value: undefined, isWhole: true });
		assert.deepEqual(valueAt('{ "a": 1, "b', ['a']), { value: 1, isWhole: false });
	});
});

describe('places and values in settings', () => {
	it('are undefined if the text is too deep or lacks the path', () => {
		const deep = `{"a":${'['.repeat(300)}`;
		assert.equal(offsetOfKey(deep, ['a']), undefined);
		assert.deepEqual(valueAt(deep, ['a']), { value: undefined, isWhole: true });
		assert.deepEqual([offsetOfKey('{}', []), offsetOfKey('{"a":1}', ['b'])], [undefined, undefined]);
	});

	it('may be in a text that is longer than a configuration file', () => {
		const long = `${' '.repeat(1024 * 1024 + 1)}{"a":5}`;
		assert.equal(offsetOfKey(long, ['a']), 1024 * 1024 + 2);
		assert.deepEqual(valueAt(long, ['a']), { value: 5, isWhole: true });
	});
});
