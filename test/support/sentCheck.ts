// Follows one conversation on the wire and checks what our side sends against the official schema of the revision
// that both sides agreed on. It learns that revision from the messages themselves, so that no test can forget it.
import type { WireEvent } from '../../src/mcp/index.js';
import { classify, isObject, type Message, type RequestId } from '../../src/mcp/jsonrpc/messages.js';
import { validateSent } from './officialSchema.js';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

export class SentCheck {
	/** The handshake that has no answer yet. */
	private handshake: RequestId | undefined;
	/** What the server has asked us: its answer is to fit. */
	private readonly asked = new Map<RequestId, string>();

	/** @param revision only for tests below the handshake: what they pretend to have agreed on */
	constructor(private revision?: string) {}

	/** A listener of the tap. Throws as `sent` does. */
	readonly follow = (event: WireEvent): void => {
		if (event.kind !== 'message') {
			return;
		}
		if (event.direction === 'sent') {
			this.sent(event.message);
		} else {
			this.received(event.message);
		}
	};

	/** The same check; throws a second time as an uncaught error, because some senders ignore a send that fails. */
	sentOrFail(message: unknown): void {
		try {
			this.sent(message);
		} catch (error) {
			queueMicrotask(() => {
				throw error;
			});
			throw error;
		}
	}

	/** @throws Error if it does not fit the schema of its revision, or if nothing says which that is */
	sent(message: unknown): void {
		if (!Array.isArray(message)) {
			this.learn(message);
		}
		if (this.revision === undefined) {
			throw new Error(`Sent before there was a revision: ${JSON.stringify(message)}`);
		}
		const it = classify(message);
		const isAnswer = it.kind === 'result' || it.kind === 'error';
		const id = isAnswer ? (it.message.id ?? undefined) : undefined;
		const answered = id === undefined ? undefined : this.asked.get(id);
		validateSent(message as Message | readonly Message[], { revision: this.revision, answered });
	}

	/** What the server says may be anything; only what we need of it is read. */
	received(message: unknown): void {
		for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
			const it = classify(one);
			if (it.kind === 'request') {
				this.asked.set(it.message.id, it.message.method);
			} else if (it.kind === 'result' && it.message.id === this.handshake) {
				this.handshake = undefined;
				const { protocolVersion } = it.message.result;
				this.revision = typeof protocolVersion === 'string' ? protocolVersion : this.revision;
			}
		}
	}

	/** Before there is an agreement, the revision is what the handshake offers or the probe states. */
	private learn(message: unknown): void {
		const it = classify(message);
		if (it.kind !== 'request') {
			return;
		}
		const { id, method, params = {} } = it.message;
		if (method === 'initialize') {
			this.handshake = id;
			this.revision = String(params['protocolVersion']);
			return;
		}
		const meta = isObject(params['_meta']) ? params['_meta'] : {};
		const version = meta[versionKey];
		const stated = typeof version === 'string' ? version : method === 'server/discover' ? '2026-07-28' : undefined;
		if (stated === undefined) {
			return;
		}
		// The probe begins anew, whatever was before it; every other modern request repeats what it stated.
		if (method !== 'server/discover' && this.revision !== undefined && this.revision !== stated) {
			throw new Error(`States ${stated}, agreed is ${this.revision}: ${JSON.stringify(message)}`);
		}
		this.handshake = undefined;
		this.revision = stated;
	}
}
