/**
 * Policies, and which of their rules match a call. Matching errs on the safe side: a condition that can't be checked
 * keeps an allow rule from matching, and lets an ask or deny rule match.
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
	/** Names of roots. */
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
	/** Of every text in the arguments that may be a path. */
	readonly pathScope: PathScope;
	/** Of the named arguments. */
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
	/** From 1. */
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
