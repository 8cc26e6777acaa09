/** Asks a person once for each server of a workspace that is new or changed, and remembers what they allowed. */
import { raceAbort } from '../base/async.js';
import { AbortError } from '../base/errors.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import {
	changesOf,
	type ConsentChange,
	type ConsentFacts,
	ConsentNeededError,
	factsOf,
	needsConsent,
} from './consent.js';
import type { ResolveRequest } from './resolvedServer.js';
import type { ServerDefinition } from './serverDefinition.js';

export interface ConsentQuestion {
	readonly definition: ServerDefinition;
	/** What differs from what was allowed before; `undefined` if nothing was. */
	readonly changes: readonly ConsentChange[] | undefined;
}

export interface ConsentAnswer {
	readonly definition: ServerDefinition;
	readonly isAllowed: boolean;
}

interface Unseen {
	readonly question: ConsentQuestion;
	readonly facts: ConsentFacts;
}

/** Keeps what was allowed, by the id of the definition. */
export interface ConsentStore {
	get(id: string): ConsentFacts | undefined;
	set(id: string, facts: ConsentFacts): PromiseLike<void>;
	/** Forgets all; gives how many there were. */
	clear(): PromiseLike<number>;
}

export interface ConsentDeps {
	readonly store: ConsentStore;
	/** False if the person has said that nobody is to be asked. */
	readonly isAsked: () => boolean;
	/** The text of a setting that a definition names. */
	readonly setting: (name: string, definition: ServerDefinition) => string | undefined;
	/**
	 * True if the person allows exactly this. A sheet that disappears is no answer: it resolves when they have decided.
	 * Takes the question back when the signal aborts.
	 * @param isByPerson whether they have started the server just now
	 */
	readonly ask: (question: ConsentQuestion, signal: AbortSignal, isByPerson: boolean) => Promise<boolean>;
}

export class Consents extends Owner {
	private readonly _onDidPostpone = this.own(new Emitter<ConsentQuestion>());
	/** A server did not start because nobody may be asked now. */
	readonly onDidPostpone: Event<ConsentQuestion> = this._onDidPostpone.event;

	private readonly _onDidAnswer = this.own(new Emitter<ConsentAnswer>());
	/** A person has decided about a server, or nobody waits for that any more. */
	readonly onDidAnswer: Event<ConsentAnswer> = this._onDidAnswer.event;

	constructor(private readonly deps: ConsentDeps) {
		super();
	}

	/**
	 * Resolves when the definition may be run.
	 * @throws ConsentNeededError if the person did not allow it, or may not be asked now
	 * @throws AbortError once the request's signal aborts
	 */
	async ensure(definition: ServerDefinition, request: ResolveRequest): Promise<void> {
		const { signal } = request;
		const unseen = await this.unseen(definition);
		if (signal.aborted) {
			throw new AbortError();
		}
		if (!unseen) {
			return;
		}
		if (!request.mayAsk) {
			this._onDidPostpone.fire(unseen.question);
			throw new ConsentNeededError();
		}
		request.onAsk();
		await raceAbort(this.ask(definition, request), signal);
	}

	/** Whether it may be run as it is, without a question. */
	async isAllowed(definition: ServerDefinition): Promise<boolean> {
		return (await this.unseen(definition)) === undefined;
	}

	/** Takes what the person has written or chosen themselves as allowed. */
	async allow(definitions: readonly ServerDefinition[]): Promise<void> {
		for (const definition of definitions.filter(it => needsConsent(it.source))) {
			await this.deps.store.set(definition.id, await this.factsOf(definition));
		}
	}

	/**
	 * A person has changed a server by a choice of theirs: if they had allowed what it was, they allow what it is. What
	 * else has changed in it, unseen, keeps it from being allowed.
	 */
	async allowInstead(before: ServerDefinition, after: ServerDefinition): Promise<void> {
		const known = this.deps.store.get(before.id);
		if (known && changesOf(known, await this.factsOf(before)).length === 0) {
			await this.allow([after]);
		}
	}

	/** Nothing was ever allowed; gives how many servers were. */
	async forget(): Promise<number> {
		return this.deps.store.clear();
	}

	private async ask(definition: ServerDefinition, { signal, isByPerson = false }: ResolveRequest): Promise<void> {
		// Looked at again after the answer: a setting that it names may have changed while it was read.
		for (let unseen = await this.unseen(definition); unseen; unseen = await this.unseen(definition)) {
			const answer = signal.aborted ? false : await this.deps.ask(unseen.question, signal, isByPerson);
			// A yes may have been on its way when the server was stopped.
			const isAllowed = signal.aborted ? false : answer;
			if (!isAllowed) {
				this._onDidAnswer.fire({ definition, isAllowed });
				throw new ConsentNeededError();
			}
			await this.deps.store.set(definition.id, unseen.facts);
		}
		this._onDidAnswer.fire({ definition, isAllowed: true });
	}

	/** What there is to ask, and what the answer will be about. */
	private async unseen(definition: ServerDefinition): Promise<Unseen | undefined> {
		if (!needsConsent(definition.source) || !this.deps.isAsked()) {
			return undefined;
		}
		const before = this.deps.store.get(definition.id);
		const facts = await this.factsOf(definition);
		const changes = before && changesOf(before, facts);
		return changes?.length === 0 ? undefined : { question: { definition, changes }, facts };
	}

	private factsOf(definition: ServerDefinition): Promise<ConsentFacts> {
		return factsOf(definition, name => this.deps.setting(name, definition));
	}
}
