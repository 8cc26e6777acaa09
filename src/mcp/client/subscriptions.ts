/**
 * Subscriptions to changed lists and updated resources. In the legacy era, list changes come without a subscription
 * and resources by `resources/subscribe`. In the modern era, everything comes over one `subscriptions/listen` request
 * that stays open.
 */
import { clock } from '../../base/clock.js';
import { debounce, type Debounced } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { hasFailure, isUnknownMethod } from '../jsonrpc/errors.js';
import { type JsonObject, type RequestId, toObject } from '../jsonrpc/messages.js';
import { metaKeys } from '../wire/modern.js';
import type { ClientOptions } from './clientOptions.js';
import type { Connection } from '../jsonrpc/connection.js';
import type { Session } from './negotiate.js';

/** Milliseconds in which several changes are collected into one `listen`. */
const debounceMs = 20;
/** A broken stream is opened again after 1 s, 2 s, 4 s … up to this. */
const maxRetryMs = 60_000;
/** A stream that lived longer does not count as a failure: proxies close idle streams. */
const minLifetimeMs = 10_000;
const maxFailures = 6;

type SubscriptionsOptions = Pick<ClientOptions, 'log' | 'timeoutMs'>;

/** The resources of one legacy session, by URI. */
class LegacySubscriptions {
	/** The last request was to subscribe. */
	readonly subscribed = new Set<string>();
	/** The last request to subscribe was answered without an error. */
	readonly acknowledged = new Set<string>();
	/** A request is in progress. */
	readonly changing = new Set<string>();
}

/** An open `listen` request. */
interface Stream {
	readonly controller: AbortController;
	/** URIs of resources whose updates the server has agreed to send. */
	granted: ReadonlySet<unknown>;
}

/** The subscriptions of one client, over its current connection. */
export class Subscriptions extends Owner {
	/** The number of subscribers of each URI. */
	private readonly counts = new Map<string, number>();
	private legacy = new LegacySubscriptions();
	/**
	 * Streams by the id of their `listen` request, oldest first, at most two: the old stream stays open until the
	 * server has acknowledged the new one, so that no notification is missed in between.
	 */
	private readonly streams = new Map<RequestId, Stream>();
	private readonly retrying = this.own(new MutableDisposable<Disposable>());
	private readonly relisten: Debounced = this.own(debounce(debounceMs, () => this.listen()));
	private failures = 0;
	/** Whether a stream has ended since the last acknowledgement: notifications in between were missed. */
	private hasGap = false;

	/**
	 * @param onDidCloseGap called when a stream is open again after one that broke: anything may have changed meanwhile
	 */
	constructor(
		private connection: Connection,
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

	/** Subscribes to a resource until disposed. Does nothing if the server does not support it. */
	add(uri: string): Disposable {
		const count = (this.counts.get(uri) ?? 0) + 1;
		this.counts.set(uri, count);
		if (count === 1) {
			this.change(uri);
		}
		return toDisposable(() => this.remove(uri));
	}

	/** Subscribes again in a new session, which may be on a new connection. */
	renew(connection: Connection, session: Session): void {
		this.closeAll();
		this.connection = connection;
		this.session = session;
		this.failures = 0;
		this.hasGap = false;
		if (this.isModern) {
			this.relisten.schedule();
			return;
		}
		this.legacy = new LegacySubscriptions();
		for (const uri of this.counts.keys()) {
			this.change(uri);
		}
	}

	/**
	 * Replaces the stream, which may be dead without an error. In the legacy era, subscriptions belong to the session
	 * and need nothing.
	 */
	refresh(): void {
		if (this.isModern) {
			this.failures = 0;
			this.relisten.schedule();
		}
	}

	/**
	 * Whether a notification belongs to an open subscription. Spec 2026-07-28, subscriptions: on stdio "clients MUST
	 * use this field to correlate". A notification without the field is accepted.
	 */
	accepts(params: JsonObject): boolean {
		const id = subscriptionOf(params);
		return id === undefined || !this.isModern || this.streams.has(id);
	}

	/** Handles the server's acknowledgement, which names the subscriptions that it accepts. */
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
		const granted = toObject(params['notifications']);
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
	 * Subscribes to a resource, or unsubscribes from it, until server and client agree. One request at a time: over
	 * HTTP, a later request may overtake an earlier one. A request that fails is not repeated.
	 */
	private async reconcile(uri: string): Promise<void> {
		const { legacy, connection } = this;
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
				await connection.request(method, { uri }, { timeoutMs: this.options.timeoutMs });
				if (method === 'resources/subscribe') {
					acknowledged.add(uri);
				}
			} catch (error) {
				this.options.log.warn(`${method} failed: ${toMessage(error)}`);
			}
		}
		changing.delete(uri);
	}

	/** Opens a stream for the current subscriptions. */
	private listen(): void {
		this.retrying.value = undefined;
		const notifications = this.filter();
		if (Object.keys(notifications).length === 0) {
			this.closeAll();
			return;
		}
		// A stream that has a successor but was never acknowledged is closed; some servers never acknowledge.
		for (const superseded of [...this.streams.keys()].slice(1)) {
			this.closeStream(superseded);
		}
		const controller = new AbortController();
		const opened = clock.now();
		let id: RequestId | undefined;
		const onId = (it: RequestId): void => {
			id = it;
			this.streams.set(it, { controller, granted: new Set() });
		};
		this.connection
			.request('subscriptions/listen', { notifications }, { signal: controller.signal, timeoutMs: 0, onId })
			.then(
				() => {
					this.options.log.debug('The server ended the subscription.');
					// The next `add` opens another stream. Notifications until then are missed.
					this.hasGap = true;
				},
				(error: unknown) => {
					if (!controller.signal.aborted) {
						this.retry(error, clock.now() - opened);
					}
				},
			)
			.finally(() => {
				if (id !== undefined) {
					this.streams.delete(id);
				}
			});
	}

	/**
	 * Opens the stream again later. A server may refuse it (one real server has a limit of subscriptions); that is
	 * never fatal.
	 */
	private retry(error: unknown, lifetimeMs: number): void {
		this.options.log.debug(`The subscription ended: ${toMessage(error)}`);
		// The previous stream may be the one that reached the server's limit.
		this.closeAll();
		this.hasGap = true;
		if (isUnknownMethod(error) || hasFailure(error, 'closed')) {
			return;
		}
		this.failures = lifetimeMs > minLifetimeMs ? 1 : this.failures + 1;
		if (this.failures > maxFailures) {
			this.options.log.warn('The server does not keep a subscription open; changes are not noticed.');
			return;
		}
		const timer = clock.setTimeout(() => this.listen(), Math.min(maxRetryMs, 500 * 2 ** this.failures));
		this.retrying.value = toDisposable(() => clock.clearTimeout(timer));
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

	/** Spec 2026-07-28, subscriptions: each kind is opt-in. Unknown capabilities count as present. */
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
	const { [metaKeys.subscriptionId]: id } = toObject(_meta);
	return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
