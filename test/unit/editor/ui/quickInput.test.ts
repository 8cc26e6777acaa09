/** Which quick input is visible when another one ends, and what has the focus meanwhile. */
import * as assert from 'node:assert/strict';
import type { QuickInput } from 'vscode';
import {
	askForOne,
	askForText,
	chooseLine,
	closeHeldInput,
	closeInput,
	isInputOpen,
	openInput,
} from '../../../../src/editor/ui/quickInput.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';
import { readSources } from '../../../support/sourceTrees.js';
import { window } from '../../../support/vscodeDouble.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('quick inputs', () => {
	let told: string[];

	beforeEach(() => {
		told = [];
		stopTime();
	});
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = () => undefined;
	});

	function input(name: string): QuickInput & { readonly hide: () => void } {
		const hiding: (() => void)[] = [];
		return {
			show: () => told.push(`${name} shows`),
			dispose: () => told.push(`${name} ends`),
			hide: () => hiding.forEach(it => it()),
			onDidHide: (listener: () => void) => ({ dispose: () => undefined, index: hiding.push(listener) }),
		} as unknown as QuickInput & { readonly hide: () => void };
	}

	it('are not shown for a request that has ended', async () => {
		const signal = AbortSignal.abort();
		const open = input('open');
		openInput(open);
		assert.equal(await askForText({ title: 'a', prompt: '', value: '', check: () => undefined, signal }), undefined);
		assert.equal(await askForOne({ title: 'a', signal }, [{ label: 'b' }]), undefined);
		assert.deepEqual([told, isInputOpen()], [['open shows'], true]);
		open.hide();
	});

	it('stay visible after their answer until the next one is shown', () => {
		const [first, second] = [input('first'), input('second')];
		openInput(first);
		closeInput(first);
		openInput(second);
		closeInput(second);
		passTime(99);
		assert.deepEqual(told, ['first shows', 'second shows', 'first ends']);
		passTime(1);
		assert.deepEqual(told.slice(3), ['second ends']);
	});

	it('are open until they are answered or hidden', () => {
		const [first, second] = [input('first'), input('second')];
		const seen = [isInputOpen()];
		openInput(first);
		seen.push(isInputOpen());
		closeInput(first);
		seen.push(isInputOpen());
		openInput(second);
		seen.push(isInputOpen());
		second.hide();
		seen.push(isInputOpen());
		closeInput(second);
		assert.deepEqual(seen, [false, true, false, true, false]);
	});

	it('wait for a page in front to take the focus back, unless another input has it', () => {
		const group: { activeTab: unknown } = window.tabGroups.activeTabGroup;
		const [first, second, third] = [input('first'), input('second'), input('third')];
		group.activeTab = { input: undefined };
		try {
			openInput(first);
			// Longer than a walkthrough takes.
			passTime(300);
			assert.deepEqual(told, []);
			passTime(100);
			closeInput(first);
			openInput(second);
			assert.deepEqual(told, ['first shows', 'second shows', 'first ends']);
			second.hide();
			closeInput(second);
			// Withdrawn before it was shown.
			openInput(third);
			third.hide();
			passTime(400);
			closeInput(third);
			assert.deepEqual(told.slice(3), ['second ends', 'third shows', 'third ends']);
		} finally {
			group.activeTab = undefined;
		}
	});

	it('are ended before every dialog', () => {
		const countOf = (text: string, part: string): number => text.split(part).length - 1;
		const wrong = Object.entries(readSources()).filter(
			([, text]) => countOf(text, 'modal: true') > countOf(text, 'closeHeldInput();'),
		);
		assert.deepEqual(
			wrong.map(([file]) => file),
			[],
		);
	});

	it('return one line, or none if they disappear', async () => {
		releaseTime();
		const shown: QuickPickDouble[] = [];
		screen.onShow = pick => {
			shown.push(pick);
			// As in a list whose filter leaves no line.
			pick.accept('c');
			pick.accept('b');
		};
		const lines = [{ label: 'a' }, { label: 'b' }];
		assert.equal(await chooseLine(lines, 'Select one'), lines[1]);
		screen.onShow = pick => pick.hide();
		assert.equal(await chooseLine(lines, 'Select one'), undefined);
		assert.deepEqual(
			shown.map(it => [it.placeholder, it.lines]),
			[['Select one', ['a', 'b']]],
		);
	});
});
