/** When a sheet would take the keyboard from the person. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { didUseButton, registerCommand } from '../../../../src/editor/commands.js';
import { Commands } from '../../../../src/editor/contributions.js';
import { PersonActivity } from '../../../../src/editor/ui/personActivity.js';
import { closeHeldInput, closeInput, openInput } from '../../../../src/editor/ui/quickInput.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { QuickPickDouble } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('the person', () => {
	const { own } = leakCheck();
	const { Keyboard, Mouse, Command } = vscode.TextEditorSelectionChangeKind;
	const { registerCommand: register } = vscode.commands;
	let use: (event: { readonly kind: number | undefined }) => void;
	let run: () => unknown;

	beforeEach(() => {
		stopTime(1e6);
		Object.assign(window, {
			onDidChangeTextEditorSelection: (listener: typeof use) => {
				use = listener;
				return { dispose: () => undefined };
			},
		});
		Object.assign(vscode.commands, {
			registerCommand: (_: string, handler: () => unknown) => {
				run = handler;
				return { dispose: () => undefined };
			},
		});
		own(registerCommand(Commands.startServer, () => undefined));
	});
	afterEach(() => {
		releaseTime();
		Object.assign(vscode.commands, { registerCommand: register });
	});

	it('is busy for a moment after a key or a click in a text, but not with what a program selects there', () => {
		const { isBusy } = own(new PersonActivity());
		const seen = [undefined, Command, Keyboard, Mouse].map(kind => {
			passTime(10_000);
			use({ kind });
			return isBusy();
		});
		assert.deepEqual(seen, [false, false, true, true]);
		passTime(2000);
		assert.equal(isBusy(), false);
	});

	it('waits for what a command brings, until they turn to a text', async () => {
		const { isBusy } = own(new PersonActivity());
		use({ kind: Keyboard });
		passTime(10);
		await run();
		assert.equal(isBusy(), false);
		passTime(10);
		use({ kind: Keyboard });
		assert.equal(isBusy(), true);
	});

	it('waits for what a button of a message brings', () => {
		const { isBusy } = own(new PersonActivity());
		use({ kind: Keyboard });
		passTime(10);
		didUseButton();
		assert.equal(isBusy(), false);
	});

	it('is busy with an input that is not answered yet', () => {
		const { isBusy } = own(new PersonActivity());
		const pick = new QuickPickDouble() as unknown as vscode.QuickInput;
		openInput(pick);
		assert.equal(isBusy(), true);
		closeInput(pick);
		closeHeldInput();
		assert.equal(isBusy(), false);
	});
});
