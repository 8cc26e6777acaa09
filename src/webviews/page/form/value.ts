/** Functions for the values of a form: initial values, the best variant for a value, and conversion between values and texts. */
import { stepsOf } from '../../../base/jsonPointer.js';
import { parseJson } from '../../../base/parseJson.js';
import { isArgumentSecret, looksLikeSecret } from '../../../base/secretWords.js';
import { isRecord } from '../checks.js';
import type { ShownForm, ShownNode } from './protocol.js';

export type Members = Readonly<Record<string, unknown>>;

/** The node with an index. The protocol has checked all indexes. */
export function nodeAt(form: ShownForm, index: number): ShownNode {
	return form.nodes[index] as ShownNode;
}

/** The index of the option with that value; -1 if there is none. */
export function optionOf(node: ShownNode, value: unknown): number {
	let known = optionIndexes.get(node);
	if (!known) {
		known = new Map(node.options.map((it, index) => [JSON.stringify(it.value), index] as const).toReversed());
		optionIndexes.set(node, known);
	}
	return value === undefined ? -1 : (known.get(JSON.stringify(value)) ?? -1);
}
const optionIndexes = new WeakMap<ShownNode, Map<string, number>>();

/** Whether the control of a node can show the value. A control for numbers also shows unfinished texts; `null` is shown as empty. */
export function holds(node: ShownNode, value: unknown): boolean {
	if (value === undefined || value === null) {
		return true;
	}
	switch (node.kind) {
		case 'text':
			return typeof value === 'string';
		case 'number':
			return typeof value === 'number' || typeof value === 'string';
		case 'boolean':
			return typeof value === 'boolean';
		case 'choice':
			return optionOf(node, value) >= 0;
		case 'choices':
			return Array.isArray(value) && value.every(it => optionOf(node, it) >= 0);
		case 'object':
			return isRecord(value);
		case 'list':
			return Array.isArray(value);
		default:
			return true;
	}
}

/**
 * The index of the variant that fits a value best; -1 if no variant has the type of the value.
 * @param preferred the index of the variant that is chosen unless another fits better
 */
export function variantFor(form: ShownForm, { variants }: ShownNode, value: unknown, preferred = 0): number {
	const misfits = variants.map(it => misfit(form, it.node, value, 0));
	const best = Math.min(...misfits);
	return Number.isFinite(best) ? (misfits[preferred] === best ? preferred : misfits.indexOf(best)) : -1;
}

/** How badly a value fits a node; `Infinity` if its type differs. Differences of a member count at most 100. */
function misfit(form: ShownForm, index: number, value: unknown, depth: number): number {
	const node = nodeAt(form, index);
	if (value === null) {
		return node.isNullable ? 0 : node.kind === 'json' ? 1 : Infinity;
	}
	if (node.kind === 'json') {
		return 1;
	}
	if (depth > 6) {
		return 0;
	}
	if (node.kind === 'variants') {
		return Math.min(...node.variants.map(it => misfit(form, it.node, value, depth + 1)));
	}
	if (!holds(node, value) || (node.kind === 'number' && typeof value === 'string')) {
		return Infinity;
	}
	const within = (of: number, part: unknown): number => Math.min(100, misfit(form, of, part, depth + 1));
	if (Array.isArray(value)) {
		const { item } = node;
		return item === undefined ? 0 : value.slice(0, 3).reduce<number>((sum, it) => sum + within(item, it), 0);
	}
	if (!isRecord(value)) {
		return 0;
	}
	const names = new Set(node.members.map(it => it.name));
	const others = Object.keys(value).filter(it => !names.has(it)).length;
	return node.members.reduce(
		(sum, it) => sum + (Object.hasOwn(value, it.name) ? within(it.node, value[it.name]) : Number(it.isRequired)),
		node.additional === undefined ? others : 0,
	);
}

/** The initial value of a required part: its default, its only option, or its required members; `undefined` if it starts empty. */
export function emptyValue(form: ShownForm, index: number, outer: ReadonlySet<number> = new Set()): unknown {
	const node = nodeAt(form, index);
	if (node.default !== undefined) {
		return structuredClone(node.default);
	}
	if (node.isNullable || outer.has(index)) {
		return node.isNullable ? null : undefined;
	}
	const within = new Set([...outer, index]);
	switch (node.kind) {
		case 'choice':
			return node.options.length === 1 ? structuredClone(node.options[0]?.value) : undefined;
		case 'object': {
			const required = node.members.filter(it => it.isRequired);
			const members = required.map(it => [it.name, emptyValue(form, it.node, within)] as const);
			return Object.fromEntries(members.filter(([, value]) => value !== undefined));
		}
		case 'list':
			return [];
		case 'variants':
			return node.variants[0] && emptyValue(form, node.variants[0].node, within);
		default:
			return undefined;
	}
}

/** The initial value of a new element of a list or entry of a map. JSON requires a value, so it is `null` if no other fits. */
export function newItem(form: ShownForm, index: number): unknown {
	return emptyValue(form, index) ?? (nodeAt(form, index).kind === 'text' ? '' : null);
}

/** The value without secrets, which are found by the form, by names, or by their look; `undefined` if the whole value is a secret. */
export function withoutSecrets(form: ShownForm, index: number, value: unknown): unknown {
	const node = nodeAt(form, index);
	if (node.isSecret || (typeof value === 'string' && looksLikeSecret(value))) {
		return undefined;
	}
	if (node.kind === 'variants') {
		// The value can belong to any of these variants, or to none, so the secrets of all of them are removed.
		const ofType = node.variants.map(it => it.node).filter(it => holds(nodeAt(form, it), value));
		return [...ofType, form.json].reduce((left, it) => withoutSecrets(form, it, left), value);
	}
	const { item = form.json, members, additional = form.json } = node;
	if (Array.isArray(value)) {
		return value.map((it: unknown) => withoutSecrets(form, item, it)).filter(it => it !== undefined);
	}
	if (!isRecord(value)) {
		return value;
	}
	const byName = new Map(members.map(it => [it.name, it.node] as const));
	const kept = Object.entries(value).map(([name, it]) => [
		name,
		isArgumentSecret(name) ? undefined : withoutSecrets(form, byName.get(name) ?? additional, it),
	]);
	return Object.fromEntries(kept.filter(([, it]) => it !== undefined)) as Members;
}

/** Whether any part of the form is a secret. */
export function hasSecrets({ nodes }: ShownForm): boolean {
	return nodes.some(it => it.isSecret || it.members.some(member => member.isSecret));
}

/** The text of a field for the value. */
export function textOf(node: ShownNode, value: unknown): string {
	if (value === undefined || (value === null && node.kind !== 'json')) {
		return '';
	}
	return typeof value === 'string' && node.kind !== 'json' ? value : jsonOf(value);
}

export function jsonOf(value: unknown): string {
	return JSON.stringify(value, undefined, 2);
}

/** Parses the text of a field for numbers or JSON; `undefined` if the text isn't a value. */
export function valueOf(node: ShownNode, text: string): unknown {
	if (node.kind !== 'number') {
		return parseJson(text);
	}
	const trimmed = text.trim();
	// A number as in JSON, or with leading zeros.
	if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) {
		return undefined;
	}
	const value = Number(trimmed);
	// A floating-point number can't hold each integer of 16 or more digits, and would silently change it.
	const isExact = !/^-?\d{16,}$/.test(trimmed) || (Number.isFinite(value) && BigInt(trimmed) === BigInt(value));
	return Number.isFinite(value) && isExact ? value : undefined;
}

/** Converts a date and time of JSON Schema for a `datetime-local` input, in local time; `undefined` if the input can't show it. */
export function toLocalTime(text: string): string | undefined {
	const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time)
		? undefined
		: new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Converts the value of a `datetime-local` input to a date and time in UTC. */
export function fromLocalTime(text: string): string {
	return new Date(text).toISOString().replace('.000Z', 'Z');
}

/** The value with unfinished texts at their pointers. */
export function withTexts(value: unknown, texts: Readonly<Record<string, string>>): unknown {
	return Object.entries(texts).reduce((all, [pointer, text]) => withPart(all, stepsOf(pointer), text), value);
}

function withPart(value: unknown, [step, ...rest]: readonly string[], part: unknown): unknown {
	if (step === undefined) {
		return part;
	}
	if (Array.isArray(value)) {
		return value.map((it: unknown, index) => (String(index) === step ? withPart(it, rest, part) : it));
	}
	const members = isRecord(value) ? value : {};
	const before = Object.hasOwn(members, step) ? members[step] : undefined;
	return withMember(members, step, withPart(before, rest, part));
}

/** The members with one of them set, or without it if the value is `undefined`. */
export function withMember(members: Members, name: string, value: unknown): Members {
	if (value !== undefined) {
		return { ...members, [name]: value };
	}
	return Object.fromEntries(Object.entries(members).filter(([it]) => it !== name));
}

/** The members with one of them renamed, in the same order. */
export function withName(members: Members, before: string, name: string): Members {
	return Object.fromEntries(Object.entries(members).map(([it, value]) => [it === before ? name : it, value]));
}
