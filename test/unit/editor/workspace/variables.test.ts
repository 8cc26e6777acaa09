import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
	type LaunchValues,
	lookUpSettings,
	lookUpVariables,
	resolveEndpoint,
	resolveLaunch,
} from '../../../../src/editor/workspace/variables.js';
import type { Environment } from '../../../../src/core/launch/environment.js';
import { emptySnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import type { ServerDefinition, StdioDefinition } from '../../../../src/core/config/serverDefinition.js';
import { toFailure } from '../../../../src/core/servers/serverState.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { settings, Uri, workspace } from '../../../support/vscodeDouble.js';

const workspaceFolder = (): string => path.resolve('/w/garden');

const environment: Environment = {
	home: '/home/me',
	hostName: 'here',
	ignoresCase: false,
	get: name => ({ KEY: 'secret', EMPTY: '' })[name],
	inherited: () => ({ PATH: '/bin', GONE: 'x' }),
};

function valuesOf(server: ServerDefinition, platform = 'linux'): LaunchValues {
	const snapshot = { ...emptySnapshot, variables: lookUpVariables(server, environment) };
	return { environment, platform, snapshot, input: id => (id === 'who' ? 'me' : undefined) };
}

function definition(launch: ServerDefinition['launch']): ServerDefinition {
	const folderUri = vscode.Uri.file(workspaceFolder()).toString();
	const folderName = path.basename(workspaceFolder());
	const source = { kind: 'vscodeFolder', uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName } as const;
	return { id: 'x', name: 'x', source, offset: 0, launch, inputs: [] };
}

function resolve(
	launch: Partial<StdioDefinition>,
	envFile: Record<string, string> = {},
	platform = 'linux',
): ReturnType<typeof resolveLaunch> {
	const whole: StdioDefinition = {
		kind: 'stdio',
		command: 'node',
		args: [],
		cwd: undefined,
		env: {},
		envFile: undefined,
		...launch,
	};
	return resolveLaunch(definition(whole), whole, valuesOf(definition(whole), platform), envFile);
}

describe('variables in mcp.json', () => {
	before(() => {
		setManifestDefaults();
		settings.set('files.autoSave', { defaultValue: 'off' });
		settings.set('editor.wordWrap', { defaultValue: 'on' });
		settings.set('files.exclude', { defaultValue: { '**/.git': true } });
		const folder = workspaceFolder();
		workspace.workspaceFolders = [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }];
	});
	after(() => {
		settings.clear();
		workspace.workspaceFolders = undefined;
	});

	it('resolve to folders, the home and the environment', () => {
		const folder = workspaceFolder();
		const name = path.basename(folder);
		const args = ['${workspaceFolder}/a', `\${workspaceFolder:${name}}/b`, '${userHome}', '${env:KEY}-${env:NOT_SET}'];
		assert.deepEqual(resolve({ args }).args, [`${folder}/a`, `${folder}/b`, '/home/me', 'secret-']);
	});

	it('of the environment may have a default', () => {
		const args = ['${env:KEY:-other}', '${env:NOT_SET:-https://a:1}', '${env:NOT_SET:-}', '${env:EMPTY:-other}'];
		assert.deepEqual(resolve({ args }).args, ['secret', 'https://a:1', '', 'other']);
	});

	it('mean the only folder if a server belongs to none; such a server starts in the home, or beside the workspace file', () => {
		const shared = { folderUri: undefined, folderName: undefined };
		const launch = {
			kind: 'stdio',
			command: 'node',
			args: ['${workspaceFolder}'],
			env: {},
			envFile: undefined,
		} as const;
		const table = [
			[{ kind: 'userSettings', uri: 's' }, undefined, '/home/me'],
			[{ kind: 'userSettings', uri: 's' }, 'sub', '/home/me/sub'],
			[{ kind: 'userSettings', uri: 's' }, '${workspaceFolder}', workspaceFolder()],
			[{ kind: 'workspaceFile', uri: 'file:///a/b%20c/x.code-workspace' }, undefined, '/a/b c'],
			[{ kind: 'workspaceFile', uri: 'file:///a/b%20c/x.code-workspace' }, '../d', '/a/d'],
			[{ kind: 'workspaceFile', uri: 'untitled:/tmp/x.code-workspace' }, undefined, '/home/me'],
		] as const;
		for (const [source, cwd, expected] of table) {
			const whole = { ...launch, cwd };
			const server = { ...definition(whole), source: { ...source, ...shared } };
			const resolved = resolveLaunch(server, whole, valuesOf(server), {});
			assert.deepEqual([resolved.cwd, resolved.args], [expected, [workspaceFolder()]]);
		}
	});

	it('resolve to settings, inputs, and path separators', () => {
		const name = path.basename(workspaceFolder());
		const args = [
			'${config:mcpWorkbench.requestTimeout}${config:files.autoSave}${config:editor.wordWrap}',
			'Hello ${input:who}',
			`\${workspaceFolderBasename}\${/}\${workspaceFolderBasename:${name}}\${pathSeparator}`,
		];
		const { 'files.autoSave': autoSave, 'editor.wordWrap': wordWrap } = Object.fromEntries(
			['files.autoSave', 'editor.wordWrap'].map(it => [it, vscode.workspace.getConfiguration().get<string>(it)]),
		);
		assert.deepEqual(resolve({ args }).args, [`60${autoSave}${wordWrap}`, 'Hello me', `${name}/${name}/`]);
	});

	it('of settings tell whether the user or the workspace set them', () => {
		const args = ['default', 'user', 'workspace', 'folder'].map(it => `\${config:test.${it}}`);
		settings.set('test.default', { defaultValue: 'x' });
		settings.set('test.user', { defaultValue: 'x', globalValue: 'x' });
		settings.set('test.workspace', { globalValue: 'x', workspaceValue: 'x' });
		settings.set('test.folder', { workspaceFolderValue: '' });
		const launch: StdioDefinition = { kind: 'stdio', command: 'x', args, cwd: undefined, env: {}, envFile: undefined };
		assert.deepEqual(
			[...lookUpSettings(definition(launch))],
			[
				['config:test.user', 'user'],
				['config:test.workspace', 'workspace'],
				['config:test.folder', 'workspace'],
			],
		);
	});

	it('that cannot be resolved keep the server from starting', () => {
		for (const variable of [
			'${nothing}',
			'${input:key}',
			'${workspaceFolder:other}',
			'${env}',
			'${config}',
			'${config:no.such}',
			'${config:files.exclude}',
		]) {
			assert.throws(() => resolve({ command: variable }), { name: 'UnresolvedVariableError' }, variable);
		}
	});

	it('are resolved in URLs and headers too', () => {
		const launch = {
			kind: 'http',
			url: 'https://a/${env:KEY}',
			headers: { Authorization: 'Bearer ${env:KEY}' },
		} as const;
		assert.deepEqual(resolveEndpoint(launch, valuesOf(definition(launch))), {
			kind: 'http',
			url: 'https://a/secret',
			headers: { Authorization: 'Bearer secret' },
		});
	});

	it('of the environment that have no value keep a server at a URL from starting, and are named with their places', () => {
		const resolved = (url: string, header: string): unknown => {
			const launch = { kind: 'http', url, headers: { 'X-Other': 'x', Authorization: header } } as const;
			try {
				return resolveEndpoint(launch, valuesOf(definition(launch))).headers['Authorization'];
			} catch (error) {
				return toFailure(error);
			}
		};
		const place = { kind: 'header', name: 'Authorization' };
		assert.deepEqual(
			[
				resolved('https://a', 'Bearer ${env:NOT_SET}'),
				resolved('https://a', 'Bearer ${env:EMPTY}'),
				resolved('https://${env:HOST}/mcp', 'Bearer ${env:HOST}'),
				resolved('https://a', 'Bearer ${env:NOT_SET:-}${env:KEY}'),
			],
			[
				{ kind: 'unset', variable: 'NOT_SET', places: [place] },
				{ kind: 'unset', variable: 'EMPTY', places: [place] },
				{ kind: 'unset', variable: 'HOST', places: [{ kind: 'url' }, place] },
				'Bearer secret',
			],
		);
	});

	it('a working directory is relative to the workspace folder, or to the home', () => {
		const folder = workspaceFolder();
		const table: [cwd: string | undefined, resolved: string][] = [
			[undefined, folder],
			['sub', path.join(folder, 'sub')],
			['./sub/../other', path.join(folder, 'other')],
			['/abs', '/abs'],
			['${userHome}/sub', '/home/me/sub'],
			['~else', path.join(folder, '~else')],
			['${workspaceFolder}/sub', `${folder}/sub`],
		];
		assert.deepEqual(
			table.map(([cwd]) => resolve({ cwd }).cwd),
			table.map(([, resolved]) => resolved),
		);
	});

	it('the environment is inherited; entries change or remove variables', () => {
		const env = { NEW: '${userHome}', GONE: null };
		assert.deepEqual(resolve({ env }).env, { PATH: '/bin', NEW: '/home/me' });
	});

	it('ignores the case of variable names on Windows', () => {
		const env = { Path: '/mine', gone: null };
		assert.deepEqual(resolve({ env }, { new: 'a', NEW: 'b' }, 'win32').env, { NEW: 'b', Path: '/mine' });
		assert.deepEqual(resolve({ env }, {}, 'linux').env, { PATH: '/bin', GONE: 'x', Path: '/mine' });
	});

	it('env overrides envFile, and envFile overrides inherited variables', () => {
		const env = { BOTH: 'env', GONE: null };
		const file = { BOTH: 'file', GONE: 'file', PATH: '/file', OWN: '${userHome}' };
		assert.deepEqual(resolve({ env }, file).env, { PATH: '/file', BOTH: 'env', OWN: '${userHome}' });
	});
});
