// What servers do to a transport: each is a fixture with one fault.
import * as assert from 'node:assert/strict';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, isAlive, next, settled } from '../../../support/waiting.js';
import { answer, assertGone, initialize, ready, stdioBench } from '../../../support/stdioBench.js';
import { skip } from '../../../support/skip.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

/** So long that a signal comes only when the test lets this time pass. */
const graceMs = 600_000;

describe('StdioTransport', function () {
	this.timeout(20_000);
	const { watch, started, listening } = stdioBench(leakCheck());
	afterEach(releaseTime);

	describe('a server that', () => {
		it('crashes at the start is reported with its last lines and its exit code', async () => {
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

		it('crashes in the middle of a message leaves the half as noise', async () => {
			const { transport, told } = await started('crashMidMessage');
			const ended = next(transport.onDidEnd);
			await transport.send(initialize);
			await ended;
			assert.deepEqual(told, [
				{ noise: '{"jsonrpc":"2.0","id":1,"resu' },
				{ end: { expected: false, exitCode: 4, signal: undefined } },
			]);
		});

		it('exits during the handshake is reported', async () => {
			const { transport, told } = await started('exitInHandshake');
			const ended = next(transport.onDidEnd);
			await transport.send(initialize);
			await ended;
			assert.deepEqual(told, [{ end: { expected: false, exitCode: 5, signal: undefined } }]);
			await transport.close();
		});

		it('stops reading makes what is sent fail', async () => {
			const { transport, told } = await listening('closesStdin', { graceMs: 500 });
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

		it('exits before a request is sent has its exit reported before the failure of the request', async () => {
			const { transport, told } = watch('crashAtStart');
			await transport.start();
			await assert.rejects(async () => {
				for (;;) {
					await transport.send(initialize);
				}
			});
			assert.deepEqual(told.at(-1), { end: { expected: false, exitCode: 3, signal: undefined } });
		});

		it('leaves a writing process of another group is reported as ended, and its pipe is closed', async () => {
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

		it('is killed from outside is reported with the signal', async () => {
			const { transport, told } = await listening('stubborn');
			const ended = next(transport.onDidEnd);
			process.kill(transport.pid ?? 0, 'SIGKILL');
			await ended;
			assert.deepEqual(told, [ready, { end: { expected: false, exitCode: undefined, signal: 'SIGKILL' } }]);
		});

		it('ends slowly is given time, and its last line is read', async () => {
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
			const { transport, told } = await listening('deaf', { graceMs });
			stopTime();
			const closed = transport.close();
			await settled();
			passTime(graceMs);
			releaseTime();
			await closed;
			assert.deepEqual(told, [
				ready,
				{ stderr: 'SIGTERM' },
				{ end: { expected: true, exitCode: 0, signal: undefined } },
			]);
			assertGone(transport);
		});

		// covers: stdio.shutdown
		it('ignores SIGTERM gets SIGKILL', async () => {
			const { transport, told } = await listening('stubborn', { graceMs });
			stopTime();
			const closed = Promise.all([transport.close(), transport.close()]);
			for (const count of [2, 3]) {
				await eventually(() => told.length === count, 'a signal is ignored');
				passTime(graceMs);
			}
			releaseTime();
			await closed;
			assert.deepEqual(told, [
				ready,
				{ stderr: 'end of stdin ignored' },
				{ stderr: 'SIGTERM ignored' },
				{ end: { expected: true, exitCode: undefined, signal: 'SIGKILL' } },
			]);
			assertGone(transport);
		});

		it('is silent ends when it is stopped', async () => {
			const { transport, told } = await started('silent');
			await transport.send(initialize);
			await transport.close();
			assert.deepEqual(told, [{ end: { expected: true, exitCode: 0, signal: undefined } }]);
			assertGone(transport);
		});

		// covers: stdio.noise
		it('writes garbage is reported as noise, cut, and otherwise ignored', async () => {
			const { transport, told } = await started('garbage');
			const answered = next(transport.onDidReceive, ({ text }) => text.includes('"result"'));
			await transport.send(initialize);
			await answered;
			assert.deepEqual(told, [
				{ noise: 'Server listening…' },
				{ noise: '{"half":' },
				{ noise: '[1,2]' },
				{ noise: '"text"' },
				{ noise: 'x'.repeat(1000) },
				answer,
			]);
			await transport.close();
		});

		it('answers in lines over the limit fails only those requests', async () => {
			const maxMessageBytes = 1_000_000;
			const { transport, told } = await started('long', { maxMessageBytes });
			const ask = (id: number, method: string, bytes = 3_000_000): Promise<void> =>
				transport.send({ jsonrpc: '2.0', id, method, params: { bytes } });
			await ask(1, 'long/first');
			await ask(2, 'long/noise');
			await ask(3, 'long/last');
			await ask(4, 'long/noise');
			await ask(5, 'long/stderr');
			const answered = next(transport.onDidReceive);
			await ask(6, 'small');
			await answered;
			await transport.close();
			const failure = { code: 'tooLarge', limit: maxMessageBytes };
			const isStderr = (it: unknown): it is { stderr: string } =>
				typeof it === 'object' && it !== null && 'stderr' in it;
			const beginning = '(3060400 bytes) ä';
			const others = told
				.filter(it => !isStderr(it))
				.map(it =>
					it instanceof Object && 'noise' in it ? { noise: String(it.noise).slice(0, beginning.length) } : it,
				);
			const said = told.filter(isStderr).map(it => it.stderr);
			assert.deepEqual(others, [
				{ lost: 1, failure },
				{ noise: beginning },
				{ lost: 3, failure },
				{ noise: beginning },
				{ jsonrpc: '2.0', id: 6, result: {} },
				{ end: { expected: true, exitCode: 0, signal: undefined } },
			]);
			assert.deepEqual(
				said.map(it => [it.slice(0, 9), it.at(-1), Math.ceil(Buffer.byteLength(it) / 1024)]),
				[['stack: \\"', '…', 65]],
			);
		});

		it('writes a line as long as the limit is read', async () => {
			const { transport, told } = watch('good', { maxMessageBytes: JSON.stringify(answer).length + 12 });
			await transport.start();
			await transport.send(initialize);
			await eventually(() => told.length > 0, 'the answer is told');
			await transport.close();
			assert.deepEqual(told[0], { ...answer, result: { ...answer.result, capabilities: { tools: {} } } });
		});

		// `kill`: both ignore the end of stdin, and the second one SIGTERM too.
		for (const how of ['close', 'kill', 'dispose', 'crash'] as const) {
			it(`has started another process leaves neither behind: ${how}`, async function () {
				if (process.platform === 'win32' && how === 'crash') {
					skip(this, 'Windows has no process groups: what a dead parent has left cannot be found');
				}
				const { transport } = watch('grandchild', { graceMs: 100 }, how === 'kill' ? ['stay'] : []);
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
				} else if (how === 'close' || how === 'kill') {
					await transport.close();
				} else {
					transport.dispose();
				}
				await eventually(() => !isAlive(params.pid), 'the grandchild is gone');
				await eventually(() => !isAlive(transport.pid ?? 0), 'the child is gone');
			});
		}
	});
});
