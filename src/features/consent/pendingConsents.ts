/** Consent questions as pending requests. The start of the server waits for the answer. */
import { deferred, onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { DisposableStore } from '../../base/lifecycle.js';
import { reportErrors } from '../../editor/commands.js';
import type { SheetReturn } from '../../editor/ui/sheetReturn.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';

/** Whether the person has opened the full view of a server; written by the sheet. */
export interface OpenedConsentViews {
	full: boolean;
}

/** Shows the sheet. Resolves with whether the server may start, or with how the sheet was closed without an answer. */
export type ShowConsent = (
	question: ConsentQuestion,
	opened: OpenedConsentViews,
	signal: AbortSignal,
	sheetReturn: SheetReturn,
) => Promise<boolean | ReviewEnd>;

/** Implements `ConsentDeps.ask` by a pending request: resolves with the answer, rejects once the signal aborts. */
export function askByRequest(
	pending: PendingRequests,
	question: ConsentQuestion,
	signal: AbortSignal,
	isByPerson: boolean,
	show: ShowConsent,
): Promise<boolean> {
	const answer = deferred<boolean>();
	const opened: OpenedConsentViews = { full: false };
	const owned = new DisposableStore();
	const review = async (closing: AbortSignal): Promise<ReviewEnd> => {
		const sheetReturn: SheetReturn = {
			isWaiting: () => pending.has(request),
			isCovered: () => pending.isCovered(request),
			review: () => void reportErrors(() => pending.review(request)),
			own: it => owned.add(it),
		};
		const end = await show(question, opened, closing, sheetReturn);
		if (typeof end === 'string') {
			return end;
		}
		answer.resolve(end && !signal.aborted);
		return 'done';
	};
	const request = pending.add(
		{ definition: question.definition, subject: () => ({ kind: 'consent', question }), review },
		{ isByPerson },
	);
	owned.add(
		onAbort(signal, () => {
			pending.end(request, true);
			answer.reject(new AbortError());
		}),
	);
	return answer.promise.finally(() => {
		owned.dispose();
		pending.end(request);
	});
}
