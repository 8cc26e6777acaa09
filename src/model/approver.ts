/**
 * The one door to a call: decides it, asks a person where that is the decision, remembers what they answer for later,
 * and pins what they approve. Everyone who wants a tool to run comes through here.
 */
import { AbortError, isAbort } from '../base/errors.js';
import type { Disposable } from '../base/lifecycle.js';
import { canonicalJson, type JsonObject, type Root, type Tool } from '../mcp/index.js';
import {
	type ApprovalDecision,
	type ApprovalInput,
	type Caller,
	decideApproval,
	type Grant,
	type PinState,
	type PolicyState,
} from './approval.js';
import {
	type ChangedPart,
	changesOfPin,
	fingerprintOf,
	type ParsedLock,
	type PinnedDefinition,
	pinnedIn,
	type PinnedPart,
} from './pins.js';
import { deniesServer } from './policy.js';
import { reachOf } from './reach.js';
import type { ServerDefinition } from './serverDefinition.js';

/** A tool that somebody wants to run, with everything its server offers beside it. */
export interface CallRequest {
	readonly caller: Caller;
	readonly definition: ServerDefinition;
	readonly tool: Tool;
	/** All tools the server has now; for an answer about the whole server. */
	readonly tools: readonly Tool[];
	readonly instructions: string | undefined;
	readonly arguments: JsonObject;
}

/** What a person is asked. */
export interface ApprovalQuestion {
	readonly request: CallRequest;
	readonly decision: ApprovalDecision;
	/** The facts that were decided on. */
	readonly input: ApprovalInput;
	/** Of a tool that is not what was approved, what differs. */
	readonly changes: readonly ChangedPart[];
	/** What was approved, whether or not it is the same as now. */
	readonly pinned: PinnedDefinition | undefined;
}

/** What they say. A sheet that disappears says nothing. */
export type ApprovalAnswer =
	| {
			readonly kind: 'allow';
			/** As they are to be sent: the person may have changed them. */
			readonly arguments: JsonObject;
			readonly lasts: 'once' | Grant['lasts'];
			readonly about: 'arguments' | 'tool' | 'server';
	  }
	| { readonly kind: 'deny'; readonly lasts: 'once' | 'workspace' }
	/** They have changed what is decided on: the arguments, or a rule. */
	| { readonly kind: 'again'; readonly arguments: JsonObject };

/** An answer that settles it. */
export type FinalAnswer = Exclude<ApprovalAnswer, { kind: 'again' }>;

/** What came of it, for the caller and for the record. */
export interface Approval {
	readonly isAllowed: boolean;
	readonly arguments: JsonObject;
	readonly decision: ApprovalDecision;
	/** What the person said, if they were asked. */
	readonly answer: FinalAnswer | undefined;
	/** Set where the person was asked and something else ended the wait before they answered. */
	readonly unanswered?: Unanswered;
}

/** Why nobody waits for an answer any more. */
export interface Unanswered {
	readonly by: 'caller' | 'server';
	/** What the caller gets: AbortError, or why the server does not run. */
	readonly error: unknown;
}

/** One call that waits for the person; it stays pending until it is disposed. */
export interface ApprovalRequest extends Disposable {
	/**
	 * Resolves with the person's answer. Called again after an answer `again`, with what there is to ask then.
	 * @throws AbortError once the caller gives the call up; NotRunningError once its server has ended
	 */
	ask(question: ApprovalQuestion): Promise<ApprovalAnswer>;
}

export interface PolicyReader {
	/** Of the folder that defines the server; of user-level servers, in the person's storage. @throws WindowClosingError */
	ofDefinition(definition: ServerDefinition): Promise<PolicyState>;
	ofUser(): PolicyState;
}

export interface LockStore {
	/** Beside the server's definition. @throws WindowClosingError */
	read(definition: ServerDefinition): Promise<ParsedLock>;
	/** Makes the tool as it is now the one that is pinned. Rejects if that cannot be written. */
	pin(definition: ServerDefinition, part: PinnedPart): Promise<void>;
}

export interface GrantStore {
	list(): readonly Grant[];
	add(grant: Grant): Promise<void>;
}

export interface ApproverDeps {
	readonly policies: PolicyReader;
	readonly locks: LockStore;
	readonly grants: GrantStore;
	readonly isTrusted: () => boolean;
	/** The folders the server is told of. */
	readonly roots: (definition: ServerDefinition) => readonly Root[];
	/** Whether the disk takes "A" and "a" for the same. */
	readonly ignoresCase: boolean;
	/** Begins to ask about a call. No request waits for the answer to another one. */
	readonly open: (signal: AbortSignal) => ApprovalRequest;
	/** A pin could not be written: the call goes on, and the next one asks again. */
	readonly onPinFailed: (definition: ServerDefinition, error: unknown) => void;
}

export class Approver {
	constructor(private readonly deps: ApproverDeps) {}

	/**
	 * Resolves when it is decided whether the call may be made, or (`unanswered`) nobody waits for that any more.
	 * @throws AbortError if the signal aborts before the person is asked
	 */
	async approve(request: CallRequest, signal: AbortSignal): Promise<Approval> {
		const question = await this.look(request);
		throwIfAborted(signal);
		return question.decision.kind === 'ask' ? this.ask(question, signal) : this.settle(question, undefined);
	}

	/** Whether nobody but the person may have anything of a server; of what cannot be read, nobody may. */
	async deniesServer(definition: ServerDefinition): Promise<boolean> {
		const { policies } = this.deps;
		return [await policies.ofDefinition(definition), policies.ofUser()].some(
			it => it.kind === 'broken' || deniesServer(it.policy, definition.name),
		);
	}

	/** What would be decided now, with all that was looked at; nothing is asked or remembered. */
	async look(request: CallRequest): Promise<ApprovalQuestion> {
		const { caller, definition, tool, instructions, arguments: args } = request;
		const { policies, grants, roots, ignoresCase, isTrusted } = this.deps;
		const [definitionPolicy, lock, fingerprint] = await Promise.all([
			policies.ofDefinition(definition),
			this.deps.locks.read(definition),
			fingerprintOf({ tool, instructions }),
		]);
		const changes =
			lock.kind === 'read' ? changesOfPin(lock.lock, { server: definition.name, tool, instructions }) : undefined;
		const input: ApprovalInput = {
			caller,
			serverId: definition.id,
			facts: {
				server: definition.name,
				tool: tool.name,
				annotations: tool.annotations,
				arguments: args,
				reach: reachOf(args, roots(definition), ignoresCase),
			},
			argumentsKey: canonicalJson(args),
			isTrusted: isTrusted(),
			definitionPolicy,
			userPolicy: policies.ofUser(),
			pin: lock.kind === 'broken' ? 'unreadable' : pinState(changes),
			fingerprint,
			grants: grants.list(),
		};
		const pinned = lock.kind === 'read' && changes ? pinnedIn(lock.lock, definition.name, tool) : undefined;
		return { request, decision: decideApproval(input), input, changes: changes ?? [], pinned };
	}

	private async ask(first: ApprovalQuestion, signal: AbortSignal): Promise<Approval> {
		const pending = this.deps.open(signal);
		let question = first;
		let answer: FinalAnswer | undefined;
		try {
			// What the person reads may be overtaken while they read it: by a rule, by the tool, by their own editing.
			while (question.decision.kind === 'ask') {
				const said = await pending.ask(question).catch(toUnanswered);
				if (said.kind === 'unanswered') {
					const { request, decision } = question;
					const { unanswered } = said;
					return { isAllowed: false, arguments: request.arguments, decision, answer: undefined, unanswered };
				}
				throwIfAborted(signal);
				answer = said.kind === 'again' ? undefined : said;
				if (said.kind === 'deny') {
					break;
				}
				const next = await this.look({ ...question.request, arguments: said.arguments });
				const isSettled = said.kind === 'allow' && isAnswered(question, next);
				question = next;
				if (isSettled) {
					break;
				}
			}
			throwIfAborted(signal);
		} finally {
			pending.dispose();
		}
		return this.settle(question, answer);
	}

	private async settle(question: ApprovalQuestion, answer: FinalAnswer | undefined): Promise<Approval> {
		const { request, decision } = question;
		const isAllowed = decision.kind === 'allow' || (decision.kind === 'ask' && answer?.kind === 'allow');
		// A yes that came too late is none for later either.
		if (answer && answer.lasts !== 'once' && (isAllowed || answer.kind === 'deny')) {
			await this.remember(question, answer, answer.lasts);
		}
		if (isAllowed) {
			await this.pin(question);
		}
		return { isAllowed, arguments: request.arguments, decision, answer };
	}

	private async remember(
		{ request, input }: ApprovalQuestion,
		answer: FinalAnswer,
		lasts: Grant['lasts'],
	): Promise<void> {
		const { tool, tools, instructions } = request;
		const about = answer.kind === 'allow' ? answer.about : 'tool';
		const named = about === 'server' ? tools : [tool];
		const fingerprints = await Promise.all(
			named.map(async it => [it.name, await fingerprintOf({ tool: it, instructions })] as const),
		);
		await this.deps.grants.add({
			id: crypto.randomUUID(),
			decision: answer.kind,
			serverId: input.serverId,
			tools: Object.fromEntries(fingerprints),
			...(about === 'arguments' && { argumentsKey: input.argumentsKey }),
			lasts,
			time: Date.now(),
		});
	}

	/** An approval is of the tool as it is now. What cannot be written down is asked about again. */
	private async pin({ request, input }: ApprovalQuestion): Promise<void> {
		const { definition, tool, instructions } = request;
		if (input.pin === 'same' || input.pin === 'unreadable') {
			return;
		}
		try {
			await this.deps.locks.pin(definition, { server: definition.name, tool, instructions });
		} catch (error) {
			this.deps.onPinFailed(definition, error);
		}
	}
}

function pinState(changes: readonly ChangedPart[] | undefined): PinState {
	return changes === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same';
}

/** Whether a yes to the one is a yes to the other: the same tool, asked about for the same reason. */
function isAnswered(asked: ApprovalQuestion, now: ApprovalQuestion): boolean {
	return (
		asked.input.fingerprint === now.input.fingerprint &&
		canonicalJson(asked.decision.reason) === canonicalJson(now.decision.reason)
	);
}

function toUnanswered(error: unknown): { readonly kind: 'unanswered'; readonly unanswered: Unanswered } {
	return { kind: 'unanswered', unanswered: { by: isAbort(error) ? 'caller' : 'server', error } };
}

function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) {
		throw new AbortError();
	}
}
