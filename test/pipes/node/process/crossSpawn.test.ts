// How cross-spawn runs scripts on Windows, played on this system.
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../../../host/paths.js';

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
});
