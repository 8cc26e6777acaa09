// *Cancel Call*: of a row, or of a list in which no two calls look the same. *Run Again*: of a row, which only the person has.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { type HistoryCommandDeps, historyCommands } from '../../../../src/features/history/commands.js';
import type { HistoryView } from '../../../../src/features/history/historyView.js';
import { Commands } from '../../../../src/editor/contributions.js';
import type { SentCall } from '../../../../src/core/calls/calls.js';
import { callOf, entry } from '../../../support/historyEntries.js';
import { screen } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';

describe('Cancel Call', () => {
	let told: string[];
	let cancelled: string[];
	let chosen: SentCall | undefined;
	const call = (id: string): SentCall => ({ id, cancel: () => cancelled.push(id) }) as unknown as SentCall;
	const running = call('running');

	beforeEach(() => {
		[told, cancelled, chosen] = [[], [], undefined];
		mock.method(window, 'showInformationMessage', (message: string) => {
			told.push(message);
			return Promise.resolve(undefined);
		});
	});
	afterEach(() => mock.reset());

	async function run(argument?: unknown): Promise<void> {
		const deps = { registry: {}, running: { all: [running] } } as unknown as HistoryCommandDeps;
		const view = { chooseRunning: () => Promise.resolve(chosen) } as unknown as HistoryView;
		await historyCommands(deps, view)[Commands.cancelCall]?.(argument);
	}

	it('cancels the call of the row', async () => {
		await run(running);
		assert.deepEqual([cancelled, told], [['running'], []]);
	});

	it('says so where the call has ended, from the row and from the list', async () => {
		await run(call('over'));
		chosen = call('over');
		await run();
		assert.deepEqual(cancelled, []);
		assert.deepEqual(told, ['The call has already ended.', 'The call has already ended.']);
	});

	it('does nothing where none was chosen', async () => {
		await run();
		assert.deepEqual([cancelled, told], [[], []]);
	});

	it('takes nothing for a call that only looks like one', async () => {
		await run({ ...running });
		assert.deepEqual(cancelled, []);
	});
});

describe('Run Again', () => {
	const { onShow } = screen;
	const call = { ...callOf({ args: { to: 'me' } }), caller: { kind: 'person' } } as const;
	const made = entry(call);
	let ran: unknown[];

	beforeEach(() => {
		ran = [];
		screen.onShow = pick => pick.accept(pick.items[0]?.label);
	});
	afterEach(() => void Object.assign(screen, { onShow }));

	async function callerOf(argument?: unknown): Promise<unknown> {
		const deps = {
			registry: { serverOf: () => ({}) },
			history: { entries: [made], find: (id: string) => (id === made.id ? made : undefined) },
			runAgain: (...[, { tool }, { kind }]: Parameters<HistoryCommandDeps['runAgain']>) => {
				ran.push([tool, kind]);
				return Promise.resolve();
			},
		} as unknown as HistoryCommandDeps;
		await historyCommands(deps, { labelOf: () => 'srv' } as unknown as HistoryView)[Commands.runAgain]?.(argument);
		return ran.splice(0);
	}

	it('of a row runs as the person, who made the call before', async () => {
		assert.deepEqual(await callerOf(made), [['add', 'person']]);
	});

	it('asks about the arguments if another extension could have run the command', async () => {
		for (const argument of [undefined, {}, { id: made.id }, { id: 5 }, { ...made }]) {
			assert.deepEqual(await callerOf(argument), [['add', 'history']]);
		}
	});
});
