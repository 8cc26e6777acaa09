/** Who makes a call, where its outcome is shown, and which arguments are kept. */
import * as assert from 'node:assert/strict';
import { LastArguments } from '../../../../src/features/tools/lastArguments.js';
import { currentTool, type RunnerDeps, ToolRunner } from '../../../../src/features/tools/runTool.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { CallOptions } from '../../../../src/mcp/client/session.js';
import { type JsonObject, McpError, type Tool, type ToolResult } from '../../../../src/mcp/index.js';
import { resultSource } from '../../../../src/core/text/jsonSource.js';
import type { ApprovalOutcome, FinalAnswer } from '../../../../src/core/approvals/approver.js';
import type { AnsweredCall, Call, CallEnd, CallOutcome, EndedCall, Send } from '../../../../src/core/calls/calls.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { CallDeniedError } from '../../../../src/core/calls/toolAccess.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { makeMemento } from '../../../support/vscodeDouble.js';

const tool: Tool = { name: 'write', inputSchema: { type: 'object', properties: { title: { type: 'string' } } } };
const own = { title: 'Shopping' };
const warning = { kind: 'noise', text: 'debug', count: 1 } as const;

describe('ToolRunner', () => {
	const cleanup = leakCheck();
	let runner: ToolRunner;
	let server: Server;
	let last: LastArguments;
	/** What was called, by whom, in order. */
	let made: string[];
	/** Whether the next calls are denied. */
	let isDenied: boolean;
	/** What the page of the tool was told of its own runs, and of other calls. */
	let outcomes: { readonly ofRun: CallEnd[]; readonly ofOthers: CallEnd[] };
	let ended: Emitter<Partial<EndedCall>>;

	beforeEach(() => {
		[made, isDenied, outcomes] = [[], false, { ofRun: [], ofOthers: [] }];
		const tools = { kind: 'loaded', items: [tool] };
		server = {
			definition: { id: 'w#notes' },
			options: { disabledTools: [] },
			use: async () => ({}),
			catalog: { tools, currentTools: async () => tools },
		} as unknown as Server;
		const registry = { label: () => 'notes', servers: [], onDidChange: () => ({ dispose: () => undefined }) };
		const state = new EditorState(makeMemento());
		last = new LastArguments(state);
		ended = cleanup.own(new Emitter());
		const calls = { make, onDidCall: ended.event };
		const pending = { mayHoldUp: () => false };
		const showOutcome = ({ end }: CallOutcome): void => void outcomes.ofOthers.push(end);
		const deps = { registry, last, calls, state, pending, isSilenceExpected: () => false, showOutcome };
		runner = cleanup.own(new ToolRunner(deps as unknown as RunnerDeps));
	});

	async function make({ id, caller, arguments: args }: Call, send: Send): Promise<AnsweredCall> {
		made.push(`${caller.kind} ${JSON.stringify(args)}`);
		const approval: ApprovalOutcome = {
			isAllowed: !isDenied,
			arguments: args,
			decision: { kind: 'ask', reason: { kind: 'byDefault' } },
			answer: isDenied ? ({ kind: 'deny' } as FinalAnswer) : undefined,
		};
		if (isDenied) {
			throw new CallDeniedError(approval, 'dig');
		}
		// The server does not run, except in the tests of its answers.
		const answer = await send(args, tool, approval, new AbortController().signal).catch((error: unknown) => {
			if (server.client) {
				ended.fire({ id: id ?? '', end: { kind: 'failed', error, warnings: [warning] } });
				ended.fire({ id: 'another', end: { kind: 'failed', error } });
				throw error;
			}
			return undefined;
		});
		return {
			tool,
			arguments: args,
			result: { content: [], isError: false },
			text: answer?.text,
			schemaCheck: undefined,
			warnings: [],
			durationMs: 1,
		};
	}

	const runInPage = (args: JsonObject): Promise<void> =>
		runner.runInPage(server, tool, args, {
			id: 'run',
			signal: new AbortController().signal,
			onProgress: () => undefined,
			onOutcome: ({ end }) => void outcomes.ofRun.push(end),
		});
	const counts = (): number[] => [outcomes.ofRun.length, outcomes.ofOthers.length];

	it('calls for the person with the arguments of the page, and tells that page the outcome', async () => {
		await runInPage(own);
		assert.deepEqual(made, [`person ${JSON.stringify(own)}`]);
		assert.deepEqual(counts(), [1, 0]);
	});

	it('repeats a call for the caller that it is told, and has the outcome shown on the page of the tool', async () => {
		await runner.runAgain(server, { tool: 'write', arguments: own }, { kind: 'history' });
		assert.deepEqual(made, [`history ${JSON.stringify(own)}`]);
		assert.deepEqual(counts(), [0, 1]);
	});

	it('says that a server no longer has the tool of an earlier call', async () => {
		const gone = 'The server no longer has the tool "read".';
		await assert.rejects(currentTool(server, 'read'), new Error(gone));
	});

	it('keeps the arguments of the page, also those of a call that was denied, but not those of a repeated one', async () => {
		await runInPage(own);
		await runner.runAgain(server, { tool: 'write', arguments: { title: 'repeated' } }, { kind: 'person' });
		assert.deepEqual(last.get(server, tool), own);
		isDenied = true;
		await runInPage({ title: 'denied' });
		assert.deepEqual(last.get(server, tool), { title: 'denied' });
		assert.deepEqual(counts(), [1, 1]);
	});

	describe('with a server that answers', () => {
		function answerBy(callTool: (options: CallOptions) => Promise<ToolResult>): void {
			const client = {
				requestTimeoutMs: 0,
				session: { era: 'modern' },
				callTool: (_tool: Tool, _args: JsonObject, options: CallOptions) => callTool(options),
			};
			Object.assign(server, { client, options: { ...server.options, toolTimeoutsMs: {} } });
		}

		it('shows the warnings of a call that failed', async () => {
			const error = new McpError({ code: 'closed' });
			answerBy(() => Promise.reject(error));
			await runInPage({});
			assert.deepEqual(outcomes.ofRun, [{ kind: 'failed', error, warnings: [warning] }]);
		});

		it('keeps the text of the result alone if it came in the state of a task', async () => {
			const result = { content: [], isError: false };
			const state = { taskId: 't', status: 'completed', statusMessage: undefined, pollMs: 1 } as const;
			for (const isTask of [false, true]) {
				answerBy(async ({ onAnswer, onTask }) => {
					if (isTask) {
						onTask?.(state);
					}
					onAnswer?.('{"id":1,"result":{"taskId":"t","result":{"a":1.0}}}');
					return result;
				});
				await runInPage({});
			}
			const texts = outcomes.ofRun.map(it => it.kind === 'answered' && resultSource(it.text ?? ''));
			assert.deepEqual(texts, ['{"taskId":"t","result":{"a":1.0}}', '{"a":1.0}']);
		});
	});
});
