/**
 * The list of all requests that wait for the person; the tree, the badge and the status bar read only this list. At most
 * one sheet is open: reviewing another request closes it, and its request stays in the list.
 */
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { SignInNeed } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../approvals/approver.js';
import type { ConsentQuestion } from '../launch/consents.js';
import { isAwaited, type QuestionStage, type ServerQuestion } from './questions.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** The subject of a request, as data. */
export type PendingSubject =
	| { readonly kind: 'approval'; readonly question: ApprovalQuestion }
	| { readonly kind: 'elicitation' | 'sampling'; readonly question: ServerQuestion }
	| { readonly kind: 'consent'; readonly question: ConsentQuestion }
	/** `need` is `undefined` if only the state of the server says that it needs a sign-in. */
	| { readonly kind: 'signIn'; readonly need: SignInNeed | undefined };

/** `aside`: the sheet was closed without an answer. `done`: there is an answer, or the person reads a document. */
export type ReviewEnd = 'done' | 'aside';

/** A request as the feature that answers it describes it. The functions are called each time the list is shown. */
export interface PendingSource {
	readonly definition: ServerDefinition;
	readonly subject: () => PendingSubject;
	/** `asked` if left out. */
	readonly stage?: () => QuestionStage;
	/** No call waits for the answer: only the state of the server says that one is needed. */
	readonly isUnawaited?: boolean;
	/** Shows the sheet. Resolves when it is closed, with or without an answer; closes it when the signal aborts. */
	readonly review: (signal: AbortSignal) => Promise<ReviewEnd>;
	/** Denies the request; left out if only the sheet can. */
	readonly deny?: () => void;
}

export interface AddOptions {
	/** The person has just caused the request: its sheet opens at once, unless they are busy with another question. */
	readonly isByPerson?: boolean;
	/** `onDidAsk` isn't fired: the caller announces the request, or no announcement is needed. */
	readonly isQuiet?: boolean;
}

class Entry {
	/**
	 * @param id unique in this window
	 * @param since milliseconds since 1970
	 */
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

	get stage(): QuestionStage {
		return this.source.stage?.() ?? 'asked';
	}

	/** Denies the request; `undefined` if only the sheet can. */
	get deny(): (() => void) | undefined {
		return this.source.deny;
	}
}

export type PendingRequest = Pick<Entry, 'id' | 'since' | 'definition' | 'subject' | 'stage' | 'deny'>;

interface Review {
	readonly entry: Entry;
	readonly closing: AbortController;
	/** Resolves once its sheet is closed. */
	readonly ended: Promise<void>;
}

export class PendingRequests extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A request was added or removed, or its stage has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidAsk = this.own(new Emitter<PendingRequest>());
	/** A request starts to wait for the person, and its sheet isn't open. */
	readonly onDidAsk: Event<PendingRequest> = this._onDidAsk.event;
	private readonly _onDidEnd = this.own(new Emitter<PendingRequest>());
	/** A request was removed from the list, with or without an answer. */
	readonly onDidEnd: Event<PendingRequest> = this._onDidEnd.event;
	private readonly _onDidWithdraw = this.own(new Emitter<PendingRequest>());
	/** A request has ended while its sheet was open, and the person didn't end it. */
	readonly onDidWithdraw: Event<PendingRequest> = this._onDidWithdraw.event;

	private readonly entries: Entry[] = [];
	private current: Review | undefined;
	private nextId = 1;

	/** @param isPersonBusy whether the person answers a question that a sheet would close */
	constructor(
		private readonly now: () => number = () => clock.now(),
		private readonly isPersonBusy: () => boolean = () => false,
	) {
		super();
	}

	/** Oldest first. */
	get all(): readonly PendingRequest[] {
		return this.entries;
	}

	/** How many requests wait for the person. */
	get count(): number {
		return this.entries.filter(waitsForPerson).length;
	}

	/** The request with an open sheet. */
	get reviewed(): PendingRequest | undefined {
		return this.current?.entry;
	}

	/** Whether the sheet of another request is open. */
	isCovered(request: PendingRequest): boolean {
		return this.current !== undefined && this.current.entry !== request;
	}

	/** The requests of a server, oldest first. */
	of({ id }: ServerDefinition): readonly PendingRequest[] {
		return this.entries.filter(it => it.definition.id === id);
	}

	/**
	 * Whether a call may be waiting for the person: its server has asked something since the call was sent, or a sign-in
	 * to the server is open. Over stdio, servers don't say which of their calls they ask for.
	 * @param sentAt milliseconds since 1970
	 */
	mayHoldUp(definition: ServerDefinition, sentAt: number): boolean {
		const { id } = definition;
		return this.entries.some(it => it.definition.id === id && waitsForPerson(it) && mayHoldUp(it, sentAt));
	}

	has(request: PendingRequest): boolean {
		return this.entries.includes(request as Entry);
	}

	add(source: PendingSource, { isByPerson = false, isQuiet = false }: AddOptions = {}): PendingRequest {
		const entry = new Entry(this.nextId++, this.now(), source);
		this.entries.push(entry);
		this._onDidChange.fire();
		if (isByPerson && !this.current && !this.isPersonBusy()) {
			// The sheet failed to open. The notification offers it again, and a second failure is reported then.
			this.review(entry).catch(() => this.has(entry) && this._onDidAsk.fire(entry));
		} else if (!isQuiet && entry.stage !== 'underway') {
			this._onDidAsk.fire(entry);
		}
		return entry;
	}

	/**
	 * Call this when the stage or the subject has changed. Does nothing for a request that has ended.
	 * @param isAskedAgain whether the request waits for the person again
	 */
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
	 * Removes the request, and closes its sheet. Does nothing for a request that has ended.
	 * @param isWithdrawn whether the request ends without the person's answer
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
	 * Shows the sheet of a request, and closes any other sheet. A sheet of the same request is shown again with its edits.
	 * Resolves when the sheet is closed, with `aside` unless there is an answer.
	 * @throws the error of the sheet
	 */
	async review(request: PendingRequest): Promise<ReviewEnd> {
		const before = this.current;
		before?.closing.abort();
		if (before && before.entry === request) {
			// Edits are kept when the sheet has closed.
			await before.ended;
			if (this.current && this.current !== before) {
				return 'aside';
			}
		}
		const entry = this.entries.find(it => it === request);
		if (!entry) {
			return 'aside';
		}
		const closing = new AbortController();
		this.current = undefined;
		const shown = this.show(entry, closing.signal);
		const review: Review = { entry, closing, ended: shown.then(ignore, ignore) };
		// A review can end its request at once, and open the sheet of another one.
		if (this.has(entry)) {
			this.current = review;
		}
		return shown.finally(() => {
			if (this.current === review) {
				this.current = undefined;
			}
		});
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

function mayHoldUp({ source, subject, since }: Entry, sentAt: number): boolean {
	switch (subject.kind) {
		case 'signIn':
			return source.isUnawaited !== true;
		case 'elicitation':
		case 'sampling':
			return since >= sentAt && isAwaited(subject.question);
		default:
			return false;
	}
}

/** The person finishes an open page, so it counts; a running model doesn't. */
function waitsForPerson({ stage, subject }: PendingRequest): boolean {
	return stage !== 'underway' || (subject.kind === 'elicitation' && subject.question.request.mode === 'url');
}
