/**
 * Takes every tool call from request to decision: evaluates it (`approval.ts`), asks the person if needed, stores
 * lasting answers, and pins the tool's definition. No call is allowed without asking unless its tool is pinned in our
 * storage. The lock file of the workspace is written only for a lasting answer, or by Accept Change.
 */
import { raceAbort, throwIfAborted } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import { canonicalJson, type JsonObject, type Root, type Tool } from '../../mcp/index.js';
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
import { plainObject } from '../text/plainData.js';
import { deniesServer, deniesTools } from './policy.js';
import { reachOf } from './reach.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** A call to decide on, with the tools and instructions of its server. */
export interface CallRequest {
	readonly caller: Caller;
	readonly definition: ServerDefinition;
	readonly tool: Tool;
	/** All tools that the server has now, for an answer about the whole server. */
	readonly tools: readonly Tool[];
	readonly instructions: string | undefined;
	readonly arguments: JsonObject;
	/** Counts calls in the order in which they were made; left out where a call is only looked at. */
	readonly order?: number;
}

/** What a person is asked. */
export interface ApprovalQuestion {
	readonly request: CallRequest;
	readonly decision: ApprovalDecision;
	/** The facts that were decided on. */
	readonly input: ApprovalInput;
	/** What differs from the pinned definition. */
	readonly changes: readonly ChangedPart[];
	/** The pinned definition, which may be the same as the current one. */
	readonly pinned: PinnedDefinition | undefined;
	/** All pins of the server, and how the tool compares with each store. */
	readonly pins: ToolPins & { readonly states: Pick<PinComparison, 'lock' | 'seen'> };
}

/** The person's answer. Closing the sheet is no answer. */
export type ApprovalAnswer =
	| {
			readonly kind: 'allow';
			/** The arguments to send; the person may have edited them. */
			readonly arguments: JsonObject;
			readonly lasts: 'once' | Grant['lasts'];
			readonly about: 'arguments' | 'tool' | 'server';
	  }
	| { readonly kind: 'deny'; readonly lasts: 'once' | 'workspace' }
	/** The person has changed the arguments or a rule: decide again. */
	| { readonly kind: 'again'; readonly arguments: JsonObject };

/** An answer that ends the question. */
export type FinalAnswer = Exclude<ApprovalAnswer, { kind: 'again' }>;

/** The outcome of a request, for the caller and for the records. */
export interface Approval {
	readonly isAllowed: boolean;
	readonly arguments: JsonObject;
	readonly decision: ApprovalDecision;
	/** What the person said, if they were asked. */
	readonly answer: FinalAnswer | undefined;
	/** Set where the person was asked and something else ended the wait before they answered. */
	readonly unanswered?: Unanswered;
}

/** What ended the wait without an answer. */
export interface Unanswered {
	readonly by: 'caller' | 'server';
	/** The error for the caller: AbortError, or why the server doesn't run. */
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
	/** Pins tools as they are now. Rejects if that fails, or with AbortError if aborted before the write begins. */
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
	/** The lock files beside the definitions of servers. */
	readonly locks: PinStore;
	/** Definitions of tools as they last ran, in our storage. */
	readonly seen: PinStore;
	readonly grants: GrantStore;
	readonly isTrusted: () => boolean;
	/** The folders the server is told of. */
	readonly roots: (definition: ServerDefinition) => readonly Root[];
	/** Whether the file system ignores case. */
	readonly ignoresCase: boolean;
	/** Opens a question about a call. Any number of questions can be open. */
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
	 * Resolves with the decision, or with `unanswered` if the caller or the server ended the wait.
	 * @throws AbortError if the signal aborts before the person is asked
	 */
	async approve(request: CallRequest, signal: AbortSignal): Promise<Approval> {
		const question = await raceAbort(this.look(request), signal);
		// If the tool can't be pinned, the second evaluation below asks.
		if (
			question.decision.kind === 'deny' ||
			(question.decision.kind === 'allow' && (await this.keepSeen(question, signal)))
		) {
			return this.settle(question, undefined);
		}
		return this.ask(question.decision.kind === 'ask' ? question : await this.look(request), signal);
	}

	/**
	 * Pins a changed tool as it was shown: in our storage, and in the lock file if it differs from that. Rejects if a file
	 * can't be written.
	 */
	async accept({ request, pins }: ApprovalQuestion): Promise<void> {
		const { definition, tool, instructions } = request;
		if (pins.states.lock === 'changed') {
			await this.deps.locks.pin(definition, [tool], instructions);
		}
		await this.deps.seen.pin(definition, [tool], instructions);
	}

	/** Whether a server's instructions differ from the pinned ones, or the pins can't be read. */
	async areInstructionsNew(definition: ServerDefinition, instructions: string | undefined): Promise<boolean> {
		return areInstructionsNew(await this.pinsOf(definition), definition.name, instructions);
	}

	/** The names of the tools whose definitions have changed. */
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
	 * Whether a policy denies a whole server to every caller but the person. True if a policy can't be read.
	 * @param what `contents`: resources and prompts; `tools`: the list of tools, which a rule about any tool makes visible
	 */
	async deniesServer(definition: ServerDefinition, what: 'contents' | 'tools'): Promise<boolean> {
		const { policies } = this.deps;
		const denies = what === 'tools' ? deniesTools : deniesServer;
		return [await policies.ofDefinition(definition), policies.ofUser()].some(
			it => it.kind === 'broken' || denies(it.policy, definition.name),
		);
	}

	/**
	 * The denial of a call if the rules deny every tool of the server; undefined otherwise. Doesn't need the tool's
	 * definition, so a denied server isn't started just to learn it.
	 * @param request its tool may have only a name
	 */
	async denyUnseen(request: CallRequest): Promise<Approval | undefined> {
		if (!(await this.deniesServer(request.definition, 'tools'))) {
			return undefined;
		}
		const question = await this.look(request);
		return question.decision.kind === 'deny' ? this.settle(question, undefined) : undefined;
	}

	/** Evaluates a call. Asks nothing and stores nothing. */
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
			pin: !isStored && this.notPinned.has(definitionKey(definition, fingerprint)) ? 'notPinned' : state,
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
			// Rules, the tool, or the arguments may change while the person reads, so each answer is evaluated again.
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
				if (said.kind === 'allow' && next.decision.kind === 'ask' && isSameQuestion(question, next)) {
					// The person has seen this definition, so this call is made even if it can't be pinned.
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
		// An allowance that isn't applied to this call isn't stored for later calls either.
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
	 * Pins the tool's current definition in our storage.
	 * @returns whether it is pinned there
	 * @throws AbortError once the signal aborts
	 */
	private async keepSeen({ request, input, pins }: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
		throwIfAborted(signal);
		const { definition, tool, instructions } = request;
		if (pins.states.seen === 'same') {
			return true;
		}
		const key = definitionKey(definition, input.fingerprint);
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

	/** Pins the allowed tool in the lock file; for an answer about the server, also its other tools without a pin. */
	private async pinInLock({ request, pins }: ApprovalQuestion, about: 'arguments' | 'tool' | 'server'): Promise<void> {
		const { definition, tool, tools, instructions } = request;
		const stateOf = (it: Tool): PinComparison => comparePins(pins, { server: definition.name, tool: it, instructions });
		// The person has reviewed a change of this tool only, so changed other tools aren't pinned.
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

function definitionKey({ id }: ServerDefinition, fingerprint: string): string {
	return `${id}\n${fingerprint}`;
}

/** Whether an answer to one question also answers the other: same definition, arguments, and reason to ask. */
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
