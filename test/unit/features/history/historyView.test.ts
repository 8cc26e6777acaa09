// Calls that run stand above the history, and their rows alone are drawn again as time passes.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { HistoryView } from '../../../../src/features/history/historyView.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { SentCall } from '../../../../src/core/calls/calls.js';
import type { History } from '../../../../src/core/history/history.js';
import { PendingRequests } from '../../../../src/core/requests/pendingRequests.js';
import type { RunningCalls } from '../../../../src/core/calls/runningCalls.js';
import { callOf, entry } from '../../../support/historyEntries.js';
import { describeTime } from '../../../../src/editor/l10n/timeText.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { screen } from '../../../support/quickPickDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('the view of the history', () => {
	const { own } = leakCheck();
	const past = entry(callOf({}));
	const call = { ...callOf({ tool: 'slow' }), id: 'x', sentAt: 0 } as unknown as SentCall;
	let view: HistoryView;
	let all: SentCall[];
	let changed: Emitter<SentCall>;
	/** Rows that were drawn again; `all` for the whole view. */
	let drawn: unknown[];

	beforeEach(() => {
		stopTime();
		[all, drawn] = [[], []];
		changed = own(new Emitter<SentCall>());
		const { event } = own(new Emitter<void>());
		const history = { entries: [past], hasMore: false, onDidChange: event } as unknown as History;
		const running = { all, onDidChange: changed.event } as unknown as RunningCalls;
		const withCancel = { ...call, cancel: () => undefined };
		all.push(withCancel);
		view = own(
			new HistoryView({
				history,
				running,
				pending: own(new PendingRequests()),
				labelOf: () => 'shop',
				textOf: () => 'bed: north',
			}),
		);
		own(view.onDidChangeTreeData(it => void drawn.push(it ?? 'all')));
	});
	afterEach(() => releaseTime());

	it('has rows of running calls that match the filter above the others', async () => {
		assert.deepEqual(await view.getChildren(), [all[0], past]);
		view.filter = 'SLOW north';
		assert.deepEqual(await view.getChildren(), [all[0]]);
		view.filter = 'add';
		assert.deepEqual(await view.getChildren(), [past]);
	});

	it('offers to clear a filter without matches, instead of counting them', async () => {
		const { executeCommand } = vscode.commands;
		const set: unknown[] = [];
		Object.assign(vscode.commands, { executeCommand: (...all: unknown[]) => Promise.resolve(void set.push(all)) });
		view.filter = 'nothing';
		assert.deepEqual(await view.getChildren(), []);
		view.filter = '';
		await view.getChildren();
		Object.assign(vscode.commands, { executeCommand });
		const key = 'mcpWorkbench.hasNoHistoryHits';
		const isKey = (it: unknown): boolean => Array.isArray(it) && it[1] === key;
		assert.deepEqual(
			set.filter(isKey),
			[true, false].map(it => ['setContext', key, it]),
		);
	});

	it('lists calls to cancel by when they began, which stays true while the list is open', async () => {
		let lines: unknown[] = [];
		screen.onShow = pick => {
			lines = pick.items.map(it => [it.label, it.description, it.detail]);
			pick.hide();
		};
		await view.chooseRunning();
		screen.onShow = () => undefined;
		assert.deepEqual(lines, [[call.title, `shop · Since ${describeTime(0)}`, 'bed: north']]);
	});

	it('draws only running calls each second, and nothing once they have ended', async () => {
		const running = all[0] ?? assert.fail();
		changed.fire(running);
		passTime(100);
		passTime(900);
		passTime(1000);
		assert.deepEqual(drawn, ['all', [running], [running]]);
		all.length = 0;
		changed.fire(running);
		passTime(10_000);
		await settled();
		assert.deepEqual(drawn.slice(3), ['all']);
	});
});
