/**
 * Asks the person whether to cancel a request after a time without a message from the server. The request continues
 * until they cancel it. The editor can't close a message, so an answer that comes too late changes nothing, which
 * another message says.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';
import { describeDuration } from '../../editor/l10n/messages.js';

/** Milliseconds until the person is asked again. */
const moreMs = 60_000;

export class TimeoutPrompt implements Disposable {
	private timer: Timer | undefined;
	private isOver = false;
	/** Whether a message is open. There is never a second one. */
	private isPrompting = false;
	/** Whether the time-out has passed since the last message from the server. */
	private isSilent = false;

	/**
	 * @param title of the request, cleaned for a notification
	 * @param timeoutMs without a message from the server; 0 never asks
	 * @param isHeld whether no message is expected now, because the request waits for the person
	 * @param giveUp cancels the request
	 */
	constructor(
		private readonly title: string,
		private readonly timeoutMs: number,
		private readonly isHeld: () => boolean,
		private readonly giveUp: () => void,
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
		this.isSilent = false;
		if (!this.isOver && ms > 0) {
			this.timer = clock.setTimeout(() => void this.ask(ms), ms);
		}
	}

	private async ask(ms: number): Promise<void> {
		if (this.isHeld()) {
			this.heard();
			return;
		}
		this.isSilent = true;
		if (this.isPrompting) {
			return;
		}
		const { t } = vscode.l10n;
		const wait = t('Wait');
		const stop = t('Cancel Request');
		const message = t("{0} hasn't responded for {1}.", this.title, describeDuration(ms));
		this.isPrompting = true;
		const choice = await vscode.window.showWarningMessage(message, wait, stop);
		this.isPrompting = false;
		if (this.isOver) {
			if (choice !== undefined) {
				void vscode.window.showInformationMessage(t('{0} has already ended.', this.title));
			}
		} else if (choice === stop && this.isSilent) {
			this.giveUp();
		} else if (choice === stop) {
			void vscode.window.showInformationMessage(
				t(
					'{0} has responded since you were asked and is still running. To stop it, select Cancel in its progress notification.',
					this.title,
				),
			);
		} else if (this.isSilent) {
			// Closing the message decides nothing. The progress notification also has a Cancel button.
			this.wait(moreMs);
		}
	}
}
