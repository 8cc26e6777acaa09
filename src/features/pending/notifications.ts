/**
 * Tells the person of requests that wait for them, by one notification for all that come together. Notifications cannot
 * be withdrawn, and the editor puts them away by itself: nothing ends because of that, and a late button says so.
 */
import * as vscode from 'vscode';
import { Owner, toDisposable } from '../../base/lifecycle.js';
import { guarded } from '../../host/commands.js';
import { notificationText } from '../../host/plainText.js';
import type { PendingRequest, PendingRequests } from '../../model/pendingRequests.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';
import { reviewLabel, tellOf, tellOfMany, tellOfManyFrom } from './words.js';

export interface NotificationDeps {
	readonly pending: PendingRequests;
	/** What the person knows a server by. */
	readonly label: (definition: ServerDefinition) => string;
	/** Shows the list. */
	readonly list: () => Promise<void>;
	/** Declines whatever a server asks until the window closes. */
	readonly mute: (definition: ServerDefinition) => void;
}

/** Milliseconds in which requests that come together are gathered. */
const gatherMs = 300;
/** Milliseconds for which the editor shows a notification, about; what comes meanwhile is told of afterwards. */
const shownMs = 15_000;

interface Shown {
	readonly requests: readonly PendingRequest[];
	readonly time: number;
}

export class PendingNotifications extends Owner {
	/** Not told of yet. */
	private readonly untold = new Set<PendingRequest>();
	/** Those the person has put aside: they know. */
	private readonly aside = new WeakSet<PendingRequest>();
	/** Notifications that are on the screen, as far as anyone can tell. */
	private readonly shown = new Set<Shown>();
	private timer: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly deps: NotificationDeps) {
		super();
		const { pending } = deps;
		this.own(
			pending.onDidAsk(it => {
				this.aside.delete(it);
				this.untold.add(it);
				this.schedule();
			}),
		);
		this.own(
			pending.onDidPutAside(it => {
				this.aside.add(it);
				if (isOwnCall(it)) {
					this.untold.add(it);
				}
				this.schedule();
			}),
		);
		this.own(
			pending.onDidEnd(it => {
				this.untold.delete(it);
				this.schedule();
			}),
		);
		this.own(pending.onDidWithdraw(it => this.tellOfEnd(it)));
		this.own(toDisposable(() => clearTimeout(this.timer)));
	}

	private schedule(ms = gatherMs): void {
		clearTimeout(this.timer);
		if (this.untold.size > 0 && !this.owned.isDisposed) {
			this.timer = setTimeout(() => void guarded(() => this.tell()), ms);
		}
	}

	private async tell(): Promise<void> {
		const { pending } = this.deps;
		const untold = [...this.untold].filter(it => pending.reviewed !== it && it.stage !== 'underway');
		const fresh = untold.filter(it => this.quietMs(it) <= 0);
		if (fresh.length === 0) {
			if (untold.length > 0) {
				this.schedule(Math.min(...untold.map(it => this.quietMs(it))));
			}
			return;
		}
		fresh.forEach(it => this.untold.delete(it));
		const [first, ...others] = fresh;
		const requests = others.length === 0 ? fresh : pending.all.filter(it => fresh.includes(it) || this.isUnseen(it));
		const shown: Shown = { requests, time: Date.now() };
		this.shown.add(shown);
		// The person has put it away: there is room for another one.
		const didClose = (): void => {
			this.shown.delete(shown);
			this.schedule();
		};
		this.schedule();
		if (first) {
			await (requests.length === 1 ? this.tellOfOne(first, didClose) : this.tellOfAll(requests, first, didClose));
		}
	}

	/** Waits for the person, who has not put it aside. */
	private isUnseen(request: PendingRequest): boolean {
		return request.stage !== 'underway' && request !== this.deps.pending.reviewed && !this.aside.has(request);
	}

	/** Milliseconds until a request may be told of: one of the same source may be on the screen. */
	private quietMs(request: PendingRequest): number {
		const { pending } = this.deps;
		const now = Date.now();
		let left = 0;
		for (const shown of this.shown) {
			const ms = shown.time + shownMs - now;
			if (ms <= 0) {
				this.shown.delete(shown);
			} else if (shown.requests.some(it => isOfSameSource(it, request) && pending.has(it) && !this.aside.has(it))) {
				left = Math.max(left, ms);
			}
		}
		return left;
	}

	private tellOfEnd({ definition }: PendingRequest): void {
		const whose = notificationText(this.deps.label(definition));
		void vscode.window.showInformationMessage(vscode.l10n.t('This request from {0} has ended.', whose));
	}

	private async tellOfOne(request: PendingRequest, didClose: () => void): Promise<void> {
		const { pending, label } = this.deps;
		const { t } = vscode.l10n;
		const whose = notificationText(label(request.definition));
		const [review, deny] = [reviewLabel(request), t('Deny')];
		const buttons = request.subject.kind === 'approval' ? [review, deny] : [review];
		const choice = await vscode.window.showInformationMessage(tellOf(request, whose), ...buttons);
		didClose();
		if (choice === undefined) {
			return;
		}
		if (!pending.has(request)) {
			this.tellOfEnd(request);
		} else if (choice === deny) {
			request.deny?.();
		} else {
			await pending.review(request);
		}
	}

	private async tellOfAll(
		requests: readonly PendingRequest[],
		first: PendingRequest,
		didClose: () => void,
	): Promise<void> {
		const { pending, label, list, mute } = this.deps;
		const { t } = vscode.l10n;
		const whose = notificationText(label(first.definition));
		const review = t('Review');
		const muteServer = t('Mute This Server');
		const isOfOne = requests.every(it => it.definition.id === first.definition.id && isOfServer(it));
		const choice = isOfOne
			? await vscode.window.showInformationMessage(tellOfManyFrom(requests.length, whose), review, muteServer)
			: await vscode.window.showInformationMessage(tellOfMany(requests.length), review);
		didClose();
		if (choice === muteServer) {
			mute(first.definition);
		} else if (choice === review) {
			if (pending.all.length === 0) {
				void vscode.window.showInformationMessage(t('These requests have ended.'));
			} else {
				await list();
			}
		}
	}
}

/** The person has started the call, and put its sheet aside. */
function isOwnCall({ subject }: PendingRequest): boolean {
	return subject.kind === 'approval' && subject.question.request.caller.kind === 'person';
}

/** One source has at most one notification on the screen: a server that asks much hides nothing of others. */
function isOfSameSource(a: PendingRequest, b: PendingRequest): boolean {
	return a.definition.id === b.definition.id && isOfServer(a) === isOfServer(b);
}

/** The server asks by itself, and can be muted. */
function isOfServer({ subject }: PendingRequest): boolean {
	return subject.kind === 'elicitation' || subject.kind === 'sampling';
}
