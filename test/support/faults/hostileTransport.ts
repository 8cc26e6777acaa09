// A transport whose other end says anything at all: texts of JSON, which need not be messages.
import { Emitter, type Event, Owner } from '../../../src/base/lifecycle.js';
import { McpError } from '../../../src/mcp/jsonrpc/errors.js';
import { classify, type Message } from '../../../src/mcp/jsonrpc/messages.js';
import type { Received, Transport, TransportEnd } from '../../../src/mcp/transport/transport.js';

/** Gives what is said to a request, one text after another. */
export type Reply = (method: string, id: string | number) => readonly string[];

export class HostileTransport extends Owner implements Transport {
	private readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;
	readonly onDidReceiveNoise: Transport['onDidReceiveNoise'] = () => ({ dispose() {} });
	readonly onDidLose: Transport['onDidLose'] = () => ({ dispose() {} });
	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	/** Messages that it still answers; then it closes, so that a client in an endless loop fails instead of hanging. */
	private messagesLeft = 60;

	constructor(
		readonly kind: Transport['kind'],
		private readonly reply: Reply,
	) {
		super();
	}

	start(): Promise<void> {
		return Promise.resolve();
	}

	async send(message: Message): Promise<void> {
		// As every transport does: what cannot be written cannot be sent.
		JSON.stringify(message);
		if (this.messagesLeft-- <= 0) {
			throw new McpError({ code: 'closed' });
		}
		const it = classify(message);
		await Promise.resolve();
		if (it.kind === 'request') {
			for (const text of this.reply(it.message.method, it.message.id)) {
				this._onDidReceive.fire({ value: JSON.parse(text), text });
			}
		}
	}

	close(): Promise<void> {
		this._onDidEnd.fire({ expected: true });
		return Promise.resolve();
	}
}
