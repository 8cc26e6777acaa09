/** Asks for consent before a new or changed server of a workspace starts, and stores it. */
import { raceAbort } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
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
import type { ServerDefinition } from '../config/serverDefinition.js';

export interface ConsentQuestion {
	readonly definition: ServerDefinition;
	/** What has changed since the last consent; `undefined` if there was none. */
	readonly changes: readonly ConsentChange[] | undefined;
	/** Whether the last consent is from a version of the extension that showed less. */
	readonly isOlder: boolean;
	/** Everything that decides what runs, and where values go. */
	readonly parts: readonly LaunchPart[];
}

export interface ConsentAnswer {
	readonly definition: ServerDefinition;
	readonly isAllowed: boolean;
}

/** The result of evaluating a definition. */
interface Look {
	readonly snapshot: LaunchSnapshot;
	readonly facts: ConsentFacts;
	/** The question to ask; `undefined` if the server can start. */
	readonly question: ConsentQuestion | undefined;
}

/** Stores consent by the id of the definition. */
export interface ConsentStore {
	get(id: string): ConsentFacts | undefined;
	set(id: string, facts: ConsentFacts): PromiseLike<void>;
	/** Removes all consent. Resolves with the number of servers that had it. */
	clear(): PromiseLike<number>;
}

export interface ConsentDeps {
	readonly store: ConsentStore;
	/** False if the person's settings turn consent off. */
	readonly isAsked: () => boolean;
	/** Resolves what a definition stands for now, without asking. Never rejects. */
	readonly look: (definition: ServerDefinition) => Promise<LaunchSnapshot>;
	/**
	 * Resolves with whether the person allows exactly this. Closing the sheet is no answer. Rejects, and withdraws the
	 * question, once the signal aborts.
	 * @param isByPerson whether the person has just started the server
	 */
	readonly ask: (question: ConsentQuestion, signal: AbortSignal, isByPerson: boolean) => Promise<boolean>;
}

export class Consents extends Owner {
	private readonly _onDidPostpone = this.own(new Emitter<ConsentQuestion>());
	/** A server didn't start because the person can't be asked now. */
	readonly onDidPostpone: Event<ConsentQuestion> = this._onDidPostpone.event;

	private readonly _onDidAnswer = this.own(new Emitter<ConsentAnswer>());
	/** A question was answered, or its server needs none any more. Not fired when the start is cancelled. */
	readonly onDidAnswer: Event<ConsentAnswer> = this._onDidAnswer.event;

	constructor(private readonly deps: ConsentDeps) {
		super();
	}

	/**
	 * Resolves when the server may start, with the snapshot that consent was given for. Run exactly that.
	 * @throws ConsentNeededError if the person refused, or can't be asked now
	 * @throws AbortError once the request's signal aborts
	 */
	async ensure(definition: ServerDefinition, request: ResolveRequest): Promise<LaunchSnapshot> {
		const { signal } = request;
		const look = await raceAbort(this.look(definition), signal);
		const { snapshot, question } = look;
		if (!question) {
			return snapshot;
		}
		if (!request.mayAsk) {
			this._onDidPostpone.fire(question);
			throw new ConsentNeededError();
		}
		request.onAsk();
		return raceAbort(this.ask(definition, request, look), signal);
	}

	/** The snapshot to run, if the server may start without a question; `undefined` otherwise. */
	async allowed(definition: ServerDefinition): Promise<LaunchSnapshot | undefined> {
		const { snapshot, question } = await this.look(definition);
		return question ? undefined : snapshot;
	}

	/** Stores consent for definitions that the person has just written or chosen themselves. */
	async allow(definitions: readonly ServerDefinition[]): Promise<void> {
		for (const definition of definitions.filter(it => needsConsent(it.source))) {
			await this.deps.store.set(definition.id, await this.factsOf(definition));
		}
	}

	/**
	 * Moves consent to a definition that the person has just changed by a choice in our interface. Does nothing if the
	 * definition before had no consent, or has other changes since.
	 */
	async allowInstead(before: ServerDefinition, after: ServerDefinition): Promise<void> {
		const known = this.deps.store.get(before.id);
		if (known && !isOlder(known) && changesOf(known, await this.factsOf(before)).length === 0) {
			await this.allow([after]);
		}
	}

	/** Removes all consent. Resolves with the number of servers that had it. */
	async forget(): Promise<number> {
		return this.deps.store.clear();
	}

	private async ask(
		definition: ServerDefinition,
		{ signal, isByPerson = false }: ResolveRequest,
		first: Look,
	): Promise<LaunchSnapshot> {
		// Evaluated again after each answer: a setting or a program may have changed while the person read the sheet.
		for (let look = first; ; look = await this.look(definition)) {
			const { question, facts, snapshot } = look;
			if (!question) {
				this._onDidAnswer.fire({ definition, isAllowed: true });
				return snapshot;
			}
			const answer = !signal.aborted && (await this.deps.ask(question, signal, isByPerson));
			// The server may have been stopped while the answer was on its way.
			const isAllowed = answer && !signal.aborted;
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
		const known = before && { changes: changesOf(before, facts), isOlder: isOlder(before) };
		const isSeen = known?.changes.length === 0 && !known.isOlder;
		const isAsked = needsConsent(definition.source) && this.deps.isAsked();
		return {
			snapshot,
			facts,
			question:
				isSeen || !isAsked
					? undefined
					: { definition, changes: known?.changes, isOlder: known?.isOlder ?? false, parts },
		};
	}

	private async factsOf(definition: ServerDefinition): Promise<ConsentFacts> {
		return factsOf(launchParts(definition, await this.deps.look(definition)));
	}
}
