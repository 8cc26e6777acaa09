/** Shows progress of work that takes over a second. */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { deferred, within } from '../../base/async.js';
import type { Progress } from '../../mcp/index.js';
import { abortOn } from '../cancellation.js';
import { isAbort } from '../../base/errors.js';
import { describeDuration, describeProgress } from '../l10n/messages.js';
import type { Disposable } from '../../base/lifecycle.js';

/** Reports progress. Parts that are left out keep their value; `{}` only reports that the work continues. */
type ReportProgress = (progress: Partial<Progress>) => void;

export type Task<T> = (signal: AbortSignal, report: ReportProgress) => Promise<T>;

/** When the person is asked whether to cancel work without a report. */
interface SilenceLimit {
	/** Milliseconds; 0 for never. */
	readonly ms: number;
	/** Whether no report is expected now. */
	readonly isExpected: () => boolean;
	/** The error if the person cancels then. */
	readonly error: () => Error;
}

const showAfterMs = 1000;

/**
 * Runs `task`. If it takes over a second, a notification shows `title`, the elapsed seconds, the reported progress, and
 * Cancel, which aborts the signal. While a question to the person holds up the work, the status bar shows it instead,
 * so that the question has the only button.
 * @param isWaitingForPerson whether a question holds up the work; called every second
 * @param inPlace shows the progress where the person looks, instead of the notification
 */
export async function withProgress<T>(
	title: string,
	task: Task<T>,
	isWaitingForPerson = (): boolean => false,
	silence?: SilenceLimit,
	inPlace?: (text: string) => void,
): Promise<T> {
	const startedAt = clock.now();
	const controller = new AbortController();
	let latest: Partial<Progress> | undefined;
	let onReport: (() => void) | undefined;
	let isTimeout = false;
	const prompt = new TimeoutPrompt(
		title,
		silence?.ms ?? 0,
		() => silence?.isExpected() === true,
		() => {
			isTimeout = true;
			controller.abort();
		},
	);
	const work = task(controller.signal, progress => {
		prompt.heard();
		latest = { ...latest, ...progress };
		onReport?.();
	})
		.catch((error: unknown) => {
			throw isTimeout && silence && isAbort(error) ? silence.error() : error;
		})
		.finally(() => prompt.dispose());
	const settled = work.then(
		() => true,
		() => true,
	);
	if (inPlace) {
		const update = (): void => {
			const state = controller.signal.aborted ? 'cancelling' : isWaitingForPerson() ? 'waitingForPerson' : 'working';
			inPlace(describeProgress(clock.now() - startedAt, latest, state));
		};
		onReport = update;
		update();
		const interval = clock.setInterval(update, 1000);
		await settled;
		clock.clearInterval(interval);
		return work;
	}
	/** Shows the work until it is over (true), or until waiting for the person begins or ends (false). */
	const show = async (isWaiting: boolean): Promise<boolean> => {
		const location = isWaiting ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
		return vscode.window.withProgress({ location, title, cancellable: !isWaiting }, async (progress, token) => {
			const subscription = abortOn(token, controller);
			const changed = deferred<boolean>();
			let shown = 0;
			const update = (): void => {
				const isAborted = controller.signal.aborted;
				if (isWaiting !== (!isAborted && isWaitingForPerson())) {
					changed.resolve(false);
					return;
				}
				const percent = percentage(latest);
				const state = isAborted ? 'cancelling' : isWaiting ? 'waitingForPerson' : 'working';
				const message = describeProgress(clock.now() - startedAt, latest, state);
				progress.report({ message, increment: Math.max(0, percent - shown) });
				shown = Math.max(shown, percent);
			};
			onReport = update;
			update();
			const interval = clock.setInterval(update, 1000);
			try {
				return await Promise.race([settled, changed.promise]);
			} finally {
				onReport = undefined;
				clock.clearInterval(interval);
				subscription.dispose();
			}
		});
	};
	for (let isOver = await within(settled, showAfterMs); isOver !== true;) {
		isOver = await show(!controller.signal.aborted && isWaitingForPerson());
	}
	return work;
}

function percentage({ progress, total }: Partial<Progress> = {}): number {
	return progress !== undefined && total ? Math.min(100, (100 * progress) / total) : 0;
}

/** Milliseconds until the person is asked again. */
const moreMs = 60_000;

/**
 * Asks the person whether to cancel a request after a time without a message from the server. The request continues until
 * they cancel it.
 */
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
