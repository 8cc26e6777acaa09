/**
 * Asks the person before a new or changed server starts, and stores their consent. Only an answer on the sheet, which shows
 * the whole definition, is consent.
 */
import { raceAbort } from '../../base/async.js';
import {
	changesOf,
	type ConsentChange,
	type ConsentFacts,
	ConsentNeededError,
	envFileFacts,
	hashParts,
} from './consentFacts.js';
import { isOfWorkspace, type LaunchPart, launchParts } from './launchParts.js';
import type { LaunchSnapshot } from './launchSnapshot.js';
import type { ResolveRequest } from './resolvedServer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

export interface ConsentQuestion {
	readonly definition: ServerDefinition;
	/** The changes since the last consent; `undefined` if there was none. */
	readonly changes: readonly ConsentChange[] | undefined;
	/** Everything that decides what runs, and where values are sent. */
	readonly parts: readonly LaunchPart[];
}

/** The result of evaluating a definition. */
interface Evaluation {
	readonly snapshot: LaunchSnapshot;
	readonly facts: ConsentFacts;
	/** Whether the consent holds in all workspaces. */
	readonly isShared: boolean;
	/** The question to ask; `undefined` if the server can start. */
	readonly question: ConsentQuestion | undefined;
}

/** Stores consent by the id of the definition, for this workspace, or shared by all workspaces. */
export interface ConsentStore {
	/** @param isShared if false, the consent of this workspace is preferred to the shared one */
	get(id: string, isShared: boolean): ConsentFacts | undefined;
	set(id: string, facts: ConsentFacts, isShared: boolean): PromiseLike<void>;
	/** The ids of the definitions that have consent, oldest first. */
	list(): readonly string[];
	delete(id: string): PromiseLike<void>;
}

export interface ConsentDeps {
	readonly store: ConsentStore;
	/** Whether a server needs consent. The demo server needs none, and the person's settings can turn consent off. */
	readonly isAsked: (definition: ServerDefinition) => boolean;
	/** Takes a snapshot of a definition without asking the person. Never rejects. */
	readonly takeSnapshot: (definition: ServerDefinition) => Promise<LaunchSnapshot>;
	/**
	 * Resolves with whether the person allows exactly this. Closing the sheet doesn't answer. Once the signal aborts, withdraws
	 * the question and rejects.
	 * @param isByPerson whether the person has just started the server
	 */
	readonly ask: (question: ConsentQuestion, signal: AbortSignal, isByPerson: boolean) => Promise<boolean>;
}

/** Asks for consent where it is needed, and stores what the person consented to. */
export class Consents {
	constructor(private readonly deps: ConsentDeps) {}

	/**
	 * Resolves with the snapshot that the person consented to, once the server may start. Run exactly that snapshot.
	 * Automatic restarts also ask; their question waits in the list of pending requests.
	 * @param given the snapshot to show; otherwise a new one is taken
	 * @throws ConsentNeededError if the person refused
	 * @throws AbortError once the request's signal aborts
	 */
	async ensure(definition: ServerDefinition, request: ResolveRequest, given?: LaunchSnapshot): Promise<LaunchSnapshot> {
		const { signal } = request;
		const evaluation = await raceAbort(this.evaluate(definition, given), signal);
		const { snapshot, question } = evaluation;
		if (!question) {
			return snapshot;
		}
		request.onAsk('consent');
		return raceAbort(this.ask(definition, request, evaluation, given), signal);
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
		given: LaunchSnapshot | undefined,
	): Promise<LaunchSnapshot> {
		// Evaluates again after each answer, because a setting or program may have changed while the person read the sheet.
		for (let evaluation = first; ; evaluation = await this.evaluate(definition, given)) {
			const { question, facts, snapshot, isShared } = evaluation;
			if (!question) {
				return snapshot;
			}
			const isAllowed = !signal.aborted && (await this.deps.ask(question, signal, isByPerson));
			// The server may have been stopped before the answer arrived.
			if (!isAllowed || signal.aborted) {
				throw new ConsentNeededError();
			}
			await this.deps.store.set(definition.id, facts, isShared);
		}
	}

	private async evaluate(definition: ServerDefinition, given: LaunchSnapshot | undefined): Promise<Evaluation> {
		const snapshot = given ?? (await this.deps.takeSnapshot(definition));
		const parts = launchParts(definition, snapshot);
		const isShared = !isOfWorkspace(definition, snapshot);
		const before = this.deps.store.get(definition.id, isShared);
		// The variables of an environment file that is read later are compared when it is read.
		const later = snapshot.envFile.kind === 'later' ? envFileFacts(before) : {};
		const facts = { ...later, ...(await hashParts(parts)) };
		const changes = before && changesOf(before, facts);
		return {
			snapshot,
			facts,
			isShared,
			question: changes?.length === 0 || !this.deps.isAsked(definition) ? undefined : { definition, changes, parts },
		};
	}
}
