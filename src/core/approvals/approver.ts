/**
 * Takes every tool call from request to decision: evaluates it (`approval.ts`), asks the person if needed, stores
 * lasting answers, and keeps the definition of the tool that is allowed, for the comparison with later ones.
 */
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import { canonicalJson, type JsonObject, type Root, type Tool } from '../../mcp/index.js';
import {
	type ApprovalDecision,
	type ApprovalInput,
	type ApprovedScope,
	type Caller,
	decideApproval,
	deniesServer,
	deniesTools,
	type Grant,
	type PathScope,
	type PolicyState,
} from './approval.js';
import { hashDefinition, type ToolComparison } from './toolLock.js';
import { plainObject } from '../text/callArguments.js';
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
}

/** A question to the person. */
export interface ApprovalQuestion {
	readonly request: CallRequest;
	readonly decision: ApprovalDecision;
	/** The facts that the decision is based on. */
	readonly input: ApprovalInput;
	/** How the tool differs from its stored definitions. */
	readonly comparison: ToolComparison;
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
	/** Whether the person was asked, so that time has passed since the tool was looked up. */
	readonly wasAsked?: true;
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

/** The kept definitions of tools. */
export interface ToolStore {
	/**
	 * Compares a tool with the lock file and with the definition that last ran here.
	 * @param isFresh whether the lock file is read even if its contents are known
	 * @throws WindowClosingError
	 */
	compare(
		definition: ServerDefinition,
		tool: Tool,
		instructions: string | undefined,
		isFresh: boolean,
	): Promise<ToolComparison>;
	/** Keeps a definition as the one that last ran here, unless it is too large (`findLockProblem`). */
	accept(definition: ServerDefinition, tool: Tool, instructions: string | undefined): Promise<void>;
}

export interface ApproverDeps {
	readonly policies: PolicyReader;
	readonly tools: ToolStore;
	readonly grants: { list(): readonly Grant[]; add(grant: Grant): Promise<void> };
	readonly isTrusted: () => boolean;
	/** Whether the person writes the server, in this workspace. */
	readonly isAuthored: (definition: ServerDefinition) => Promise<boolean>;
	/** The folders that are exposed to the server. */
	readonly roots: (definition: ServerDefinition) => readonly Root[];
	/** Whether the file system ignores case. */
	readonly ignoresCase: boolean;
	/** Opens a question about a call, which the caller disposes. Any number of questions can be open. */
	readonly open: (signal: AbortSignal) => ApprovalRequest;
}

export class Approver {
	constructor(private readonly deps: ApproverDeps) {}

	/**
	 * Resolves with the decision, or with `unanswered` if the caller or the server ended the wait.
	 * @throws AbortError if the signal aborts before the person is asked
	 */
	async approve(request: CallRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
		const question = await raceAbort(this.evaluate(request), signal);
		return question.decision.kind === 'ask'
			? { ...(await this.ask(question, signal)), wasAsked: true }
			: this.settle(question, undefined);
	}

	/** Keeps the definition of a changed tool that the person has seen. The lock file may still differ. */
	async accept({ request: { definition, tool, instructions } }: ApprovalQuestion): Promise<void> {
		await this.deps.tools.accept(definition, tool, instructions);
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
		const { policies, tools, grants, roots, ignoresCase, isTrusted, isAuthored } = this.deps;
		// A person's own run is compared with the lock file as it is known. For others it is read, as watchers can be late.
		const isFresh = caller.kind !== 'person';
		const hasAnswers = grants.list().some(it => it.serverId === definition.id);
		const [definitionPolicy, comparison, definitionHash] = await Promise.all([
			policies.ofDefinition(definition),
			tools.compare(definition, tool, instructions, isFresh),
			hasAnswers ? hashDefinition({ tool, instructions }) : undefined,
		]);
		const isByAuthor = comparison.state === 'changed' && caller.kind === 'person' && (await isAuthored(definition));
		// Only answers about arguments, and a question, need their JSON; only rules about folders, and a question, the paths.
		let argumentsKey: string | undefined;
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
			get argumentsKey() {
				argumentsKey ??= canonicalJson(args);
				return argumentsKey;
			},
			isTrusted: isTrusted(),
			definitionPolicy,
			userPolicy: policies.ofUser(),
			lock: comparison.state,
			isByAuthor,
			definitionHash,
			grants: grants.list(),
		};
		return { request, decision: decideApproval(input), input, comparison };
	}

	private async ask(first: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome> {
		const pending = this.deps.open(signal);
		let question = first;
		let answer: FinalAnswer | undefined;
		try {
			// Rules, the tool, or the arguments may change while the person reads, so each answer is evaluated again.
			for (;;) {
				signal.throwIfAborted();
				if (question.decision.kind !== 'ask') {
					return await this.settle(question, answer);
				}
				const said = await pending.ask(question).catch(toUnanswered);
				if ('error' in said) {
					const { request, decision } = question;
					return { isAllowed: false, arguments: request.arguments, decision, answer: undefined, unanswered: said };
				}
				signal.throwIfAborted();
				answer = said.kind === 'again' ? undefined : said;
				if (said.kind === 'deny') {
					return await this.settle(question, said);
				}
				const next = await this.evaluate({ ...question.request, arguments: plainObject(said.arguments) });
				if (said.kind === 'allow' && next.decision.kind === 'ask' && isSameQuestion(question, next)) {
					signal.throwIfAborted();
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
		// The author's own run records no approval, so calls by models and extensions still ask.
		const isUnseen = decision.kind === 'allow' && question.input.isByAuthor;
		if (isAllowed && question.comparison.ran !== 'same' && !isUnseen) {
			await this.accept(question);
		}
		// An allowance that isn't applied to this call isn't stored for later calls either.
		if (answer && answer.lasts !== 'once' && (isAllowed || answer.kind === 'deny')) {
			await this.remember(question, answer, answer.lasts);
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
}

/** Whether an answer to one question also answers the other: same definition, arguments, and reason to ask. */
export function isSameQuestion(asked: ApprovalQuestion, now: ApprovalQuestion): boolean {
	return (
		asked.request.tool === now.request.tool &&
		asked.input.argumentsKey === now.input.argumentsKey &&
		canonicalJson(asked.decision.reason) === canonicalJson(now.decision.reason)
	);
}

function toUnanswered(error: unknown): Unanswered {
	return { by: isAbort(error) ? 'caller' : 'server', error };
}
