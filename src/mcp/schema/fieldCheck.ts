/**
 * Parses and validates values of form fields. Patterns aren't checked here: a server's pattern can take forever, so only
 * `SchemaValidator` checks it, with a deadline.
 */
import { parseJson } from '../../base/parseJson.js';
import { readNumber } from '../../base/readNumber.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { canonicalJson } from './canonicalJson.js';
import type { Field, FieldKind, FieldProblem, Form } from './form.js';

/** The value of a typed text, or the problem if the text isn't a valid value. */
export type TypedValue = { readonly value: unknown; readonly problem?: FieldProblem | undefined };

/** Parses and checks text that was typed into a field. */
export function parseField(field: Field, input: string): TypedValue {
	const isNumber = field.kind === 'number' || field.kind === 'integer';
	const text = input.trim();
	if (isNumber && field.nullable && (text === '' || text === 'null')) {
		return { value: null };
	}
	const value = field.kind === 'string' ? input : isNumber ? readNumber(text) : parseJson(input);
	if (value === undefined) {
		const isInexact = isNumber && /^-?\d+$/.test(text);
		return { value, problem: { code: isInexact ? 'inexact' : isNumber ? 'notANumber' : 'notJson', text: input } };
	}
	return { value, problem: checkField(field, value) };
}

/** Why a value isn't valid for a field; `undefined` if it is. A value of `undefined` means that the field is left out. */
export function checkField(field: Field, value: unknown): FieldProblem | undefined {
	if (value === undefined) {
		return field.required ? { code: 'required' } : undefined;
	}
	return value === null && field.nullable ? undefined : findProblem(field, value);
}

/** The problems of invalid fields, by field name; empty if `values` may be sent. */
export function checkFields(form: Form, values: JsonObject): ReadonlyMap<string, FieldProblem> {
	const problems = new Map<string, FieldProblem>();
	for (const field of form.fields) {
		// An own property: a field may be called `constructor`.
		const problem = checkField(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined);
		if (problem) {
			problems.set(field.name, problem);
		}
	}
	return problems;
}

/** Why a value isn't valid; `undefined` if it is. Call this only for values that are set and not `null`. */
export function findProblem(field: FieldKind, value: unknown): FieldProblem | undefined {
	switch (field.kind) {
		case 'string':
			return typeof value === 'string' ? stringProblem(field, value) : { code: 'notAString' };
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
			if (field.uniqueItems && new Set(value.map(it => canonicalJson(it))).size < value.length) {
				return { code: 'duplicate' };
			}
			return sizeProblem(value.length, field.minItems, field.maxItems, 'tooFew', 'tooMany');
		}
		case 'json':
			return undefined;
	}
}

/** Options may be objects; a draft that was parsed from JSON has an equal object, not the same. */
function isOption({ options }: Extract<FieldKind, { kind: 'choice' | 'choices' }>, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return options.some(it => it.value === value);
	}
	const text = canonicalJson(value);
	return options.some(it => typeof it.value === 'object' && canonicalJson(it.value) === text);
}

function stringProblem(field: Extract<FieldKind, { kind: 'string' }>, value: string): FieldProblem | undefined {
	// JSON Schema counts code points, not UTF-16 units or graphemes.
	const length = Array.from(value).length;
	const size = sizeProblem(length, field.minLength, field.maxLength, 'tooShort', 'tooLong');
	if (size) {
		return size;
	}
	const { format } = field;
	return format !== undefined && !hasFormat(value, format) ? { code: 'format', format } : undefined;
}

function numberProblem(
	field: Extract<FieldKind, { kind: 'number' | 'integer' }>,
	value: unknown,
): FieldProblem | undefined {
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		// `String` throws for an object with a member called `toString`.
		const isPlain = typeof value === 'string' || typeof value === 'number';
		return { code: 'notANumber', text: isPlain ? String(value) : (JSON.stringify(value) ?? '') };
	}
	if (field.kind === 'integer' && !Number.isInteger(value)) {
		return { code: 'notAnInteger', text: String(value) };
	}
	const { exclusiveMinimum: above, exclusiveMaximum: below } = field;
	if (above !== undefined && value <= above) {
		return { code: 'notAbove', limit: above };
	}
	if (below !== undefined && value >= below) {
		return { code: 'notBelow', limit: below };
	}
	return sizeProblem(value, field.minimum, field.maximum, 'tooSmall', 'tooLarge');
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

/** Checks the four formats of elicitation; other formats are always true. Every pattern takes linear time. */
export function hasFormat(value: string, format: string): boolean {
	switch (format) {
		case 'email':
			return /^[^\s@]+@[^\s@]+$/.test(value);
		case 'uri':
			return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value);
		case 'date':
			return /^\d{4}-\d{2}-\d{2}$/.test(value) && isDate(value);
		case 'date-time':
			return /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/i.test(value) && isDate(value);
		default:
			return true;
	}
}

/** JavaScript reads 30 February as a day in March, so the parsed date is compared with the text. */
function isDate(value: string): boolean {
	const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
	return !Number.isNaN(Date.parse(value)) && day.toISOString().startsWith(value.slice(0, 10));
}
