/** Shows progress of work that takes over a second. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { deferred, within } from '../../base/async.js';
import type { Progress } from '../../mcp/index.js';
import { abortOn } from '../cancellation.js';
import { isAbort } from '../../base/errors.js';
import { describeProgress } from '../l10n/messages.js';
import { TimeoutPrompt } from './timeoutPrompt.js';

/** Reports progress. Parts that are left out keep their value; `{}` only reports that the work continues. */
export type ReportProgress = (progress: Partial<Progress>) => void;

export type Task<T> = (signal: AbortSignal, report: ReportProgress) => Promise<T>;

/** When the person is asked whether to cancel work without a report. */
export interface SilenceLimit {
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
 */
export async function withProgress<T>(
	title: string,
	task: Task<T>,
	isWaitingForPerson = (): boolean => false,
	silence?: SilenceLimit,
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
