/**
 * Completions by servers for arguments of prompts and variables of resource templates, for every input that a person types
 * into. Typing never waits for a server, and answers are kept until the server's list of prompts or templates changes.
 */
import { clock } from '../../base/clock.js';
import { debounce, type Debounced } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import {
	canonicalJson,
	type Client,
	type CompletionReference,
	isUnknownMethod,
	type Session,
} from '../../mcp/index.js';
import type { Server } from '../servers/server.js';

/** The argument that is completed. */
export interface CompletionSubject {
	readonly server: Pick<Server, 'client' | 'catalog' | 'onDidChange'>;
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
/** Milliseconds that an answer is used: servers may complete names of files, which come and go. */
const maxAgeMs = 60_000;
/** Answers kept for one list. The oldest is dropped first. */
const maxKept = 200;

type Answer = Extract<Completion, { readonly kind: 'values' }>;
type Kept = Map<string, { readonly answer: Answer; readonly until: number }>;

const none: Completion = { kind: 'none' };

export class Completions {
	/** Sessions whose server has answered that it doesn't know the method. */
	private readonly without = new WeakSet<Session>();
	/** By the list that has the prompt or template: a new list drops the answers. */
	private readonly kept = new WeakMap<object, Kept>();

	/** Completions of `value`. @throws AbortError if the signal aborts; other errors are returned as `failed` */
	async complete(subject: CompletionSubject, value: string, signal?: AbortSignal): Promise<Completion> {
		const { ref, argument, values } = subject;
		const { client } = subject.server;
		if (!client) {
			return { kind: 'away' };
		}
		if (!this.isOffered(client)) {
			return none;
		}
		const known = this.known(subject, value);
		if (known) {
			return known;
		}
		const list = listOf(subject);
		try {
			const options = { signal, timeoutMs: completionTimeoutMs };
			const result = await client.complete(ref, { name: argument, value }, values, options);
			const answer: Answer = { ...result, kind: 'values', values: [...new Set(result.values)] };
			this.keep(list, requestKey(subject, value), answer);
			return answer;
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

	/** An earlier answer that is still used. */
	known(subject: CompletionSubject, value: string): Answer | undefined {
		const list = listOf(subject);
		const entry = list && this.kept.get(list)?.get(requestKey(subject, value));
		return entry && clock.now() < entry.until ? entry.answer : undefined;
	}

	/** Spec: servers declare the capability since 2025-03-26. Earlier revisions have no such capability. */
	private isOffered(client: Client): boolean {
		const { session } = client;
		return !this.without.has(session) && (session.protocolVersion < '2025-03-26' || client.offers('completions'));
	}

	private keep(list: object | undefined, key: string, answer: Answer): void {
		if (!list) {
			return;
		}
		const kept: Kept = this.kept.get(list) ?? new Map();
		this.kept.set(list, kept);
		kept.delete(key);
		kept.set(key, { answer, until: clock.now() + maxAgeMs });
		const [oldest] = kept.keys();
		if (kept.size > maxKept && oldest !== undefined) {
			kept.delete(oldest);
		}
	}
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
	private list: object | undefined;
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
		this.list = listOf(subject);
		this.own(
			subject.server.onDidChange(() => {
				if (listOf(subject) !== this.list) {
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
		const known = this.completions.known(this.subject, value);
		if (known) {
			this.ask.cancel();
			this.set({ completion: known, isLoading: false });
		} else {
			this.set({ ...this.state, isLoading: true });
			this.ask.schedule();
		}
	}

	override dispose(): void {
		this.asking?.abort();
		super.dispose();
	}

	private async request(): Promise<void> {
		const asking = new AbortController();
		this.asking = asking;
		this.list = listOf(this.subject);
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

/** An object that identifies the list. It stays the same while pages are added to the list. */
function listOf({ server: { catalog }, ref }: CompletionSubject): object | undefined {
	const list = ref.type === 'ref/prompt' ? catalog?.prompts : catalog?.resourceTemplates;
	return list?.kind === 'growing' ? catalog : list;
}

function requestKey({ ref, argument, values }: CompletionSubject, value: string): string {
	return canonicalJson([ref, argument, value, values]);
}
