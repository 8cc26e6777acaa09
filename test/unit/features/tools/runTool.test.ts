/** Who calls with arguments that the person did not type in the form, and what the next form begins with. */
import * as assert from 'node:assert/strict';
import { ArgumentsInput, type ArgumentsInputDeps } from '../../../../src/features/tools/argumentsInput.js';
import { LastArguments } from '../../../../src/features/tools/lastArguments.js';
import { type RunnerDeps, ToolRunner } from '../../../../src/features/tools/runTool.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { CallOptions } from '../../../../src/mcp/client/session.js';
import { type JsonObject, McpError, type Tool, type ToolResult } from '../../../../src/mcp/index.js';
import { resultSource } from '../../../../src/core/text/jsonSource.js';
import type { ApprovalOutcome, FinalAnswer } from '../../../../src/core/approvals/approver.js';
import type { CallAgain } from '../../../../src/core/calls/calls.js';
import type { AnsweredCall, Call, CallEnd, CallOutcome, EndedCall, Send } from '../../../../src/core/calls/calls.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { CallDeniedError } from '../../../../src/core/calls/toolAccess.js';
import { describeTime } from '../../../../src/editor/l10n/timeText.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';
import { makeMemento } from '../../../support/vscodeDouble.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const tool: Tool = { name: 'write', inputSchema: { type: 'object', properties: { title: { type: 'string' } } } };
const own = { title: 'Shopping' };
const theirs = { title: 'Shopping', path: '/home/me/.ssh/authorized_keys' };
const person = { kind: 'person' } as const;
const history = { kind: 'history' } as const;
const warning = { kind: 'noise', text: 'debug', count: 1 } as const;

describe('ToolRunner', () => {
	const cleanup = leakCheck();
	let runner: ToolRunner;
	let server: Server;
	/** What was called, by whom, in order. */
	let made: string[];
	/** What becomes of the next calls of others; an object allows it with these arguments, after a question. */
	let decisions: ('deny' | 'grant' | JsonObject)[];
	let again: CallAgain | undefined;
	let outcomes: CallEnd[];
	let ended: Emitter<Partial<EndedCall>>;
	let shown: unknown[];
	let plays: ((pick: QuickPickDouble) => void)[];

	beforeEach(() => {
		[made, decisions, shown, plays, outcomes, again] = [[], [], [], [], [], undefined];
		screen.onShow = pick => (plays.shift() ?? (it => it.accept('Run')))(pick);
		const tools = { kind: 'loaded', items: [tool] };
		server = {
			definition: { id: 'w#notes' },
			options: { disabledTools: [] },
			use: async () => ({}),
			catalog: { tools, currentTools: async () => tools },
		} as unknown as Server;
		const registry = {
			label: () => 'notes',
			current: () => server,
			servers: [],
			onDidChange: () => ({ dispose: () => undefined }),
		};
		const state = new EditorState(makeMemento());
		const last = new LastArguments(state);
		const documents = { showJson: async (_: string, value: unknown) => void shown.push(value) };
		const validator = { check: async () => ({ kind: 'valid' }) };
		const input = new ArgumentsInput({ registry, documents, last, validator } as unknown as ArgumentsInputDeps);
		ended = cleanup.own(new Emitter());
		const calls = { make, onDidCall: ended.event };
		const pending = { mayHoldUp: () => false };
		const deps = { registry, input, last, calls, validator, state, pending, isSilenceExpected: () => false };
		const showOutcome = (outcome: CallOutcome, actions: CallAgain): void => {
			outcomes.push(outcome.end);
			again = actions;
		};
		runner = cleanup.own(new ToolRunner({ ...deps, showOutcome } as unknown as RunnerDeps));
	});
	afterEach(() => {
		screen.onShow = () => undefined;
	});

	async function make({ id, caller, arguments: args }: Call, send: Send): Promise<AnsweredCall> {
		made.push(`${caller.kind} ${JSON.stringify(args)}`);
		const decision =
			caller.kind === 'person' ? 'grant' : (decisions.shift() ?? assert.fail(`nobody decides: ${made.at(-1)}`));
		const isAllowed = decision !== 'deny';
		const sent = typeof decision === 'object' ? decision : args;
		const said = decision === 'grant' ? undefined : { kind: isAllowed ? 'allow' : 'deny' };
		const approval: ApprovalOutcome = {
			isAllowed,
			arguments: sent,
			decision: { kind: 'ask', reason: { kind: 'byDefault' } },
			answer: said as FinalAnswer | undefined,
		};
		if (!isAllowed) {
			throw new CallDeniedError(approval, 'dig');
		}
		// The server does not run, except in the tests of its answers.
		const answer = await send(sent, tool, approval, new AbortController().signal).catch((error: unknown) => {
			if (server.client) {
				ended.fire({ id: id ?? '', end: { kind: 'failed', error, warnings: [warning] } });
				ended.fire({ id: 'another', end: { kind: 'failed', error } });
				throw error;
			}
			return undefined;
		});
		return {
			tool,
			arguments: sent,
			result: { content: [], isError: false },
			text: answer?.text,
			schemaCheck: undefined,
			warnings: [],
			durationMs: 1,
		};
	}

	const edit = (args: JsonObject, caller: Call['caller']): Promise<void> =>
		runner.runAgain(server, { tool: tool.name, arguments: args }, 'edited', caller);

	it('calls for the person with what they typed, or made and see again', async () => {
		await runner.runByPerson(server, tool);
		await edit(own, person);
		await again?.edit();
		assert.deepEqual(made, ['person {}', `person ${JSON.stringify(own)}`, `person ${JSON.stringify(own)}`]);
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
			await runner.runByPerson(server, tool);
			assert.deepEqual(outcomes, [{ kind: 'failed', error, warnings: [warning] }]);
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
				await runner.runByPerson(server, tool);
			}
			const texts = outcomes.map(it => it.kind === 'result' && resultSource(it.text ?? ''));
			assert.deepEqual(texts, ['{"taskId":"t","result":{"a":1.0}}', '{"a":1.0}']);
		});
	});

	it('does not call with earlier arguments when a text is typed where a field must be chosen first', async () => {
		const seen: (string | undefined)[] = [];
		const enter =
			(text: string) =>
			(pick: QuickPickDouble): void => {
				seen.push(pick.value, pick.activeItems[0]?.label);
				pick.type(text);
				seen.push(pick.activeItems[0]?.description ?? pick.activeItems[0]?.label);
				pick.accept();
			};
		const note = 'Typing only filters this list. To change a value, select it.';
		plays = ['Milk', 'un', '5', 'run'].map(enter);
		await edit(own, person);
		const again = [note, '', 'title'];
		assert.deepEqual(seen, ['', 'Run', ...again, ...again, ...again, 'Run']);
		assert.deepEqual(made, [`person ${JSON.stringify(own)}`]);
	});

	it("does not call for the person with somebody else's arguments, or with members that have no field", async () => {
		decisions = ['deny', 'deny', 'deny'];
		await edit(own, history);
		await edit(theirs, person);
		await runner.backToForm({ server, tool, args: own });
		assert.deepEqual(made, [
			`history ${JSON.stringify(own)}`,
			`history ${JSON.stringify(theirs)}`,
			`document ${JSON.stringify(own)}`,
		]);
	});

	it('begins no form with a document that was denied', async () => {
		decisions = ['deny'];
		await runner.runDocument({ server, tool, args: theirs });
		await runner.runByPerson(server, tool);
		assert.deepEqual(made, [`document ${JSON.stringify(theirs)}`, 'person {}']);
	});

	it('keeps in mind whose a draft is, until the person has allowed it', async () => {
		const leave = (pick: QuickPickDouble): void => pick.accept('Cancel');
		plays = [leave];
		await edit(own, history);
		decisions = ['deny', 'grant', own];
		// Left, denied, and allowed by an earlier answer: nobody has seen all of it.
		await runner.runByPerson(server, tool);
		await runner.runByPerson(server, tool);
		await runner.runByPerson(server, tool);
		await runner.runByPerson(server, tool);
		const callers = made.map(it => it.split(' ')[0]);
		assert.deepEqual(callers, ['history', 'history', 'history', 'person']);
	});

	it('begins the next form with what was allowed in the sheet, not with what was asked', async () => {
		decisions = [{ title: 'mine' }, 'deny'];
		await runner.runDocument({ server, tool, args: { title: 'theirs', more: 1 } });
		await runner.runByPerson(server, tool);
		assert.equal(made[1], 'person {"title":"mine"}');
		await edit({ title: 'another' }, history);
		plays = [pick => pick.accept('Use Last Arguments')];
		await runner.runByPerson(server, tool);
		assert.equal(made[3], 'person {"title":"mine"}');
	});

	it('sends an argument without a field again, as a call that the person did not see whole', async () => {
		for (const decision of ['grant', theirs] as const) {
			decisions = [decision, 'deny'];
			await runner.runDocument({ server, tool, args: theirs });
			await runner.runByPerson(server, tool);
		}
		const asked = [`document ${JSON.stringify(theirs)}`, `history ${JSON.stringify(theirs)}`];
		assert.deepEqual(made, [...asked, ...asked]);
	});

	describe('with what was there before', () => {
		const minute = 60_000;
		/** Of each form: its heading, if any, the line with the focus, and the line that is chosen. */
		let forms: string[];
		const choose =
			(line: string) =>
			(pick: QuickPickDouble): void => {
				const [first] = pick.items;
				const heading = first && 'kind' in first ? [first.label] : [];
				forms.push([...heading, `focus: ${pick.activeItems[0]?.label}`].join(' | '));
				pick.accept(line);
			};
		const run = async (line: string, of: Tool = tool): Promise<void> => {
			plays = [choose(line)];
			await runner.runByPerson(server, of);
		};

		beforeEach(() => {
			stopTime(0);
			forms = [];
		});
		afterEach(releaseTime);

		it('says that it begins with the last call, and does not run it by Enter alone', async () => {
			await edit(own, person);
			passTime(minute);
			await run('Run');
			await run('Cancel');
			await run('Cancel', { ...tool, annotations: { readOnlyHint: true } });
			await run('Cancel', { ...tool, annotations: { readOnlyHint: false, destructiveHint: false } });
			assert.deepEqual(forms, [
				`Arguments of the last call, ${describeTime(0)} | focus: title`,
				`Arguments of the last call, ${describeTime(minute)} | focus: title`,
				`Arguments you entered before, ${describeTime(minute)} | focus: Run`,
				`Arguments you entered before, ${describeTime(minute)} | focus: title`,
			]);
			assert.deepEqual(made, [`person ${JSON.stringify(own)}`, `person ${JSON.stringify(own)}`]);
		});

		it('says nothing of a form that was closed as it was', async () => {
			const properties = { title: { type: 'string', default: 'New' } };
			const stated: Tool = { name: 'write', inputSchema: { type: 'object', properties } };
			await run('Cancel', stated);
			await run('Cancel', stated);
			await run('Run', stated);
			await run('Cancel', stated);
			assert.deepEqual(forms, [
				'focus: Run',
				'focus: Run',
				'focus: Run',
				`Arguments of the last call, ${describeTime(0)} | focus: title`,
			]);
		});

		it('starts empty instead', async () => {
			await edit(own, person);
			plays = [choose('Start Empty'), choose('Run')];
			await runner.runByPerson(server, tool);
			await run('Run');
			assert.deepEqual(forms, [
				`Arguments of the last call, ${describeTime(0)} | focus: title`,
				'focus: Run',
				'focus: Run',
			]);
			assert.deepEqual(made, [`person ${JSON.stringify(own)}`, 'person {}', 'person {}']);
		});
	});

	it('shows in full all that is sent', async () => {
		decisions = ['deny'];
		plays = [pick => pick.accept('Show Arguments in Full')];
		await edit(theirs, history);
		assert.deepEqual(shown, [theirs]);
	});
});
