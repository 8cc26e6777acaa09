/**
 * PURE: may this call be made? One decision for every caller, and always with the reason. From the top, the first that
 * holds decides:
 *
 * 1. whatever denies, from any source: a rule of either policy wherever it stands, or an answer "Always Deny";
 * 2. a policy that cannot be read asks: nobody knows what it would deny;
 * 3. a tool whose definition has changed, cannot be compared or cannot be pinned asks;
 * 4. the stricter of what the policy beside the definition says and what the person's own policy says.
 *
 * An `ask` that comes of no rule is answered by a person who runs the tool by hand; any `ask` of 4 by what the person
 * has allowed before. Nothing that came with a workspace the person does not trust allows anything.
 */
import { type CallFacts, matchingRules, type Policy, type PolicyDecision } from './policy.js';

/** Who wants a tool to run. */
export type Caller =
	/**
	 * A person chose Run in our own interface, in front of the exact arguments: that is consent. Never what another
	 * extension can cause: a command with arguments, a document, an id.
	 */
	| { readonly kind: 'person' }
	/** A command with arguments: a keybinding, a task, or an extension that does not say which. */
	| { readonly kind: 'command' }
	/** Another extension, by its own word. */
	| { readonly kind: 'extension'; readonly id: string }
	/** The person, or another extension, runs a document that other extensions can write, or a form that began with one. */
	| { readonly kind: 'document' }
	/** A call of the history, as it was or edited in a form, where nobody can tell that the person wants exactly that. */
	| { readonly kind: 'history' }
	/** A model, through the chat participant or a language-model tool. */
	| { readonly kind: 'model'; readonly through: 'participant' | 'tool' };

/** Whether the person has most likely just asked for it. It decides only how they are asked, never whether. */
export function isAttended({ kind }: Caller): boolean {
	return kind === 'person' || kind === 'document' || kind === 'history';
}

/** A policy that was read, or could not be. */
export type PolicyState = { readonly kind: 'read'; readonly policy: Policy } | { readonly kind: 'broken' };

/** Whose policy a rule is from: that beside the server's definition, or the person's own setting. */
export type PolicySource = 'definition' | 'user';

/**
 * How a tool compares with its pins: `new` has none, of `unreadable` they cannot be read, and `notPinned` cannot be
 * pinned, so that nobody would notice when it changes.
 */
export type PinState = 'new' | 'same' | 'changed' | 'unreadable' | 'notPinned';

/** An answer that was given for later calls as well. */
export interface Grant {
	readonly id: string;
	readonly decision: 'allow' | 'deny';
	/** The id of the server's definition. */
	readonly serverId: string;
	/**
	 * The tools it is about, with the fingerprint each had when the person saw it: an `allow` is void for a tool that
	 * is another now, whatever a file in the workspace says. Left out, a `deny` is about all there will ever be.
	 */
	readonly tools?: Readonly<Record<string, string>>;
	/** Of these arguments only: `argumentsKey`. */
	readonly argumentsKey?: string;
	/** Until the window closes, or until it is taken back. */
	readonly lasts: 'session' | 'workspace';
	/** When it was given; milliseconds. */
	readonly time: number;
}

export interface ApprovalInput {
	readonly caller: Caller;
	readonly serverId: string;
	readonly facts: CallFacts;
	/** Tells arguments apart, whatever the order of their keys. */
	readonly argumentsKey: string;
	readonly isTrusted: boolean;
	/** Beside the server's definition; of user-level servers, in the person's storage. */
	readonly definitionPolicy: PolicyState;
	readonly userPolicy: PolicyState;
	readonly pin: PinState;
	/** Of the tool as it is now. */
	readonly fingerprint: string;
	readonly grants: readonly Grant[];
}

/** Why; every prompt and every line of the audit log names it. */
export type ApprovalReason =
	| { readonly kind: 'rule'; readonly source: PolicySource; /** From 1. */ readonly number: number }
	/** No rule matched, and the policy denies what it does not mention. */
	| { readonly kind: 'otherwise'; readonly source: PolicySource }
	| { readonly kind: 'broken'; readonly source: PolicySource }
	| { readonly kind: 'grant'; readonly grant: Grant }
	| { readonly kind: 'changedPin' }
	| { readonly kind: 'unreadablePin' }
	| { readonly kind: 'notPinned' }
	| { readonly kind: 'ownConsent' }
	/** Not decided now: the call was allowed, and sent, before the window was loaded again. */
	| { readonly kind: 'resumed' }
	| { readonly kind: 'byDefault' };

export interface ApprovalDecision {
	readonly kind: PolicyDecision;
	readonly reason: ApprovalReason;
	/** What was asked before a person's word or an earlier answer settled it. */
	readonly asked?: ApprovalReason;
}

interface Verdict {
	readonly kind: PolicyDecision;
	readonly reason: ApprovalReason;
}

/** Where nothing was said. */
const byDefault: Verdict = { kind: 'ask', reason: { kind: 'byDefault' } };
const strictness: Readonly<Record<PolicyDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Decides one call. */
export function decideApproval(input: ApprovalInput): ApprovalDecision {
	const verdict = verdictOf(input);
	if (verdict.kind !== 'ask' || isUnshakable(verdict.reason)) {
		return verdict;
	}
	const asked = verdict.reason;
	if (input.caller.kind === 'person' && asked.kind === 'byDefault') {
		return { kind: 'allow', reason: { kind: 'ownConsent' }, asked };
	}
	const grant = input.grants.find(it => it.decision === 'allow' && covers(it, input));
	return grant ? { kind: 'allow', reason: { kind: 'grant', grant }, asked } : verdict;
}

/** What neither a person's click on Run nor an earlier answer settles. */
function isUnshakable({ kind }: ApprovalReason): boolean {
	return kind === 'changedPin' || kind === 'unreadablePin' || kind === 'notPinned' || kind === 'broken';
}

/** Why pins ask, if they do. */
const pinReasons: Readonly<Record<PinState, ApprovalReason | undefined>> = {
	new: undefined,
	same: undefined,
	changed: { kind: 'changedPin' },
	unreadable: { kind: 'unreadablePin' },
	notPinned: { kind: 'notPinned' },
};

/** The strictest of what all have to say; of equals the first, so that no earlier answer settles what must be seen. */
function verdictOf(input: ApprovalInput): Verdict {
	const { definitionPolicy, userPolicy, pin } = input;
	const verdicts: Verdict[] = input.grants
		.filter(it => it.decision === 'deny' && covers(it, input))
		.map(grant => ({ kind: 'deny', reason: { kind: 'grant', grant } }));
	const sources = [
		['definition', definitionPolicy],
		['user', userPolicy],
	] as const;
	for (const [source, state] of sources) {
		if (state.kind === 'broken') {
			verdicts.push({ kind: 'ask', reason: { kind: 'broken', source } });
		}
	}
	const reason = pinReasons[pin];
	if (reason) {
		verdicts.push({ kind: 'ask', reason });
	}
	const [ofDefinition, ofUser] = sources.map(([source, state]) =>
		state.kind === 'read' ? ofPolicy(source, state.policy, input) : undefined,
	);
	// Where the definition's policy frees nothing, the person's own cannot either.
	for (const it of [ofDefinition, ofUser, ofDefinition ? undefined : byDefault]) {
		if (it) {
			verdicts.push(it);
		}
	}
	return verdicts.reduce((strictest, it) => (strictness[it.kind] > strictness[strictest.kind] ? it : strictest));
}

/** What a policy that was read says of a call, if anything. What came with an untrusted workspace frees nothing. */
function ofPolicy(source: PolicySource, policy: Policy, { facts, isTrusted }: ApprovalInput): Verdict | undefined {
	const rules = matchingRules(policy, facts);
	const found = rules.find(it => it.rule.decision === 'deny') ?? rules[0];
	if (found) {
		const { decision } = found.rule;
		const isVoid = decision === 'allow' && source === 'definition' && !isTrusted;
		return isVoid ? undefined : { kind: decision, reason: { kind: 'rule', source, number: found.number } };
	}
	return policy.otherwise === 'deny' ? { kind: 'deny', reason: { kind: 'otherwise', source } } : undefined;
}

/** Whether an answer that was given before is about this call. */
export function covers(
	{ decision, tools, ...grant }: Grant,
	{ serverId, facts, argumentsKey, fingerprint }: ApprovalInput,
): boolean {
	const { tool } = facts;
	const isAbout =
		tools === undefined
			? decision === 'deny'
			: Object.hasOwn(tools, tool) && (decision === 'deny' || tools[tool] === fingerprint);
	return (
		isAbout && grant.serverId === serverId && (grant.argumentsKey === undefined || grant.argumentsKey === argumentsKey)
	);
}
