import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import {
	endSignals,
	type EndStep,
	endStep,
	spawnEnvironment,
	spawnRules,
} from '../../../../src/node/process/processRules.js';
import { projectRoot } from '../../../host/paths.js';

describe('processRules', () => {
	const unix = ['linux', 'darwin', 'freebsd'] as const;

	it('starts a server in a group of its own, on Windows in no console of its own', () => {
		assert.deepEqual(spawnRules('win32'), { windowsHide: true, detached: false });
		for (const platform of unix) {
			assert.deepEqual(spawnRules(platform), { windowsHide: true, detached: true }, platform);
		}
	});

	it('keeps the working directory out of every search for programs on Windows, unless the server sets it', () => {
		assert.deepEqual(spawnEnvironment('win32', { A: '1' }), { A: '1', NoDefaultCurrentDirectoryInExePath: '1' });
		const own = { NODEFAULTCURRENTDIRECTORYINEXEPATH: '' };
		assert.equal(spawnEnvironment('win32', own), own);
		for (const platform of unix) {
			assert.deepEqual(spawnEnvironment(platform, { A: '1' }), { A: '1' }, platform);
		}
	});

	it('ends politely first, where there is a polite way', () => {
		assert.deepEqual(endSignals('win32'), ['SIGKILL']);
		for (const platform of unix) {
			assert.deepEqual(endSignals(platform), ['SIGTERM', 'SIGKILL'], platform);
		}
	});

	const none: EndStep = { kind: 'none' };
	const taskkill: EndStep = { kind: 'command', command: 'taskkill', args: ['/pid', '42', '/T', '/F'] };
	const hasExited = true;
	const rows: readonly (readonly [given: string, args: Parameters<typeof endStep>, expected: EndStep])[] = [
		['linux', ['linux', 42, 'SIGTERM'], { kind: 'signal', pid: -42, signal: 'SIGTERM' }],
		['macOS', ['darwin', 42, 'SIGKILL'], { kind: 'signal', pid: -42, signal: 'SIGKILL' }],
		[
			'what an exited leader left',
			['linux', 42, 'SIGKILL', { hasExited }],
			{ kind: 'signal', pid: -42, signal: 'SIGKILL' },
		],
		['Windows', ['win32', 42, 'SIGKILL'], taskkill],
		['Windows, politely', ['win32', 42, 'SIGTERM'], taskkill],
		['Windows, after the exit: the pid may be of another', ['win32', 42, 'SIGKILL', { hasExited }], none],
		['no pid: our own group', ['linux', 0, 'SIGKILL'], none],
		['init: -1 would be everything', ['linux', 1, 'SIGKILL'], none],
		['a negative pid', ['linux', -42, 'SIGKILL'], none],
		['no whole number', ['linux', 1.5, 'SIGKILL'], none],
		['no number', ['win32', Number.NaN, 'SIGKILL'], none],
	];
	for (const [given, args, expected] of rows) {
		it(`ends ${given}`, () => {
			assert.deepEqual(endStep(...args), expected);
		});
	}

	describe('cross-spawn, as it is on Windows', function () {
		this.timeout(20_000);
		let folder: string;
		beforeEach(() => {
			folder = mkdtempSync(path.join(tmpdir(), 'mcp'));
		});
		afterEach(() => rmSync(folder, { recursive: true }));

		/** What Node's spawn would be given. The library decides by the platform when it is loaded. */
		function parse(
			command: string,
			args: readonly string[],
			cwd?: string,
		): { readonly command: string; readonly args: string[] } {
			const { outputFiles } = buildSync({
				stdin: {
					contents: `import spawn from 'cross-spawn';
						const { command, args, options } = spawn._parse(...JSON.parse(process.argv[2]));
						process.stdout.write(JSON.stringify({ command, args, options }));`,
					resolveDir: projectRoot,
				},
				bundle: true,
				platform: 'node',
				define: { 'process.platform': '"win32"' },
				write: false,
			});
			const env = { PATH: folder, PATHEXT: '.EXE;.CMD', comspec: 'cmd.exe' };
			const script = outputFiles[0]?.text ?? '';
			const given = JSON.stringify([command, args, { env, ...(cwd !== undefined && { cwd }) }]);
			const text = execFileSync(process.execPath, ['-', given], { input: script, env, encoding: 'utf8' });
			return JSON.parse(text) as { command: string; args: string[] };
		}

		function add(...parts: readonly string[]): string {
			const file = path.join(folder, ...parts);
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, '');
			return file;
		}

		it('runs a .cmd by the shell, and nothing in an argument means anything to that', () => {
			add('npx.CMD');
			const args = ['-y', 'a b', '100%PATH%', 'x&calc', '"q"', 'back\\', ''];
			assert.deepEqual(parse('npx', args), {
				command: 'cmd.exe',
				args: ['/d', '/s', '/c', '"npx ^"-y^" ^"a^ b^" ^"100^%PATH^%^" ^"x^&calc^" ^"\\^"q\\^"^" ^"back\\\\^" ^"^""'],
				options: { env: { PATH: folder, PATHEXT: '.EXE;.CMD', comspec: 'cmd.exe' }, windowsVerbatimArguments: true },
			});
		});

		it('runs the file that it is given, whatever the working directory has of that name', () => {
			const shown = add('bin', 'npx.CMD');
			const evil = add('repo', 'npx.CMD');
			writeFileSync(evil, '#!evil');
			const { args } = parse(shown, [], path.dirname(evil));
			assert.equal(args.at(-1), `"${shown}"`);
		});

		it('escapes twice for the scripts that npm makes: they pass their arguments on', () => {
			const file = add('node_modules', '.bin', 'server.cmd');
			assert.equal(parse(file, ['a&b']).args.at(-1)?.endsWith(' ^^^"a^^^&b^^^""'), true);
		});

		it('runs an .exe without the shell', () => {
			add('node.EXE');
			const { command, args } = parse('node', ['a b', 'x&calc']);
			assert.deepEqual({ command, args }, { command: 'node', args: ['a b', 'x&calc'] });
		});
	});
});
