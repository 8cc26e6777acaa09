/**
 * Parses a policy: `.vscode/mcp-policy.json`, or the person's setting. A policy with a mistake is rejected as a whole,
 * because the part with the mistake may be a deny rule.
 */
import { type Node, printParseErrorCode } from 'jsonc-parser';
import { parseBoundedTree } from '../text/boundedJson.js';
import { members, rangeOf, type TextRange } from '../text/jsonNodes.js';
import {
	type AnnotationName,
	annotationNames,
	emptyPolicy,
	type Policy,
	type PolicyDecision,
	type PolicyRule,
} from './approval.js';

/** A mistake in a policy, at its position in UTF-16 units. `editor/l10n/approvalWords.ts` has the words. */
export type PolicyProblem = TextRange &
	(
		| { readonly code: 'syntax'; readonly error: string }
		| { readonly code: 'tooLong' | 'tooDeep' | 'pathsAlone' }
		| { readonly code: 'wrongType'; readonly key: string; readonly expected: PolicyType }
		| { readonly code: 'unknownKey'; readonly key: string; readonly known: readonly string[] }
		| { readonly code: 'unknownValue'; readonly key: string; readonly value: string; readonly known: readonly string[] }
		| { readonly code: 'missing'; readonly key: string }
		| { readonly code: 'duplicate'; readonly key: string }
	);
export type PolicyType = 'object' | 'array' | 'boolean' | 'text' | 'textOrTexts';

/** Either a policy, or the mistakes in it. */
export interface ParsedPolicy {
	readonly policy: Policy | undefined;
	readonly problems: readonly PolicyProblem[];
	/** Positions of `arguments`, a condition that can't be checked. The policy is used all the same. */
	readonly unchecked: readonly TextRange[];
	/** Position of each rule, in the order of the file, for links to rules. */
	readonly places: readonly TextRange[];
}

/** The types that `typed` compares with a node's own. The reader of `textOrTexts` checks its nodes. */
type NodeType = Exclude<PolicyType, 'textOrTexts'>;

const decisions = ['allow', 'ask', 'deny'] as const;
const defaults = ['ask', 'deny'] as const;

/** Parses the text of a policy; an empty text is an empty policy. Never throws. */
export function parsePolicy(text: string): ParsedPolicy {
	const reader = new PolicyParser();
	if (text.trim() === '') {
		return { policy: emptyPolicy, problems: [], unchecked: [], places: [] };
	}
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		reader.problems.push({ code: excess.code, offset: excess.offset, length: 1 });
	}
	if (error) {
		reader.problems.push({ code: 'syntax', error: printParseErrorCode(error.error), ...rangeOf(error) });
	}
	const policy = root && reader.readPolicy(root);
	const { problems, unchecked, places } = reader;
	return { policy: problems.length === 0 ? policy : undefined, problems, unchecked, places };
}

class PolicyParser {
	readonly problems: PolicyProblem[] = [];
	readonly unchecked: TextRange[] = [];
	readonly places: TextRange[] = [];

	readPolicy(root: Node): Policy {
		const parts = this.parts(root, 'policy', ['$schema', 'rules', 'default']);
		const rules = (this.typed(parts.get('rules'), 'rules', 'array')?.children ?? []).map(it => this.readRule(it));
		const otherwise = this.oneOf(parts.get('default'), 'default', defaults) ?? 'ask';
		return { rules, otherwise };
	}

	private readRule(node: Node): PolicyRule {
		this.places.push(rangeOf(node));
		const known = 'decision server tool annotations arguments root outsideRoots paths comment'.split(' ');
		const parts = this.parts(node, 'rule', known);
		const at = (key: string): Node | undefined => parts.get(key);
		if (node.type === 'object' && !parts.has('decision')) {
			this.problems.push({ code: 'missing', key: 'decision', ...rangeOf(node) });
		}
		this.typed(at('comment'), 'comment', 'text');
		const args = at('arguments');
		if (args) {
			this.unchecked.push(rangeOf(args));
		}
		const paths = this.texts(at('paths'), 'paths');
		if (paths && !parts.has('root') && !parts.has('outsideRoots')) {
			this.problems.push({ code: 'pathsAlone', ...rangeOf(node) });
		}
		const decision: PolicyDecision = this.oneOf(at('decision'), 'decision', decisions) ?? 'deny';
		return {
			decision,
			...given('servers', this.texts(at('server'), 'server')),
			...given('tools', this.texts(at('tool'), 'tool')),
			...given('annotations', this.annotations(at('annotations'))),
			...(args && { hasArguments: true as const }),
			...given('roots', this.texts(at('root'), 'root')),
			...given('outsideRoots', this.boolean(at('outsideRoots'), 'outsideRoots')),
			...given('paths', paths),
		};
	}

	private annotations(node: Node | undefined): PolicyRule['annotations'] {
		const result: Partial<Record<AnnotationName, boolean>> = {};
		for (const [name, value] of node ? this.parts(node, 'annotations', annotationNames) : []) {
			const hint = this.boolean(value, name);
			const known = annotationNames.find(it => it === name);
			if (known && hint !== undefined) {
				result[known] = hint;
			}
		}
		return node && result;
	}

	/** The members of an object by name. Reports names that aren't in `known`, if that is given. */
	private parts(node: Node, what: string, known?: readonly string[]): Map<string, Node> {
		const parts = new Map<string, Node>();
		const object = this.typed(node, what, 'object');
		for (const [name, it] of object ? members(object) : []) {
			const key = String(name.value);
			if (known && !known.includes(key)) {
				this.problems.push({ code: 'unknownKey', key, known, ...rangeOf(name) });
			} else if (parts.has(key)) {
				this.problems.push({ code: 'duplicate', key, ...rangeOf(name) });
			} else {
				parts.set(key, it);
			}
		}
		return parts;
	}

	/** The node, if it has the expected type; otherwise reports it. */
	private typed(node: Node | undefined, key: string, expected: NodeType): Node | undefined {
		if (node && node.type !== (expected === 'text' ? 'string' : expected)) {
			this.wrongType(node, key, expected);
			return undefined;
		}
		return node;
	}

	/** One text or several. An empty list is a mistake: it would match no call, but looks as if it matched every call. */
	private texts(node: Node | undefined, key: string): readonly string[] | undefined {
		if (!node) {
			return undefined;
		}
		const nodes = node.type === 'array' ? (node.children ?? []) : [node];
		if (nodes.length === 0 || nodes.some(it => it.type !== 'string')) {
			this.wrongType(node, key, 'textOrTexts');
			return undefined;
		}
		return nodes.map(it => String(it.value));
	}

	private boolean(node: Node | undefined, key: string): boolean | undefined {
		const found = this.typed(node, key, 'boolean');
		return found && found.value === true;
	}

	private oneOf<T extends string>(node: Node | undefined, key: string, known: readonly T[]): T | undefined {
		const text = this.typed(node, key, 'text');
		if (!text) {
			return undefined;
		}
		const value = String(text.value);
		const found = known.find(it => it === value);
		if (found === undefined) {
			this.problems.push({ code: 'unknownValue', key, value, known, ...rangeOf(text) });
		}
		return found;
	}

	private wrongType(node: Node, key: string, expected: PolicyType): void {
		this.problems.push({ code: 'wrongType', key, expected, ...rangeOf(node) });
	}
}

/** An object with the property, or without it if the value is undefined (`exactOptionalPropertyTypes`). */
function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
	return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}
