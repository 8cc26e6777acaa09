/**
 * What a server is asked to tell us unasked: changed lists and updated resources. One API; in the legacy
 * era lists come by themselves and resources by `resources/subscribe`, in the modern one everything comes
 * over a `subscriptions/listen` request that stays open.
 */
import { debounce, type Debounced } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Link } from './link.js';
import type { Session } from './negotiate.js';

/** Several subscriptions in a row become one `listen`. */
const settleMs = 20;
/** A broken stream is opened again after 1 s, 2 s, 4 s … up to this. */
const maxRetryMs = 60_000;

/** The subscriptions of one link; a new link needs a new one, with `resources` of the old. */
export class Subscriptions extends Owner {
	/** How often each URI was asked for. */
	private readonly counts = new Map<string, number>();
	private readonly listening = this.own(new MutableDisposable<Disposable>());
	private readonly relisten: Debounced = this.own(debounce(settleMs, () => this.listen()));
	private failures = 0;

	constructor(
		private readonly link: Link,
		private readonly session: Session,
		private readonly log: Logger,
	) {
		super();
		if (this.isModern) {
			this.relisten.schedule();
		}
	}

	get resources(): readonly string[] {
		return [...this.counts.keys()];
	}

	/** Asks to be told when the resource changes, until disposed. Nothing happens if the server cannot. */
	add(uri: string): Disposable {
		const count = (this.counts.get(uri) ?? 0) + 1;
		this.counts.set(uri, count);
		if (count === 1) {
			this.change('resources/subscribe', uri);
		}
		return toDisposable(() => this.remove(uri));
	}

	private get isModern(): boolean {
		return this.session.era === 'modern';
	}

	private remove(uri: string): void {
		const count = (this.counts.get(uri) ?? 0) - 1;
		if (count > 0) {
			this.counts.set(uri, count);
		} else if (this.counts.delete(uri)) {
			this.change('resources/unsubscribe', uri);
		}
	}

	private change(method: string, uri: string): void {
		if (this.owned.isDisposed) {
			return;
		}
		if (this.isModern) {
			this.relisten.schedule();
		} else if (this.session.capabilities?.resources?.subscribe) {
			this.link.request(method, { uri }, {}).catch((error: unknown) => {
				this.log.warn(`${method} failed: ${toMessage(error)}`);
			});
		}
	}

	/** Opens the stream for what is wanted now, before the one for what was wanted is closed. */
	private listen(): void {
		const notifications = this.filter();
		if (Object.keys(notifications).length === 0) {
			this.listening.value = undefined;
			return;
		}
		const controller = new AbortController();
		const opened = Date.now();
		const stream = this.link.request(
			'subscriptions/listen',
			{ notifications },
			{ signal: controller.signal, timeoutMs: 0 },
		);
		this.listening.value = toDisposable(() => controller.abort());
		stream.then(
			() => this.log.debug('The server ended the subscription.'),
			(error: unknown) => {
				if (!isAbort(error) && !controller.signal.aborted) {
					this.retry(error, Date.now() - opened);
				}
			},
		);
	}

	/** A server may refuse (one real server answers that its limit is reached): never fatal. */
	private retry(error: unknown, livedMs: number): void {
		this.log.debug(`The subscription ended: ${toMessage(error)}`);
		this.failures = livedMs > maxRetryMs ? 0 : this.failures + 1;
		if (this.failures > 6) {
			this.log.warn('The server does not keep a subscription open; changes are not noticed.');
			return;
		}
		const timer = setTimeout(() => this.listen(), Math.min(maxRetryMs, 500 * 2 ** this.failures));
		this.listening.value = toDisposable(() => clearTimeout(timer));
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
