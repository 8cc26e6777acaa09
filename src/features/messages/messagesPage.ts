/** A tab with messages, and the form for a request. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Exchange } from '../../core/messages/exchanges.js';
import { writeMessages } from '../../core/messages/messageFile.js';
import type { MessageLog } from '../../core/messages/messageList.js';
import type { MessageRing } from '../../core/messages/messageRing.js';
import { methodsOf } from '../../core/messages/methods.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { didUseButton } from '../../editor/commands.js';
import { messagesViewType } from '../../editor/contributions.js';
import { saveBytes } from '../../editor/documents/export.js';
import { describeError } from '../../editor/l10n/messages.js';
import { MessagesHost } from '../../editor/pages/messagesHost.js';
import { PagePanel } from '../../editor/pages/pagePanel.js';
import { jsonText, webviewText } from '../../editor/ui/plainText.js';
import { type FromView, type ListAction, readFromView, type ToView } from '../../webviews/page/messages/protocol.js';
import { type SendDeps, sendRequest } from './sendRequest.js';

export interface MessagesDeps extends SendDeps {
	readonly registry: Pick<ServerRegistry, 'label' | 'labelOf' | 'redact'>;
	readonly messages: MessageRing;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

/** The messages that a page shows. */
export interface Scope {
	readonly title: string;
	readonly log: MessageLog;
	readonly belongs: (exchange: Exchange) => boolean;
	/** The servers to which the form can send requests; left out if it can't. */
	readonly servers?: () => readonly Server[];
}

export class MessagesPage extends Owner {
	readonly panel: PagePanel<FromView, ToView>;
	private readonly host: MessagesHost;
	/** The caller who has chosen the parameters of the form. */
	private caller: Caller = { kind: 'person' };

	constructor(
		private readonly deps: MessagesDeps,
		private readonly scope: Scope,
		private readonly openFile: () => unknown,
	) {
		super();
		const { registry, context } = deps;
		const { title, log, belongs, servers } = scope;
		const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
		this.panel = this.own(
			new PagePanel<FromView, ToView>(
				context.extensionUri,
				'messages',
				// `retains` keeps the filter, the form and the scroll position.
				{ viewType: messagesViewType, title, place, retains: true },
				{
					read: readFromView,
					onReady: () => this.host.begin(),
					onMessage: it => (it.type === 'send' ? this.send(it) : this.host.take(it)),
				},
			),
		);
		this.host = this.own(
			new MessagesHost({
				log,
				belongs,
				registry,
				actions: servers ? ['newRequest', 'clear', 'exportFile', 'openFile'] : ['exportFile', 'openFile'],
				post: message => this.panel.post(message),
				press: action => this.press(action),
				...(servers && { resend: exchange => this.openForm(exchange) }),
			}),
		);
	}

	private openForm(from?: Exchange): void {
		const servers = (this.scope.servers?.() ?? []).map(it => ({
			id: it.definition.id,
			label: this.deps.registry.label(it),
			methods: methodsOf(it.client?.session.protocolVersion).map(({ name, params }) => ({
				name,
				params: jsonText(params, 2),
			})),
		}));
		const { channel, facts, text } = from?.first ?? {};
		this.caller = from ? callerOf(from) : { kind: 'person' };
		this.panel.post({
			type: 'form',
			servers,
			server: channel?.source.id ?? servers[0]?.id ?? '',
			method: facts?.method ?? '',
			params: text === undefined ? '' : paramsIn(text),
		});
	}

	private async press(action: ListAction): Promise<void> {
		if (action === 'newRequest') {
			this.openForm();
		} else if (action === 'openFile') {
			await this.openFile();
		} else if (action === 'clear') {
			this.deps.messages.clear();
		} else {
			const { registry } = this.deps;
			const text = writeMessages(this.host.records, (value, source) => registry.redact(value, source));
			await saveBytes('messages.jsonl', () => new TextEncoder().encode(text));
		}
	}

	private async send({ server: id, method, params }: Extract<FromView, { type: 'send' }>): Promise<void> {
		const server = this.scope.servers?.().find(it => it.definition.id === id);
		if (server) {
			didUseButton();
			await this.host.selectSent(method, async () => {
				const error = await sendRequest(this.deps, { server, method, params, caller: this.caller }).then(
					() => '',
					(it: unknown) => describeError(it),
				);
				this.panel.post({ type: 'sent', error: webviewText(error, 1000) });
			});
		}
	}
}

/** The caller of an edited request: the person, or `history` if a model or another extension chose the parameters. */
function callerOf({ first }: Exchange): Caller {
	const { caller } = first.call;
	return caller === undefined || caller.kind === 'person' ? { kind: 'person' } : { kind: 'history' };
}

/** The parameters of a request as JSON, without `_meta`, which the client adds. */
function paramsIn(text: string): string {
	const { params } = JSON.parse(text) as { readonly params?: Readonly<Record<string, unknown>> };
	return jsonText({ ...params, _meta: undefined }, 2);
}
