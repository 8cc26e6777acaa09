/**
 * Pending requests in the tree and in notifications, how they are reviewed, and how servers are muted. The list itself is
 * `core/requests/pendingRequests.ts`; this feature adds the requests that servers send.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Owner, toDisposable } from '../../base/lifecycle.js';
import type { ListState } from '../../core/servers/catalog.js';
import type { PendingRequest, PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { Answerer, Questions, ServerQuestion } from '../../core/requests/questions.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { didUseButton, ManagedContextKey, registerCommand, reportErrors } from '../../editor/commands.js';
import { Commands, ContextKeys, TreeContexts } from '../../editor/contributions.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { ServerActions } from '../../editor/ui/serverActions.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import {
	lineOf,
	messageFor,
	messageForEnd,
	messageForMany,
	messageForServer,
	requestLook,
	reviewLabel,
} from './words.js';
import { clock, type Timer } from '../../base/clock.js';

const { t } = vscode.l10n;

interface PendingDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly questions: Questions;
	readonly serverActions: ServerActions;
	/** The features that answer requests of servers, each for its own kind. */
	readonly answerers: readonly Answerer[];
}

export function registerPendingRequests(deps: PendingDeps): Disposable {
	const owned = new DisposableStore();
	const feature = owned.add(new PendingFeature(deps));
	owned.add(showPending(deps, feature));
	owned.add(registerCommand(Commands.answerQuestion, argument => feature.review(argument)));
	owned.add(
		deps.serverActions.register({
			icon: 'bell-slash',
			label: ({ isMuted }) => (isMuted ? t('Unmute') : t('Mute')),
			value: ({ isMuted }) => (isMuted ? t('Requests are declined automatically') : ''),
			run: server => void feature.setMuted(server.definition, !server.isMuted),
		}),
	);
	return owned;
}

function showPending({ pending, questions, tree, registry }: PendingDeps, feature: PendingFeature): Disposable {
	const owned = new DisposableStore();
	const hasPending = new ManagedContextKey(ContextKeys.hasPendingRequests);
	owned.add(pending.onDidChange(() => (hasPending.value = pending.all.length > 0)));
	owned.add(questions.onDidRefuse(it => void reportErrors(() => feature.tellOfFlood(it))));
	owned.add(
		new PendingNotifications({
			pending,
			label: it => registry.labelOf(it),
			list: () => feature.reviewAll(),
			mute: it => void feature.setMuted(it, true),
		}),
	);
	owned.add(
		tree.registerGroup<PendingRequest>({
			id: 'pending',
			// The last group, because it appears by itself and must not move rows that the person is about to click.
			order: 90,
			label: t('Pending Requests'),
			icon: 'bell-dot',
			list: (_, server) => feature.list(server.definition),
			isIndependent: true,
			onDidChange: pending.onDidChange,
			open: Commands.answerQuestion,
			describe: request => {
				const { icon, ...look } = requestLook(request);
				return {
					...look,
					key: String(request.id),
					icon: new vscode.ThemeIcon(icon),
					context: TreeContexts.request,
				};
			},
		}),
	);
	return owned;
}

class PendingFeature extends Owner {
	private readonly lists = new Map<string, { readonly lines: string; readonly list: ListState<PendingRequest> }>();
	private readonly byQuestion = new Map<ServerQuestion, PendingRequest>();

	constructor(private readonly deps: PendingDeps) {
		super();
		const { questions, pending } = deps;
		this.own(questions.onDidCome(it => this.add(it)));
		this.own(
			questions.onDidAsk(it => {
				const request = this.byQuestion.get(it);
				if (request) {
					pending.didChange(request, true);
				}
			}),
		);
		this.own(questions.onDidChange(() => this.byQuestion.forEach(it => pending.didChange(it))));
		this.own(
			questions.onDidEnd(({ question, end }) => {
				const request = this.byQuestion.get(question);
				this.byQuestion.delete(question);
				if (request) {
					pending.end(request, end === undefined);
				}
			}),
		);
	}

	private answererOf(question: ServerQuestion): Answerer | undefined {
		return this.deps.answerers.find(it => it.answers(question));
	}

	async tellOfFlood(definition: ServerDefinition): Promise<void> {
		const serverLabel = this.deps.registry.labelOf(definition);
		const mute = t('Mute Server');
		const message = t('{0} is sending too many requests. New requests are declined automatically.', serverLabel);
		if ((await vscode.window.showWarningMessage(message, mute)) === mute) {
			await this.setMuted(definition, true);
		}
	}

	/** @param argument a node of the tree, a request or a question; anything else lets the person choose */
	async review(argument: unknown): Promise<void> {
		const { pending } = this.deps;
		const given = argument instanceof LeafNode ? argument.entry : argument;
		const named = pending.all.find(it => it === given || this.byQuestion.get(given as ServerQuestion) === it);
		const chosen = named ?? (await this.choose());
		if (chosen) {
			await pending.review(chosen);
		}
	}

	/** Reviews one request after another, until the person closes a sheet without an answer. */
	async reviewAll(): Promise<void> {
		const { pending } = this.deps;
		for (let chosen = await this.choose(); chosen; chosen = await this.choose()) {
			const end = await pending.review(chosen);
			if (end === 'aside' || pending.has(chosen) || pending.all.length === 0) {
				return;
			}
		}
	}

	/** Resolves when the message about it has closed. */
	async setMuted(definition: ServerDefinition, isMuted: boolean): Promise<void> {
		const { questions, registry, tree } = this.deps;
		questions.mute(definition, isMuted);
		tree.redrawServer(definition);
		const serverLabel = registry.labelOf(definition);
		if (!isMuted) {
			void vscode.window.showInformationMessage(t('{0} is no longer muted.', serverLabel));
			return;
		}
		for (const waiting of questions.of(definition).slice()) {
			this.answererOf(waiting)?.decline(waiting);
		}
		const message = t('{0} is muted. Its requests are declined automatically.', serverLabel);
		const unmute = t('Unmute');
		if ((await vscode.window.showInformationMessage(message, unmute)) === unmute) {
			await this.setMuted(definition, false);
		}
	}

	/** Returns the same object while its lines are the same, because the tree redraws a group whose object is new. */
	list(definition: ServerDefinition): ListState<PendingRequest> {
		const items = this.deps.pending.of(definition);
		const lines = items.map(it => `${it.id} ${it.stage} ${requestLook(it).label}`).join('\n');
		const known = this.lists.get(definition.id);
		if (known?.lines === lines) {
			return known.list;
		}
		const list: ListState<PendingRequest> = items.length === 0 ? { kind: 'absent' } : { kind: 'loaded', items };
		this.lists.set(definition.id, { lines, list });
		return list;
	}

	private add(question: ServerQuestion): void {
		const { pending, questions } = this.deps;
		const kind = question.request.mode === 'model' ? 'sampling' : 'elicitation';
		const request = pending.add(
			{
				definition: question.definition,
				subject: () => ({ kind, question }),
				stage: () => question.stage,
				review: async (signal): Promise<ReviewEnd> => {
					await this.answererOf(question)?.ask(question, signal);
					return questions.isWaiting(question) ? 'aside' : 'done';
				},
				deny: () => this.answererOf(question)?.decline(question),
			},
			// `questions.onDidAsk` announces it.
			{ isQuiet: true },
		);
		this.byQuestion.set(question, request);
	}

	private async choose(): Promise<PendingRequest | undefined> {
		const { registry, pending } = this.deps;
		const { all } = pending;
		if (all.length === 0) {
			void vscode.window.showInformationMessage(t('No requests are waiting for you.'));
			return undefined;
		}
		if (all.length === 1) {
			return all[0];
		}
		const items = all.map(request => ({ ...lineOf(request, registry.labelOf(request.definition)), request }));
		const placeHolder = t('Select a request to review');
		return (await chooseLine(items, placeHolder, t('Pending Requests')))?.request;
	}
}

interface NotificationDeps {
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

/**
 * Notifications about pending requests; requests that come together share one. An extension can't withdraw a
 * notification, and the editor hides it by itself: neither ends a request. A button that is pressed
 * after the request has ended shows a message.
 */
class PendingNotifications extends Owner {
	/** Requests without a notification so far. */
	private readonly unnotified = new Set<PendingRequest>();
	/** Notifications that are probably still visible. */
	private readonly shown = new Set<Shown>();
	private timer: Timer | undefined;

	constructor(private readonly deps: NotificationDeps) {
		super();
		const { pending } = deps;
		this.own(
			pending.onDidAsk(it => {
				this.unnotified.add(it);
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
				const serverLabel = deps.label(definition);
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
		const [first] = fresh;
		if (!first) {
			if (unnotified.length > 0) {
				this.schedule(Math.min(...unnotified.map(it => this.quietMs(it))));
			}
			return;
		}
		fresh.forEach(it => this.unnotified.delete(it));
		const shown: Shown = { requests: fresh, time: clock.now() };
		this.shown.add(shown);
		this.schedule();
		await this.show(shown, first);
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
			} else if (shown.requests.some(it => isOfSameSource(it, request) && pending.has(it))) {
				left = Math.max(left, ms);
			}
		}
		return left;
	}

	/** Shows one notification, and carries out the choice of its button. */
	private async show(shown: Shown, first: PendingRequest): Promise<void> {
		const { pending, label, list, mute } = this.deps;
		const { requests } = shown;
		const serverLabel = label(first.definition);
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

/** Each source has at most one visible notification, so that a server with many requests doesn't hide the others. */
function isOfSameSource(a: PendingRequest, b: PendingRequest): boolean {
	return a.definition.id === b.definition.id && isOfServer(a) === isOfServer(b);
}

/** Whether the server sent the request; such requests can be muted. */
function isOfServer({ subject }: PendingRequest): boolean {
	return subject.kind === 'elicitation' || subject.kind === 'sampling';
}
