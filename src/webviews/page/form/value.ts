/** Functions for the values of a form: initial values, the best variant for a value, and conversion between values and texts. */
import { isArgumentSecret, looksLikeSecret } from '../../../base/secretWords.js';
import { isRecord } from '../checks.js';
import type { ShownForm, ShownNode } from './protocol.js';

export type Members = Readonly<Record<string, unknown>>;

/** The node at an index. */
export function nodeAt(form: ShownForm, index: number): ShownNode {
	return form.nodes[index] as ShownNode;
}

/** The index of the option with that value; -1 if there is none. */
export function optionOf({ options }: ShownNode, value: unknown): number {
	const json = typeof value === 'object' ? JSON.stringify(value) : undefined;
	return options.findIndex(it => it.value === value || (json !== undefined && JSON.stringify(it.value) === json));
}

/** Whether the control of a node can show the value. A control for numbers also shows unfinished texts; `null` is shown as empty. */
export function holds(node: ShownNode, value: unknown): boolean {
	if (value === undefined || value === null) {
		return true;
	}
	switch (node.kind) {
		case 'text':
		case 'date':
		case 'dateTime':
			return typeof value === 'string';
		case 'number':
			return typeof value === 'number' || typeof value === 'string';
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
	const misfits = variants.map(it => misfit(form, nodeAt(form, it.node), value));
	const best = Math.min(...misfits);
	return Number.isFinite(best) ? (misfits[preferred] === best ? preferred : misfits.indexOf(best)) : -1;
}

/** How badly a value fits a node; `Infinity` if its type differs. Parts of another type count more than missing members. */
function misfit(form: ShownForm, node: ShownNode, value: unknown): number {
	const partMisfit = (index: number, part: unknown): number => (holds(nodeAt(form, index), part) ? 0 : 100);
	const isOtherType = (value === null && !node.isNullable) || (node.kind === 'number' && typeof value === 'string');
	if (node.kind === 'json') {
		return 1;
	}
	if (isOtherType || !holds(node, value)) {
		return Infinity;
	}
	if (node.kind === 'variants') {
		return node.variants.some(it => holds(nodeAt(form, it.node), value)) ? 0 : Infinity;
	}
	if (Array.isArray(value)) {
		return node.item === undefined || value.length === 0 ? 0 : partMisfit(node.item, value[0]);
	}
	if (!isRecord(value)) {
		return 0;
	}
	const names = new Set(node.members.map(it => it.name));
	const others = Object.keys(value).filter(it => !names.has(it)).length;
	return node.members.reduce(
		(sum, it) => sum + (Object.hasOwn(value, it.name) ? partMisfit(it.node, value[it.name]) : Number(it.isRequired)),
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
export function textOf(value: unknown, isJson: boolean): string {
	if (value === undefined || (value === null && !isJson)) {
		return '';
	}
	return typeof value === 'string' && !isJson ? value : jsonOf(value);
}

export function jsonOf(value: unknown): string {
	return JSON.stringify(value, undefined, 2);
}

/** How a value is entered as text. */
export type InputType = 'text' | 'date' | 'dateTime' | 'number' | 'json';

/** Chooses the input for a kind of node. A date that the control for dates can't show is edited as text. */
export function inputTypeFor(kind: string, value: unknown): InputType {
	const text = textOf(value, false);
	switch (kind) {
		case 'date':
			return /^(\d{4}-\d\d-\d\d)?$/.test(text) ? 'date' : 'text';
		case 'dateTime':
			return text === '' || toLocalTime(text) !== undefined ? 'dateTime' : 'text';
		default:
			return kind === 'text' || kind === 'number' ? kind : 'json';
	}
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
