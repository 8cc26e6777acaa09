/**
 * Decides whether a tool call is allowed, asked about, or denied, and gives the reason. There are two policies: one
 * beside the server's definition, and one in the person's own settings. The first of these that applies decides:
 *
 * 1. Deny: a deny rule of either policy, wherever it is in the file, or an "Always Deny" answer.
 * 2. Ask: a policy can't be read, so its deny rules are unknown.
 * 3. Ask: the tool's definition has changed, can't be compared, or can't be locked.
 * 4. The stricter of the two policies' decisions.
 *
 * Then, an `ask` of step 4 becomes `allow` if the person allowed such calls before, or if no rule asked and the person
 * runs the tool themselves. In a workspace without trust, allow rules of the definition's policy don't count.
 */
import { type CallFacts, matchingRules, type Policy, type PolicyDecision } from './policy.js';

/** Who wants a tool to run. */
export type Caller =
	/**
	 * A person chose Run in our own interface, with the exact arguments in view: that is consent. Never used for what
	 * another extension can cause, such as a command with arguments, a document, or an id.
	 */
	| { readonly kind: 'person' }
	/** A command with arguments: from a keybinding, a task, or an extension that doesn't identify itself. */
	| { readonly kind: 'command' }
	/** Another extension; `id` is its own claim. */
	| { readonly kind: 'extension'; readonly id: string }
	/** An arguments document, or a form that began with one. Other extensions can write such documents. */
	| { readonly kind: 'document' }
	/** A call of the history, repeated or edited in a form: it isn't certain that the person wants exactly this call. */
	| { readonly kind: 'history' }
	/** A model, through a language-model tool. */
	| { readonly kind: 'model' };

/** Whether the person has probably just started the call. Only affects how they are asked, never whether. */
export function isAttended({ kind }: Caller): boolean {
	return kind === 'person' || kind === 'document' || kind === 'history';
}

/** A policy, or the fact that it can't be read. */
export type PolicyState = { readonly kind: 'read'; readonly policy: Policy } | { readonly kind: 'broken' };

/** The policy that a rule is from: the one beside the server's definition, or the one in the person's settings. */
export type PolicySource = 'definition' | 'user';

/**
 * How a tool compares with its locked definitions. `new`: there are none. `unreadable`: they can't be read. `notLocked`:
 * the tool can't be locked, so a change of its definition wouldn't be noticed.
 */
export type LockState = 'new' | 'same' | 'changed' | 'unreadable' | 'notLocked';

/** What an answer for later calls is about. */
export type ApprovedScope = 'arguments' | 'tool' | 'server';

/** An answer that was given for later calls as well. */
export interface Grant {
	readonly id: string;
	readonly decision: 'allow' | 'deny';
	/** The id of the server's definition. */
	readonly serverId: string;
	/**
	 * The tools it applies to, with the hash of each definition when the answer was given: an `allow` doesn't apply to
	 * a tool that has changed since. Left out in a `deny` for all tools, also future ones.
	 */
	readonly tools?: Readonly<Record<string, string>>;
	/** Restricts it to calls with this `ApprovalInput.argumentsKey`. */
	readonly argumentsKey?: string;
	/** Until the window closes, or until it is revoked. */
	readonly lasts: 'session' | 'workspace';
	/** When it was given; milliseconds. */
	readonly time: number;
}

export interface ApprovalInput {
	readonly caller: Caller;
	readonly serverId: string;
	readonly facts: CallFacts;
	/** The arguments as canonical JSON: equal for equal arguments, whatever the order of their keys. */
	readonly argumentsKey: string;
	readonly isTrusted: boolean;
	/** The policy beside the server's definition; for servers in the person's settings, the one in our storage. */
	readonly definitionPolicy: PolicyState;
	readonly userPolicy: PolicyState;
	readonly lock: LockState;
	/** `hashDefinition` of the tool as it is now. */
	readonly definitionHash: string;
	readonly grants: readonly Grant[];
}

/** The reason for a decision. Sheets and the history show it. */
export type ApprovalReason =
	| { readonly kind: 'rule'; readonly source: PolicySource; /** From 1. */ readonly number: number }
	/** No rule matched, and the policy's default is to deny. */
	| { readonly kind: 'otherwise'; readonly source: PolicySource }
	| { readonly kind: 'broken'; readonly source: PolicySource }
	| { readonly kind: 'grant'; readonly grant: Grant }
	| { readonly kind: 'changedPin' }
	| { readonly kind: 'unreadablePin' }
	| { readonly kind: 'notPinned' }
	| { readonly kind: 'ownConsent' }
	/** The call was allowed and sent before the editor window was reloaded. */
	| { readonly kind: 'resumed' }
	| { readonly kind: 'byDefault' };

export interface ApprovalDecision {
	readonly kind: PolicyDecision;
	readonly reason: ApprovalReason;
}

/** The decision if no rule matches. */
const byDefault: ApprovalDecision = { kind: 'ask', reason: { kind: 'byDefault' } };
const strictness: Readonly<Record<PolicyDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Decides one call. */
export function decideApproval(input: ApprovalInput): ApprovalDecision {
	const strictest = strictestOf(input);
	if (strictest.kind !== 'ask' || mustBeAsked(strictest.reason)) {
		return strictest;
	}
	if (input.caller.kind === 'person' && strictest.reason.kind === 'byDefault') {
		return { kind: 'allow', reason: { kind: 'ownConsent' } };
	}
	const grant = input.grants.find(it => it.decision === 'allow' && covers(it, input));
	return grant ? { kind: 'allow', reason: { kind: 'grant', grant } } : strictest;
}

/** Whether the person is asked even if they run the tool themselves or allowed such calls before. */
function mustBeAsked({ kind }: ApprovalReason): boolean {
	return kind === 'changedPin' || kind === 'unreadablePin' || kind === 'notPinned' || kind === 'broken';
}

/** The reason to ask for each lock state that has one. */
const lockReasons: Readonly<Partial<Record<LockState, ApprovalReason>>> = {
	changed: { kind: 'changedPin' },
	unreadable: { kind: 'unreadablePin' },
	notLocked: { kind: 'notPinned' },
};

/** The strictest decision; of equally strict ones the first, so that reasons of `mustBeAsked` come before those of rules. */
function strictestOf(input: ApprovalInput): ApprovalDecision {
	const { definitionPolicy, userPolicy, lock } = input;
	const denials = input.grants
		.filter(it => it.decision === 'deny' && covers(it, input))
		.map((grant): ApprovalDecision => ({ kind: 'deny', reason: { kind: 'grant', grant } }));
	const sources = [
		['definition', definitionPolicy],
		['user', userPolicy],
	] as const;
	const reasons = [
		...sources.map(([source, { kind }]) => (kind === 'broken' ? ({ kind, source } as const) : undefined)),
		lockReasons[lock],
	];
	const [ofDefinition, ofUser] = sources.map(([source, state]) =>
		state.kind === 'read' ? ofPolicy(source, state.policy, input) : undefined,
	);
	const decisions = [
		...denials,
		...reasons.map(reason => reason && ({ kind: 'ask', reason } as const)),
		ofDefinition,
		ofUser,
		// Without a decision of the definition's policy the default applies, so the person's own policy alone can't allow.
		ofDefinition ? undefined : byDefault,
	].filter(it => it !== undefined);
	return decisions.reduce((strictest, it) => (strictness[it.kind] > strictness[strictest.kind] ? it : strictest));
}

/** The decision of one policy, if it has one. Without trust, allow rules of the definition's policy don't count. */
function ofPolicy(
	source: PolicySource,
	policy: Policy,
	{ facts, isTrusted }: ApprovalInput,
): ApprovalDecision | undefined {
	const rules = matchingRules(policy, facts);
	const found = rules.find(it => it.rule.decision === 'deny') ?? rules[0];
	if (found) {
		const { decision } = found.rule;
		const isVoid = decision === 'allow' && source === 'definition' && !isTrusted;
		return isVoid ? undefined : { kind: decision, reason: { kind: 'rule', source, number: found.number } };
	}
	return policy.otherwise === 'deny' ? { kind: 'deny', reason: { kind: 'otherwise', source } } : undefined;
}

/** Whether an earlier answer applies to this call. */
function covers({ decision, tools, ...grant }: Grant, input: ApprovalInput): boolean {
	const { serverId, facts, definitionHash } = input;
	const { tool } = facts;
	const isAbout =
		tools === undefined
			? decision === 'deny'
			: Object.hasOwn(tools, tool) && (decision === 'deny' || tools[tool] === definitionHash);
	return (
		isAbout &&
		grant.serverId === serverId &&
		(grant.argumentsKey === undefined || grant.argumentsKey === input.argumentsKey)
	);
}
