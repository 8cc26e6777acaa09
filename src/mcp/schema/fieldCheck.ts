/**
 * PURE: whether a value fits a field, what typed text means for it, and what a form sends. The schema was read by
 * `formFields.ts`.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import { canonicalJson } from './canonicalJson.js';
import { isMultipleOf, isSameNumber } from './decimal.js';
import { hasFormat } from './fieldFormat.js';
import type { ContentCheck, Field, FieldCheck, FieldKind, FieldProblem, Form } from './form.js';
import type { PatternMatcher } from './validator.js';

/** What typed text means for a field; checked at once. Patterns are checked where there is a matcher. */
export function parseField(field: Field, input: string, matches?: PatternMatcher): FieldCheck {
	switch (field.kind) {
		case 'string':
			return checkField(field, input, matches);
		case 'number':
		case 'integer':
			return parseNumber(field, input.trim());
		case 'boolean':
		case 'choice':
		case 'choices':
		case 'json':
			try {
				return checkField(field, JSON.parse(input) as unknown, matches);
			} catch {
				return { ok: false, problem: { code: 'notJson', text: input } };
			}
	}
}

function parseNumber(field: Field, text: string): FieldCheck {
	if (field.nullable && (text === '' || text === 'null')) {
		return { ok: true, value: null };
	}
	// Number('') is 0 and Number('0x1f') is 31: what JSON calls a number is one, with zeros in front too.
	if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
		return { ok: false, problem: { code: 'notANumber', text } };
	}
	const value = Number(text);
	const check = checkField(field, value);
	// 9007199254740993 would become another whole number without a word; fractions are rounded everywhere.
	if (check.ok && field.kind === 'integer' && !isSameNumber(text, value)) {
		return { ok: false, problem: { code: 'inexact', text } };
	}
	return check;
}

/** Whether a value fits a field. `undefined` means left out. */
export function checkField(field: Field, value: unknown, matches?: PatternMatcher): FieldCheck {
	if (value === undefined) {
		return field.required ? { ok: false, problem: { code: 'required' } } : { ok: true, value };
	}
	if (value === null && field.nullable) {
		return { ok: true, value };
	}
	const problem = findProblem(field, value, matches);
	return problem ? { ok: false, problem } : { ok: true, value };
}

/** The fields that keep `values` from being sent, by name. */
export function checkFields(
	form: Form,
	values: JsonObject,
	matches?: PatternMatcher,
): ReadonlyMap<string, FieldProblem> {
	const problems = new Map<string, FieldProblem>();
	for (const field of form.fields) {
		const check = checkField(field, valueOf(values, field), matches);
		if (!check.ok) {
			problems.set(field.name, check.problem);
		}
	}
	return problems;
}

/** What is sent when nothing was typed. SEP-1034: a client applies the defaults of fields that are omitted. */
export function defaultsOf(form: Form): JsonObject {
	const filled = form.fields.filter(it => it.default !== undefined);
	// Not an assignment: a field may be called `__proto__`.
	return Object.fromEntries(filled.map(it => [it.name, it.default]));
}

/**
 * The `content` of an elicitation's answer: fields in the form's order, others dropped.
 * Spec 2025-11-25, elicitation: content holds strings, numbers, booleans and arrays of strings.
 */
export function toContent(form: Form, values: JsonObject, matches?: PatternMatcher): ContentCheck {
	const problems = new Map(checkFields(form, values, matches));
	const content: [string, unknown][] = [];
	for (const field of form.fields) {
		const value = valueOf(values, field);
		if (value === undefined || (value === null && !field.required)) {
			continue;
		}
		if (!isFlat(value) && !problems.has(field.name)) {
			problems.set(field.name, { code: 'notFlat' });
		}
		content.push([field.name, value]);
	}
	return problems.size > 0 ? { ok: false, problems } : { ok: true, content: Object.fromEntries(content) };
}

function isFlat(value: unknown): boolean {
	return (
		['string', 'number', 'boolean'].includes(typeof value) ||
		(Array.isArray(value) && value.every(it => typeof it === 'string'))
	);
}

/** A field may be called `constructor`: what every object inherits is no value. */
function valueOf(values: JsonObject, { name }: Field): unknown {
	return Object.hasOwn(values, name) ? values[name] : undefined;
}

function findProblem(field: Field, value: unknown, matches: PatternMatcher | undefined): FieldProblem | undefined {
	switch (field.kind) {
		case 'string':
			return typeof value === 'string' ? stringProblem(field, value, matches) : { code: 'notAString' };
		case 'number':
		case 'integer':
			return numberProblem(field, value);
		case 'boolean':
			return typeof value === 'boolean' ? undefined : { code: 'notABoolean' };
		case 'choice':
			return isOption(field, value) ? undefined : { code: 'notAnOption' };
		case 'choices': {
			if (!Array.isArray(value) || !value.every(item => isOption(field, item))) {
				return { code: 'notAnOption' };
			}
			if (field.uniqueItems && new Set(value.map(canonicalJson)).size < value.length) {
				return { code: 'duplicate' };
			}
			return sizeProblem(value.length, field.minItems, field.maxItems, 'tooFew', 'tooMany');
		}
		case 'json':
			return undefined;
	}
}

/** An option may be an object: a draft that was typed as JSON holds an equal one, not the same. */
function isOption({ options }: Extract<FieldKind, { kind: 'choice' | 'choices' }>, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return options.some(it => it.value === value);
	}
	const text = canonicalJson(value);
	return options.some(it => typeof it.value === 'object' && canonicalJson(it.value) === text);
}

function stringProblem(
	field: Extract<FieldKind, { kind: 'string' }>,
	value: string,
	matches: PatternMatcher | undefined,
): FieldProblem | undefined {
	// JSON Schema counts code points, not UTF-16 units and not what people call characters.
	const length = Array.from(value).length;
	const size = sizeProblem(length, field.minLength, field.maxLength, 'tooShort', 'tooLong');
	if (size) {
		return size;
	}
	const { format, pattern } = field;
	if (format !== undefined && !hasFormat(value, format)) {
		return { code: 'format', format };
	}
	// What cannot be told is left to the server.
	return pattern !== undefined && matches?.(pattern, value) === false ? { code: 'pattern', pattern } : undefined;
}

function numberProblem(
	field: Extract<FieldKind, { kind: 'number' | 'integer' }>,
	value: unknown,
): FieldProblem | undefined {
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		// Not String() of just anything: an object with a member `toString` cannot be turned into a text that way.
		const isPlain = typeof value === 'string' || typeof value === 'number';
		return { code: 'notANumber', text: isPlain ? String(value) : (JSON.stringify(value) ?? '') };
	}
	if (field.kind === 'integer' && !Number.isInteger(value)) {
		return { code: 'notAnInteger', text: String(value) };
	}
	const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = field;
	if (above !== undefined && value <= above) {
		return { code: 'notAbove', limit: above };
	}
	if (below !== undefined && value >= below) {
		return { code: 'notBelow', limit: below };
	}
	const size = sizeProblem(value, field.minimum, field.maximum, 'tooSmall', 'tooLarge');
	if (size) {
		return size;
	}
	return multipleOf !== undefined && !isMultipleOf(value, multipleOf)
		? { code: 'notAMultiple', of: multipleOf }
		: undefined;
}

function sizeProblem(
	size: number,
	min: number | undefined,
	max: number | undefined,
	below: 'tooShort' | 'tooSmall' | 'tooFew',
	above: 'tooLong' | 'tooLarge' | 'tooMany',
): FieldProblem | undefined {
	if (min !== undefined && size < min) {
		return { code: below, limit: min };
	}
	return max !== undefined && size > max ? { code: above, limit: max } : undefined;
}
