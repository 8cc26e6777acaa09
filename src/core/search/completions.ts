/**
 * Completions by servers for arguments of prompts and variables of resource templates, for every input that a person types
 * into. Typing never waits for a server.
 */
import { debounce, type Debounced } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import { isArgumentSecret, looksLikeSecret } from '../../base/secretWords.js';
import { type Client, type CompletionReference, isUnknownMethod, type Session } from '../../mcp/index.js';
import type { Server } from '../servers/server.js';

/** The argument that is completed. */
export interface CompletionSubject {
	readonly server: Pick<Server, 'client' | 'onDidChange'>;
	readonly ref: CompletionReference;
	/** The argument's name. */
	readonly argument: string;
	/** The values of other arguments, which are sent if the protocol revision supports that. */
	readonly values: Readonly<Record<string, string>>;
}

export type Completion =
	/** `none`: the server has no completions. `away`: the server doesn't run. */
	| { readonly kind: 'none' | 'away' }
	/** Untrusted texts without duplicates; `total` and `hasMore` as the server reports them. */
	| {
			readonly kind: 'values';
			readonly values: readonly string[];
			readonly total: number | undefined;
			readonly hasMore: boolean;
	  }
	| { readonly kind: 'failed'; readonly error: unknown };

/** Milliseconds after which a request for completions fails. */
export const completionTimeoutMs = 10_000;
/** Milliseconds without a key press before the server is asked. Spec, completion: clients SHOULD debounce. */
export const typingPauseMs = 150;

const none: Completion = { kind: 'none' };

export class Completions {
	/** Sessions whose server has answered that it doesn't know the method. */
	private readonly without = new WeakSet<Session>();

	/**
	 * Completions of `value`. Secrets aren't sent, because the person hasn't sent the argument yet.
	 * @throws AbortError if the signal aborts; other errors are returned as `failed`
	 */
	async complete(subject: CompletionSubject, value: string, signal?: AbortSignal): Promise<Completion> {
		const { ref, argument, values } = subject;
		const { client } = subject.server;
		if (!client) {
			return { kind: 'away' };
		}
		if (!this.isOffered(client) || isSecret([argument, value])) {
			return none;
		}
		const context = Object.fromEntries(Object.entries(values).filter(it => !isSecret(it)));
		try {
			const options = { signal, timeoutMs: completionTimeoutMs };
			const result = await client.complete(ref, { name: argument, value }, context, options);
			return { ...result, kind: 'values', values: [...new Set(result.values)] };
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			if (isUnknownMethod(error)) {
				this.without.add(client.session);
				return none;
			}
			return { kind: 'failed', error };
		}
	}

	/** Spec: servers declare the capability since 2025-03-26. Earlier revisions have no such capability. */
	private isOffered(client: Client): boolean {
		const { session } = client;
		return !this.without.has(session) && (session.protocolVersion < '2025-03-26' || client.offers('completions'));
	}
}

function isSecret([name, text]: readonly [name: string, text: string]): boolean {
	return isArgumentSecret(name) || looksLikeSecret(text);
}

/** The completions to show while a person types. */
export interface TypingState {
	readonly completion: Completion;
	/** Whether a request is under way. Until it is answered, `completion` is the previous one. */
	readonly isLoading: boolean;
}

/**
 * Requests completions while a person types an argument: at each pause, one request at a time. The next key cancels the
 * request and drops its answer. The input that is typed into owns this.
 */
export class Typing extends Owner {
	private readonly ask: Debounced;
	private asking: AbortController | undefined;
	private value = '';
	state: TypingState = { completion: none, isLoading: false };

	constructor(
		private readonly completions: Completions,
		private readonly subject: CompletionSubject,
		/** Called with each new state. */
		private readonly onChange: (state: TypingState) => void,
	) {
		super();
		this.ask = this.own(debounce(typingPauseMs, () => void this.request()));
		let { client } = subject.server;
		this.own(
			subject.server.onDidChange(() => {
				if (client !== subject.server.client) {
					({ client } = subject.server);
					this.type(this.value);
				}
			}),
		);
	}

	/** Sends the first request, without waiting for a pause. */
	start(value: string): void {
		this.value = value;
		void this.request();
	}

	type(value: string): void {
		this.value = value;
		this.asking?.abort();
		this.asking = undefined;
		this.set({ ...this.state, isLoading: true });
		this.ask.schedule();
	}

	override dispose(): void {
		this.asking?.abort();
		super.dispose();
	}

	private async request(): Promise<void> {
		const asking = new AbortController();
		this.asking = asking;
		this.set({ ...this.state, isLoading: true });
		const completion = await this.completions
			.complete(this.subject, this.value, asking.signal)
			.catch((error: unknown): Completion => ({ kind: 'failed', error }));
		if (!asking.signal.aborted) {
			this.set({ completion, isLoading: false });
		}
	}

	private set(state: TypingState): void {
		this.state = state;
		this.onChange(state);
	}
}
