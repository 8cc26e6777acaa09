/** Which servers the person writes: those with `dev.watch`, and those whose program is a file of the workspace. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ServerDefinition, StdioDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { Environment } from '../../../../src/core/launch/environment.js';
import { isAuthoredHere } from '../../../../src/editor/workspace/authoredServers.js';
import { definition } from '../../../support/modelFixture.js';
import { makeFolder, workspace } from '../../../support/vscodeDouble.js';

describe('a server that the person writes', () => {
	let folder: string;
	let source: ServerDefinition['source'];

	before(() => {
		folder = makeFolder();
		const files = ['server.mjs', 'bin/server', 'src/main.py', 'node_modules/x/cli.js', '.venv/bin/python', 'data.db'];
		for (const file of files) {
			fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
			fs.writeFileSync(path.join(folder, file), '');
		}
		const uri = vscode.Uri.file(folder);
		const folderUri = uri.toString();
		source = { kind: 'vscodeFolder', uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName: 'w' };
		Object.assign(workspace, { workspaceFolders: [{ uri, name: 'w', index: 0 }] });
	});

	after(() => {
		Object.assign(workspace, { workspaceFolders: undefined });
		fs.rmSync(folder, { recursive: true });
	});

	async function isAuthored(launch: Partial<StdioDefinition>, more: Partial<ServerDefinition> = {}): Promise<boolean> {
		const environment = { home: '/home/me', get: () => undefined } as unknown as Environment;
		return isAuthoredHere({ ...definition('x', launch), source, ...more }, environment);
	}

	it('has a program or a script in a folder of the workspace', async () => {
		const launches: Partial<StdioDefinition>[] = [
			{ command: 'node', args: ['--inspect', 'server.mjs'] },
			{ command: 'node', args: ['${workspaceFolder}/server.mjs', '--stdio'] },
			{ command: '${workspaceFolder}/bin/server' },
			{ command: './bin/server', args: ['--root', '/tmp'] },
			{ command: 'python', args: ['main.py'], cwd: 'src' },
			{ command: '.venv/bin/python', args: ['src/main.py'] },
			{ command: 'uv', args: ['--directory', '${workspaceFolder}', 'run', 'server.mjs'] },
		];
		assert.deepEqual(
			await Promise.all(launches.map(it => isAuthored(it))),
			launches.map(() => true),
		);
	});

	it('does not have an installed program, or one outside the workspace', async () => {
		const launches: Partial<StdioDefinition>[] = [
			{ command: 'npx', args: ['-y', 'some-server'] },
			{ command: 'npx', args: ['-y', 'package.js'] },
			{ command: 'node', args: ['node_modules/x/cli.js'] },
			{ command: '.venv/bin/python', args: ['-m', 'others'] },
			{ command: 'sqlite-server', args: ['data.db'] },
			{ command: 'node', args: ['../elsewhere/server.mjs'] },
			{ command: 'node', args: [`${path.dirname(folder)}/server.mjs`] },
			{ command: 'node', args: ['${input:script}/server.mjs'] },
		];
		assert.deepEqual(
			await Promise.all(launches.map(it => isAuthored(it))),
			launches.map(() => false),
		);
		assert.equal(await isAuthored({}, { launch: { kind: 'http', url: 'http://localhost:1', headers: {} } }), false);
	});

	it('is watched, wherever its program is', async () => {
		const launch = { kind: 'http', url: 'http://localhost:1', headers: {} } as const;
		assert.equal(await isAuthored({ command: 'npx' }, { watch: ['src/**'] }), true);
		assert.equal(await isAuthored({}, { launch, watch: ['src/**'] }), true);
	});
});
