/**
 * Decides every call: asks a person where that is the decision, remembers what they answer for later, and pins the
 * definition of the tool. A tool that was run is pinned in our storage; the lock file of the workspace is written only
 * where a person decides for later. No call is made without asking that could not be pinned.
 */
import { raceAbort, throwIfAborted } from '../base/async.js';
import { isAbort } from '../base/errors.js';
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
import { type ChangedPart, fingerprintOf, type ParsedLock, type PinnedDefinition } from './pins.js';
import { areInstructionsNew, comparePins, type PinComparison, type ToolPins } from './pinState.js';
import { plainObject } from './plainData.js';
import { deniesServer, deniesTools } from './policy.js';
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
	/** What differs from the pinned definition. */
	readonly changes: readonly ChangedPart[];
	/** The pinned definition, whether or not it is the same as now. */
	readonly pinned: PinnedDefinition | undefined;
	/** All pins of the server, and what they say of the tool. */
	readonly pins: ToolPins & { readonly states: Pick<PinComparison, 'lock' | 'seen'> };
}

/** The person's answer. Closing the sheet is no answer. */
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

/** What was written into a lock file. */
export interface WrittenPins {
	/** The file's URI. */
	readonly file: string;
	/** Names of tools that had no entry before. */
	readonly added: readonly string[];
}

export interface PinStore {
	/** The pins of a server. @throws WindowClosingError */
	read(definition: ServerDefinition): Promise<ParsedLock>;
	/**
	 * Pins tools as they are now. Rejects if that cannot be written, or with AbortError if the signal aborts before the
	 * write begins.
	 */
	pin(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
		signal?: AbortSignal,
	): Promise<WrittenPins>;
}

export interface GrantStore {
	list(): readonly Grant[];
	add(grant: Grant): Promise<void>;
}

export interface ApproverDeps {
	readonly policies: PolicyReader;
	/** The lock files, which stand with the definitions of servers. */
	readonly locks: PinStore;
	/** What tools were when they were last run, in our storage. */
	readonly seen: PinStore;
	readonly grants: GrantStore;
	readonly isTrusted: () => boolean;
	/** The folders the server is told of. */
	readonly roots: (definition: ServerDefinition) => readonly Root[];
	/** Whether the disk takes "A" and "a" for the same. */
	readonly ignoresCase: boolean;
	/** Begins to ask about a call. No request waits for the answer to another one. */
	readonly open: (signal: AbortSignal) => ApprovalRequest;
	/** The lock file was written because a person allowed a tool for later. */
	readonly onDidPin: (definition: ServerDefinition, written: WrittenPins) => void;
	/** A pin could not be written. Without one in our storage, every call of the tool is asked about. */
	readonly onPinFailed: (definition: ServerDefinition, place: 'lock' | 'seen', error: unknown) => void;
}

export class Approver {
	/** Tools whose pin could not be written in this session, by definition and fingerprint. */
	private readonly notPinned = new Set<string>();

	constructor(private readonly deps: ApproverDeps) {}

	/**
	 * Resolves when it is decided whether the call may be made, or (`unanswered`) nobody waits for that any more.
	 * @throws AbortError if the signal aborts before the person is asked
	 */
	async approve(request: CallRequest, signal: AbortSignal): Promise<Approval> {
		const question = await raceAbort(this.look(request), signal);
		throwIfAborted(signal);
		// Where the pin fails, the next look asks.
		if (
			question.decision.kind === 'deny' ||
			(question.decision.kind === 'allow' && (await this.keepSeen(question, signal)))
		) {
			return this.settle(question, undefined);
		}
		return this.ask(question.decision.kind === 'ask' ? question : await this.look(request), signal);
	}

	/**
	 * Takes a changed tool as it was shown for what it is from now on: in our storage, and in the lock file if that is
	 * what it differs from. Rejects if that cannot be written.
	 */
	async accept({ request, pins }: ApprovalQuestion): Promise<void> {
		const { definition, tool, instructions } = request;
		if (pins.states.lock === 'changed') {
			await this.deps.locks.pin(definition, [tool], instructions);
		}
		await this.deps.seen.pin(definition, [tool], instructions);
	}

	/** Whether the instructions of a server differ from those its tools were pinned with, or nobody can tell. */
	async areInstructionsNew(definition: ServerDefinition, instructions: string | undefined): Promise<boolean> {
		return areInstructionsNew(await this.pinsOf(definition), definition.name, instructions);
	}

	/** The names of those tools whose definitions have changed. */
	async changedTools(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
	): Promise<string[]> {
		const pins = await this.pinsOf(definition);
		const stateOf = (tool: Tool): PinState => comparePins(pins, { server: definition.name, tool, instructions }).state;
		return tools.filter(it => stateOf(it) === 'changed').map(it => it.name);
	}

	/**
	 * Whether nobody but the person may have anything of a server; of what cannot be read, nobody may.
	 * @param what `tools` for what is known of tools, which a rule about one of them frees
	 */
	async deniesServer(definition: ServerDefinition, what: 'contents' | 'tools' = 'contents'): Promise<boolean> {
		const { policies } = this.deps;
		const denies = what === 'tools' ? deniesTools : deniesServer;
		return [await policies.ofDefinition(definition), policies.ofUser()].some(
			it => it.kind === 'broken' || denies(it.policy, definition.name),
		);
	}

	/**
	 * The denial of a call where the rules deny every tool of the server; undefined where they do not, or where the
	 * person is to be asked.
	 * @param request its server need not run: the tool may be no more than a name
	 */
	async denyUnseen(request: CallRequest): Promise<Approval | undefined> {
		if (!(await this.deniesServer(request.definition, 'tools'))) {
			return undefined;
		}
		const question = await this.look(request);
		return question.decision.kind === 'deny' ? this.settle(question, undefined) : undefined;
	}

	/** What would be decided now, with all that was looked at; nothing is asked or remembered. */
	async look(request: CallRequest): Promise<ApprovalQuestion> {
		const { caller, definition, tool, instructions, arguments: args } = request;
		const { policies, grants, roots, ignoresCase, isTrusted } = this.deps;
		const [definitionPolicy, pins, fingerprint] = await Promise.all([
			policies.ofDefinition(definition),
			this.pinsOf(definition),
			fingerprintOf({ tool, instructions }),
		]);
		const { state, lock, seen, changes, pinned } = comparePins(pins, { server: definition.name, tool, instructions });
		const isStored = state !== 'new' && state !== 'same';
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
			pin: !isStored && this.notPinned.has(keyOf(definition, fingerprint)) ? 'notPinned' : state,
			fingerprint,
			grants: grants.list(),
		};
		return {
			request,
			decision: decideApproval(input),
			input,
			changes,
			pinned,
			pins: { ...pins, states: { lock, seen } },
		};
	}

	private async pinsOf(definition: ServerDefinition): Promise<ToolPins> {
		const [lock, seen] = await Promise.all([this.deps.locks.read(definition), this.deps.seen.read(definition)]);
		return { lock, seen };
	}

	private async ask(first: ApprovalQuestion, signal: AbortSignal): Promise<Approval> {
		const pending = this.deps.open(signal);
		let question = first;
		let answer: FinalAnswer | undefined;
		try {
			// What the person reads may be overtaken while they read it: by a rule, by the tool, by their own editing.
			for (;;) {
				if (question.decision.kind === 'allow' && !(await this.keepSeen(question, signal))) {
					question = await this.look(question.request);
				}
				throwIfAborted(signal);
				if (question.decision.kind !== 'ask') {
					return await this.settle(question, answer);
				}
				const said = await pending.ask(question).catch(toUnanswered);
				if (said.kind === 'unanswered') {
					const { request, decision } = question;
					const { unanswered } = said;
					return { isAllowed: false, arguments: request.arguments, decision, answer: undefined, unanswered };
				}
				throwIfAborted(signal);
				answer = said.kind === 'again' ? undefined : said;
				if (said.kind === 'deny') {
					return await this.settle(question, said);
				}
				const next = await this.look({ ...question.request, arguments: plainObject(said.arguments) });
				throwIfAborted(signal);
				if (said.kind === 'allow' && next.decision.kind === 'ask' && isSameQuestion(question, next)) {
					// A person has seen the tool: this call is made even if it cannot be pinned.
					await this.keepSeen(next, signal);
					return await this.settle(next, said);
				}
				question = next;
			}
		} finally {
			pending.dispose();
		}
	}

	private async settle(question: ApprovalQuestion, answer: FinalAnswer | undefined): Promise<Approval> {
		const { request, decision } = question;
		const isAllowed = decision.kind === 'allow' || (decision.kind === 'ask' && answer?.kind === 'allow');
		// A yes that came too late is none for later either.
		if (answer && answer.lasts !== 'once' && (isAllowed || answer.kind === 'deny')) {
			await this.remember(question, answer, answer.lasts);
		}
		if (isAllowed && answer?.kind === 'allow' && answer.lasts === 'workspace') {
			await this.pinInLock(question, answer.about);
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

	/**
	 * Keeps what the tool is now in our storage.
	 * @returns whether it is there
	 * @throws AbortError once the call is given up
	 */
	private async keepSeen({ request, input, pins }: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
		throwIfAborted(signal);
		const { definition, tool, instructions } = request;
		if (pins.states.seen === 'same') {
			return true;
		}
		const key = keyOf(definition, input.fingerprint);
		try {
			await this.deps.seen.pin(definition, [tool], instructions, signal);
			this.notPinned.delete(key);
		} catch (error) {
			throwIfAborted(signal);
			this.notPinned.add(key);
			this.deps.onPinFailed(definition, 'seen', error);
			return false;
		}
		throwIfAborted(signal);
		return true;
	}

	/** Writes what was allowed into the lock file. Of the server's other tools, those that have no pin yet. */
	private async pinInLock({ request, pins }: ApprovalQuestion, about: 'arguments' | 'tool' | 'server'): Promise<void> {
		const { definition, tool, tools, instructions } = request;
		const stateOf = (it: Tool): PinComparison => comparePins(pins, { server: definition.name, tool: it, instructions });
		// The person has seen a change of this tool, and of no other.
		const others = about === 'server' ? tools.filter(it => it.name !== tool.name && stateOf(it).state === 'new') : [];
		const own = pins.states.lock === 'same' ? [] : [tool];
		if (pins.lock.kind === 'broken' || own.length + others.length === 0) {
			return;
		}
		try {
			this.deps.onDidPin(definition, await this.deps.locks.pin(definition, [...own, ...others], instructions));
		} catch (error) {
			this.deps.onPinFailed(definition, 'lock', error);
		}
	}
}

function keyOf({ id }: ServerDefinition, fingerprint: string): string {
	return `${id}\n${fingerprint}`;
}

/** Whether an answer to one question answers the other: the same tool, the same arguments, the same reason to ask. */
export function isSameQuestion(asked: ApprovalQuestion, now: ApprovalQuestion): boolean {
	return (
		asked.input.fingerprint === now.input.fingerprint &&
		asked.input.argumentsKey === now.input.argumentsKey &&
		canonicalJson(asked.decision.reason) === canonicalJson(now.decision.reason)
	);
}

function toUnanswered(error: unknown): { readonly kind: 'unanswered'; readonly unanswered: Unanswered } {
	return { kind: 'unanswered', unanswered: { by: isAbort(error) ? 'caller' : 'server', error } };
}
