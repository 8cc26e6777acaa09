/** Asks the person before a new or changed server of a workspace starts, and stores their consent. */
import { raceAbort } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import {
	changesOf,
	type ConsentChange,
	type ConsentFacts,
	ConsentNeededError,
	hashParts,
	isFromOlderVersion,
	needsConsent,
} from './consentFacts.js';
import { type LaunchPart, launchParts } from './launchParts.js';
import type { LaunchSnapshot } from './launchSnapshot.js';
import type { ResolveRequest } from './resolvedServer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

export interface ConsentQuestion {
	readonly definition: ServerDefinition;
	/** The changes since the last consent; `undefined` if there was none. */
	readonly changes: readonly ConsentChange[] | undefined;
	/** Whether the last consent is from a version of the extension that showed fewer parts. */
	readonly isOlder: boolean;
	/** Everything that decides what runs, and where values are sent. */
	readonly parts: readonly LaunchPart[];
}

export interface ConsentAnswer {
	readonly definition: ServerDefinition;
	readonly isAllowed: boolean;
}

/** The result of evaluating a definition. */
interface Evaluation {
	readonly snapshot: LaunchSnapshot;
	readonly facts: ConsentFacts;
	/** The question to ask; `undefined` if the server can start. */
	readonly question: ConsentQuestion | undefined;
}

/** Stores consent by the id of the definition. */
export interface ConsentStore {
	get(id: string): ConsentFacts | undefined;
	set(id: string, facts: ConsentFacts): PromiseLike<void>;
	/** The ids of the definitions that have consent, oldest first. */
	list(): readonly string[];
	delete(id: string): PromiseLike<void>;
}

export interface ConsentDeps {
	readonly store: ConsentStore;
	/** False if the person's settings turn consent off. */
	readonly isAsked: () => boolean;
	/** Takes a snapshot of a definition without asking the person. Never rejects. */
	readonly takeSnapshot: (definition: ServerDefinition) => Promise<LaunchSnapshot>;
	/**
	 * Resolves with whether the person allows exactly this. Closing the sheet doesn't answer. Once the signal aborts, withdraws
	 * the question and rejects.
	 * @param isByPerson whether the person has just started the server
	 */
	readonly ask: (question: ConsentQuestion, signal: AbortSignal, isByPerson: boolean) => Promise<boolean>;
}

export class Consents extends Owner {
	private readonly _onDidPostpone = this.own(new Emitter<ConsentQuestion>());
	/** A server didn't start because the person can't be asked now. */
	readonly onDidPostpone: Event<ConsentQuestion> = this._onDidPostpone.event;

	private readonly _onDidAnswer = this.own(new Emitter<ConsentAnswer>());
	/** A question was answered, or a change made it unnecessary. Not fired when the start is cancelled. */
	readonly onDidAnswer: Event<ConsentAnswer> = this._onDidAnswer.event;

	constructor(private readonly deps: ConsentDeps) {
		super();
	}

	/**
	 * Resolves with the snapshot that the person consented to, when the server may start. Run exactly that snapshot.
	 * @throws ConsentNeededError if the person refused, or can't be asked now
	 * @throws AbortError once the request's signal aborts
	 */
	async ensure(definition: ServerDefinition, request: ResolveRequest): Promise<LaunchSnapshot> {
		const { signal } = request;
		const evaluation = await raceAbort(this.evaluate(definition), signal);
		const { snapshot, question } = evaluation;
		if (!question) {
			return snapshot;
		}
		if (!request.mayAsk) {
			this._onDidPostpone.fire(question);
			throw new ConsentNeededError();
		}
		request.onAsk();
		return raceAbort(this.ask(definition, request, evaluation), signal);
	}

	/** Stores consent for definitions that the person has just written or selected. */
	async allow(definitions: readonly ServerDefinition[]): Promise<void> {
		for (const definition of definitions.filter(it => needsConsent(it.source))) {
			await this.deps.store.set(definition.id, await this.hashesOf(definition));
		}
	}

	/**
	 * Moves consent to a definition that the person has just changed in our interface. Does nothing if the definition before
	 * this change had no consent, or has other changes since.
	 */
	async allowInstead(before: ServerDefinition, after: ServerDefinition): Promise<void> {
		const known = this.deps.store.get(before.id);
		if (known && !isFromOlderVersion(known) && changesOf(known, await this.hashesOf(before)).length === 0) {
			await this.allow([after]);
		}
	}

	/** The ids of the definitions that have consent, oldest first. */
	list(): readonly string[] {
		return this.deps.store.list();
	}

	/** Removes the consent for a definition. */
	async forget(id: string): Promise<void> {
		await this.deps.store.delete(id);
	}

	private async ask(
		definition: ServerDefinition,
		{ signal, isByPerson = false }: ResolveRequest,
		first: Evaluation,
	): Promise<LaunchSnapshot> {
		// Evaluates again after each answer, because a setting or program may have changed while the person read the sheet.
		for (let evaluation = first; ; evaluation = await this.evaluate(definition)) {
			const { question, facts, snapshot } = evaluation;
			if (!question) {
				this._onDidAnswer.fire({ definition, isAllowed: true });
				return snapshot;
			}
			const answer = !signal.aborted && (await this.deps.ask(question, signal, isByPerson));
			// The server may have been stopped before the answer arrived.
			const isAllowed = answer && !signal.aborted;
			if (!isAllowed) {
				this._onDidAnswer.fire({ definition, isAllowed });
				throw new ConsentNeededError();
			}
			await this.deps.store.set(definition.id, facts);
		}
	}

	private async evaluate(definition: ServerDefinition): Promise<Evaluation> {
		const snapshot = await this.deps.takeSnapshot(definition);
		const parts = launchParts(definition, snapshot);
		const facts = await hashParts(parts);
		const before = this.deps.store.get(definition.id);
		const known = before && { changes: changesOf(before, facts), isOlder: isFromOlderVersion(before) };
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

	private async hashesOf(definition: ServerDefinition): Promise<ConsentFacts> {
		return hashParts(launchParts(definition, await this.deps.takeSnapshot(definition)));
	}
}
