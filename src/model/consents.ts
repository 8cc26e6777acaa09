/** Asks a person once for each server of a workspace that is new or changed, and remembers what they allowed. */
import { raceAbort } from '../base/async.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import {
	changesOf,
	type ConsentChange,
	type ConsentFacts,
	ConsentNeededError,
	factsOf,
	isOlder,
	needsConsent,
} from './consent.js';
import { type LaunchPart, launchParts } from './launchParts.js';
import type { LaunchSnapshot } from './launchSnapshot.js';
import type { ResolveRequest } from './resolvedServer.js';
import type { ServerDefinition } from './serverDefinition.js';

export interface ConsentQuestion {
	readonly definition: ServerDefinition;
	/** What differs from what was allowed before; `undefined` if nothing was. */
	readonly changes: readonly ConsentChange[] | undefined;
	/** It was allowed in a version that showed less. */
	readonly isOlder: boolean;
	/** All that decides what runs, and where values go. */
	readonly parts: readonly LaunchPart[];
}

export interface ConsentAnswer {
	readonly definition: ServerDefinition;
	readonly isAllowed: boolean;
}

/** A look at a definition. */
interface Look {
	readonly snapshot: LaunchSnapshot;
	readonly facts: ConsentFacts;
	/** What there is to ask; `undefined` if it may be run as it is. */
	readonly question: ConsentQuestion | undefined;
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
	/** Looks up what a definition stands for now; asks nobody. Never rejects. */
	readonly look: (definition: ServerDefinition) => Promise<LaunchSnapshot>;
	/**
	 * True if the person allows exactly this. Closing the sheet is no answer: the promise resolves when they have decided.
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
	 * Resolves when the definition may be run, with what was seen: that is to be run, and nothing else.
	 * @throws ConsentNeededError if the person did not allow it, or may not be asked now
	 * @throws AbortError once the request's signal aborts
	 */
	async ensure(definition: ServerDefinition, request: ResolveRequest): Promise<LaunchSnapshot> {
		const { signal } = request;
		const { snapshot, question } = await raceAbort(this.look(definition), signal);
		if (!question) {
			return snapshot;
		}
		if (!request.mayAsk) {
			this._onDidPostpone.fire(question);
			throw new ConsentNeededError();
		}
		request.onAsk();
		return raceAbort(this.ask(definition, request), signal);
	}

	/** What would be run if it may be run as it is, without a question; `undefined` if a person is to be asked. */
	async allowed(definition: ServerDefinition): Promise<LaunchSnapshot | undefined> {
		const { snapshot, question } = await this.look(definition);
		return question ? undefined : snapshot;
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
		if (known && !isOlder(known) && changesOf(known, await this.factsOf(before)).length === 0) {
			await this.allow([after]);
		}
	}

	/** Nothing was ever allowed; gives how many servers were. */
	async forget(): Promise<number> {
		return this.deps.store.clear();
	}

	private async ask(
		definition: ServerDefinition,
		{ signal, isByPerson = false }: ResolveRequest,
	): Promise<LaunchSnapshot> {
		for (;;) {
			// Looked at again after the answer: a setting or a program may have changed while it was read.
			const { question, facts, snapshot } = await this.look(definition);
			if (!question) {
				this._onDidAnswer.fire({ definition, isAllowed: true });
				return snapshot;
			}
			const answer = signal.aborted ? false : await this.deps.ask(question, signal, isByPerson);
			// A yes may have been on its way when the server was stopped.
			const isAllowed = signal.aborted ? false : answer;
			if (!isAllowed) {
				this._onDidAnswer.fire({ definition, isAllowed });
				throw new ConsentNeededError();
			}
			await this.deps.store.set(definition.id, facts);
		}
	}

	private async look(definition: ServerDefinition): Promise<Look> {
		const snapshot = await this.deps.look(definition);
		const parts = launchParts(definition, snapshot);
		const facts = await factsOf(parts);
		const before = this.deps.store.get(definition.id);
		const changes = before && changesOf(before, facts);
		const isSeen = before !== undefined && changes?.length === 0 && !isOlder(before);
		const isAsked = needsConsent(definition.source) && this.deps.isAsked();
		return {
			snapshot,
			facts,
			question:
				isSeen || !isAsked
					? undefined
					: { definition, changes, isOlder: before !== undefined && isOlder(before), parts },
		};
	}

	private async factsOf(definition: ServerDefinition): Promise<ConsentFacts> {
		return factsOf(launchParts(definition, await this.deps.look(definition)));
	}
}
