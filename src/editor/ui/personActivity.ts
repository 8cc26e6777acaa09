/** Tells whether the person is busy, so that a sheet that opens now would take the keyboard from them. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { Owner } from '../../base/lifecycle.js';
import { lastActionTime } from '../commands.js';
import { isInputOpen } from './quickInput.js';

/** Milliseconds for which the person counts as busy after a key or click in a text editor. */
const typingMs = 2000;

export class PersonActivity extends Owner {
	private textTime = -Infinity;

	constructor() {
		super();
		const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
		this.own(
			vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
				if (kind === Keyboard || kind === Mouse) {
					this.textTime = clock.elapsed();
				}
			}),
		);
	}

	/** Whether an input is open, or a text editor was used in the last moments and after the last command or button. */
	readonly isBusy = (): boolean =>
		isInputOpen() || (this.textTime > lastActionTime() && clock.elapsed() - this.textTime < typingMs);
}
