/**
 * Ajv for draft-07, 2019-09 and 2020-12. Runs in the thread of `src/validator.ts`, the only file that imports this one,
 * because what it is given can take forever.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { SchemaCheck, SchemaProblem, UncheckedReason } from './validator.js';

const dialects = [
	{ id: 'https://json-schema.org/draft/2020-12/schema', Engine: Ajv2020 },
	{ id: 'https://json-schema.org/draft/2019-09/schema', Engine: Ajv2019 },
	{ id: 'http://json-schema.org/draft-07/schema', Engine: Ajv },
] as const;
type Dialect = (typeof dialects)[number];

/** Problems that are listed for one value. */
const maxProblems = 50;
const maxTextLength = 200;

const options: Options = {
	strict: false,
	allErrors: true,
	logger: false,
	messages: false,
	// `AjvValidator` checks the schema itself.
	meta: false,
	validateSchema: false,
	// Inherited members such as `constructor` don't count.
	ownProperties: true,
	code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
};

/** Never throws. */
export class AjvValidator {
	/** Compiled once: the schemas of the dialects, by their ids. */
	private readonly metaSchemas = new Map<string, Ajv>();

	/** Checks a value by a schema; both are JSON. */
	check(schemaText: string, valueText: string): SchemaCheck {
		try {
			const schema: unknown = JSON.parse(schemaText, withoutAjvKeywords);
			if (!isObject(schema)) {
				return unchecked('invalidSchema', 'not an object');
			}
			const dialect = dialectOf(schema['$schema']);
			if (!dialect) {
				return unchecked('unknownDialect', JSON.stringify(schema['$schema']));
			}
			return this.problemOf(schema, dialect) ?? checkValue(schema, dialect, JSON.parse(valueText));
		} catch (error) {
			if (error instanceof RangeError) {
				return unchecked('tooDeep', error.message);
			}
			return error instanceof Ajv.MissingRefError && error.missingSchema !== ''
				? unchecked('remoteRef', error.missingRef)
				: unchecked('invalidSchema', String(error));
		}
	}

	private problemOf(schema: JsonObject, { id, Engine }: Dialect): SchemaCheck | undefined {
		// Formats are not checked: `$id`s that aren't URIs and patterns that aren't Unicode patterns are in use.
		const ajv = this.metaSchemas.get(id) ?? new Engine({ strict: false, logger: false, validateFormats: false });
		this.metaSchemas.set(id, ajv);
		if (ajv.validate(id, schema)) {
			return undefined;
		}
		const [error] = ajv.errors ?? [];
		return unchecked('invalidSchema', `${error?.instancePath ?? ''} ${error?.message ?? ''}`);
	}
}

/** Each schema has an engine of its own: in a shared one, a `$ref` could reach schemas of another server. */
function checkValue(schema: JsonObject, { Engine }: Dialect, value: unknown): SchemaCheck {
	const ajv = addFormats(new Engine(options));
	// Ajv refuses this keyword of draft-04, which some generators emit as a name.
	ajv.removeKeyword('id');
	const validate = ajv.compile(schema);
	if (validate(value)) {
		return { kind: 'valid' };
	}
	const errors = validate.errors ?? [];
	const problems = errors.slice(0, maxProblems).map(toProblem);
	return { kind: 'invalid', problems, complete: errors.length <= maxProblems };
}

/** Spec 2025-11-25, basic: "default to JSON Schema 2020-12" if `$schema` is absent. */
function dialectOf(uri: unknown): Dialect | undefined {
	const id = typeof uri === 'string' ? uri.replace(/^https?:/, '').replace(/#$/, '') : undefined;
	return uri === undefined ? dialects[0] : dialects.find(it => it.id.replace(/^https?:/, '') === id);
}

/** For `JSON.parse`: takes out `$async`, and `nullable` without `type`, which mean something to Ajv alone. */
function withoutAjvKeywords(_: string, value: unknown): unknown {
	if (isObject(value)) {
		const schema = value as Record<string, unknown>;
		if (typeof schema['$async'] === 'boolean') {
			delete schema['$async'];
		}
		if (typeof schema['nullable'] === 'boolean' && schema['type'] === undefined) {
			delete schema['nullable'];
		}
	}
	return value;
}

/** JSON Schema requires Unicode patterns, but many in use aren't valid as such: `[\w-.]`. */
function toRegExp(pattern: string, flags: string): RegExp {
	try {
		return new RegExp(pattern, flags);
	} catch {
		return new RegExp(pattern);
	}
}

function toProblem({ instancePath, keyword, params }: ErrorObject): SchemaProblem {
	const data: [string, string | number | boolean][] = [];
	for (const [name, value] of Object.entries(params as JsonObject)) {
		if (typeof value === 'number' || typeof value === 'boolean') {
			data.push([name, value]);
		} else if (typeof value === 'string' || Array.isArray(value)) {
			data.push([name, String(value).slice(0, maxTextLength)]);
		}
	}
	return { path: instancePath.slice(0, 5 * maxTextLength), code: keyword, data: Object.fromEntries(data) };
}

function unchecked(why: UncheckedReason, detail: string): SchemaCheck {
	return { kind: 'unchecked', why, detail: detail.slice(0, maxTextLength) };
}
