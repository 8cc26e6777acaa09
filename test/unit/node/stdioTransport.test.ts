import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { build } from 'esbuild';
import { McpError } from '../../../src/mcp/index.js';
import { type StdioOptions, StdioTransport } from '../../../src/node/stdioTransport.js';
import { projectRoot } from '../../host/paths.js';
import { fixtureLaunch, fixtureTransport } from '../../support/fixtureServer.js';
import { leakCheck } from '../../support/leakCheck.js';
import { eventually, isAlive, next } from '../../support/waiting.js';

const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
} as const;
const answer = {
	jsonrpc: '2.0',
	id: 1,
	result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fixture', version: '1.0.0' } },
};
const ready = { jsonrpc: '2.0', method: 'notifications/ready' };

function assertGone({ pid }: StdioTransport): void {
	assert.ok(pid !== undefined && !isAlive(pid), `process ${pid} is left`);
}

describe('StdioTransport', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	interface Watched {
		readonly transport: StdioTransport;
		/** What it told, in order: messages, noise, lines of stderr, the end. */
		readonly told: unknown[];
	}

	function watch(name: string, options: Partial<StdioOptions> = {}): Watched {
		const told: unknown[] = [];
		const transport = own(fixtureTransport(name, { onStderr: line => told.push({ stderr: line }), ...options }));
		own(transport.onDidReceive(({ value }) => told.push(value)));
		own(transport.onDidReceiveNoise(it => told.push({ noise: it.text })));
		own(transport.onDidLose(({ id, error, ...rest }) => told.push({ lost: id, failure: error.failure, ...rest })));
		own(transport.onDidEnd(it => told.push({ end: it })));
		later(async () => {
			transport.dispose();
			const { pid } = transport;
			await eventually(() => pid === undefined || !isAlive(pid), `${name} is gone`);
		});
		return { transport, told };
	}

	async function started(name: string, options?: Partial<StdioOptions>): Promise<Watched> {
		const it = watch(name, options);
		await it.transport.start();
		return it;
	}

	/** A server that has told that it listens to signals by now. */
	async function listening(name: string, options?: Partial<StdioOptions>): Promise<Watched> {
		const it = watch(name, options);
		const first = next(it.transport.onDidReceive);
		await it.transport.start();
		await first;
		return it;
	}

	// covers: stdio.closeStdin
	it('gives the process another PATH, and looks the command up on it', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'mcp-workbench-path-'));
		symlinkSync(process.execPath, join(folder, 'its-own-node'));
		const launch = { ...fixtureLaunch('good'), command: 'its-own-node', args: ['-p', 'process.env.PATH'] };
		const told: string[] = [];
		const transport = own(
			new StdioTransport(launch, { graceMs: 1000, onStderr: () => undefined, path: () => Promise.resolve(folder) }),
		);
		own(transport.onDidReceiveNoise(({ text }) => told.push(text)));
		await transport.start();
		await next(transport.onDidEnd);
		rmSync(folder, { recursive: true });
		assert.deepEqual(told, [folder]);
	});

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

	describe('a server that', () => {
		it('crashes at the start: its last words and its exit code', async () => {
			const { transport, told } = watch('crashAtStart');
			const ended = next(transport.onDidEnd);
			await transport.start();
			await ended;
			assert.deepEqual(told, [
				{ stderr: 'no configuration found' },
				{ stderr: 'second line' },
				{ end: { expected: false, exitCode: 3, signal: undefined } },
			]);
		});

		it('crashes in the middle of a message: the half is noise', async () => {
			const { transport, told } = await started('crashMidMessage');
			const ended = next(transport.onDidEnd);
			await transport.send(initialize);
			await ended;
			assert.deepEqual(told, [
				{ noise: '{"jsonrpc":"2.0","id":1,"resu' },
				{ end: { expected: false, exitCode: 4, signal: undefined } },
			]);
		});

		it('exits during the handshake', async () => {
			const { transport, told } = await started('exitInHandshake');
			const ended = next(transport.onDidEnd);
			await transport.send(initialize);
			await ended;
			assert.deepEqual(told, [{ end: { expected: false, exitCode: 5, signal: undefined } }]);
			await transport.close();
		});

		it('does not read any more: what is sent fails', async () => {
			const { transport, told } = await listening('closesStdin', { graceMs: 50 });
			await assert.rejects(
				async () => {
					// The first may still fit into the pipe.
					for (let count = 0; count < 10; count++) {
						await transport.send(initialize);
					}
				},
				{ failure: { code: 'closed' } },
			);
			assert.deepEqual(told, [ready]);
			await transport.close();
			assert.deepEqual(told, [ready, { end: { expected: true, exitCode: undefined, signal: 'SIGTERM' } }]);
		});

		it('has exited before something is sent: how it ended is told before the failure', async () => {
			const { transport, told } = watch('crashAtStart');
			await transport.start();
			await assert.rejects(async () => {
				for (;;) {
					await transport.send(initialize);
				}
			});
			assert.deepEqual(told.at(-1), { end: { expected: false, exitCode: 3, signal: undefined } });
		});

		it('leaves a process of another group that goes on writing: the end is told, and the pipe is closed', async () => {
			const before = process.getActiveResourcesInfo().filter(it => it === 'PipeWrap').length;
			const { transport, told } = await listening('leavesWriter');
			const [message] = told as { readonly params?: { readonly pid: number } }[];
			const { pid = 0 } = message?.params ?? {};
			try {
				await next(transport.onDidEnd);
				const pipes = (): number => process.getActiveResourcesInfo().filter(it => it === 'PipeWrap').length;
				await eventually(() => pipes() <= before, 'its pipes are closed');
				// Nobody reads any more.
				await eventually(() => !isAlive(pid), 'the writer is gone');
			} finally {
				if (isAlive(pid)) {
					process.kill(pid, 'SIGKILL');
				}
			}
		});

		it('is killed by someone else', async () => {
			const { transport, told } = await listening('stubborn');
			const ended = next(transport.onDidEnd);
			process.kill(transport.pid ?? 0, 'SIGKILL');
			await ended;
			assert.deepEqual(told, [ready, { end: { expected: false, exitCode: undefined, signal: 'SIGKILL' } }]);
		});

		it('ends slowly is given the time, and its last line counts', async () => {
			const { transport, told } = await listening('slowExit');
			await transport.close();
			assert.deepEqual(told, [
				ready,
				{ jsonrpc: '2.0', method: 'notifications/goodbye' },
				{ end: { expected: true, exitCode: 0, signal: undefined } },
			]);
			assertGone(transport);
		});

		it('does not notice the end of stdin gets SIGTERM', async () => {
			const { transport, told } = await listening('deaf', { graceMs: 500 });
			await transport.close();
			assert.deepEqual(told, [
				ready,
				{ stderr: 'SIGTERM' },
				{ end: { expected: true, exitCode: 0, signal: undefined } },
			]);
			assertGone(transport);
		});

		// covers: stdio.shutdown
		it('ignores all that gets SIGKILL', async () => {
			const { transport, told } = await listening('stubborn', { graceMs: 250 });
			await Promise.all([transport.close(), transport.close()]);
			assert.deepEqual(told, [
				ready,
				{ stderr: 'end of stdin ignored' },
				{ stderr: 'SIGTERM ignored' },
				{ end: { expected: true, exitCode: undefined, signal: 'SIGKILL' } },
			]);
			assertGone(transport);
		});

		it('is silent ends when it is asked to', async () => {
			const { transport, told } = await started('silent');
			await transport.send(initialize);
			await transport.close();
			assert.deepEqual(told, [{ end: { expected: true, exitCode: 0, signal: undefined } }]);
			assertGone(transport);
		});

		// covers: stdio.noise
		it('writes garbage: told as noise, cut, and overheard', async () => {
			const { transport, told } = await started('garbage');
			const answered = next(transport.onDidReceive, ({ text }) => text.includes('"result"'));
			await transport.send(initialize);
			await answered;
			assert.deepEqual(told, [
				{ noise: 'Server listening…' },
				{ noise: '{"half":' },
				[1, 2],
				'text',
				{ noise: 'x'.repeat(300) },
				answer,
			]);
			await transport.close();
		});

		it('answers in lines beyond the limit fails those requests alone', async () => {
			const maxMessageBytes = 1_000_000;
			const { transport, told } = await started('long', { maxMessageBytes });
			const ask = (id: number, method: string, bytes = 3_000_000): Promise<void> =>
				transport.send({ jsonrpc: '2.0', id, method, params: { bytes } });
			await ask(1, 'long/first');
			await ask(2, 'long/noise');
			await ask(3, 'long/last');
			await ask(4, 'long/request');
			await ask(5, 'long/noise');
			await ask(6, 'long/stderr');
			const answered = next(transport.onDidReceive);
			await ask(7, 'small');
			await answered;
			await transport.close();
			const failure = { code: 'tooLarge', limit: maxMessageBytes };
			const isStderr = (it: unknown): it is { stderr: string } =>
				typeof it === 'object' && it !== null && 'stderr' in it;
			const said = told.filter(isStderr).map(it => it.stderr);
			assert.deepEqual(
				told.filter(it => !isStderr(it)),
				[
					{ lost: 1, failure },
					{ noise: `${'ä'.repeat(150)}… (3060400 bytes)` },
					{ lost: 3, failure },
					{ lost: 4, failure, isRequest: true },
					{ jsonrpc: '2.0', id: 7, result: {} },
					{ end: { expected: true, exitCode: 0, signal: undefined } },
				],
			);
			assert.deepEqual(
				said.map(it => [it.slice(0, 9), it.at(-1), Math.ceil(Buffer.byteLength(it) / 1024)]),
				[['stack: \\"', '…', 65]],
			);
		});

		it('writes a line as long as the limit has it read', async () => {
			const { transport, told } = watch('good', { maxMessageBytes: JSON.stringify(answer).length + 12 });
			await transport.start();
			await transport.send(initialize);
			await eventually(() => told.length > 0, 'the answer is told');
			await transport.close();
			assert.deepEqual(told[0], { ...answer, result: { ...answer.result, capabilities: { tools: {} } } });
		});

		for (const how of ['close', 'dispose', 'crash'] as const) {
			it(`has started another process leaves neither behind: ${how}`, async function () {
				if (process.platform === 'win32' && how === 'crash') {
					this.skip();
				}
				const { transport } = watch('grandchild', { graceMs: 100 });
				const told = next(transport.onDidReceive, it => JSON.stringify(it).includes('grandchild'));
				const both = next(transport.onDidReceive, it => JSON.stringify(it).includes('ready'));
				await transport.start();
				const { params } = (await told).value as { params: { pid: number } };
				await both;
				assert.equal(isAlive(params.pid), true);
				if (how === 'crash') {
					const ended = next(transport.onDidEnd);
					process.kill(transport.pid ?? 0, 'SIGKILL');
					await ended;
				} else if (how === 'close') {
					await transport.close();
				} else {
					transport.dispose();
				}
				await eventually(() => !isAlive(params.pid), 'the grandchild is gone');
				await eventually(() => !isAlive(transport.pid ?? 0), 'the child is gone');
			});
		}
	});

	it('kills what runs when our own process exits without a word', async () => {
		// It writes nothing more, so that no broken pipe ends it.
		const launch = fixtureLaunch('closesStdin');
		const program = `
			import { StdioTransport } from './src/node/stdioTransport.js';
			const transport = new StdioTransport(${JSON.stringify({ ...launch, env: {} })}, { graceMs: 1, onStderr() {} });
			transport.onDidReceive(() => process.stdout.write(String(transport.pid), () => process.exit(7)));
			void transport.start();`;
		const { outputFiles } = await build({
			stdin: { contents: program, resolveDir: projectRoot },
			bundle: true,
			platform: 'node',
			write: false,
		});
		const script = outputFiles[0]?.text ?? '';
		const { status, stdout } = spawnSync(process.execPath, ['-'], { input: script, encoding: 'utf8', timeout: 10_000 });
		assert.equal(status, 7);
		assert.match(stdout, /^\d+$/);
		const pid = Number(stdout);
		try {
			await eventually(() => !isAlive(pid), 'the server is gone');
		} finally {
			if (isAlive(pid)) {
				process.kill(pid, 'SIGKILL');
			}
		}
	});

	it('at the exit of our own process nothing is signalled that has ended: its id may be of another by now', async () => {
		const { transport } = await started('good');
		await transport.close();
		const signalled: number[] = [];
		const kill = mock.method(process, 'kill', (pid: number) => signalled.push(pid));
		const atExit = process.listeners('exit').filter(it => it.name === 'killAll');
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
