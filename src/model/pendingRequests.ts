/**
 * Everything that waits for the person, in one list: the tree, the badge, the status bar and the command that lists
 * requests read nothing else. At most one request is under review; to review another one closes its sheet, and the
 * request stays in the list.
 */
import { isAbort } from '../base/errors.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import type { SignInNeed } from '../mcp/index.js';
import type { ApprovalQuestion } from './approver.js';
import type { ConsentQuestion } from './consents.js';
import type { Question } from './questions.js';
import type { ServerDefinition } from './serverDefinition.js';

/** What is asked; the data that words are made from. */
export type PendingSubject =
	| { readonly kind: 'approval'; readonly question: ApprovalQuestion }
	| { readonly kind: 'elicitation'; readonly question: Question }
	| { readonly kind: 'sampling'; readonly question: Question }
	/** `question` is undefined where only the state of the server says that it needs consent. */
	| { readonly kind: 'consent'; readonly question: ConsentQuestion | undefined }
	/** `need` is undefined where only the state of the server says that it needs a sign-in. */
	| { readonly kind: 'signIn'; readonly need: SignInNeed | undefined };

/** `asked` and `answered` wait for the person; `underway` waits for a model or a page. */
export type PendingStage = 'asked' | 'underway' | 'answered';

/** `aside`: the sheet disappeared without an answer. `done`: there is an answer, or the person reads a document. */
export type ReviewEnd = 'done' | 'aside';

/** How a request looks and is answered. The functions are called again whenever the list is shown. */
export interface PendingSource {
	readonly definition: ServerDefinition;
	readonly subject: () => PendingSubject;
	/** `asked` if left out. */
	readonly stage?: () => PendingStage;
	/**
	 * Shows the sheet. Resolves when it is closed, with or without an answer; closes it when the signal aborts.
	 */
	readonly review: (signal: AbortSignal) => Promise<ReviewEnd>;
	/** Ends the request with a no; left out where only the sheet can. */
	readonly deny?: () => void;
}

export interface PendingRequest {
	/** Of this window. */
	readonly id: number;
	readonly definition: ServerDefinition;
	/** Milliseconds since 1970. */
	readonly since: number;
	readonly subject: PendingSubject;
	readonly stage: PendingStage;
	/** Undefined where only the sheet can say no. */
	readonly deny: (() => void) | undefined;
}

export interface AddOptions {
	/** The person has just caused it and waits for it: its sheet opens at once, unless another sheet is open. */
	readonly isByPerson?: boolean;
	/** Someone is told elsewhere, or nobody need be. */
	readonly isQuiet?: boolean;
}

class Entry implements PendingRequest {
	constructor(
		readonly id: number,
		readonly since: number,
		readonly source: PendingSource,
	) {}

	get definition(): ServerDefinition {
		return this.source.definition;
	}

	get subject(): PendingSubject {
		return this.source.subject();
	}

	get stage(): PendingStage {
		return this.source.stage?.() ?? 'asked';
	}

	get deny(): (() => void) | undefined {
		return this.source.deny;
	}
}

interface Review {
	readonly entry: Entry;
	readonly closing: AbortController;
	/** Resolves once its sheet is closed. */
	readonly ended: Promise<void>;
}

export class PendingRequests extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** The list, or a stage in it, has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidAsk = this.own(new Emitter<PendingRequest>());
	/** A request waits for the person from now on, and its sheet is not open. */
	readonly onDidAsk: Event<PendingRequest> = this._onDidAsk.event;
	private readonly _onDidEnd = this.own(new Emitter<PendingRequest>());
	/** A request is not in the list any more, whatever ended it. */
	readonly onDidEnd: Event<PendingRequest> = this._onDidEnd.event;
	private readonly _onDidWithdraw = this.own(new Emitter<PendingRequest>());
	/** The request whose sheet was open has ended, and not by the person: the sheet closed under their hands. */
	readonly onDidWithdraw: Event<PendingRequest> = this._onDidWithdraw.event;
	private readonly _onDidPutAside = this.own(new Emitter<PendingRequest>());
	/** The sheet of a request was closed without an answer. */
	readonly onDidPutAside: Event<PendingRequest> = this._onDidPutAside.event;

	private readonly entries: Entry[] = [];
	private current: Review | undefined;
	private nextId = 1;

	constructor(private readonly now: () => number = Date.now) {
		super();
	}

	/** The oldest first. */
	get all(): readonly PendingRequest[] {
		return this.entries;
	}

	/** Of those that only the person can end. */
	get count(): number {
		return this.entries.filter(waitsForPerson).length;
	}

	/** The request whose sheet is open. */
	get reviewed(): PendingRequest | undefined {
		return this.current?.entry;
	}

	of({ id }: ServerDefinition): readonly PendingRequest[] {
		return this.entries.filter(it => it.definition.id === id);
	}

	has(request: PendingRequest): boolean {
		return this.entries.includes(request as Entry);
	}

	add(source: PendingSource, { isByPerson = false, isQuiet = false }: AddOptions = {}): PendingRequest {
		const entry = new Entry(this.nextId++, this.now(), source);
		this.entries.push(entry);
		this._onDidChange.fire();
		if (isByPerson && !this.current) {
			void this.review(entry);
		} else if (!isQuiet && entry.stage !== 'underway') {
			this._onDidAsk.fire(entry);
		}
		return entry;
	}

	/** It waits for the person again, or for something else. Does nothing for a request that has ended. */
	didChange(request: PendingRequest, isAskedAgain = false): void {
		if (!this.has(request)) {
			return;
		}
		this._onDidChange.fire();
		if (isAskedAgain && this.current?.entry !== request) {
			this._onDidAsk.fire(request);
		}
	}

	/**
	 * Takes it from the list, and closes its sheet. Does nothing for a request that has ended.
	 * @param isWithdrawn whether something else than the person's answer ends it
	 */
	end(request: PendingRequest, isWithdrawn = false): void {
		const index = this.entries.indexOf(request as Entry);
		if (index === -1) {
			return;
		}
		this.entries.splice(index, 1);
		if (this.current?.entry === request) {
			this.current.closing.abort();
			this.current = undefined;
			if (isWithdrawn) {
				this._onDidWithdraw.fire(request);
			}
		}
		this._onDidEnd.fire(request);
		this._onDidChange.fire();
	}

	/**
	 * Shows the sheet of a request; another one that is open is closed, and its request stays in the list. A sheet of the
	 * same request is shown again, with what was edited. Resolves when the sheet is closed.
	 * @throws what the sheet throws
	 */
	async review(request: PendingRequest): Promise<void> {
		const before = this.current;
		before?.closing.abort();
		if (before && before.entry === request) {
			// It may be closing already, and keeps what was edited when it has.
			await before.ended;
			if (this.current && this.current !== before) {
				return;
			}
		}
		const entry = this.entries.find(it => it === request);
		if (!entry) {
			return;
		}
		const closing = new AbortController();
		const shown = this.show(entry, closing.signal);
		const review: Review = { entry, closing, ended: shown.then(ignore, ignore) };
		this.current = review;
		const end = await shown.finally(() => {
			if (this.current === review) {
				this.current = undefined;
			}
		});
		if (end === 'aside' && this.has(entry) && !closing.signal.aborted) {
			this._onDidPutAside.fire(entry);
		}
	}

	private async show({ source }: Entry, signal: AbortSignal): Promise<ReviewEnd> {
		try {
			return await source.review(signal);
		} catch (error) {
			if (isAbort(error)) {
				return 'done';
			}
			throw error;
		}
	}

	override dispose(): void {
		this.current?.closing.abort();
		this.current = undefined;
		this.entries.length = 0;
		super.dispose();
	}
}

function ignore(): void {}

/** A page that is open is the person's to finish; a model that works is not. */
function waitsForPerson({ stage, subject }: PendingRequest): boolean {
	return stage !== 'underway' || (subject.kind === 'elicitation' && subject.question.request.mode === 'url');
}
