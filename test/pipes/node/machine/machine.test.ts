import * as assert from 'node:assert/strict';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NodeMachine } from '../../../../src/node/machine/machine.js';
import { readShellPath, type ReadShellPath } from '../../../../src/node/machine/shellPath.js';
import { projectRoot } from '../../../host/paths.js';
import { eventually, isAlive } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const fake = join(projectRoot, 'test', 'fixtures', 'shells', 'shell.sh');

describe('NodeMachine', () => {
	let home: string;
	let machine: NodeMachine;

	beforeEach(() => {
		home = mkdtempSync(join(tmpdir(), 'mcp-workbench-machine-'));
		const environment = {
			home,
			get: () => undefined,
			inherited: () => ({ SHELL: fake, FAKE_SHELL_PATH: `${home}/a:/usr/bin` }),
		};
		machine = new NodeMachine({ environment });
	});
	afterEach(() => rmSync(home, { recursive: true, force: true }));

	function program(path: string, text = '#!/bin/sh\n', mode = 0o755): string {
		const whole = join(home, path);
		mkdirSync(dirname(whole), { recursive: true });
		writeFileSync(whole, text);
		chmodSync(whole, mode);
		return whole;
	}

	it('finds the first file on a PATH that can be run: no folder, no plain file, no dead link', async () => {
		mkdirSync(join(home, 'a', 'tool'), { recursive: true });
		program('b/tool', '', 0o644);
		mkdirSync(join(home, 'c'));
		symlinkSync(join(home, 'gone'), join(home, 'c', 'tool'));
		const path = program('d/tool');
		program('e/tool');
		const folders = ['none', 'a', 'b', 'c', 'd', 'e'].map(it => join(home, it)).join(':');
		assert.deepEqual(await machine.find('tool', folders, '/'), { path, interpreter: undefined });
		assert.deepEqual(await machine.find('./tool', '', join(home, 'd')), { path, interpreter: undefined });
		assert.equal(await machine.find('other', folders, '/'), undefined);
		assert.equal(await machine.find('', folders, '/'), undefined);
	});

	for (const [line, interpreter] of [
		['#!/usr/bin/env node', 'node'],
		['#!/usr/bin/env -S deno run', 'deno'],
		['#! /usr/bin/env python3 -u', 'python3'],
		['#!/bin/sh', undefined],
		['\u007fELF', undefined],
		['', undefined],
	] as const) {
		it(`${JSON.stringify(line)} has ${interpreter} looked up`, async () => {
			program('bin/tool', `${line}\nrest`);
			assert.equal((await machine.find('tool', join(home, 'bin'), '/'))?.interpreter, interpreter);
		});
	}

	it('looks into version managers: chosen versions first, then the newest', async () => {
		const paths = [
			program('.volta/bin/no-such-tool'),
			program('.local/share/fnm/node-versions/v20.0.0/installation/bin/no-such-tool'),
			program('.nvm/versions/node/v22.10.0/bin/no-such-tool', '#!/usr/bin/env node\n'),
			program('.nvm/versions/node/v22.9.0/bin/no-such-tool'),
			program('.local/bin/no-such-tool'),
		];
		program('.nvm/versions/node/v8.0.0/bin/other');
		const found = await machine.findElsewhere('no-such-tool');
		assert.deepEqual(
			found.map(it => it.path),
			paths,
		);
		assert.equal(found[2]?.interpreter, 'node');
		assert.deepEqual(await machine.findElsewhere('no-such-tool-at-all'), []);
	});

	it('runs the shell once, and again when asked to', async () => {
		const first = machine.shellPath(false);
		assert.equal(machine.shellPath(false), first);
		assert.deepEqual(await first, { kind: 'known', shell: fake, path: `${home}/a:/usr/bin` });
		const again = machine.shellPath(true);
		assert.notEqual(again, first);
		assert.equal((await again).kind, 'known');
	});
});

describe('the PATH of a login shell', function () {
	this.timeout(20_000);

	function read(
		env: Record<string, string>,
		rest: { shell?: string; platform?: string; timeoutMs?: number } = {},
	): Promise<ReadShellPath> {
		return readShellPath({
			shell: fake,
			platform: 'linux',
			env: { FAKE_SHELL_PATH: '/a b:/c|d:/e', ...env },
			home: tmpdir(),
			timeoutMs: 10_000,
			...rest,
		});
	}

	it('stands between marks, whatever start-up files print', async () => {
		assert.deepEqual(await read({}), { kind: 'known', shell: fake, path: '/a b:/c|d:/e' });
	});

	it('does not wait for what start-up files have left running', async () => {
		// Waiting for it would take longer than the shell may.
		assert.equal((await read({ FAKE_SHELL: 'leaves' })).kind, 'known');
	});

	it('is not known of a shell that hangs, which is ended with its children', async () => {
		const pids = join(mkdtempSync(join(tmpdir(), 'mcp-workbench-shell-')), 'pids');
		const listed = (): number[] =>
			(existsSync(pids) ? readFileSync(pids, 'utf8').match(/\d+(?=\n)/g) : null)?.map(Number) ?? [];
		stopTime();
		try {
			const result = read({ FAKE_SHELL: 'hangs', FAKE_SHELL_PIDS: pids });
			await eventually(() => listed().length === 2, 'shell and child run');
			passTime(10_000);
			assert.deepEqual(await result, { kind: 'unknown', shell: fake, why: 'timeout' });
		} finally {
			releaseTime();
		}
		const all = listed();
		rmSync(dirname(pids), { recursive: true });
		await eventually(() => !all.some(isAlive), 'shell and child are gone');
	});

	for (const [what, env, shell, platform, why] of [
		['that fails', { FAKE_SHELL: 'fails' }, fake, 'linux', 'failed'],
		['without a PATH', { FAKE_SHELL_PATH: '' }, fake, 'linux', 'failed'],
		['that is not there', {}, '/no/such/shell', 'linux', 'failed'],
		['with words of its own', {}, '/usr/bin/nu', 'linux', 'unsupported'],
		['of C', {}, '/bin/tcsh', 'darwin', 'unsupported'],
		['on Windows', {}, fake, 'win32', 'unsupported'],
	] as const) {
		it(`is not known of a shell ${what}`, async () => {
			assert.deepEqual(await read(env, { shell, platform }), { kind: 'unknown', shell, why });
		});
	}

	it('is what real shells say', async () => {
		for (const shell of ['/bin/sh', '/bin/bash']) {
			const result = await read({ HOME: '/nonexistent', PATH: '/usr/bin:/bin' }, { shell });
			assert.ok(result.kind === 'known' && result.path.includes('/bin'), JSON.stringify(result));
		}
	});
});
