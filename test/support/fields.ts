/** Fields of a schema with one property. */

import * as assert from 'node:assert/strict';
import { checkField } from '../../src/mcp/schema/fieldCheck.js';
import type { Field } from '../../src/mcp/schema/form.js';
import { formFields } from '../../src/mcp/schema/formModel.js';

/** The single field of a schema with one property. */
export function field(schema: unknown, required = false): Field {
	const [first] = formFields({ properties: { f: schema }, required: required ? ['f'] : [] }).fields;
	assert.ok(first);
	return first;
}

export function check(schema: unknown, ...values: unknown[]): unknown[] {
	return values.map(value => {
		const problem = checkField(field(schema), value);
		return problem ? Object.values(problem).join(' ') : 'ok';
	});
}
