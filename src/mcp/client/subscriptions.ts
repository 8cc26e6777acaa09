/**
 * What a server is asked to tell us unasked: changed lists and updated resources. One API; in the legacy
 * era lists come by themselves and resources by `resources/subscribe`, in the modern one everything comes
 * over a `subscriptions/listen` request that stays open.
 */
import { debounce, type Debounced } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { McpError, RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject, type RequestId } from '../jsonrpc/messages.js';
import { metaKeys } from '../wire/modern.js';
import type { ClientOptions } from './clientOptions.js';
import type { Link } from './link.js';
import type { Session } from './negotiate.js';

/** Several subscriptions in a row become one `listen`. */
const settleMs = 20;
/** A broken stream is opened again after 1 s, 2 s, 4 s … up to this. */
const maxRetryMs = 60_000;
/** A stream that lived so long was no failure, however it ended: proxies cut what is idle. */
const livedMs = 10_000;
const maxFailures = 6;

type SubscriptionsOptions = Pick<ClientOptions, 'log' | 'timeoutMs'>;

/** The resources of one legacy session. */
class LegacySubscriptions {
	/** URIs whose last request was to subscribe. */
	readonly subscribed = new Set<string>();
	/** URIs whose last request to subscribe was answered without an error. */
	readonly acknowledged = new Set<string>();
	/** URIs of which a request is under way. */
	readonly changing = new Set<string>();
}

/** An open `listen` request. */
interface Stream {
	readonly controller: AbortController;
	/** URIs of resources whose updates the server has agreed to send. */
	granted: ReadonlySet<unknown>;
}

/**
 * What one client wants to be told of, over whatever link it has. `onDidCloseGap` is called when a stream is there again
 * after one that broke: anything may have changed meanwhile.
 */
export class Subscriptions extends Owner {
	/** How often each URI was asked for. */
	private readonly counts = new Map<string, number>();
	private legacy = new LegacySubscriptions();
	/**
	 * Streams by the id of their `listen`, oldest first, two at most: the one before stays open until the server has
	 * acknowledged its successor, so that nothing is missed in between.
	 */
	private readonly streams = new Map<RequestId, Stream>();
	private readonly retrying = this.own(new MutableDisposable<Disposable>());
	private readonly relisten: Debounced = this.own(debounce(settleMs, () => this.listen()));
	private failures = 0;
	/** A stream has broken since the last acknowledgement: what happened in between was told to nobody. */
	private hasGap = false;
	/** The next attempt waits for a server that could not be reached. */
	private isAway = false;

	constructor(
		private link: Link,
		private session: Session,
		private readonly options: SubscriptionsOptions,
		private readonly onDidCloseGap: () => void,
	) {
		super();
		this.own(toDisposable(() => this.closeAll()));
		if (this.isModern) {
			this.relisten.schedule();
		}
	}

	get resources(): readonly string[] {
		return [...this.counts.keys()];
	}

	/** Whether the server has acknowledged a subscription to the resource, and the subscription is still open. */
	isAcknowledged(uri: string): boolean {
		return (
			this.counts.has(uri) &&
			(this.isModern
				? Array.from(this.streams.values()).some(it => it.granted.has(uri))
				: this.legacy.acknowledged.has(uri))
		);
	}

	/** Asks to be told when the resource changes, until disposed. Nothing happens if the server cannot. */
	add(uri: string): Disposable {
		const count = (this.counts.get(uri) ?? 0) + 1;
		this.counts.set(uri, count);
		if (count === 1) {
			this.change(uri);
		}
		return toDisposable(() => this.remove(uri));
	}

	/** Another session, perhaps over another link: the server knows nothing of our wishes any more. */
	renew(link: Link, session: Session): void {
		this.closeAll();
		this.link = link;
		this.session = session;
		this.failures = 0;
		this.hasGap = false;
		this.isAway = false;
		if (this.isModern) {
			this.relisten.schedule();
			return;
		}
		this.legacy = new LegacySubscriptions();
		for (const uri of this.counts.keys()) {
			this.change(uri);
		}
	}

	/** The server has answered something. One that was out of reach is there again: no need to wait any longer. */
	didAnswer(): void {
		if (this.isAway) {
			this.listen();
		}
	}

	/** The stream may be dead without a word: another takes its place. In the legacy era the session has our wishes. */
	refresh(): void {
		if (this.isModern) {
			this.failures = 0;
			this.relisten.schedule();
		}
	}

	/**
	 * Whether a notification belongs to a subscription that is open. Spec 2026-07-28, subscriptions: on stdio
	 * "clients MUST use this field to correlate". One that names no subscription is taken as it is.
	 */
	accepts(params: JsonObject): boolean {
		const id = subscriptionOf(params);
		return id === undefined || !this.isModern || this.streams.has(id);
	}

	/** The server says which of our wishes it grants. */
	acknowledge(params: JsonObject): void {
		const id = subscriptionOf(params) ?? [...this.streams.keys()].at(-1);
		const stream = id === undefined ? undefined : this.streams.get(id);
		if (!stream) {
			return;
		}
		for (const older of Array.from(this.streams.keys())) {
			if (older === id) {
				break;
			}
			this.closeStream(older);
		}
		const granted: JsonObject = isObject(params['notifications']) ? params['notifications'] : {};
		const { resourceSubscriptions: uris } = granted;
		stream.granted = new Set<unknown>(Array.isArray(uris) ? uris : []);
		const refused = Object.keys(this.filter()).filter(it => !granted[it]);
		if (refused.length > 0) {
			this.options.log.debug(`The server does not tell of ${refused.join(', ')}.`);
		}
		if (this.hasGap) {
			this.hasGap = false;
			this.onDidCloseGap();
		}
	}

	private get isModern(): boolean {
		return this.session.era === 'modern';
	}

	private remove(uri: string): void {
		const count = (this.counts.get(uri) ?? 0) - 1;
		if (count > 0) {
			this.counts.set(uri, count);
		} else if (this.counts.delete(uri)) {
			this.change(uri);
		}
	}

	private change(uri: string): void {
		if (this.owned.isDisposed) {
			return;
		}
		if (this.isModern) {
			this.relisten.schedule();
		} else if (this.session.capabilities?.resources?.subscribe) {
			void this.reconcile(uri);
		}
	}

	/**
	 * Tells a legacy server what is wanted of a resource, one request after another: over HTTP a later request may
	 * overtake an earlier one. A request that fails is not repeated.
	 */
	private async reconcile(uri: string): Promise<void> {
		const { legacy, link } = this;
		const { acknowledged, changing, subscribed } = legacy;
		if (changing.has(uri)) {
			return;
		}
		changing.add(uri);
		const isCurrent = (): boolean => legacy === this.legacy && !this.owned.isDisposed;
		while (isCurrent() && this.counts.has(uri) !== subscribed.has(uri)) {
			const method = this.counts.has(uri) ? 'resources/subscribe' : 'resources/unsubscribe';
			if (method === 'resources/subscribe') {
				subscribed.add(uri);
			} else {
				subscribed.delete(uri);
				acknowledged.delete(uri);
			}
			try {
				await link.request(method, { uri }, { timeoutMs: this.options.timeoutMs });
				if (method === 'resources/subscribe') {
					acknowledged.add(uri);
				}
			} catch (error) {
				this.options.log.warn(`${method} failed: ${toMessage(error)}`);
			}
		}
		changing.delete(uri);
	}

	/** Opens the stream for what is wanted now. */
	private listen(): void {
		this.retrying.value = undefined;
		this.isAway = false;
		const notifications = this.filter();
		if (Object.keys(notifications).length === 0) {
			this.closeAll();
			return;
		}
		// One that was never acknowledged and has a successor is of no use; a server may never acknowledge any.
		for (const superseded of [...this.streams.keys()].slice(1)) {
			this.closeStream(superseded);
		}
		const controller = new AbortController();
		const opened = Date.now();
		let id: RequestId | undefined;
		const onId = (it: RequestId): void => {
			id = it;
			this.streams.set(it, { controller, granted: new Set() });
		};
		this.link
			.request('subscriptions/listen', { notifications }, { signal: controller.signal, timeoutMs: 0, onId })
			.then(
				() => {
					this.options.log.debug('The server ended the subscription.');
					// The next `add` opens another stream. Updates until then are missed.
					this.hasGap = true;
				},
				(error: unknown) => {
					if (!controller.signal.aborted) {
						this.retry(error, Date.now() - opened);
					}
				},
			)
			.finally(() => {
				if (id !== undefined) {
					this.streams.delete(id);
				}
			});
	}

	/** A server may refuse (one real server answers that its limit is reached): never fatal. */
	private retry(error: unknown, lived: number): void {
		this.options.log.debug(`The subscription ended: ${toMessage(error)}`);
		// The stream before may be what the limit was reached with.
		this.closeAll();
		this.hasGap = true;
		const isUnknown = error instanceof RpcError && error.code === RpcErrorCode.methodNotFound;
		const isOver = error instanceof McpError && error.failure.code === 'closed';
		if (isUnknown || isOver) {
			return;
		}
		this.failures = lived > livedMs ? 1 : this.failures + 1;
		if (this.failures > maxFailures) {
			this.options.log.warn('The server does not keep a subscription open; changes are not noticed.');
			return;
		}
		this.isAway = error instanceof McpError && error.failure.code === 'network';
		const timer = setTimeout(() => this.listen(), Math.min(maxRetryMs, 500 * 2 ** this.failures));
		this.retrying.value = toDisposable(() => clearTimeout(timer));
	}

	private closeAll(): void {
		for (const id of Array.from(this.streams.keys())) {
			this.closeStream(id);
		}
	}

	private closeStream(id: RequestId): void {
		const stream = this.streams.get(id);
		this.streams.delete(id);
		stream?.controller.abort();
	}

	/** Spec 2026-07-28, subscriptions: opt-in to each kind. Unknown capabilities gate nothing. */
	private filter(): JsonObject {
		const { capabilities } = this.session;
		const { tools, prompts, resources } = capabilities ?? {};
		const isUnknown = capabilities === undefined;
		return {
			...(isUnknown || tools?.listChanged ? { toolsListChanged: true } : {}),
			...(isUnknown || prompts?.listChanged ? { promptsListChanged: true } : {}),
			...(isUnknown || resources?.listChanged ? { resourcesListChanged: true } : {}),
			...(this.counts.size > 0 && (isUnknown || resources?.subscribe) ? { resourceSubscriptions: this.resources } : {}),
		};
	}
}

function subscriptionOf({ _meta }: JsonObject): RequestId | undefined {
	const id = isObject(_meta) ? _meta[metaKeys.subscriptionId] : undefined;
	return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
