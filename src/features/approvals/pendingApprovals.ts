/**
 * Calls that wait for the person's approval. Each stays one pending request until it is decided, however often its sheet
 * is closed; what the person has opened is kept with the request.
 */
import { type Deferred, deferred, onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import { reportErrors } from '../../editor/commands.js';
import type { SheetReturn } from '../../editor/ui/sheetReturn.js';
import { isAttended } from '../../core/approvals/approval.js';
import {
	type ApprovalAnswer,
	type ApprovalQuestion,
	type ApprovalRequest,
	isSameQuestion,
} from '../../core/approvals/approver.js';
import type { PendingRequest, PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { NotRunningError, type ServerState } from '../../core/servers/serverState.js';

/** The views of a call that the person has opened; updated by the sheet. */
export interface OpenedViews {
	change: boolean;
	full: boolean;
}

/**
 * Shows the sheet. Resolves with the answer, or with how the sheet was closed without one.
 * @param sheetReturn shows the sheet again after it has opened a document
 */
export type ShowSheet = (
	question: ApprovalQuestion,
	opened: OpenedViews,
	signal: AbortSignal,
	sheetReturn: SheetReturn,
) => Promise<ApprovalAnswer | ReviewEnd>;

export interface PendingApprovalsDeps {
	readonly pending: PendingRequests;
	readonly registry: ServerRegistry;
	readonly show: ShowSheet;
}

export class PendingApprovals extends Owner {
	private readonly waiting = new Set<PendingApproval>();

	constructor(private readonly deps: PendingApprovalsDeps) {
		super();
		this.own(deps.registry.onDidChange(() => this.waiting.forEach(it => it.endWithServer())));
	}

	/** The request of one call. It is added to the pending requests when it first asks, and ends when it is disposed. */
	open(signal: AbortSignal): ApprovalRequest {
		const approval = new PendingApproval(this.deps, signal, () => this.waiting.delete(approval));
		this.waiting.add(approval);
		return approval;
	}

	/** Decides all waiting calls again: a grant or a rule may answer them now. */
	decideAgain(): void {
		this.waiting.forEach(it => it.decideAgain());
	}

	override dispose(): void {
		for (const approval of this.waiting) {
			approval.dispose();
		}
		super.dispose();
	}
}

class PendingApproval implements ApprovalRequest {
	private readonly owned = new DisposableStore();
	private question: ApprovalQuestion | undefined;
	private answered: Deferred<ApprovalAnswer> | undefined;
	private request: PendingRequest | undefined;
	private opened: OpenedViews = { change: false, full: false };
	/** The person has just changed the arguments or a rule, so the sheet opens for the next question without a click. */
	private opensNextSheet = false;

	constructor(
		private readonly deps: PendingApprovalsDeps,
		private readonly signal: AbortSignal,
		didEnd: () => void,
	) {
		this.owned.add({ dispose: didEnd });
		this.owned.add(onAbort(signal, () => this.fail(new AbortError())));
	}

	ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
		if (this.question && !isSameQuestion(this.question, question)) {
			this.opened = { change: false, full: false };
		}
		this.question = question;
		if (this.signal.aborted || this.owned.isDisposed) {
			return Promise.reject(new AbortError());
		}
		const answered = deferred<ApprovalAnswer>();
		this.answered = answered;
		const { pending } = this.deps;
		if (!this.request) {
			const { definition, caller } = question.request;
			this.request = pending.add(
				{
					definition,
					subject: () => ({ kind: 'approval', question: this.question ?? question }),
					review: it => this.review(it),
					deny: () => this.answered?.resolve({ kind: 'deny', lasts: 'once' }),
				},
				{ isByPerson: isAttended(caller) },
			);
		} else {
			pending.didChange(this.request);
			const { request } = this;
			if (this.opensNextSheet && !pending.isCovered(request)) {
				void reportErrors(() => pending.review(request));
			}
		}
		this.opensNextSheet = false;
		this.endWithServer();
		return answered.promise;
	}

	decideAgain(): void {
		if (this.deps.pending.reviewed !== this.request) {
			this.answerAgain();
		}
	}

	/** Ends the request if its server was stopped or has failed; not while the server restarts or reconnects. */
	endWithServer(): void {
		const { question } = this;
		const state = question && this.deps.registry.serverOf(question.request.definition)?.state;
		if (question && (!state || hasEnded(state))) {
			this.fail(new NotRunningError(state ?? { kind: 'stopped' }));
		}
	}

	dispose(): void {
		if (this.request) {
			this.deps.pending.end(this.request);
		}
		this.owned.dispose();
	}

	private fail(error: Error): void {
		this.answered?.reject(error);
		if (this.request) {
			this.deps.pending.end(this.request, true);
		}
	}

	private async review(signal: AbortSignal): Promise<ReviewEnd> {
		const { question, answered, opened } = this;
		if (!question || !answered) {
			return 'done';
		}
		const sheetReturn: SheetReturn = {
			isWaiting: () => this.request !== undefined && this.deps.pending.has(this.request),
			isCovered: () => this.request !== undefined && this.deps.pending.isCovered(this.request),
			// In the document, the person may have changed a rule: decides again before the sheet opens.
			review: () => {
				this.opensNextSheet = true;
				this.answerAgain();
			},
			own: it => this.owned.add(it),
		};
		const end = await this.deps.show(question, opened, signal, sheetReturn);
		if (typeof end === 'string') {
			return end;
		}
		if (!signal.aborted && this.answered === answered) {
			this.opensNextSheet = end.kind === 'again';
			answered.resolve(end);
		}
		return 'done';
	}

	private answerAgain(): void {
		if (this.question) {
			this.answered?.resolve({ kind: 'again', arguments: this.question.request.arguments });
		}
	}
}

function hasEnded({ kind }: ServerState): boolean {
	return kind === 'stopped' || kind === 'stopping' || kind === 'failed' || kind === 'untrusted';
}
