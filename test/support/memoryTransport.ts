// A transport without a wire: the other end is a server played by a test. Every message that our side sends is
// checked against the official schema.
import { Emitter, type Event, Owner } from '../../src/base/lifecycle.js';
import { McpError, RpcError } from '../../src/mcp/jsonrpc/errors.js';
import { classify, isObject, type JsonObject, type Message, type RequestId } from '../../src/mcp/jsonrpc/messages.js';
import type {
	Agreement,
	LostMessage,
	Received,
	SendOptions,
	Transport,
	TransportEnd,
} from '../../src/mcp/transport/transport.js';
import { SentCheck } from './sentCheck.js';

/** Gives the result, throws RpcError for an error, or gives `undefined` to stay silent. */
export type Method = (params: JsonObject, id: RequestId) => JsonObject | undefined | Promise<JsonObject | undefined>;

export interface MemoryServer {
	/** The kind of the transport; `stdio` by default. */
	readonly kind?: Transport['kind'];
	/** Answered by method; unknown methods get -32601, `initialize` and `ping` have an answer already. */
	readonly methods?: Readonly<Record<string, Method>>;
	readonly capabilities?: JsonObject;
	/** The negotiated revision, for tests without a handshake. */
	readonly revision?: string;
	/** Runs in `start`; what it throws, `start` throws. */
	readonly onStart?: () => void | Promise<void>;
	/** Runs in `send`, before the message counts as sent; what it throws, `send` throws. */
	readonly onSend?: (message: Message, transport: MemoryTransport) => void | Promise<void>;
	/** Runs in `close`, before the end. */
	readonly onClose?: () => void | Promise<void>;
}

export class MemoryTransport extends Owner implements Transport {
	readonly kind: Transport['kind'];
	heldUntil = -Infinity;

	private readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	private readonly _onDidReceiveNoise = this.own(new Emitter<{ readonly text: string }>());
	readonly onDidReceiveNoise: Event<{ readonly text: string }> = this._onDidReceiveNoise.event;

	private readonly _onDidLose = this.own(new Emitter<LostMessage>());
	readonly onDidLose: Event<LostMessage> = this._onDidLose.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	private readonly _onDidSend = this.own(new Emitter<Message>());
	/** Our side sent something. */
	readonly onDidSend: Event<Message> = this._onDidSend.event;

	readonly sent: Message[] = [];
	/** The options of each message in `sent`. */
	readonly sentOptions: (SendOptions | undefined)[] = [];
	/** Both directions, in order: `> tools/list#2 {}`, `< #2 {"tools":[]}`; `x #2` is a stream our side closed. */
	readonly transcript: string[] = [];
	/** Calls of the port, in order. */
	readonly calls: string[] = [];

	/** What was agreed on, in order. */
	readonly agreements: string[] = [];

	private readonly check: SentCheck;
	private ended = false;

	constructor(private readonly server: MemoryServer = {}) {
		super();
		this.check = new SentCheck(server.revision);
		this.kind = server.kind ?? 'stdio';
	}

	async start(): Promise<void> {
		this.calls.push('start');
		await this.server.onStart?.();
	}

	async send(message: Message, options?: SendOptions): Promise<void> {
		if (this.ended) {
			throw new McpError({ code: 'closed' });
		}
		const it = classify(message);
		this.check.sentOrFail(message);
		// A message is copied, as on a real wire.
		const copy = JSON.parse(JSON.stringify(message)) as Message;
		await this.server.onSend?.(copy, this);
		this.sent.push(copy);
		this.sentOptions.push(options);
		if (it.kind === 'request') {
			const { id } = it.message;
			options?.abort?.setStop(() => this.transcript.push(`x #${JSON.stringify(id)}`));
		}
		this.transcript.push(`> ${summary(copy)}`);
		this._onDidSend.fire(copy);
		void this.react(copy);
	}

	didAgree({ era, protocolVersion }: Agreement): void {
		this.agreements.push(`${era} ${protocolVersion}`);
	}

	forgetSession(): void {
		this.calls.push('forgetSession');
	}

	async close(): Promise<void> {
		this.calls.push('close');
		await this.server.onClose?.();
		this.end({ expected: true });
	}

	override dispose(): void {
		if (!this.owned.isDisposed) {
			this.calls.push('dispose');
		}
		this.ended = true;
		super.dispose();
	}

	/**
	 * The server sends anything.
	 * @param requestId of our request in whose response stream it comes
	 */
	receive(value: unknown, requestId?: RequestId): void {
		this.check.received(value);
		this.transcript.push(`< ${summary(value)}`);
		this._onDidReceive.fire({ value, text: JSON.stringify(value), requestId });
	}

	notify(method: string, params?: JsonObject): void {
		this.receive({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
	}

	/** The server asks our side. */
	request(id: RequestId, method: string, params?: JsonObject, of?: RequestId): void {
		this.receive({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }, of);
	}

	noise(text: string): void {
		this._onDidReceiveNoise.fire({ text });
	}

	/** A message will not come. */
	lose(id: RequestId, error: McpError): void {
		this._onDidLose.fire({ id, error });
	}

	/** The server is gone. */
	end(end: TransportEnd): void {
		if (!this.ended) {
			this.ended = true;
			this._onDidEnd.fire(end);
		}
	}

	private async react(message: Message): Promise<void> {
		const it = classify(message);
		if (it.kind === 'notification') {
			void this.server.methods?.[it.message.method]?.(it.message.params ?? {}, '');
			return;
		}
		if (it.kind !== 'request') {
			return;
		}
		const { id, method, params = {} } = it.message;
		const answer = this.server.methods?.[method] ?? this.builtIn(method);
		let reply: JsonObject;
		try {
			// An answer never comes before `send` has returned.
			await Promise.resolve();
			const result = await answer(params, id);
			if (result === undefined) {
				return;
			}
			reply = { jsonrpc: '2.0', id, result };
		} catch (error) {
			reply = { jsonrpc: '2.0', id, error: RpcError.from(error).toErrorObject() };
		}
		if (!this.ended) {
			this.receive(reply);
		}
	}

	private builtIn(method: string): Method {
		switch (method) {
			case 'initialize':
				return () => handshake(this.server.capabilities);
			case 'ping':
				return () => ({});
			default:
				return () => {
					throw new RpcError(-32601, `Method not found: ${method}`);
				};
		}
	}
}

/** What a well-behaved server answers to `initialize`. */
export function handshake(capabilities: JsonObject = {}, protocolVersion = '2025-11-25'): JsonObject {
	return { protocolVersion, capabilities, serverInfo: { name: 'memory', version: '1.0.0' } };
}

/** What a well-behaved server answers to `server/discover`. */
export function discovery(
	capabilities: JsonObject = {},
	supportedVersions: readonly string[] = ['2026-07-28'],
): JsonObject {
	return {
		resultType: 'complete',
		supportedVersions,
		capabilities,
		ttlMs: 0,
		cacheScope: 'private',
		_meta: { 'io.modelcontextprotocol/serverInfo': { name: 'memory', version: '1.0.0' } },
	};
}

/** A message in one line. What every modern request states of the client is left out. */
export function summary(value: unknown): string {
	const it = classify(value);
	switch (it.kind) {
		case 'request':
			return `${it.message.method}#${JSON.stringify(it.message.id)}${parameters(it.message.params)}`;
		case 'notification':
			return it.message.method + parameters(it.message.params);
		case 'result':
			return `#${JSON.stringify(it.message.id)} ${JSON.stringify(it.message.result)}`;
		case 'error': {
			const { code, message, data } = it.message.error;
			const extra = data === undefined ? '' : ` ${JSON.stringify(data)}`;
			return `#${JSON.stringify(it.message.id)} error ${code} ${message}${extra}`;
		}
		case 'invalid':
			return JSON.stringify(value);
	}
}

function parameters(params: unknown): string {
	if (!isObject(params)) {
		return '';
	}
	const { _meta, ...rest } = params;
	const meta = isObject(_meta) ? Object.entries(_meta).filter(([key]) => !stated.includes(key)) : [];
	const shown = meta.length > 0 ? { ...rest, _meta: Object.fromEntries(meta) } : rest;
	return Object.keys(shown).length > 0 ? ` ${JSON.stringify(shown)}` : '';
}

const stated = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(it => `io.modelcontextprotocol/${it}`);
