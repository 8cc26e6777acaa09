/**
 * The events of one client. A client may use several connections, one after another: each of them fires the events
 * here, so a listener subscribes once.
 */
import { Emitter, Owner } from '../../base/lifecycle.js';
import type { Connection } from '../jsonrpc/connection.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { Tap } from '../transport/tap.js';
import type { TransportEnd, TransportNoise } from '../transport/transport.js';
import * as read from '../wire/read.js';
import type { ListKind, LogMessage } from '../wire/types.js';
import type { ResultCache } from './cache.js';
import type { Session } from './negotiate.js';

const listKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** The emitters behind the public events of `ClientSession`, which documents them. */
export class ClientEvents extends Owner {
	readonly tap = this.own(new Tap());
	readonly didReceiveNoise = this.own(new Emitter<TransportNoise>());
	readonly didEnd = this.own(new Emitter<TransportEnd>());
	readonly didRenewSession = this.own(new Emitter<Session>());
	readonly didEndCalls = this.own(new Emitter<void>());
	readonly didChangeList = this.own(new Emitter<ListKind>());
	readonly didUpdateResource = this.own(new Emitter<string>());
	readonly didCompleteElicitation = this.own(new Emitter<string>());
	readonly didLog = this.own(new Emitter<LogMessage>());
	/** Carries the id of a task whose state may have changed. The notification is optional, so tasks are polled too. */
	readonly didChangeTask = this.own(new Emitter<string>());

	/** @param cache forgets the lists and resources that change */
	constructor(private readonly cache: ResultCache) {
		super();
	}

	/** @param isWanted whether a notification belongs to a subscription that is open */
	listenTo(connection: Connection, isWanted: (params: JsonObject) => boolean): void {
		for (const kind of listKinds) {
			connection.onNotification(`notifications/${kind}/list_changed`, params => {
				if (isWanted(params)) {
					this.changeList(kind);
				}
			});
		}
		connection.onRateLimitedNotification('notifications/message', params =>
			this.didLog.fire(read.readLogMessage(params)),
		);
		connection.onNotification('notifications/resources/updated', params => {
			const { uri } = params;
			if (typeof uri === 'string' && isWanted(params)) {
				this.updateResource(uri);
			}
		});
		connection.onNotification('notifications/elicitation/complete', ({ elicitationId }) => {
			if (typeof elicitationId === 'string') {
				this.didCompleteElicitation.fire(elicitationId);
			}
		});
		// The first method is of revision 2025-11-25, the second of the extension for 2026-07-28.
		for (const method of ['notifications/tasks/status', 'notifications/tasks']) {
			connection.onNotification(method, ({ taskId }) => {
				if (typeof taskId === 'string') {
					this.didChangeTask.fire(taskId);
				}
			});
		}
	}

	/**
	 * Reports every list as changed, and these resources as updated: notifications may have been lost.
	 * @param resources URIs of the resources that are subscribed to
	 */
	changeAll(resources: readonly string[] = []): void {
		listKinds.forEach(kind => this.changeList(kind));
		resources.forEach(uri => this.updateResource(uri));
	}

	private updateResource(uri: string): void {
		this.cache.forgetResource(uri);
		this.didUpdateResource.fire(uri);
	}

	private changeList(kind: ListKind): void {
		this.cache.forgetList(kind);
		this.didChangeList.fire(kind);
	}
}
