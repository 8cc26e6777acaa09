import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	findProgram,
	type ProgramFiles,
	spawnEnvironment,
	withInterpreter,
} from '../../../../src/node/process/program.js';

const linux = { platform: 'linux', pathExt: undefined };
const windows = { platform: 'win32', pathExt: '.EXE;.CMD;.JS' };

/** Files of a computer that is played: those that may be run, by their path, with their text. */
class PlayedFiles implements ProgramFiles {
	/** Every path that was looked at. */
	readonly looked: string[] = [];

	constructor(private readonly texts: Readonly<Record<string, string>>) {}

	async canRun(path: string): Promise<boolean> {
		this.looked.push(path);
		return path in this.texts;
	}

	async isFile(path: string): Promise<boolean> {
		this.looked.push(path);
		return path in this.texts;
	}

	async firstBytes(path: string): Promise<string> {
		this.looked.push(path);
		return this.texts[path] ?? '';
	}
}

describe('the file that runs for a command', () => {
	const bin = 'C:\\bin';
	const folder = 'C:\\repo';
	const texts = {
		'C:\\repo\\npx.cmd': '@echo evil',
		'C:\\repo\\node.exe': 'MZ',
		'C:\\bin\\npx.cmd': '@echo good',
		'C:\\bin\\node.exe': 'MZ',
		'C:\\repo\\script.js': '#!/usr/bin/env -S node --flag\r\n',
		'C:\\repo\\plain': '#!/opt/tools/node',
		'C:\\repo\\lost.js': '#!/usr/bin/env bun\n',
	};

	/** What is found on the Windows that is played. */
	async function find(command: string, path = bin, more: { ownPath?: string } = {}): Promise<string> {
		const files = new PlayedFiles(texts);
		const found = await findProgram(command, { path, folder, rules: windows, files, ...more });
		assert.deepEqual(
			files.looked.filter(it => it.startsWith('\\\\') && more.ownPath === undefined),
			[],
			'a path of another computer was looked at',
		);
		return found.kind === 'found' ? found.path : found.errno;
	}

	it('is never one of the working directory, on Windows as elsewhere', async () => {
		assert.equal(await find('npx'), 'C:\\bin\\npx.cmd');
		assert.equal(await find('npx', 'C:\\none'), 'ENOENT');
		assert.equal(await find('npx', ''), 'ENOENT');
		assert.equal(await find('.\\npx'), 'C:\\repo\\npx.cmd');
		assert.equal(await find('plain', bin), 'ENOENT');
		assert.equal(await find('.\\plain'), 'C:\\repo\\plain');
	});

	it("is not looked for on another computer, unless the person's own PATH names it", async () => {
		assert.equal(await find('\\\\host\\share\\tool'), '\\\\host\\share\\tool');
		assert.equal(await find('//host/share/tool.exe'), '\\\\host\\share\\tool.exe');
		assert.equal(await find('npx', `\\\\host\\share;//host/share;${bin}`), 'C:\\bin\\npx.cmd');
		const files = new PlayedFiles({ '\\\\own\\tools\\npx.cmd': '' });
		const search = { path: '\\\\host\\x;\\\\own\\tools', folder, rules: windows, files, ownPath: '\\\\own\\tools' };
		assert.deepEqual(await findProgram('npx', search), {
			kind: 'found',
			path: '\\\\own\\tools\\npx.cmd',
			lastingPath: '\\\\own\\tools\\npx.cmd',
		});
		assert.ok(!files.looked.some(it => it.includes('host')));
	});

	for (const [program, run] of [
		['C:\\bin\\npx.cmd', { program: 'C:\\bin\\npx.cmd', args: ['a'] }],
		['C:\\bin\\node.exe', { program: 'C:\\bin\\node.exe', args: ['a'] }],
		['C:\\repo\\script.js', { program: 'C:\\bin\\node.exe', args: ['--flag', 'C:\\repo\\script.js', 'a'] }],
		['C:\\repo\\plain', { program: 'C:\\bin\\node.exe', args: ['C:\\repo\\plain', 'a'] }],
		['C:\\repo\\lost.js', { missing: 'bun' }],
	] as const) {
		it(`on Windows, the interpreter of ${program} is looked for on the PATH alone`, async () => {
			const search = { path: bin, folder, rules: windows, files: new PlayedFiles(texts) };
			assert.deepEqual(await withInterpreter(program, ['a'], search), run);
		});
	}

	it('ends where interpreters name each other', async () => {
		const files = new PlayedFiles({ 'C:\\bin\\a.js': '#!b', 'C:\\bin\\b.js': '#!a' });
		assert.deepEqual(await withInterpreter('C:\\bin\\a.js', [], { path: bin, folder, rules: windows, files }), {
			missing: 'C:\\bin\\a.js',
		});
	});

	it('given as a path is not looked at where systems need no extension', async () => {
		const files = new PlayedFiles({});
		for (const [command, path] of [
			['/opt/x', '/opt/x'],
			['//host/share/x', '//host/share/x'],
			['./x', '/w/x'],
			['../x', '/x'],
		] as const) {
			assert.deepEqual(await findProgram(command, { path: '/bin', folder: '/w', rules: linux, files }), {
				kind: 'found',
				path,
				lastingPath: path,
			});
		}
		assert.deepEqual(files.looked, []);
	});

	it('has the same lasting path in every session of a version manager', async () => {
		const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-workbench-fnm-')));
		try {
			mkdirSync(join(home, 'v22', 'bin'), { recursive: true });
			writeFileSync(join(home, 'v22', 'bin', 'npx'), '', { mode: 0o755 });
			mkdirSync(join(home, 'fnm_multishells'));
			const sessions = ['1_1', '2_2'].map(it => join(home, 'fnm_multishells', it));
			for (const session of sessions) {
				symlinkSync(join(home, 'v22'), session);
				const found = await findProgram('npx', { path: `${session}/bin`, folder: '/', rules: linux });
				assert.deepEqual(found, {
					kind: 'found',
					path: `${session}/bin/npx`,
					lastingPath: join(home, 'v22', 'bin', 'npx'),
				});
			}
		} finally {
			rmSync(home, { recursive: true });
		}
	});
});

describe('the environment of a server', () => {
	it('keeps the working directory out of every search for programs on Windows, unless the server sets it', () => {
		assert.deepEqual(spawnEnvironment('win32', { A: '1' }), { A: '1', NoDefaultCurrentDirectoryInExePath: '1' });
		const own = { NODEFAULTCURRENTDIRECTORYINEXEPATH: '' };
		assert.equal(spawnEnvironment('win32', own), own);
		assert.deepEqual(spawnEnvironment('linux', { A: '1' }), { A: '1' });
	});
});
