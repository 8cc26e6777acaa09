/**
 * What a server proposes for an argument of a prompt or a variable of a resource template, while a person types: the one
 * engine for both, whatever they type into. A server that is slow, fails or never answers keeps nobody from typing, and
 * its answers are kept for as long as its list of prompts or templates stands.
 */
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

/** What is completed, and what is known of the others. */
export interface CompletionSubject {
	readonly server: Pick<Server, 'client' | 'catalog' | 'onDidChange'>;
	readonly ref: CompletionReference;
	/** Its name. */
	readonly argument: string;
	/** Arguments that have a value already; the server is told of them where its revision knows that. */
	readonly values: Readonly<Record<string, string>>;
}

export type Completion =
	/** The server has no completions, or does not run. */
	| { readonly kind: 'none' | 'away' }
	/** Untrusted texts, each once; `total` and `hasMore` as the server says. */
	| {
			readonly kind: 'values';
			readonly values: readonly string[];
			readonly total: number | undefined;
			readonly hasMore: boolean;
	  }
	| { readonly kind: 'failed'; readonly error: unknown };

/** Milliseconds after which nobody waits for proposals any more. */
export const completionTimeoutMs = 10_000;
/** Spec, completion: clients SHOULD debounce. Milliseconds without a key. */
export const typingPauseMs = 150;
/** Milliseconds that an answer counts: what a server proposes may be files that come and go. */
const maxAgeMs = 60_000;
/** Answers kept for one list; the oldest goes first. */
const maxKept = 200;

type Answer = Extract<Completion, { readonly kind: 'values' }>;
type Kept = Map<string, { readonly answer: Answer; readonly until: number }>;

const none: Completion = { kind: 'none' };

export class Completions {
	/** Connections that have said that they do not know the method. */
	private readonly without = new WeakSet<Session>();
	/** By the list that the subject stands in: with a new list they are gone. */
	private readonly kept = new WeakMap<object, Kept>();

	/**
	 * Proposals for `value`.
	 * @throws AbortError if the signal aborts; everything else is an answer
	 */
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
			this.keep(list, keyOf(subject, value), answer);
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

	/** What was answered before, and still counts. */
	known(subject: CompletionSubject, value: string): Answer | undefined {
		const list = listOf(subject);
		const it = list && this.kept.get(list)?.get(keyOf(subject, value));
		return it && Date.now() < it.until ? it.answer : undefined;
	}

	/** Spec, 2025-03-26: only servers that declare it; before, there was nothing to declare. */
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
		kept.set(key, { answer, until: Date.now() + maxAgeMs });
		const [oldest] = kept.keys();
		if (kept.size > maxKept && oldest !== undefined) {
			kept.delete(oldest);
		}
	}
}

/** What there is to show for what is typed. */
export interface TypingState {
	readonly completion: Completion;
	/** The server is asked; until it answers, `completion` is what it said before. */
	readonly isLoading: boolean;
}

/**
 * Somebody types an argument: the server is asked when they pause, one question at a time. A question that another key
 * has overtaken is cancelled, and its answer dropped. Lives as long as the input.
 */
export class Typing extends Owner {
	private readonly ask: Debounced;
	private asking: AbortController | undefined;
	private list: object | undefined;
	private value = '';
	private current: TypingState = { completion: none, isLoading: false };

	constructor(
		private readonly completions: Completions,
		private readonly subject: CompletionSubject,
		/** Told of every other state. */
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

	get state(): TypingState {
		return this.current;
	}

	/** The first question does not wait for a pause. */
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
			this.set({ ...this.current, isLoading: true });
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
		this.set({ ...this.current, isLoading: true });
		const completion = await this.completions
			.complete(this.subject, this.value, asking.signal)
			.catch((error: unknown): Completion => ({ kind: 'failed', error }));
		if (!asking.signal.aborted) {
			this.set({ completion, isLoading: false });
		}
	}

	private set(state: TypingState): void {
		this.current = state;
		this.onChange(state);
	}
}

/** The same object for as long as the list is the same: one that grows page by page is no other. */
function listOf({ server: { catalog }, ref }: CompletionSubject): object | undefined {
	const list = ref.type === 'ref/prompt' ? catalog?.prompts : catalog?.resourceTemplates;
	return list?.kind === 'growing' ? catalog : list;
}

function keyOf({ ref, argument, values }: CompletionSubject, value: string): string {
	return canonicalJson([ref, argument, value, values]);
}
