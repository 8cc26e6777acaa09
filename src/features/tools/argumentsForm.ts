/** The form for a tool's arguments: a field for each, or one for all where the schema says more than that. */
import * as vscode from 'vscode';
import { type Form, formFields, isObject, type JsonObject } from '../../mcp/index.js';

/** Keywords at the top of a schema that no list of fields can express. */
const beyondFields = [
	'$ref',
	'$dynamicRef',
	'allOf',
	'anyOf',
	'oneOf',
	'not',
	'if',
	'patternProperties',
	'dependentSchemas',
	'dependentRequired',
	'dependencies',
	'minProperties',
];

export interface ArgumentsForm {
	readonly form: Form;
	/** No list of fields says all of it: a document is where to begin. */
	readonly isNested: boolean;
	/** Some of the arguments to begin with have no field: they are sent, and the form does not show them. */
	readonly hasUnshown: boolean;
	/** What the filled-in values mean as arguments. @throws Error in the person's language if they mean nothing */
	readonly toArguments: (values: JsonObject) => JsonObject;
	/** The way back: the values that mean these arguments. */
	readonly toValues: (args: JsonObject) => JsonObject;
}

/** @param before arguments to begin with; what the form has no field for is kept and goes along */
export function argumentsForm(inputSchema: JsonObject, before: JsonObject = {}): ArgumentsForm {
	if (!needsWhole(inputSchema)) {
		const form = formFields(inputSchema);
		const names = new Set(form.fields.map(it => it.name));
		const pick = (args: JsonObject, isField: boolean): JsonObject =>
			Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name) === isField));
		return {
			form,
			isNested: form.fields.some(it => it.kind === 'json' && it.required),
			hasUnshown: Object.keys(pick(before, false)).length > 0,
			toArguments: values => ({ ...values, ...pick(before, false) }),
			toValues: args => pick(args, true),
		};
	}
	const name = vscode.l10n.t('arguments');
	const description = vscode.l10n.t('All arguments as one JSON object; the tool’s details show its schema.');
	const schema = { properties: { [name]: { type: 'object', description } }, required: [name] };
	return {
		form: formFields(schema),
		isNested: true,
		hasUnshown: false,
		toArguments: ({ [name]: value }) => {
			if (!isObject(value)) {
				throw new Error(vscode.l10n.t('The arguments must be a JSON object.'));
			}
			return value;
		},
		toValues: args => ({ [name]: args }),
	};
}

function needsWhole(schema: JsonObject): boolean {
	const properties = isObject(schema['properties']) ? schema['properties'] : {};
	const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
	const { additionalProperties } = schema;
	return (
		beyondFields.some(it => it in schema) ||
		required.some(it => typeof it === 'string' && !Object.hasOwn(properties, it)) ||
		// Left out, it means the same; but then nearly every tool without arguments would ask for some.
		additionalProperties === true ||
		isObject(additionalProperties)
	);
}
