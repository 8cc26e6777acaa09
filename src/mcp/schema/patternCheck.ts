/** Checks the patterns of a form's fields. `fieldCheck.ts` doesn't: a pattern of a server can take forever. */
import type { JsonObject } from '../jsonrpc/messages.js';
import type { FieldProblem, Form } from './form.js';
import type { SchemaValidator } from './validator.js';

/** The problems of fields whose value doesn't match their pattern, by field name; `undefined` for one that can't be checked. */
export type PatternCheck = (values: JsonObject) => Promise<ReadonlyMap<string, FieldProblem | undefined>>;

export function patternCheck({ fields }: Form, validator: SchemaValidator): PatternCheck {
	const patterns = fields.flatMap(it =>
		it.kind === 'string' && it.pattern !== undefined ? [[it.name, it.pattern] as const] : [],
	);
	// One schema for each field, so that a pattern that is invalid or slow doesn't concern the others.
	const schemas = patterns.map(([name, pattern]) => ({ name, pattern, schema: { pattern } }));
	return async values => {
		const problems = new Map<string, FieldProblem | undefined>();
		for (const { name, pattern, schema } of schemas) {
			const check = Object.hasOwn(values, name) && (await validator.check(schema, values[name]));
			if (check && check.kind !== 'valid') {
				problems.set(name, check.kind === 'invalid' ? { code: 'pattern', pattern } : undefined);
			}
		}
		return problems;
	};
}
