// Calls that run: when they are seen, how they are cancelled, and that nothing is left of them at their end.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import type { SchemaCheck, Tool, ToolResult } from '../../../../src/mcp/index.js';
import type { Approver, CallRequest } from '../../../../src/core/approvals/approver.js';
import { Calls, type EndedCall } from '../../../../src/core/calls/calls.js';
import { RunningCalls } from '../../../../src/core/calls/runningCalls.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const tool: Tool = { name: 'water', title: 'Water the beds', inputSchema: {}, outputSchema: { type: 'object' } };

describe('calls that run', () => {
	const { own } = leakCheck();
	let calls: Calls;
	let running: RunningCalls;
	let seen: string[];
	let ended: EndedCall[];
	let check: SchemaCheck | undefined;
	const server = {
		definition: { id: 'garden' },
		options: { disabledTools: [], hiddenFromModels: [] },
		use: async () => ({ session: {} }),
		onDidWarn: new Emitter().event,
		warn: () => undefined,
		explain: (error: unknown) => error,
		catalog: { currentTools: async () => ({ kind: 'loaded', items: [tool] }) },
	} as unknown as Server;

	beforeEach(() => {
		stopTime();
		[seen, ended, check] = [[], [], undefined];
		const approver = {
			approve: async ({ arguments: args }: CallRequest) => ({ isAllowed: true, arguments: args }),
		} as unknown as Approver;
		calls = own(
			new Calls(
				approver,
				() => false,
				async () => check,
			),
		);
		running = own(new RunningCalls(calls));
		own(running.onDidChange(({ title }) => seen.push(`${title}: ${running.has(server, 'water')}`)));
		own(calls.onDidCall(it => ended.push(it)));
	});
	afterEach(() => releaseTime());

	/** A call that ends when its signal aborts, or when `finish` is called. */
	function make(): { readonly made: Promise<unknown>; readonly finish: (result: ToolResult) => void } {
		let finish: (result: ToolResult) => void = () => assert.fail('it was not sent');
		const made = calls.make(
			{ caller: { kind: 'person' }, server, tool: 'water', arguments: {} },
			(_args, _tool, _approval, signal) =>
				new Promise((resolve, reject) => {
					finish = resolve;
					signal.addEventListener('abort', () => reject(new AbortError()));
				}),
		);
		return { made, finish: result => finish(result) };
	}

	const result: ToolResult = { content: [], isError: false };

	it('are seen once they have taken a moment, until they end', async () => {
		const { made, finish } = make();
		await settled();
		passTime(299);
		assert.deepEqual(seen, []);
		passTime(1);
		assert.deepEqual(seen, ['Water the beds: true']);
		finish(result);
		await made;
		assert.deepEqual([seen, running.all], [['Water the beds: true', 'Water the beds: false'], []]);
	});

	it('are never seen where they end at once', async () => {
		const { made, finish } = make();
		await settled();
		finish(result);
		await made;
		passTime(10_000);
		assert.deepEqual(seen, []);
	});

	it('are cancelled, and have an entry of the same id', async () => {
		const { made } = make();
		await settled();
		passTime(300);
		const [call] = running.all;
		call?.cancel();
		await assert.rejects(made, { name: 'AbortError' });
		assert.deepEqual(
			ended.map(({ id, end }) => [id, end.kind]),
			[[call?.id, 'cancelled']],
		);
		assert.deepEqual(running.all, []);
	});

	it('end with what their structured content is against its schema', async () => {
		check = { kind: 'invalid', problems: [], complete: true };
		const { made, finish } = make();
		await settled();
		finish({ ...result, structuredContent: { a: 1 } });
		await made;
		assert.deepEqual(
			ended.map(it => it.end),
			[{ kind: 'answered', result: { ...result, structuredContent: { a: 1 } }, schemaCheck: check, warnings: [] }],
		);
	});
});
