import * as assert from 'node:assert/strict';
import { foldersOf, isDebuggable, planDebugging } from '../../../../src/core/config/devMode.js';
import type { DebugDefinition } from '../../../../src/core/config/serverDefinition.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import { type ConfigSource, isSameLaunch } from '../../../../src/core/config/serverDefinition.js';

const folder = { uri: 'file:///w/x', folderUri: 'file:///w', folderName: 'w' } as const;
const vscodeFile: ConfigSource = { kind: 'vscodeFolder', ...folder };
const workspaceFile: ConfigSource = {
	kind: 'workspaceFile',
	uri: 'file:///w/a.code-workspace',
	folderUri: undefined,
	folderName: undefined,
};

describe('dev of a server', () => {
	/** What is read of `dev`, and what is wrong with it: code and the text at its place. */
	function read(dev: string, command = '"command": "node"', source = vscodeFile): unknown[] {
		const server = `{ ${command}, "dev": ${dev} }`;
		const servers = `{ "servers": { "s": ${server} } }`;
		const text =
			{
				workspaceFile: `{ "settings": { "mcp": ${servers} } }`,
				projectRoot: `{ "mcpServers": { "s": ${server} } }`,
			}[source.kind as string] ?? servers;
		const {
			servers: [definition],
			problems,
		} = parseServerConfig(text, source);
		assert.ok(definition, 'Server "is kept"');
		const { watch, launch } = definition;
		const debug = launch.kind === 'stdio' ? launch.debug : undefined;
		return [watch, debug, ...problems.map(it => `${it.code} ${text.slice(it.offset, it.offset + it.length)}`)];
	}

	const python = '"command": "python3"';
	for (const [dev, command, ...expected] of [
		['{}', undefined, undefined, undefined],
		['{ "watch": "src/**/*.ts" }', undefined, ['src/**/*.ts'], undefined],
		['{ "watch": ["a", "!b"] }', undefined, ['a', '!b'], undefined],
		['{ "watch": [] }', undefined, undefined, undefined],
		['{ "watch": "" }', undefined, undefined, undefined],
		['{ "watch": 1 }', undefined, undefined, undefined, 'wrongType 1'],
		['{ "watch": ["a", 1] }', undefined, undefined, undefined, 'wrongType ["a", 1]'],
		['"watch"', undefined, undefined, undefined, 'wrongType "watch"'],
		['{ "debug": { "type": "node" } }', undefined, undefined, { type: 'node' }],
		['{ "debug": { "type": "debugpy" } }', python, undefined, { type: 'debugpy' }],
		['{ "debug": { "type": "gdb" } }', undefined, undefined, undefined, 'unknownDebugger "gdb"'],
		['{ "debug": {} }', undefined, undefined, undefined, 'unknownDebugger {}'],
		['{ "debug": "node" }', undefined, undefined, undefined, 'wrongType "node"'],
		['{ "debug": { "type": "node" } }', '"command": "npx"', undefined, undefined, 'cannotDebug "node"'],
		['{ "debug": { "type": "node" } }', '"command": "${env:NODE}"', undefined, { type: 'node' }],
		['{ "debug": { "type": "node" }, "watch": "a" }', '"url": "http://x"', ['a'], undefined, 'cannotDebug "node"'],
	] as const) {
		it(`${dev} with ${command ?? 'node'}: ${JSON.stringify(expected)}`, () => {
			assert.deepEqual(read(dev, command), expected);
		});
	}

	it('counts in a workspace file and in .mcp.json', () => {
		const dev = '{ "watch": "a", "debug": { "type": "node" } }';
		assert.deepEqual(read(dev, undefined, workspaceFile), [['a'], { type: 'node' }]);
		assert.deepEqual(read(dev, undefined, { kind: 'projectRoot', ...folder }), [['a'], { type: 'node' }]);
	});

	it('a change of "watch" needs no consent, and a change of "debug" does', () => {
		const launchOf = (dev: string) => {
			const text = `{ "servers": { "s": { "command": "node", "dev": ${dev} } } }`;
			return parseServerConfig(text, vscodeFile).servers[0]?.launch ?? assert.fail();
		};
		assert.ok(isSameLaunch(launchOf('{ "watch": "a" }'), launchOf('{ "watch": "b" }')));
		assert.ok(!isSameLaunch(launchOf('{}'), launchOf('{ "debug": { "type": "node" } }')));
	});

	for (const [type, command, expected] of [
		['node', 'node', true],
		['node', '/usr/bin/node20', true],
		['node', 'C:\\Program Files\\nodejs\\node.exe', true],
		['node', 'nodejs', true],
		['node', 'npx', false],
		['node', 'tsx', false],
		['node', 'my-node', false],
		['node', 'bun', false],
		['debugpy', 'python', true],
		['debugpy', '.venv/bin/python3.12', true],
		['debugpy', 'C:\\py\\python.exe', true],
		['debugpy', 'uv', false],
		['debugpy', 'node', false],
	] as const) {
		it(`${command} ${expected ? 'can' : 'cannot'} be debugged by ${type}`, () => {
			assert.equal(isDebuggable(type, command), expected);
		});
	}
});

describe('the literal folders of a glob', () => {
	for (const [glob, expected] of [
		['*.js', []],
		['a.js', []],
		['**/*.js', []],
		['src/*.js', ['src']],
		['src/**/*.js', ['src']],
		['a/b/{c,d}/e.js', ['a', 'a/b']],
		['a/b[0-9]/c/d.js', ['a']],
		['a/?/c.js', ['a']],
	] as const) {
		it(glob, () => assert.deepEqual(foldersOf(glob), expected));
	}
});

describe('planDebugging', () => {
	const target = { name: 'MCP: s', port: 5001 };
	const common = {
		name: 'MCP: s',
		request: 'attach',
		internalConsoleOptions: 'neverOpen',
		suppressMultipleSessionWarning: true,
	};

	it('Node: waits for the debugger before its first line, and continues when it has attached', () => {
		const plan = planDebugging(['--enable-source-maps', 's.js'], { type: 'node' }, target);
		assert.deepEqual(plan, {
			args: ['--inspect-brk=127.0.0.1:5001', '--enable-source-maps', 's.js'],
			configuration: {
				...common,
				type: 'pwa-node',
				address: '127.0.0.1',
				port: 5001,
				timeout: 30_000,
				continueOnAttach: true,
			},
			waitsItself: true,
		});
	});

	const listen = ['--listen', '127.0.0.1:5001', '--wait-for-client'];
	const debugpy: DebugDefinition = { type: 'debugpy' };
	for (const [args, expected] of [
		[
			['s.py', '-x'],
			['-m', 'debugpy', ...listen, 's.py', '-x'],
		],
		[
			['-m', 'server', '-v'],
			['-m', 'debugpy', ...listen, '-m', 'server', '-v'],
		],
		[
			['-u', '-X', 'utf8', '-W', 'ignore', 's.py'],
			['-u', '-X', 'utf8', '-W', 'ignore', '-m', 'debugpy', ...listen, 's.py'],
		],
		[
			['-um', 'server'],
			['-u', '-m', 'debugpy', ...listen, '-m', 'server'],
		],
		[
			['-c', 'run()'],
			['-m', 'debugpy', ...listen, '-c', 'run()'],
		],
		[[], ['-m', 'debugpy', ...listen]],
	] as const) {
		it(`Python: ${args.join(' ')}`, () => {
			assert.deepEqual(planDebugging(args, debugpy, target).args, expected);
		});
	}

	it('Python: the configuration for the editor, and another debugpy', () => {
		const args = ['-u', 's.py'];
		const { configuration, waitsItself } = planDebugging(args, debugpy, target);
		assert.deepEqual(configuration, {
			...common,
			type: 'debugpy',
			connect: { host: '127.0.0.1', port: 5001 },
			justMyCode: true,
		});
		assert.equal(waitsItself, false);
		const withModule = planDebugging(args, debugpy, { ...target, debugpyModule: '/ext/debugpy' });
		assert.deepEqual(withModule.args, ['-u', '/ext/debugpy', ...listen, 's.py']);
	});
});
