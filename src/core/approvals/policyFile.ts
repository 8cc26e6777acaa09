/**
 * Parses a policy: `.vscode/mcp-policy.json`, or the person's setting. A policy with a mistake is rejected as a whole,
 * because the part with the mistake may be a deny rule.
 */
import type { Node } from 'jsonc-parser';
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

/** The types of JSON values in a policy, as `jsonc-parser` names them. */
type NodeType = 'object' | 'array' | 'boolean' | 'string';

/** Either a policy, or the positions of its mistakes, which the editor explains with the JSON schema of the file. */
export interface ParsedPolicy {
	readonly policy: Policy | undefined;
	readonly problems: readonly TextRange[];
	/** Positions of `arguments`, a condition that can't be checked. The policy is used all the same. */
	readonly unchecked: readonly TextRange[];
	/** Position of each rule, in the order of the file, for links to rules. */
	readonly places: readonly TextRange[];
}

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
		reader.problems.push({ offset: excess.offset, length: 1 });
	}
	if (error) {
		reader.problems.push(rangeOf(error));
	}
	const policy = root && reader.readPolicy(root);
	const { problems, unchecked, places } = reader;
	return { policy: problems.length === 0 ? policy : undefined, problems, unchecked, places };
}

class PolicyParser {
	readonly problems: TextRange[] = [];
	readonly unchecked: TextRange[] = [];
	readonly places: TextRange[] = [];

	readPolicy(root: Node): Policy {
		const parts = this.readMembers(root, ['$schema', 'rules', 'default']);
		const rules = (this.expectType(parts.get('rules'), 'array')?.children ?? []).map(it => this.readRule(it));
		const otherwise = this.readOneOf(parts.get('default'), defaults) ?? 'ask';
		return { rules, otherwise };
	}

	private readRule(node: Node): PolicyRule {
		this.places.push(rangeOf(node));
		const known = 'decision server tool annotations arguments root outsideRoots paths comment'.split(' ');
		const parts = this.readMembers(node, known);
		const at = (key: string): Node | undefined => parts.get(key);
		if (node.type === 'object' && !parts.has('decision')) {
			this.problems.push(rangeOf(node));
		}
		this.expectType(at('comment'), 'string');
		const args = at('arguments');
		if (args) {
			this.unchecked.push(rangeOf(args));
		}
		const paths = this.readTexts(at('paths'));
		if (paths && !parts.has('root') && !parts.has('outsideRoots')) {
			this.problems.push(rangeOf(node));
		}
		const decision: PolicyDecision = this.readOneOf(at('decision'), decisions) ?? 'deny';
		return {
			decision,
			...given('servers', this.readTexts(at('server'))),
			...given('tools', this.readTexts(at('tool'))),
			...given('annotations', this.readAnnotations(at('annotations'))),
			...(args && { hasArguments: true as const }),
			...given('roots', this.readTexts(at('root'))),
			...given('outsideRoots', this.readBoolean(at('outsideRoots'))),
			...given('paths', paths),
		};
	}

	private readAnnotations(node: Node | undefined): PolicyRule['annotations'] {
		const result: Partial<Record<AnnotationName, boolean>> = {};
		for (const [name, value] of node ? this.readMembers(node, annotationNames) : []) {
			const hint = this.readBoolean(value);
			const known = annotationNames.find(it => it === name);
			if (known && hint !== undefined) {
				result[known] = hint;
			}
		}
		return node && result;
	}

	/** The members of an object by name. Reports unknown and duplicate names. */
	private readMembers(node: Node, known: readonly string[]): Map<string, Node> {
		const parts = new Map<string, Node>();
		const object = this.expectType(node, 'object');
		for (const [name, it] of object ? members(object) : []) {
			const key = String(name.value);
			if (!known.includes(key) || parts.has(key)) {
				this.problems.push(rangeOf(name));
			} else {
				parts.set(key, it);
			}
		}
		return parts;
	}

	/** The node, if it has the expected type; otherwise reports it. */
	private expectType(node: Node | undefined, expected: NodeType): Node | undefined {
		if (node && node.type !== expected) {
			this.problems.push(rangeOf(node));
			return undefined;
		}
		return node;
	}

	/** Reads a text or a list of texts. An empty list is a mistake: it matches no call, but seems to match every call. */
	private readTexts(node: Node | undefined): readonly string[] | undefined {
		if (!node) {
			return undefined;
		}
		const nodes = node.type === 'array' ? (node.children ?? []) : [node];
		if (nodes.length === 0 || nodes.some(it => it.type !== 'string')) {
			this.problems.push(rangeOf(node));
			return undefined;
		}
		return nodes.map(it => String(it.value));
	}

	private readBoolean(node: Node | undefined): boolean | undefined {
		const found = this.expectType(node, 'boolean');
		return found && found.value === true;
	}

	private readOneOf<T extends string>(node: Node | undefined, known: readonly T[]): T | undefined {
		const text = this.expectType(node, 'string');
		if (!text) {
			return undefined;
		}
		const found = known.find(it => it === text.value);
		if (found === undefined) {
			this.problems.push(rangeOf(text));
		}
		return found;
	}
}

/** An object with the property, or without it if the value is undefined (`exactOptionalPropertyTypes`). */
function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
	return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}
