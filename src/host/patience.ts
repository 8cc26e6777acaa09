/**
 * A time-out that a person decides about: after so long without a word of the server they are asked, and the work goes
 * on until they say otherwise. A message cannot be withdrawn, so one that comes too late says so when it is answered.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../base/lifecycle.js';
import { describeDuration } from './messages.js';

/** Longer than the time-out before: who waits on has a reason. */
const moreMs = 60_000;

export class Patience implements Disposable {
	private timer: ReturnType<typeof setTimeout> | undefined;
	private isOver = false;

	/**
	 * @param title what is waited for, made by plainText for a notification
	 * @param timeoutMs of silence; 0 never asks
	 * @param isHeld whether the silence means nothing now, because what is waited for waits for the person
	 */
	constructor(
		private readonly title: string,
		private readonly timeoutMs: number,
		private readonly isHeld: () => boolean,
		private readonly giveUp: () => void,
	) {
		this.wait(timeoutMs);
	}

	/** Something was heard: the time begins anew. */
	heard(): void {
		this.wait(this.timeoutMs);
	}

	dispose(): void {
		this.isOver = true;
		clearTimeout(this.timer);
	}

	private wait(ms: number): void {
		clearTimeout(this.timer);
		if (!this.isOver && ms > 0) {
			this.timer = setTimeout(() => void this.ask(ms), ms);
		}
	}

	private async ask(ms: number): Promise<void> {
		if (this.isHeld()) {
			this.heard();
			return;
		}
		const { t } = vscode.l10n;
		const wait = t('Wait {0} More', describeDuration(moreMs));
		const stop = t('Stop');
		const message = t('{0} has said nothing for {1}.', this.title, describeDuration(ms));
		const choice = await vscode.window.showWarningMessage(message, wait, stop);
		if (this.isOver) {
			if (choice !== undefined) {
				void vscode.window.showInformationMessage(t('{0} has ended already.', this.title));
			}
		} else if (choice === stop) {
			this.giveUp();
		} else {
			// Closing the message decides nothing: the progress beside it has a Cancel of its own.
			this.wait(moreMs);
		}
	}
}
