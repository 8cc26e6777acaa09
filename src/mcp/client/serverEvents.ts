/** What a server says unasked, as events: one place for all links that a client uses, one after another. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Connection } from '../jsonrpc/connection.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import * as read from '../wire/read.js';
import type { ListKind, LogMessage } from '../wire/types.js';
import type { ResultCache } from './cache.js';

const listKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

export class ServerEvents extends Owner {
	private readonly _onDidChangeList = this.own(new Emitter<ListKind>());
	readonly onDidChangeList: Event<ListKind> = this._onDidChangeList.event;

	private readonly _onDidUpdateResource = this.own(new Emitter<string>());
	/** The URI of a resource that was subscribed to. */
	readonly onDidUpdateResource: Event<string> = this._onDidUpdateResource.event;

	private readonly _onDidCompleteElicitation = this.own(new Emitter<string>());
	/** The id of a URL elicitation whose page was finished. */
	readonly onDidCompleteElicitation: Event<string> = this._onDidCompleteElicitation.event;

	private readonly _onDidLog = this.own(new Emitter<LogMessage>());
	readonly onDidLog: Event<LogMessage> = this._onDidLog.event;

	private readonly _onDidChangeTask = this.own(new Emitter<string>());
	/** The id of a task whose state has changed: worth asking for, not to be relied on. */
	readonly onDidChangeTask: Event<string> = this._onDidChangeTask.event;

	/** @param cache forgets what the server says has changed */
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
		connection.onChatter('notifications/message', params => this._onDidLog.fire(read.readLogMessage(params)));
		connection.onNotification('notifications/resources/updated', params => {
			const { uri } = params;
			if (typeof uri === 'string' && isWanted(params)) {
				this.updateResource(uri);
			}
		});
		connection.onNotification('notifications/elicitation/complete', ({ elicitationId }) => {
			if (typeof elicitationId === 'string') {
				this._onDidCompleteElicitation.fire(elicitationId);
			}
		});
		// The first of 2025-11-25, the second of the extension for 2026-07-28.
		for (const method of ['notifications/tasks/status', 'notifications/tasks']) {
			connection.onNotification(method, ({ taskId }) => {
				if (typeof taskId === 'string') {
					this._onDidChangeTask.fire(taskId);
				}
			});
		}
	}

	/** Nobody has told what changed meanwhile: every list may have, and each of the resources that are subscribed to. */
	changeAll(resources: readonly string[] = []): void {
		listKinds.forEach(it => this.changeList(it));
		resources.forEach(it => this.updateResource(it));
	}

	private updateResource(uri: string): void {
		this.cache.forgetResource(uri);
		this._onDidUpdateResource.fire(uri);
	}

	private changeList(kind: ListKind): void {
		this.cache.forgetList(kind);
		this._onDidChangeList.fire(kind);
	}
}
