/**
 * Parses a policy: `.vscode/mcp-policy.json`, or the person's setting. A policy with any mistake is rejected as a whole,
 * because it is unknown what the rest was meant to say.
 */
import { type Node, printParseErrorCode } from 'jsonc-parser';
import { parseBoundedTree } from '../text/boundedJson.js';
import { members } from '../text/jsonNodes.js';
import {
	type AnnotationName,
	annotationNames,
	emptyPolicy,
	type Policy,
	type PolicyDecision,
	type PolicyRule,
} from './policy.js';

/** A mistake in a policy, at its position in UTF-16 units. `editor/l10n/approvalWords.ts` has the words. */
export type PolicyProblem = { readonly offset: number; readonly length: number } & (
	| { readonly code: 'syntax'; readonly error: string }
	| { readonly code: 'tooLong' | 'tooDeep' }
	| { readonly code: 'wrongType'; readonly key: string; readonly expected: PolicyType }
	| { readonly code: 'unknownKey'; readonly key: string; readonly known: readonly string[] }
	| { readonly code: 'unknownValue'; readonly key: string; readonly value: string; readonly known: readonly string[] }
	| { readonly code: 'missing'; readonly key: string }
	| { readonly code: 'duplicate'; readonly key: string }
);
export type PolicyType = 'object' | 'array' | 'boolean' | 'text' | 'textOrTexts' | 'pattern';

/** Either a policy, or the mistakes in it. */
export interface ParsedPolicy {
	readonly policy: Policy | undefined;
	readonly problems: readonly PolicyProblem[];
	/** Position of each rule, in the order of the file, for links to rules. */
	readonly places: readonly { readonly offset: number; readonly length: number }[];
}

const decisions = ['allow', 'ask', 'deny'] as const;
const defaults = ['ask', 'deny'] as const;

/** Parses the text of a policy; an empty text is an empty policy. Never throws. */
export function parsePolicy(text: string): ParsedPolicy {
	const reader = new PolicyReader();
	if (text.trim() === '') {
		return { policy: emptyPolicy, problems: [], places: [] };
	}
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		reader.problems.push({ code: excess.code, offset: excess.offset, length: 1 });
	}
	if (error) {
		const { offset, length } = error;
		reader.problems.push({ code: 'syntax', error: printParseErrorCode(error.error), offset, length });
	}
	const policy = root && reader.readPolicy(root);
	const { problems, places } = reader;
	return { policy: problems.length === 0 ? policy : undefined, problems, places };
}

class PolicyReader {
	readonly problems: PolicyProblem[] = [];
	readonly places: { readonly offset: number; readonly length: number }[] = [];

	readPolicy(root: Node): Policy {
		const parts = this.parts(root, 'policy', ['$schema', 'rules', 'default']);
		const rules = this.elements(parts.get('rules'), 'rules').map(it => this.readRule(it));
		const otherwise = this.oneOf(parts.get('default'), 'default', defaults) ?? 'ask';
		return { rules, otherwise };
	}

	private readRule(node: Node): PolicyRule {
		const { offset, length } = node;
		this.places.push({ offset, length });
		const known = ['decision', 'server', 'tool', 'annotations', 'arguments', 'root', 'outsideRoots', 'comment'];
		const parts = this.parts(node, 'rule', known);
		const at = (key: string): Node | undefined => parts.get(key);
		if (node.type === 'object' && !parts.has('decision')) {
			this.problems.push({ code: 'missing', key: 'decision', offset, length });
		}
		// A comment can be any text.
		this.text(at('comment'), 'comment');
		const decision: PolicyDecision = this.oneOf(at('decision'), 'decision', decisions) ?? 'deny';
		const outsideRoots = this.boolean(at('outsideRoots'), 'outsideRoots');
		return {
			decision,
			...given('servers', this.texts(at('server'), 'server')),
			...given('tools', this.texts(at('tool'), 'tool')),
			...given('annotations', this.annotations(at('annotations'))),
			...given('arguments', this.arguments(at('arguments'))),
			...given('roots', this.texts(at('root'), 'root')),
			...given('outsideRoots', outsideRoots),
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

	private arguments(node: Node | undefined): PolicyRule['arguments'] {
		const entries = node ? [...this.parts(node, 'arguments')] : [];
		return node && Object.fromEntries(entries.map(([path, value]) => [path, this.patterns(value, path)]));
	}

	/** Numbers, booleans, and null stand for their text. */
	private patterns(node: Node, key: string): readonly string[] {
		const nodes = node.type === 'array' ? (node.children ?? []) : [node];
		return nodes.flatMap(it => {
			if (it.type === 'object' || it.type === 'array') {
				this.wrongType(it, key, 'pattern');
				return [];
			}
			return [String(it.value)];
		});
	}

	/** The members of an object by name. Reports names that aren't in `known`, if that is given. */
	private parts(node: Node, what: string, known?: readonly string[]): Map<string, Node> {
		const parts = new Map<string, Node>();
		if (node.type !== 'object') {
			this.wrongType(node, what, 'object');
			return parts;
		}
		for (const [{ value, offset, length }, it] of members(node)) {
			const key = String(value);
			if (known && !known.includes(key)) {
				this.problems.push({ code: 'unknownKey', key, known, offset, length });
			} else if (parts.has(key)) {
				this.problems.push({ code: 'duplicate', key, offset, length });
			} else {
				parts.set(key, it);
			}
		}
		return parts;
	}

	private elements(node: Node | undefined, key: string): readonly Node[] {
		if (node && node.type !== 'array') {
			this.wrongType(node, key, 'array');
			return [];
		}
		return node?.children ?? [];
	}

	private text(node: Node | undefined, key: string): string | undefined {
		if (node && node.type !== 'string') {
			this.wrongType(node, key, 'text');
			return undefined;
		}
		return node && String(node.value);
	}

	/** A list without elements would match nothing, and look as if it matched everything. */
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
		if (node && node.type !== 'boolean') {
			this.wrongType(node, key, 'boolean');
			return undefined;
		}
		return node && node.value === true;
	}

	private oneOf<T extends string>(node: Node | undefined, key: string, known: readonly T[]): T | undefined {
		const value = this.text(node, key);
		const found = known.find(it => it === value);
		if (node && value !== undefined && found === undefined) {
			const { offset, length } = node;
			this.problems.push({ code: 'unknownValue', key, value, known, offset, length });
		}
		return found;
	}

	private wrongType({ offset, length }: Node, key: string, expected: PolicyType): void {
		this.problems.push({ code: 'wrongType', key, expected, offset, length });
	}
}

/** An object with the property, or without it if the value is undefined (`exactOptionalPropertyTypes`). */
function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
	return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}
