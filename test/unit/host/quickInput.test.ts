/** Which quick input is there when another one ends, and where the focus is led meanwhile. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { QuickInput } from 'vscode';
import { chooseLine, closeHeldInput, closeInput, openInput } from '../../../src/host/quickInput.js';
import { type QuickPickDouble, screen } from '../../support/quickPickDouble.js';
import { readSources } from '../../support/sourceTrees.js';
import { commands } from '../../support/vscodeDouble.js';

describe('quick inputs', () => {
	const { executeCommand } = commands;
	let told: string[];

	beforeEach(() => {
		told = [];
		mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
		commands.executeCommand = (...[id]: readonly unknown[]) => {
			told.push(String(id));
			return Promise.resolve(undefined);
		};
	});
	afterEach(() => {
		closeHeldInput();
		mock.timers.reset();
		commands.executeCommand = executeCommand;
		screen.onShow = () => undefined;
	});

	function input(name: string): QuickInput & { readonly hide: () => void } {
		const hiding: (() => void)[] = [];
		return {
			ignoreFocusOut: false,
			show: () => told.push(`${name} shows`),
			dispose: () => told.push(`${name} ends`),
			hide: () => hiding.forEach(it => it()),
			onDidHide: (listener: () => void) => ({ dispose: () => undefined, index: hiding.push(listener) }),
		} as unknown as QuickInput & { readonly hide: () => void };
	}

	it('stay after their answer until the next one is shown', () => {
		const [first, second] = [input('first'), input('second')];
		openInput(first);
		closeInput(first);
		openInput(second);
		closeInput(second);
		mock.timers.tick(99);
		assert.deepEqual(told, ['first shows', 'second shows', 'first ends']);
		mock.timers.tick(1);
		assert.deepEqual(told.slice(3), ['second ends']);
	});

	it('end at once before a dialog, or where they are hidden', () => {
		const [first, second] = [input('first'), input('second')];
		openInput(first);
		closeInput(first);
		closeHeldInput();
		openInput(second);
		second.hide();
		closeInput(second);
		assert.deepEqual(told, ['first shows', 'first ends', 'second shows', 'second ends']);
	});

	it('keep the focus for a moment after something else was in front, and not after another input', () => {
		const [first, second] = [input('first'), input('second')];
		openInput(first);
		assert.equal(first.ignoreFocusOut, true);
		mock.timers.tick(1000);
		assert.equal(first.ignoreFocusOut, false);
		const asked = told.filter(it => it === 'workbench.action.focusQuickOpen').length;
		// Longer than a walkthrough takes.
		assert.ok(asked * 60 > 250 && asked < 10, String(asked));
		closeInput(first);
		openInput(second);
		mock.timers.tick(1000);
		assert.deepEqual(told.slice(-2), ['second shows', 'first ends']);
		second.hide();
		closeInput(second);
	});

	it('are shown and ended here, whatever the command', () => {
		const others = Object.entries(readSources()).filter(([file]) => file !== 'host/quickInput.ts');
		const wrong = others.filter(
			([, text]) =>
				/\bshow(?:QuickPick|InputBox)\b/.test(text) ||
				(/\bcreate(?:QuickPick|InputBox)\b/.test(text) && /\b(?:pick|input)\.(?:show|dispose)\(/.test(text)),
		);
		assert.deepEqual(
			wrong.map(([file]) => file),
			[],
		);
		assert.ok(others.filter(([, text]) => text.includes('openInput') || text.includes('accepted(')).length > 10);
	});

	it('choose one line, or none where they disappear', async () => {
		mock.timers.reset();
		const shown: QuickPickDouble[] = [];
		screen.onShow = pick => {
			shown.push(pick);
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
