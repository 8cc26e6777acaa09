/**
 * PURE: a JSON Schema of an object becomes a list of fields that a person can fill in one by one, with
 * parse, check and default. Serves tool arguments today and elicitation later. What a single input
 * cannot hold (nested objects, unions) is a field of kind `json`.
 *
 * `pattern` is not checked here: a server could hang the editor with a pattern that backtracks, and the
 * server checks what it gets anyway.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';

/** One of the values a field may take; `title` is server-provided text. */
export interface Option {
	readonly value: unknown;
	readonly title: string;
}

/** What a field holds, and the limits its schema states. */
export type FieldKind =
	| {
			readonly kind: 'string';
			readonly minLength: number | undefined;
			readonly maxLength: number | undefined;
			readonly format: string | undefined;
	  }
	| {
			readonly kind: 'number' | 'integer';
			readonly minimum: number | undefined;
			readonly maximum: number | undefined;
	  }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	| {
			readonly kind: 'choices';
			readonly options: readonly Option[];
			readonly minItems: number | undefined;
			readonly maxItems: number | undefined;
	  }
	| { readonly kind: 'json' };

/** `title` and `description` are server-provided text; `default` is `undefined` where there is none. */
export type Field = FieldKind & {
	readonly name: string;
	readonly title: string | undefined;
	readonly description: string | undefined;
	readonly required: boolean;
	readonly default: unknown;
};

/** The fields of a schema, required ones first, otherwise in the schema's order. */
export interface Form {
	readonly fields: readonly Field[];
}

/** Why a value does not fit, as data; the editor's rooms word it. */
export type FieldProblem =
	| { readonly code: 'required' | 'notAnOption' | 'notABoolean' | 'notAString' }
	| { readonly code: 'notANumber' | 'notAnInteger' | 'notJson'; readonly text: string }
	| { readonly code: 'format'; readonly format: string }
	| {
			readonly code: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'tooFew' | 'tooMany';
			readonly limit: number;
	  };

export type FieldCheck =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly problem: FieldProblem };

/** Fields of `schema.properties`. A schema without properties gives a form without fields. */
export function formFields(schema: JsonObject): Form {
	const properties = isObject(schema['properties']) ? schema['properties'] : {};
	const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
	const fields = Object.entries(properties).map(([name, property]): Field => {
		const it = isObject(property) ? property : {};
		return {
			...fieldKind(it),
			name,
			title: text(it['title']),
			description: text(it['description']),
			required: required.has(name),
			default: it['default'],
		};
	});
	return { fields: [...fields.filter(it => it.required), ...fields.filter(it => !it.required)] };
}

/** What typed text means for a field; checked at once. */
export function parseField(field: Field, input: string): FieldCheck {
	switch (field.kind) {
		case 'string':
			return checkField(field, input);
		case 'number':
		case 'integer': {
			const trimmed = input.trim();
			// Number('') is 0 and Number('0x1f') is 31: what JSON calls a number is one, with zeros in front too.
			return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)
				? checkField(field, Number(trimmed))
				: { ok: false, problem: { code: 'notANumber', text: trimmed } };
		}
		case 'boolean':
		case 'choice':
		case 'choices':
		case 'json':
			try {
				return checkField(field, JSON.parse(input) as unknown);
			} catch {
				return { ok: false, problem: { code: 'notJson', text: input } };
			}
	}
}

/** Whether a value fits a field. `undefined` means left out. */
export function checkField(field: Field, value: unknown): FieldCheck {
	if (value === undefined) {
		return field.required ? { ok: false, problem: { code: 'required' } } : { ok: true, value };
	}
	const problem = findProblem(field, value);
	return problem ? { ok: false, problem } : { ok: true, value };
}

/** The fields that keep `values` from being sent, by name. */
export function checkFields(form: Form, values: JsonObject): ReadonlyMap<string, FieldProblem> {
	const problems = new Map<string, FieldProblem>();
	for (const field of form.fields) {
		// A field may be called `constructor`: what every object inherits is no value.
		const check = checkField(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined);
		if (!check.ok) {
			problems.set(field.name, check.problem);
		}
	}
	return problems;
}

function findProblem(field: Field, value: unknown): FieldProblem | undefined {
	switch (field.kind) {
		case 'string':
			return typeof value === 'string' ? stringProblem(field, value) : { code: 'notAString' };
		case 'number':
		case 'integer':
			return numberProblem(field, value);
		case 'boolean':
			return typeof value === 'boolean' ? undefined : { code: 'notABoolean' };
		case 'choice':
			return field.options.some(it => it.value === value) ? undefined : { code: 'notAnOption' };
		case 'choices': {
			if (!Array.isArray(value) || !value.every(item => field.options.some(it => it.value === item))) {
				return { code: 'notAnOption' };
			}
			return sizeProblem(value.length, field.minItems, field.maxItems, 'tooFew', 'tooMany');
		}
		case 'json':
			return undefined;
	}
}

function stringProblem(field: Extract<FieldKind, { kind: 'string' }>, value: string): FieldProblem | undefined {
	// JSON Schema counts code points, not UTF-16 units and not what people call characters.
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
		return { code: 'notANumber', text: String(value) };
	}
	if (field.kind === 'integer' && !Number.isInteger(value)) {
		return { code: 'notAnInteger', text: String(value) };
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

/** The four formats that elicitation names; others are not checked. */
function hasFormat(value: string, format: string): boolean {
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

/** JavaScript rolls 30 February over into March; a date that does not read back is none. */
function isDate(value: string): boolean {
	const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
	return !Number.isNaN(Date.parse(value)) && day.toISOString().startsWith(value.slice(0, 10));
}

function fieldKind(schema: JsonObject): FieldKind {
	const options = readOptions(schema);
	if (options) {
		return { kind: 'choice', options };
	}
	switch (scalarType(schema['type'])) {
		case 'string': {
			const { minLength, maxLength, format } = schema;
			return { kind: 'string', minLength: number(minLength), maxLength: number(maxLength), format: text(format) };
		}
		case 'integer':
			return { kind: 'integer', minimum: number(schema['minimum']), maximum: number(schema['maximum']) };
		case 'number':
			return { kind: 'number', minimum: number(schema['minimum']), maximum: number(schema['maximum']) };
		case 'boolean':
			return { kind: 'boolean' };
		case 'array': {
			const items = isObject(schema['items']) ? readOptions(schema['items']) : undefined;
			if (items) {
				const { minItems, maxItems } = schema;
				return { kind: 'choices', options: items, minItems: number(minItems), maxItems: number(maxItems) };
			}
			return { kind: 'json' };
		}
		default:
			return { kind: 'json' };
	}
}

/** `enum` (with the older `enumNames`), or `oneOf`/`anyOf` of titled constants. */
function readOptions(schema: JsonObject): Option[] | undefined {
	const values = schema['enum'];
	if (Array.isArray(values) && values.length > 0) {
		const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
		return values.map((value: unknown, index) => ({ value, title: text(names[index]) ?? plain(value) }));
	}
	const variants = schema['oneOf'] ?? schema['anyOf'];
	if (Array.isArray(variants) && variants.length > 0 && variants.every(it => isObject(it) && 'const' in it)) {
		return (variants as JsonObject[]).map(it => ({
			value: it['const'],
			title: text(it['title']) ?? plain(it['const']),
		}));
	}
	return undefined;
}

/** `["string", "null"]` is a string that may be left out. */
function scalarType(type: unknown): unknown {
	if (!Array.isArray(type)) {
		return type;
	}
	const others = type.filter(it => it !== 'null');
	return others.length === 1 ? others[0] : undefined;
}

function plain(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
