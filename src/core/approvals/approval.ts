/**
 * Decides whether a tool call is allowed, asked about, or denied, and gives the reason. There are two policies: one
 * beside the server's definition, and one in the person's own settings. The first of these that applies decides:
 *
 * 1. Deny: a deny rule of either policy, wherever it is in the file, or an "Always Deny" answer.
 * 2. Ask: a policy can't be read, so its deny rules are unknown.
 * 3. Ask: the tool's definition has changed, can't be compared, or can't be locked. A change doesn't ask the author of the
 *    server who runs the tool themselves.
 * 4. The stricter of the two policies' decisions.
 *
 * Then, an `ask` of step 4 becomes `allow` if the person allowed such calls before, or if no rule asked and the person
 * runs the tool themselves. In a workspace without trust, allow rules of the definition's policy don't count.
 *
 * Matching a rule errs on the safe side: a condition that can't be checked keeps an allow rule from matching, and lets an ask
 * or deny rule match.
 */
import type { ToolAnnotations } from '../../mcp/index.js';
import { matchesGlob } from './glob.js';

export type PolicyDecision = 'allow' | 'ask' | 'deny';

/** The hints that a rule can name. They are the server's own claims. */
export const annotationNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
export type AnnotationName = (typeof annotationNames)[number];

/** A rule matches if all of its conditions do. A condition that is left out always matches. */
export interface PolicyRule {
	readonly decision: PolicyDecision;
	/** Patterns for the server's name; one must match. `tools` likewise. */
	readonly servers?: readonly string[];
	readonly tools?: readonly string[];
	readonly annotations?: Readonly<Partial<Record<AnnotationName, boolean>>>;
	/** The rule has patterns for arguments, as rules of 0.1 could: a condition that can't be checked. */
	readonly hasArguments?: true;
	/** Patterns for the names of roots that the call's paths are in. */
	readonly roots?: readonly string[];
	/** Whether any of the call's paths is outside all roots. */
	readonly outsideRoots?: boolean;
	/** The arguments that are paths, for `roots` and `outsideRoots`. Left out, every text that may be a path is one. */
	readonly paths?: readonly string[];
}

export interface Policy {
	/** In the order of the file. */
	readonly rules: readonly PolicyRule[];
	/** The decision if no rule matches. `allow` isn't possible, because it would allow tools that the author didn't expect. */
	readonly otherwise: 'ask' | 'deny';
}

export const emptyPolicy: Policy = { rules: [], otherwise: 'ask' };

/** The folders that the paths in a call's arguments lead to. */
export interface PathScope {
	/** Names of roots. Roots that share a name are listed by URI too, so that no allow rule matches by the name alone. */
	readonly roots: readonly string[];
	/** Texts that are, or may be, paths outside all roots. */
	readonly outside: readonly string[];
	/** The texts of `outside` that aren't plain absolute paths: they may lead anywhere. */
	readonly unclear: readonly string[];
}

/** The texts that lead outside all roots in every interpretation. */
export function certainlyOutside({ outside, unclear }: PathScope): string[] {
	const others = new Set(unclear);
	return outside.filter(it => !others.has(it));
}

/** The facts that rules check. */
export interface CallFacts {
	/** The server's name in the configuration. */
	readonly server: string;
	readonly tool: string;
	readonly annotations: ToolAnnotations | undefined;
	/** The folders of every text in the arguments that may be a path. */
	readonly pathScope: PathScope;
	/** The folders of the named arguments. */
	readonly scopeOf: (names: readonly string[]) => PathScope;
}

/** Spec, schema of ToolAnnotations: the default of each hint. */
const hintDefaults: Readonly<Record<AnnotationName, boolean>> = {
	readOnlyHint: false,
	destructiveHint: true,
	idempotentHint: false,
	openWorldHint: true,
};

/** A rule with its number in the file. */
interface NumberedRule {
	readonly rule: PolicyRule;
	/** The rule's position in the file, from 1. */
	readonly number: number;
}

/** The rules that match the call, in the order of the file. */
export function matchingRules({ rules }: Policy, facts: CallFacts): NumberedRule[] {
	return rules
		.map((rule, index) => ({ rule, number: index + 1 }))
		.filter(
			({ rule }) =>
				matchesAny(rule.servers, facts.server) &&
				matchesAny(rule.tools, facts.tool) &&
				hasAnnotations(rule, facts.annotations) &&
				!(rule.hasArguments === true && rule.decision === 'allow') &&
				isWithin(rule, facts),
		);
}

/**
 * Whether a policy denies a whole server, including its resources and prompts, which have no rules of their own. Only
 * rules whose single condition is the server count: any deny rule among them denies. If there are none, the policy's
 * default decides.
 */
export function deniesServer({ rules, otherwise }: Policy, server: string): boolean {
	const about = rulesAboutAll(rules, server);
	return about.some(it => it.decision === 'deny') || (about.length === 0 && otherwise === 'deny');
}

/** The rules that match every call of a server. */
function rulesAboutAll(rules: readonly PolicyRule[], server: string): readonly PolicyRule[] {
	return rules.filter(
		({ servers, tools, annotations, hasArguments, roots, outsideRoots }) =>
			[tools, annotations, hasArguments, roots, outsideRoots].every(it => it === undefined) &&
			matchesAny(servers, server),
	);
}

/** Whether a policy denies every tool of a server. If so, its tools aren't listed either. */
export function deniesTools(policy: Policy, server: string): boolean {
	const mayAllow = policy.rules.some(it => it.decision !== 'deny' && matchesAny(it.servers, server));
	const isDenied = rulesAboutAll(policy.rules, server).some(it => it.decision === 'deny');
	return isDenied || (policy.otherwise === 'deny' && !mayAllow);
}

function matchesAny(patterns: readonly string[] | undefined, name: string): boolean {
	return patterns === undefined || patterns.some(it => matchesGlob(it, name));
}

function hasAnnotations({ annotations: wanted = {} }: PolicyRule, claimed: ToolAnnotations | undefined): boolean {
	return annotationNames.every(it => wanted[it] === undefined || wanted[it] === (claimed?.[it] ?? hintDefaults[it]));
}

/** Whether the conditions about paths match. The arguments are only searched for paths if there is such a condition. */
function isWithin(rule: PolicyRule, facts: CallFacts): boolean {
	if (rule.roots === undefined && rule.outsideRoots === undefined) {
		return true;
	}
	const { roots, outside, unclear } = rule.paths ? facts.scopeOf(rule.paths) : facts.pathScope;
	const isAllow = rule.decision === 'allow';
	if (isAllow && unclear.length > 0) {
		return false;
	}
	// An unclear path may be inside or outside, so it matches both conditions of an ask or deny rule.
	if (
		rule.outsideRoots === true ? outside.length === 0 : rule.outsideRoots === false && outside.length > unclear.length
	) {
		return false;
	}
	if (rule.roots === undefined) {
		return true;
	}
	const isNamed = (root: string): boolean => matchesAny(rule.roots, root);
	return isAllow
		? outside.length === 0 && roots.length > 0 && roots.every(isNamed)
		: unclear.length > 0 || roots.some(isNamed);
}

/** The initiator of a tool call, or of a read of a resource. */
export type Caller =
	/**
	 * A person chose Run in our own interface, with the exact arguments in view: that is consent. Never used for what
	 * another extension can cause, such as a command with arguments or an id.
	 */
	| { readonly kind: 'person' }
	/** A command with arguments, or the file system: from a keybinding, a task, or an extension that doesn't identify itself. */
	| { readonly kind: 'command' }
	/** Another extension; `id` is its own claim. */
	| { readonly kind: 'extension'; readonly id: string }
	/** A repeated call of the history: it isn't certain that the person wants exactly this call. */
	| { readonly kind: 'history' }
	/** A model, through a language-model tool. */
	| { readonly kind: 'model' };

/** Whether the person has probably just started the call. Only affects how they are asked, never whether. */
export function isAttended({ kind }: Caller): boolean {
	return kind === 'person' || kind === 'history';
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

/** The calls that a lasting answer covers. */
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
	/** Whether the person who runs the tool also writes its server: a change of its definition is their own. */
	readonly isByAuthor: boolean;
	/** `hashDefinition` of the tool as it is now; only needed if there are `grants`. */
	readonly definitionHash: string | undefined;
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

/**
 * Decides one call by the strictest decision. Among equally strict decisions, the first one counts, so that reasons of
 * `mustBeAsked` come before those of rules.
 */
export function decideApproval(input: ApprovalInput): ApprovalDecision {
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
		lock === 'changed' && input.isByAuthor ? undefined : lockReasons[lock],
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
	const strictest = decisions.reduce((first, it) => (strictness[it.kind] > strictness[first.kind] ? it : first));
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
