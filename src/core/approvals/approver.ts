/**
 * Takes every tool call from request to decision: evaluates it (`approval.ts`), asks the person if needed, stores
 * lasting answers, and locks the tool's definition. No call is allowed without asking unless its tool is locked in our
 * storage. The lock file of the workspace is written only for a lasting answer, or by Accept Change.
 */
import { clock } from '../../base/clock.js';
import { raceAbort, throwIfAborted } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import { canonicalJson, type JsonObject, type Root, type Tool } from '../../mcp/index.js';
import {
	type ApprovalDecision,
	type ApprovalInput,
	type ApprovedScope,
	type Caller,
	decideApproval,
	type Grant,
	type LockState,
	type PolicyState,
} from './approval.js';
import { type ChangedPart, hashDefinition, type ParsedLock, type LockedDefinition } from './toolLock.js';
import { compareWithLocks, type LockComparison, type StoredLocks } from './lockState.js';
import { plainObject } from '../text/plainData.js';
import { deniesServer, deniesTools, type PathScope } from './policy.js';
import { findPathScope } from './pathScope.js';
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
	/** Increases with each call that is made; left out if the call is only evaluated. */
	readonly order?: number;
}

/** What a person is asked. */
export interface ApprovalQuestion {
	readonly request: CallRequest;
	readonly decision: ApprovalDecision;
	/** The facts that the decision is based on. */
	readonly input: ApprovalInput;
	/** What differs from the locked definition. */
	readonly changes: readonly ChangedPart[];
	/** The locked definition, which may be the same as the current one. */
	readonly locked: LockedDefinition | undefined;
	/** All locked definitions of the server, and how the tool compares with each store. */
	readonly locks: StoredLocks & { readonly states: Pick<LockComparison, 'lock' | 'seen'> };
}

/** The person's answer. Closing the sheet doesn't answer. */
export type ApprovalAnswer =
	| {
			readonly kind: 'allow';
			/** The arguments to send; the person may have edited them. */
			readonly arguments: JsonObject;
			readonly lasts: 'once' | Grant['lasts'];
			readonly about: ApprovedScope;
	  }
	| { readonly kind: 'deny'; readonly lasts: 'once' | 'workspace' }
	/** The person has changed the arguments or a rule, so the call is evaluated again. */
	| { readonly kind: 'again'; readonly arguments: JsonObject };

/** An answer that ends the question. */
export type FinalAnswer = Exclude<ApprovalAnswer, { kind: 'again' }>;

/** The outcome of a request, for the caller and for the records. */
export interface ApprovalOutcome {
	readonly isAllowed: boolean;
	readonly arguments: JsonObject;
	readonly decision: ApprovalDecision;
	/** The person's answer, if they gave one. */
	readonly answer: FinalAnswer | undefined;
	/** Set if the person was asked, and the wait ended before they answered. */
	readonly unanswered?: Unanswered;
}

/** The reason why a question was withdrawn without an answer. */
export interface Unanswered {
	readonly by: 'caller' | 'server';
	/** The error for the caller: AbortError, or the reason why the server doesn't run. */
	readonly error: unknown;
}

/** A call that waits for the person's answer, until it is disposed. */
export interface ApprovalRequest extends Disposable {
	/**
	 * Resolves with the person's answer. After an answer `again` it is called once more, with the new question.
	 * @throws AbortError once the caller cancels the call; NotRunningError once its server has ended
	 */
	ask(question: ApprovalQuestion): Promise<ApprovalAnswer>;
}

export interface PolicyReader {
	/**
	 * The policy of the folder that defines the server; for servers in the person's settings, the one in our storage.
	 * @throws WindowClosingError
	 */
	ofDefinition(definition: ServerDefinition): Promise<PolicyState>;
	/** The policy in the person's settings. */
	ofUser(): PolicyState;
}

/** The result of writing to a lock file. */
export interface WrittenLocks {
	/** The file's URI. */
	readonly file: string;
	/** Names of tools that had no entry before. */
	readonly added: readonly string[];
}

export interface LockStore {
	/**
	 * The locked definitions of a server.
	 * @throws WindowClosingError
	 */
	read(definition: ServerDefinition): Promise<ParsedLock>;
	/** Locks the current definitions of tools. Rejects if that fails, or with AbortError before the write begins. */
	lock(
		definition: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
		signal?: AbortSignal,
	): Promise<WrittenLocks>;
}

export interface ApproverDeps {
	readonly policies: PolicyReader;
	/** The lock files beside the definitions of servers. */
	readonly locks: LockStore;
	/** Definitions of tools as they last ran, in our storage. */
	readonly seen: LockStore;
	readonly grants: { list(): readonly Grant[]; add(grant: Grant): Promise<void> };
	readonly isTrusted: () => boolean;
	/** The folders that are exposed to the server. */
	readonly roots: (definition: ServerDefinition) => readonly Root[];
	/** Whether the file system ignores case. */
	readonly ignoresCase: boolean;
	/** Opens a question about a call, which the caller disposes. Any number of questions can be open. */
	readonly open: (signal: AbortSignal) => ApprovalRequest;
	/** Called when a person has allowed a tool for later calls, so that the lock file was written. */
	readonly onDidLock: (definition: ServerDefinition, written: WrittenLocks) => void;
	/** Called if a locked definition can't be written. Without one in our storage, every call of the tool is asked about. */
	readonly onLockFailed: (definition: ServerDefinition, place: 'lock' | 'seen', error: unknown) => void;
}

export class Approver {
	/** The definitions that could not be stored in this session, as `definitionKey`. */
	private readonly notLocked = new Set<string>();

	constructor(private readonly deps: ApproverDeps) {}

	/**
	 * Resolves with the decision, or with `unanswered` if the caller or the server ended the wait.
	 * @throws AbortError if the signal aborts before the person is asked
	 */
	async approve(request: CallRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
		const question = await raceAbort(this.evaluate(request), signal);
		// If the definition can't be stored, the tool counts as not locked, and the second evaluation below asks.
		if (
			question.decision.kind === 'deny' ||
			(question.decision.kind === 'allow' && (await this.keepSeen(question, signal)))
		) {
			return this.settle(question, undefined);
		}
		return this.ask(question.decision.kind === 'ask' ? question : await this.evaluate(request), signal);
	}

	/**
	 * Locks the definition of a changed tool that the person has seen: in our storage, and in the lock file if the file has
	 * another one. Rejects if a file can't be written.
	 */
	async accept({ request, locks }: ApprovalQuestion): Promise<void> {
		const { definition, tool, instructions } = request;
		if (locks.states.lock === 'changed') {
			await this.deps.locks.lock(definition, [tool], instructions);
		}
		await this.deps.seen.lock(definition, [tool], instructions);
	}

	/** The names of the tools whose definitions have changed. */
	async changedTools(definition: ServerDefinition, tools: readonly Tool[], instructions?: string): Promise<string[]> {
		const { name: server } = definition;
		const locks = await this.locksOf(definition);
		const isChanged = (tool: Tool): boolean =>
			compareWithLocks(locks, { server, tool, instructions }).state === 'changed';
		return tools.filter(isChanged).map(it => it.name);
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
	 * @param request the definition of its tool may be incomplete, except for the name
	 */
	async denyUnseen(request: CallRequest): Promise<ApprovalOutcome | undefined> {
		if (!(await this.deniesServer(request.definition, 'tools'))) {
			return undefined;
		}
		const question = await this.evaluate(request);
		return question.decision.kind === 'deny' ? this.settle(question, undefined) : undefined;
	}

	/** Evaluates a call without asking the person or storing anything. */
	async evaluate(request: CallRequest): Promise<ApprovalQuestion> {
		const { caller, definition, tool, instructions, arguments: args } = request;
		const { policies, grants, roots, ignoresCase, isTrusted } = this.deps;
		const [definitionPolicy, locks, definitionHash] = await Promise.all([
			policies.ofDefinition(definition),
			this.locksOf(definition),
			hashDefinition({ tool, instructions }),
		]);
		const { name: server } = definition;
		const { state, lock, seen, changes, locked } = compareWithLocks(locks, { server, tool, instructions });
		const isStored = state !== 'new' && state !== 'same';
		// Only rules about folders, and the question, search the arguments for paths.
		let scope: PathScope | undefined;
		const scopeOf = (names?: readonly string[]): PathScope =>
			findPathScope(args, roots(definition), ignoresCase, names);
		const input: ApprovalInput = {
			caller,
			serverId: definition.id,
			facts: {
				server: definition.name,
				tool: tool.name,
				annotations: tool.annotations,
				get pathScope() {
					scope ??= scopeOf();
					return scope;
				},
				scopeOf,
			},
			argumentsKey: canonicalJson(args),
			isTrusted: isTrusted(),
			definitionPolicy,
			userPolicy: policies.ofUser(),
			lock: !isStored && this.notLocked.has(definitionKey(definition, definitionHash)) ? 'notLocked' : state,
			definitionHash,
			grants: grants.list(),
		};
		return {
			request,
			decision: decideApproval(input),
			input,
			changes,
			locked,
			locks: { ...locks, states: { lock, seen } },
		};
	}

	private async locksOf(definition: ServerDefinition): Promise<StoredLocks> {
		const [lock, seen] = await Promise.all([this.deps.locks.read(definition), this.deps.seen.read(definition)]);
		return { lock, seen };
	}

	private async ask(first: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome> {
		const pending = this.deps.open(signal);
		let question = first;
		let answer: FinalAnswer | undefined;
		try {
			// Rules, the tool, or the arguments may change while the person reads, so each answer is evaluated again.
			for (;;) {
				if (question.decision.kind === 'allow' && !(await this.keepSeen(question, signal))) {
					question = await this.evaluate(question.request);
				}
				throwIfAborted(signal);
				if (question.decision.kind !== 'ask') {
					return await this.settle(question, answer);
				}
				const said = await pending.ask(question).catch(toUnanswered);
				if ('error' in said) {
					const { request, decision } = question;
					return { isAllowed: false, arguments: request.arguments, decision, answer: undefined, unanswered: said };
				}
				throwIfAborted(signal);
				answer = said.kind === 'again' ? undefined : said;
				if (said.kind === 'deny') {
					return await this.settle(question, said);
				}
				const next = await this.evaluate({ ...question.request, arguments: plainObject(said.arguments) });
				if (said.kind === 'allow' && next.decision.kind === 'ask' && isSameQuestion(question, next)) {
					// The person has seen this definition, so this call is made even if it can't be locked.
					await this.keepSeen(next, signal);
					return await this.settle(next, said);
				}
				question = next;
			}
		} finally {
			pending.dispose();
		}
	}

	private async settle(question: ApprovalQuestion, answer: FinalAnswer | undefined): Promise<ApprovalOutcome> {
		const { request, decision } = question;
		const isAllowed = decision.kind === 'allow' || (decision.kind === 'ask' && answer?.kind === 'allow');
		// An allowance that isn't applied to this call isn't stored for later calls either.
		if (answer && answer.lasts !== 'once' && (isAllowed || answer.kind === 'deny')) {
			await this.remember(question, answer, answer.lasts);
		}
		if (isAllowed && answer?.kind === 'allow' && answer.lasts === 'workspace') {
			await this.writeToLock(question, answer.about);
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
		const hashes = await Promise.all(
			named.map(async it => [it.name, await hashDefinition({ tool: it, instructions })] as const),
		);
		await this.deps.grants.add({
			id: crypto.randomUUID(),
			decision: answer.kind,
			serverId: input.serverId,
			tools: Object.fromEntries(hashes),
			...(about === 'arguments' && { argumentsKey: input.argumentsKey }),
			lasts,
			time: clock.now(),
		});
	}

	/**
	 * Locks the tool's current definition in our storage.
	 * @returns whether it is locked there
	 * @throws AbortError once the signal aborts
	 */
	private async keepSeen({ request, input, locks }: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
		throwIfAborted(signal);
		const { definition, tool, instructions } = request;
		if (locks.states.seen === 'same') {
			return true;
		}
		const key = definitionKey(definition, input.definitionHash);
		try {
			await this.deps.seen.lock(definition, [tool], instructions, signal);
			this.notLocked.delete(key);
		} catch (error) {
			throwIfAborted(signal);
			this.notLocked.add(key);
			this.deps.onLockFailed(definition, 'seen', error);
			return false;
		}
		throwIfAborted(signal);
		return true;
	}

	/** Writes the allowed tool to the lock file; for an answer about the server, also its tools that aren't locked yet. */
	private async writeToLock({ request, locks }: ApprovalQuestion, about: ApprovedScope): Promise<void> {
		const { definition, tool, tools, instructions } = request;
		const { name: server } = definition;
		const stateOf = (it: Tool): LockState => compareWithLocks(locks, { server, tool: it, instructions }).state;
		// The person has reviewed a change of this tool only, so changed other tools aren't locked.
		const others = about === 'server' ? tools.filter(it => it.name !== tool.name && stateOf(it) === 'new') : [];
		const own = locks.states.lock === 'same' ? [] : [tool];
		if (locks.lock.kind === 'broken' || own.length + others.length === 0) {
			return;
		}
		try {
			this.deps.onDidLock(definition, await this.deps.locks.lock(definition, [...own, ...others], instructions));
		} catch (error) {
			this.deps.onLockFailed(definition, 'lock', error);
		}
	}
}

function definitionKey({ id }: ServerDefinition, definitionHash: string): string {
	return `${id}\n${definitionHash}`;
}

/** Whether an answer to one question also answers the other: same definition, arguments, and reason to ask. */
export function isSameQuestion(asked: ApprovalQuestion, now: ApprovalQuestion): boolean {
	return (
		asked.input.definitionHash === now.input.definitionHash &&
		asked.input.argumentsKey === now.input.argumentsKey &&
		canonicalJson(asked.decision.reason) === canonicalJson(now.decision.reason)
	);
}

function toUnanswered(error: unknown): Unanswered {
	return { by: isAbort(error) ? 'caller' : 'server', error };
}
