/**
 * Asks the person whether to cancel a request after a time without a message from the server. The request continues until
 * they cancel it.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';
import { describeDuration } from '../l10n/messages.js';

/** Milliseconds until the person is asked again. */
const moreMs = 60_000;

export class TimeoutPrompt implements Disposable {
	private timer: Timer | undefined;
	private isOver = false;
	/** Whether a message is open. There is never a second one. */
	private isPrompting = false;

	/**
	 * @param title of the request, cleaned for a notification
	 * @param timeoutMs without a message from the server; 0 never asks
	 * @param isHeld whether no message is expected now, because the request waits for the person
	 * @param cancel cancels the request
	 */
	constructor(
		private readonly title: string,
		private readonly timeoutMs: number,
		private readonly isHeld: () => boolean,
		private readonly cancel: () => void,
	) {
		this.wait(timeoutMs);
	}

	/** Restarts the time. Call this for each message from the server. */
	heard(): void {
		this.wait(this.timeoutMs);
	}

	dispose(): void {
		this.isOver = true;
		clock.clearTimeout(this.timer);
	}

	private wait(ms: number): void {
		clock.clearTimeout(this.timer);
		if (!this.isOver && ms > 0) {
			this.timer = clock.setTimeout(() => void this.ask(ms), ms);
		}
	}

	private async ask(ms: number): Promise<void> {
		if (this.isHeld()) {
			this.heard();
			return;
		}
		if (this.isPrompting) {
			return;
		}
		const { t } = vscode.l10n;
		const stop = t('Cancel Request');
		const message = t("{0} hasn't responded for {1}.", this.title, describeDuration(ms));
		this.isPrompting = true;
		const choice = await vscode.window.showWarningMessage(message, t('Wait'), stop);
		this.isPrompting = false;
		if (choice === stop) {
			this.cancel();
		} else {
			// Closing the message decides nothing. The progress notification also has a Cancel button.
			this.wait(moreMs);
		}
	}
}
