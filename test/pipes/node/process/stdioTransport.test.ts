// Spec 2025-11-25, transports, stdio; lifecycle, shutdown: with real processes.
import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { build } from 'esbuild';
import { clock, setClock } from '../../../../src/base/clock.js';
import { McpError } from '../../../../src/mcp/index.js';
import { type StdioLaunch, StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { projectRoot } from '../../../host/paths.js';
import { fixtureLaunch } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, isAlive, next } from '../../../support/waiting.js';
import { answer, assertGone, initialize, ready, stdioBench } from '../../../support/stdioBench.js';

describe('StdioTransport', function () {
	this.timeout(20_000);
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { watch, started, listening } = stdioBench(cleanup);

	describe('runs the program that was shown', () => {
		let folder: string;
		beforeEach(() => {
			folder = mkdtempSync(join(tmpdir(), 'mcp-workbench-program-'));
			for (const [name, said] of [
				['shown', 'shown'],
				['other', 'other'],
			] as const) {
				mkdirSync(join(folder, name));
				writeFileSync(join(folder, name, 'tool'), `#!/bin/sh\necho ${said}\n`, { mode: 0o755 });
			}
		});
		afterEach(() => rmSync(folder, { recursive: true }));

		async function said(more: Partial<StdioLaunch>): Promise<string[]> {
			const launch = { command: 'tool', args: [], cwd: folder, env: { PATH: '/usr/bin:/bin' }, ...more };
			const lines: string[] = [];
			const transport = own(new StdioTransport(launch, { graceMs: 1000, onStderr: () => undefined }));
			own(transport.onDidReceiveNoise(({ text }) => lines.push(text)));
			await transport.start();
			await next(transport.onDidEnd);
			return lines;
		}

		it('and not what its PATH says by then', async () => {
			const path = join(folder, 'shown', 'tool');
			const program = { kind: 'found', path, lastingPath: path } as const;
			assert.deepEqual(await said({ program, env: { PATH: `${folder}/other:/bin` } }), ['shown']);
		});

		it('looked up on the PATH that the process gets, and relative to its folder', async () => {
			assert.deepEqual(await said({ env: { PATH: `${folder}/other:${folder}/shown:/bin` } }), ['other']);
			assert.deepEqual(await said({ env: { PATH: './shown:/bin' } }), ['shown']);
			assert.deepEqual(await said({ command: './other/tool' }), ['other']);
		});

		it('and none that was missing, though it is there by then', async () => {
			const program = { kind: 'missing', errno: 'ENOENT' } as const;
			await assert.rejects(said({ program, env: { PATH: `${folder}/other` } }), {
				failure: { code: 'spawn', command: 'tool', errno: 'ENOENT' },
			});
		});

		it('and says what the system would say of a file that may not be run', async () => {
			writeFileSync(join(folder, 'tool'), '', { mode: 0o644 });
			for (const more of [{ env: { PATH: folder } }, { command: './tool' }]) {
				const command = more.command ?? 'tool';
				await assert.rejects(said(more), { failure: { code: 'spawn', command, errno: 'EACCES' } });
			}
		});
	});

	// covers: stdio.closeStdin
	it('exchanges messages and ends when it is asked to', async () => {
		const { transport, told } = await started('good');
		const received = next(transport.onDidReceive);
		await transport.send(initialize);
		await received;
		await transport.close();
		assert.deepEqual(told, [
			{ ...answer, result: { ...answer.result, capabilities: { tools: {} } } },
			{ end: { expected: true, exitCode: 0, signal: undefined } },
		]);
		assertGone(transport);
		await assert.rejects(transport.send(initialize), { failure: { code: 'closed' } });
	});

	it('gives everything else its turn after a slow chunk', async () => {
		const script = `const line = JSON.stringify({ text: 'x'.repeat(65_000) }) + '\\n'; process.stdout.write(line.repeat(20));`;
		const launch = { command: process.execPath, args: ['-e', script], cwd: undefined, env: {} };
		const transport = own(new StdioTransport(launch, { graceMs: 1000, onStderr: () => undefined }));
		let [inTurn, most, busyMs] = [0, 0, 0];
		setClock({ ...clock, elapsed: () => busyMs });
		cleanup.later(async () => setClock());
		own(
			transport.onDidReceive(() => {
				if (inTurn++ === 0) {
					setImmediate(() => (inTurn = 0));
				}
				most = Math.max(most, inTurn);
				busyMs += 20;
			}),
		);
		await transport.start();
		await next(transport.onDidEnd);
		assert.ok(most <= 4, `${most} in one turn`);
	});

	// covers: stdio.utf8
	it('carries long messages and every character, both ways', async () => {
		const { transport } = await started('good');
		const text = `${'ä漢😀\u2028\n\r"\\'.repeat(50_000)}end`;
		const received = next(transport.onDidReceive);
		await transport.send({
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name: 'echo', arguments: { text } },
		});
		const { result } = (await received).value as { result: { content: [{ text: string }] } };
		assert.equal((JSON.parse(result.content[0].text) as { text: string }).text, text);
		await transport.close();
	});

	it('writes what is sent at once in its order, and before it closes', async () => {
		const { transport, told } = await started('good');
		const sent = [1, 2, 3].map(id => transport.send({ jsonrpc: '2.0', id, method: 'tools/list' }));
		await Promise.all([...sent, transport.close()]);
		const ids = told.map(it => (typeof it === 'object' && it !== null && 'id' in it ? it.id : 'end'));
		assert.deepEqual(ids, [1, 2, 3, 'end']);
	});

	it('ends when the server closes its stdout, though its process lives', async () => {
		const { transport, told } = await listening('closesStdout', { graceMs: 500 });
		await eventually(() => told.length > 1, 'the end is told');
		assertGone(transport);
		assert.deepEqual(told, [ready, { end: { expected: false, exitCode: undefined, signal: 'SIGTERM' } }]);
		await assert.rejects(transport.send(initialize), { failure: { code: 'closed' } });
		await transport.close();
	});

	it('says why a process could not be started', async () => {
		const launch = fixtureLaunch('good');
		const failure = async (changed: object): Promise<unknown> => {
			const transport = own(new StdioTransport({ ...launch, ...changed }, { graceMs: 1, onStderr: () => undefined }));
			try {
				await transport.start();
				return 'started';
			} catch (error) {
				// What was not started can still be closed.
				await transport.close();
				return error instanceof McpError ? error.failure : error;
			}
		};
		assert.deepEqual(
			[
				await failure({ command: 'no-such-command-anywhere' }),
				await failure({ command: __dirname }),
				await failure({ cwd: `${__dirname}/missing` }),
				await failure({ cwd: __filename }),
			],
			[
				{ code: 'spawn', command: 'no-such-command-anywhere', errno: 'ENOENT' },
				{ code: 'spawn', command: __dirname, errno: 'EACCES' },
				{ code: 'noFolder', path: `${__dirname}/missing` },
				{ code: 'noFolder', path: __filename },
			],
		);
	});

	it('cannot send before it has started', async () => {
		await assert.rejects(watch('good').transport.send(initialize), { failure: { code: 'closed' } });
	});

	// The first writes nothing more, so that no broken pipe ends it; the second has started another process.
	for (const name of ['closesStdin', 'grandchild'] as const) {
		it(`kills what runs when our own process exits without a word: ${name}`, async () => {
			const launch = fixtureLaunch(name);
			const program = `
				import { StdioTransport } from './src/node/process/stdioTransport.js';
				const transport = new StdioTransport(${JSON.stringify({ ...launch, env: {} })}, { graceMs: 1, onStderr() {} });
				transport.onDidReceive(({ value }) => {
					const pids = [transport.pid, value.params?.pid].filter(Boolean);
					process.stdout.write(JSON.stringify(pids), () => process.exit(7));
				});
				void transport.start();`;
			const { outputFiles } = await build({
				stdin: { contents: program, resolveDir: projectRoot },
				bundle: true,
				platform: 'node',
				write: false,
			});
			const script = outputFiles[0]?.text ?? '';
			const { status, stdout } = spawnSync(process.execPath, ['-'], {
				input: script,
				encoding: 'utf8',
				timeout: 10_000,
			});
			assert.equal(status, 7);
			const pids = JSON.parse(stdout) as number[];
			assert.equal(pids.length, name === 'grandchild' ? 2 : 1);
			try {
				await eventually(() => !pids.some(isAlive), 'all is gone');
			} finally {
				pids.filter(isAlive).forEach(it => process.kill(it, 'SIGKILL'));
			}
		});
	}

	it('at the exit of our own process nothing is signalled that has ended: its id may be of another by now', async () => {
		const { transport } = await started('good');
		await transport.close();
		const signalled: number[] = [];
		const kill = mock.method(process, 'kill', (pid: number) => signalled.push(pid));
		const atExit = process.listeners('exit').filter(it => it.name === 'killRunning');
		atExit.forEach(it => it.call(process, 0));
		kill.mock.restore();
		assert.ok(atExit.length > 0);
		// Of the transports of other suites nothing is known here.
		assert.ok(!signalled.some(it => Math.abs(it) === transport.pid), signalled.join(', '));
	});

	describe('while it starts', () => {
		it('close waits for the start, and leaves nothing', async () => {
			const { transport, told } = watch('silent');
			const starting = transport.start();
			await transport.close();
			await starting;
			assertGone(transport);
			assert.deepEqual(told, [{ end: { expected: true, exitCode: 0, signal: undefined } }]);
		});

		it('dispose leaves nothing', async () => {
			const { transport } = watch('stubborn');
			const starting = transport.start();
			transport.dispose();
			await starting;
			await eventually(() => !isAlive(transport.pid ?? 0), 'the process is gone');
		});
	});
});
