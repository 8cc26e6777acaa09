/** Creates the quick form for a tool's arguments. If fields can't express the schema, one JSON field has all arguments. */
import * as vscode from 'vscode';
import { type Form, formFields, formModel, isObject, type JsonObject } from '../../mcp/index.js';

export interface ArgumentsForm {
	readonly form: Form;
	/** Converts values of fields to arguments. @throws Error with a message for the person if that isn't possible */
	readonly toArguments: (values: JsonObject) => JsonObject;
	/** Converts arguments to values of fields. */
	readonly toValues: (args: JsonObject) => JsonObject;
}

/** @param before initial arguments; those without a field are sent unchanged, and the form doesn't show them */
export function argumentsForm(inputSchema: JsonObject, before: JsonObject = {}): ArgumentsForm {
	const { root, nodes } = formModel(inputSchema);
	const node = nodes[root];
	if (node?.kind === 'object' && node.additional === undefined) {
		const names = new Set(node.members.map(it => it.name));
		const pick = (args: JsonObject, isField: boolean): JsonObject =>
			Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name) === isField));
		return {
			form: formFields(inputSchema),
			toArguments: values => ({ ...values, ...pick(before, false) }),
			toValues: args => pick(args, true),
		};
	}
	const name = vscode.l10n.t('arguments');
	const description = vscode.l10n.t('All arguments as one JSON object. The tool details show the schema.');
	const schema = { properties: { [name]: { type: 'object', description } }, required: [name] };
	return {
		form: formFields(schema),
		toArguments: ({ [name]: value }) => {
			if (!isObject(value)) {
				throw new Error(vscode.l10n.t('The arguments must be a JSON object.'));
			}
			return value;
		},
		toValues: args => ({ [name]: args }),
	};
}
