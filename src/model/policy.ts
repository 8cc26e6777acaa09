/**
 * PURE: a policy and which of its rules are about a call. Matching leans to the safe side: what a rule allows must hold
 * for everything the call names, what it asks about or denies for anything; what cannot be checked counts against the
 * call.
 */
import type { JsonObject, ToolAnnotations } from '../mcp/index.js';
import { isAnyGlob, literalOfGlob, matchesGlob } from './glob.js';
import { hasParent, isUnderstood } from './pathText.js';

export type PolicyDecision = 'allow' | 'ask' | 'deny';

/** The hints of a tool that a rule may name. They are the server's own claims. */
export const annotationNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
export type AnnotationName = (typeof annotationNames)[number];

/** What it says of a call must hold altogether; what it does not mention may be anything. */
export interface PolicyRule {
	readonly decision: PolicyDecision;
	/** Patterns, one of which the name matches. */
	readonly servers?: readonly string[];
	readonly tools?: readonly string[];
	readonly annotations?: Readonly<Partial<Record<AnnotationName, boolean>>>;
	/** Patterns by the argument's place: names with dots between, `*` for all members or elements. */
	readonly arguments?: Readonly<Record<string, readonly string[]>>;
	/** Patterns of names of roots that its paths lie in. */
	readonly roots?: readonly string[];
	/** Whether its paths lie outside of all roots. */
	readonly outsideRoots?: boolean;
}

export interface Policy {
	/** In the order of the file, where the first is rule 1. */
	readonly rules: readonly PolicyRule[];
	/** Where no rule matches; `allow` would make a forgotten tool a free one. */
	readonly otherwise: 'ask' | 'deny';
}

export const emptyPolicy: Policy = { rules: [], otherwise: 'ask' };

/** Where the paths of a call's arguments lie. */
export interface Reach {
	/** Names of roots. */
	readonly roots: readonly string[];
	/** Texts that are paths in no root, or may be. */
	readonly outside: readonly string[];
	/** Those of `outside` that servers may read in different ways: they may lie anywhere. */
	readonly unclear: readonly string[];
}

/** What a rule looks at. */
export interface CallFacts {
	/** Its name in the configuration. */
	readonly server: string;
	readonly tool: string;
	readonly annotations: ToolAnnotations | undefined;
	readonly arguments: JsonObject;
	readonly reach: Reach;
}

/** Spec, schema of ToolAnnotations: what a hint is where the server says nothing. */
const hintDefaults: Readonly<Record<AnnotationName, boolean>> = {
	readOnlyHint: false,
	destructiveHint: true,
	idempotentHint: false,
	openWorldHint: true,
};

/** UTF-16 units of an argument that are still looked at. */
const longestArgument = 10_000;

/** A rule with its place. */
export interface NumberedRule {
	readonly rule: PolicyRule;
	/** From 1. */
	readonly number: number;
}

/** Names of servers, and of tools of one server, whose rules are kept in mind. */
const remembered = 20_000;

/** The rules about one server, and of those the ones about each of its tools. */
interface ServerRules {
	readonly rules: readonly NumberedRule[];
	readonly byTool: Map<string, readonly NumberedRule[]>;
}

const rulesByServer = new WeakMap<Policy, Map<string, ServerRules>>();

/** The rules that all of which holds for the call, in their order. */
export function matchingRules(policy: Policy, facts: CallFacts): NumberedRule[] {
	return rulesOfTool(policy, facts).filter(
		({ rule }) =>
			hasAnnotations(rule, facts.annotations) && hasArguments(rule, facts.arguments) && isWithin(rule, facts.reach),
	);
}

/**
 * Whether a policy denies all of a server: what others may read there has no rules of its own. Only rules about nothing
 * but the server count, a denial wherever it stands; where there is none, what denies the rest denies this too.
 */
export function deniesServer({ rules, otherwise }: Policy, server: string): boolean {
	const about = rulesAboutAll(rules, server);
	return about.some(it => it.decision === 'deny') || (about.length === 0 && otherwise === 'deny');
}

/** Those that hold for everything of a server. */
function rulesAboutAll(rules: readonly PolicyRule[], server: string): readonly PolicyRule[] {
	return rules.filter(
		({ servers, tools, annotations, arguments: args, roots, outsideRoots }) =>
			[tools, annotations, args, roots, outsideRoots].every(it => it === undefined) && matchesAny(servers, server),
	);
}

/** Whether no tool of the server can be called, as far as the policy says: then nobody need know of them. */
export function deniesTools(policy: Policy, server: string): boolean {
	const isFreed = policy.rules.some(it => it.decision !== 'deny' && matchesAny(it.servers, server));
	const isDenied = rulesAboutAll(policy.rules, server).some(it => it.decision === 'deny');
	return isDenied || (policy.otherwise === 'deny' && !isFreed);
}

/** Of a thousand rules few are about one server, and fewer about one tool: they are looked for once. */
function rulesOfTool(policy: Policy, { server, tool }: CallFacts): readonly NumberedRule[] {
	const servers = rulesByServer.get(policy) ?? new Map<string, ServerRules>();
	rulesByServer.set(policy, servers);
	const { rules, byTool } = recall(servers, server, () => ({
		rules: policy.rules
			.map((rule, index) => ({ rule, number: index + 1 }))
			.filter(it => matchesAny(it.rule.servers, server)),
		byTool: new Map<string, readonly NumberedRule[]>(),
	}));
	return recall(byTool, tool, () => rules.filter(it => matchesAny(it.rule.tools, tool)));
}

/** What the map holds; made and kept if it is not there. */
function recall<T>(map: Map<string, T>, key: string, make: () => T): T {
	let value = map.get(key);
	if (value === undefined) {
		value = make();
		if (map.size >= remembered) {
			map.clear();
		}
		map.set(key, value);
	}
	return value;
}

function matchesAny(patterns: readonly string[] | undefined, name: string): boolean {
	return patterns === undefined || patterns.some(it => matchesGlob(it, name));
}

function hasAnnotations({ annotations: wanted = {} }: PolicyRule, claimed: ToolAnnotations | undefined): boolean {
	return annotationNames.every(it => wanted[it] === undefined || wanted[it] === (claimed?.[it] ?? hintDefaults[it]));
}

function hasArguments(rule: PolicyRule, args: JsonObject): boolean {
	const isAllow = rule.decision === 'allow';
	return Object.entries(rule.arguments ?? {}).every(([path, patterns]) => {
		const values = valuesAt(args, path.split('.'));
		return isAllow
			? values.length > 0 && values.every(it => isAllowedValue(patterns, it))
			: values.flatMap(leavesOf).some(it => it !== missing && isStoppedValue(patterns, it));
	});
}

/** A rule that allows holds for texts that every server reads as they stand, and for the very text it names. */
function isAllowedValue(patterns: readonly string[], value: unknown): boolean {
	if (value === missing || (typeof value === 'object' && value !== null)) {
		return false;
	}
	const text = String(value);
	return patterns.some(it => literalOfGlob(it) === text || isAnyGlob(it)) || isMatchedPath(patterns, text);
}

/** "src/*" must not allow "src/../../etc": what a path comes to is for `roots` to say. */
function isMatchedPath(patterns: readonly string[], text: string): boolean {
	return isUnderstood(text) && !hasParent(text) && patterns.some(it => matchesGlob(it, text));
}

/** Of a rule that asks or denies; what is too long to look at counts as found. */
function isStoppedValue(patterns: readonly string[], value: unknown): boolean {
	const text = String(value);
	return text.length > longestArgument || patterns.some(it => matchesGlob(it, text));
}

/** In the place of a value that is not there. */
const missing = Symbol('missing');

/** What stands at a place: one value, or with `*` in it several; `missing` for each that is not there. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
	return path.reduce<unknown[]>((values, name) => values.flatMap(it => membersNamed(it, name)), [value]);
}

function membersNamed(value: unknown, name: string): readonly unknown[] {
	if (typeof value !== 'object' || value === null) {
		return [missing];
	}
	if (name === '*') {
		return Object.values(value);
	}
	const member = Object.getOwnPropertyDescriptor(value, name);
	return [member?.enumerable === true ? member.value : missing];
}

/** All texts, numbers and so on in a value, however deep. */
function leavesOf(value: unknown): unknown[] {
	const leaves: unknown[] = [];
	const open = [value];
	while (open.length > 0) {
		const it = open.pop();
		if (typeof it === 'object' && it !== null) {
			for (const member of Object.values(it) as unknown[]) {
				open.push(member);
			}
		} else {
			leaves.push(it);
		}
	}
	return leaves;
}

function isWithin(rule: PolicyRule, { roots, outside, unclear }: Reach): boolean {
	const isAllow = rule.decision === 'allow';
	if (isAllow && unclear.length > 0 && (rule.roots !== undefined || rule.outsideRoots !== undefined)) {
		return false;
	}
	// What is unclear may lie outside, and may not.
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
