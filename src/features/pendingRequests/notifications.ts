/**
 * Notifications about pending requests; requests that come together share one. An extension can't withdraw a
 * notification, and the editor hides it by itself: neither ends a request. A button that is pressed
 * after the request has ended shows a message.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { Owner, toDisposable } from '../../base/lifecycle.js';
import { didUseButton, reportErrors } from '../../editor/commands.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { PendingRequest, PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { messageFor, messageForEnd, messageForMany, messageForServer, reviewLabel } from './words.js';

export interface NotificationDeps {
	readonly pending: PendingRequests;
	/** The label of a server. */
	readonly label: (definition: ServerDefinition) => string;
	/** Shows the list. */
	readonly list: () => Promise<void>;
	/** Declines all requests of a server until the window closes. */
	readonly mute: (definition: ServerDefinition) => void;
}

/** Milliseconds in which requests that come together are gathered. */
const gatherMs = 300;
/** About how many milliseconds the editor shows a notification. Requests that come meanwhile are notified afterwards. */
const shownMs = 15_000;

interface Shown {
	readonly requests: readonly PendingRequest[];
	readonly time: number;
}

export class PendingNotifications extends Owner {
	/** Requests without a notification so far. */
	private readonly unnotified = new Set<PendingRequest>();
	/** Requests whose sheet the person closed: they need no reminder. */
	private readonly aside = new WeakSet<PendingRequest>();
	/** Notifications that are probably still visible. */
	private readonly shown = new Set<Shown>();
	private timer: Timer | undefined;

	constructor(private readonly deps: NotificationDeps) {
		super();
		const { pending } = deps;
		this.own(
			pending.onDidAsk(it => {
				this.aside.delete(it);
				this.unnotified.add(it);
				this.schedule();
			}),
		);
		this.own(
			pending.onDidPutAside(it => {
				this.aside.add(it);
				if (isOwnCall(it)) {
					this.unnotified.add(it);
				}
				this.schedule();
			}),
		);
		this.own(
			pending.onDidEnd(it => {
				this.unnotified.delete(it);
				this.schedule();
			}),
		);
		this.own(
			pending.onDidWithdraw(({ definition, subject }) => {
				const serverLabel = notificationText(deps.label(definition));
				void vscode.window.showInformationMessage(messageForEnd(subject, serverLabel));
			}),
		);
		this.own(toDisposable(() => clock.clearTimeout(this.timer)));
	}

	private schedule(ms = gatherMs): void {
		clock.clearTimeout(this.timer);
		if (this.unnotified.size > 0 && !this.owned.isDisposed) {
			this.timer = clock.setTimeout(() => void reportErrors(() => this.notify()), ms);
		}
	}

	private async notify(): Promise<void> {
		const { pending } = this.deps;
		const unnotified = [...this.unnotified].filter(it => pending.reviewed !== it && it.stage !== 'underway');
		const fresh = unnotified.filter(it => this.quietMs(it) <= 0);
		const [first, ...others] = fresh;
		if (!first) {
			if (unnotified.length > 0) {
				this.schedule(Math.min(...unnotified.map(it => this.quietMs(it))));
			}
			return;
		}
		fresh.forEach(it => this.unnotified.delete(it));
		const requests = others.length === 0 ? fresh : pending.all.filter(it => fresh.includes(it) || this.isUnseen(it));
		const shown: Shown = { requests, time: clock.now() };
		this.shown.add(shown);
		this.schedule();
		await this.show(shown, first);
	}

	/** The request waits for the person, who hasn't closed its sheet. */
	private isUnseen(request: PendingRequest): boolean {
		return request.stage !== 'underway' && request !== this.deps.pending.reviewed && !this.aside.has(request);
	}

	/** Milliseconds until a request may be notified; a notification about the same source may still be visible. */
	private quietMs(request: PendingRequest): number {
		const { pending } = this.deps;
		const now = clock.now();
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

	/** Shows one notification, and carries out the choice of its button. */
	private async show(shown: Shown, first: PendingRequest): Promise<void> {
		const { pending, label, list, mute } = this.deps;
		const { t } = vscode.l10n;
		const { requests } = shown;
		const serverLabel = notificationText(label(first.definition));
		const [deny, muteServer] = [t('Deny'), t('Mute Server')];
		const isSingle = requests.length === 1;
		const isOfOneServer = requests.every(it => it.definition.id === first.definition.id && isOfServer(it));
		const message = isSingle
			? messageFor(first, serverLabel)
			: isOfOneServer
				? messageForServer(requests.length, serverLabel)
				: messageForMany(requests.length);
		const others = isOfOneServer ? [muteServer] : isSingle && first.subject.kind === 'approval' ? [deny] : [];
		const review = isSingle ? reviewLabel(first) : t('Review');
		const choice = await vscode.window.showInformationMessage(message, review, ...others);
		// The notification was closed, so the next one can be shown.
		this.shown.delete(shown);
		this.schedule();
		if (choice === undefined) {
			return;
		}
		didUseButton();
		if (choice === muteServer) {
			mute(first.definition);
		} else if (!requests.some(it => pending.has(it))) {
			const ended = isSingle ? messageForEnd(first.subject, serverLabel) : t('These requests have ended.');
			void vscode.window.showInformationMessage(ended);
		} else if (choice === deny) {
			first.deny?.();
		} else {
			await (isSingle ? pending.review(first) : list());
		}
	}
}

/** Whether the person made the call. */
function isOwnCall({ subject }: PendingRequest): boolean {
	return subject.kind === 'approval' && subject.question.request.caller.kind === 'person';
}

/** Each source has at most one visible notification, so that a server with many requests doesn't hide the others. */
function isOfSameSource(a: PendingRequest, b: PendingRequest): boolean {
	return a.definition.id === b.definition.id && isOfServer(a) === isOfServer(b);
}

/** Whether the server sent the request; such requests can be muted. */
function isOfServer({ subject }: PendingRequest): boolean {
	return subject.kind === 'elicitation' || subject.kind === 'sampling';
}
