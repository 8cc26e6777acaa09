import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveEndpoint, resolveLaunch } from '../../src/host/variables.js';
import type { Environment } from '../../src/model/environment.js';
import type { ServerDefinition, StdioDefinition } from '../../src/model/serverConfig.js';
import { workspaceFolder } from './support.js';

const environment: Environment = {
	home: '/home/me',
	get: name => ({ KEY: 'secret', EMPTY: '' })[name],
	inherited: () => ({ PATH: '/bin', GONE: 'x' }),
};

function definition(launch: ServerDefinition['launch']): ServerDefinition {
	const folderUri = vscode.Uri.file(workspaceFolder()).toString();
	const folderName = path.basename(workspaceFolder());
	const source = { kind: 'vscodeFolder', uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName } as const;
	return { id: 'x', name: 'x', source, offset: 0, launch };
}

function resolve(launch: Partial<StdioDefinition>): ReturnType<typeof resolveLaunch> {
	const whole: StdioDefinition = {
		kind: 'stdio',
		command: 'node',
		args: [],
		cwd: undefined,
		env: {},
		envFile: undefined,
		...launch,
	};
	return resolveLaunch(definition(whole), whole, environment);
}

describe('variables in mcp.json', () => {
	it('stand for folders, the home and the environment', () => {
		const folder = workspaceFolder();
		const name = path.basename(folder);
		const args = ['${workspaceFolder}/a', `\${workspaceFolder:${name}}/b`, '${userHome}', '${env:KEY}-${env:NOT_SET}'];
		assert.deepEqual(resolve({ args }).args, [`${folder}/a`, `${folder}/b`, '/home/me', 'secret-']);
	});

	it('of the environment may say what they are where they are not set', () => {
		const args = ['${env:KEY:-other}', '${env:NOT_SET:-https://a:1}', '${env:NOT_SET:-}', '${env:EMPTY:-other}'];
		assert.deepEqual(resolve({ args }).args, ['secret', 'https://a:1', '', 'other']);
	});

	it('in what belongs to no folder mean the only one; it starts in the home, or beside the workspace file', () => {
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
			const resolved = resolveLaunch({ ...definition(whole), source: { ...source, ...shared } }, whole, environment);
			assert.deepEqual([resolved.cwd, resolved.args], [expected, [workspaceFolder()]]);
		}
	});

	it('without a meaning keep the server from starting', () => {
		for (const variable of ['${nothing}', '${input:key}', '${workspaceFolder:other}', '${env}']) {
			assert.throws(() => resolve({ command: variable }), { name: 'UnresolvedVariableError' });
		}
	});

	it('fill in URLs and headers too', () => {
		const launch = {
			kind: 'http',
			url: 'https://a/${env:KEY}',
			headers: { Authorization: 'Bearer ${env:KEY}' },
		} as const;
		assert.deepEqual(resolveEndpoint(definition(launch), launch, environment), {
			url: 'https://a/secret',
			headers: { Authorization: 'Bearer secret' },
		});
	});

	it('a folder to start in is relative to the workspace folder, or to the home', () => {
		const folder = workspaceFolder();
		const table: [cwd: string | undefined, resolved: string][] = [
			[undefined, folder],
			['sub', path.join(folder, 'sub')],
			['./sub/../other', path.join(folder, 'other')],
			['/abs', '/abs'],
			['~', '/home/me'],
			['~/sub', '/home/me/sub'],
			['~else', path.join(folder, '~else')],
			['${workspaceFolder}/sub', `${folder}/sub`],
		];
		assert.deepEqual(
			table.map(([cwd]) => resolve({ cwd }).cwd),
			table.map(([, resolved]) => resolved),
		);
	});

	it('the environment is inherited, changed and removed from', () => {
		const env = { NEW: '${userHome}', GONE: null };
		assert.deepEqual(resolve({ env }).env, { PATH: '/bin', NEW: '/home/me' });
	});
});
