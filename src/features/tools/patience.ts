/**
 * A time-out that a person decides about: after so long without a word of the server they are asked, and the work goes
 * on until they say otherwise. The editor cannot withdraw a message, so an answer that comes too late changes nothing and
 * says so.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { describeDuration } from '../../editor/l10n/messages.js';

/** Longer than the time-out before: who waits on has a reason. */
const moreMs = 60_000;

export class Patience implements Disposable {
	private timer: ReturnType<typeof setTimeout> | undefined;
	private isOver = false;
	/** A message is on the screen: there is never a second one beside it. */
	private isPrompting = false;
	/** Nothing was heard for as long as is waited for. */
	private isSilent = false;

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
		this.isSilent = false;
		if (!this.isOver && ms > 0) {
			this.timer = setTimeout(() => void this.ask(ms), ms);
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
		const wait = t('Wait {0} More', describeDuration(moreMs));
		const stop = t('Stop');
		const message = t('{0} has said nothing for {1}.', this.title, describeDuration(ms));
		this.isPrompting = true;
		const choice = await vscode.window.showWarningMessage(message, wait, stop);
		this.isPrompting = false;
		if (this.isOver) {
			if (choice !== undefined) {
				void vscode.window.showInformationMessage(t('{0} has ended already.', this.title));
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
			// Closing the message decides nothing: the progress beside it has a Cancel of its own.
			this.wait(moreMs);
		}
	}
}
