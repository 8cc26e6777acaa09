/**
 * Servers that need consent, as pending requests: servers whose start waits for the answer, and servers that were not
 * started because the person couldn't be asked at that time.
 */
import { deferred, onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import { reportErrors } from '../../editor/commands.js';
import type { SheetReturn } from '../../editor/ui/sheetReturn.js';
import type { ConsentQuestion, Consents } from '../../core/launch/consents.js';
import type { PendingRequest, PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

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

interface HeldBack {
	readonly request: PendingRequest;
	/** Whether the server was found waiting for consent. Once it no longer waits, the request ends. */
	isWaiting: boolean;
}

/** Servers that weren't started because the person couldn't be asked. Reviewing one starts it, which shows its sheet. */
export class HeldBackServers extends Owner {
	private readonly all = new Map<string, HeldBack>();

	constructor(
		private readonly registry: ServerRegistry,
		private readonly consents: Consents,
		private readonly pending: PendingRequests,
	) {
		super();
		this.own(consents.onDidPostpone(it => this.add(it)));
		this.own(registry.onDidChange(() => this.update()));
	}

	private add(question: ConsentQuestion): void {
		const { definition } = question;
		this.remove(definition.id);
		const request = this.pending.add({
			definition,
			subject: () => ({ kind: 'consent', question }),
			review: () => {
				this.remove(definition.id);
				return this.startAndWait(definition);
			},
		});
		this.all.set(definition.id, { request, isWaiting: false });
	}

	/** Starts the server, which shows its sheet. Resolves when the person has decided, or has closed the sheet. */
	private async startAndWait(definition: ServerDefinition): Promise<ReviewEnd> {
		const { id } = definition;
		const listening = new DisposableStore();
		try {
			return await new Promise<ReviewEnd>(resolve => {
				listening.add(this.consents.onDidAnswer(it => it.definition.id === id && resolve('done')));
				listening.add(this.pending.onDidPutAside(it => it.definition.id === id && resolve('aside')));
				void reportErrors(() => this.registry.serverOf(definition)?.start(true, true)).then(() => resolve('done'));
			});
		} finally {
			listening.dispose();
		}
	}

	private update(): void {
		for (const [id, held] of this.all) {
			const state = this.registry.serverOf(held.request.definition)?.state;
			if (state?.kind === 'waiting' && state.what === 'consent') {
				held.isWaiting = true;
			} else if (!state || held.isWaiting) {
				this.remove(id);
			}
		}
	}

	private remove(id: string): void {
		const held = this.all.get(id);
		this.all.delete(id);
		if (held) {
			this.pending.end(held.request);
		}
	}
}
