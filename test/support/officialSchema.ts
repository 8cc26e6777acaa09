// Checks what we send against the official JSON Schema of the revision we speak. The in-memory transport and the
// tap of the real transport call it for every message of every test.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { classify, isObject, type Message } from '../../src/mcp/jsonrpc/messages.js';
import { projectRoot } from '../host/paths.js';

interface Definition {
	readonly anyOf?: readonly { readonly $ref: string }[];
	readonly properties?: { readonly method?: { readonly const?: string } };
}

/** Results of what a server may ask; everything else a client answers is any `Result`. */
const resultOf: Readonly<Record<string, string>> = {
	ping: 'EmptyResult',
	'roots/list': 'ListRootsResult',
	'sampling/createMessage': 'CreateMessageResult',
	'elicitation/create': 'ElicitResult',
};

const validators = new Map<string, ValidateFunction>();

interface Schema {
	readonly ajv: Ajv2020;
	readonly definitions: Readonly<Record<string, Definition>>;
	/** Names of definitions. */
	readonly byMethod: ReadonlyMap<string, string>;
}

let loaded: Schema | undefined;

/**
 * Throws if a client must not send `message`.
 * @param answered the method of the request that a response answers
 */
export function validateSent(message: Message, answered?: string): void {
	const it = classify(message);
	switch (it.kind) {
		case 'request':
		case 'notification': {
			const { method, params } = it.message;
			if (isObject(params?.['_meta']) && 'io.modelcontextprotocol/protocolVersion' in params['_meta']) {
				return;
			}
			const { byMethod } = load();
			const name = byMethod.get(method);
			if (name === undefined) {
				throw new Error(`The schema knows no method ${method}: ${JSON.stringify(message)}`);
			}
			const union = it.kind === 'request' ? 'ClientRequest' : 'ClientNotification';
			if (!members(union).includes(name)) {
				throw new Error(`A client never sends ${method}: ${JSON.stringify(message)}`);
			}
			check(name, message);
			return;
		}
		case 'result':
			check('JSONRPCResultResponse', message);
			check(resultOf[answered ?? ''] ?? 'ClientResult', it.message.result);
			return;
		case 'error':
			check('JSONRPCErrorResponse', message);
			return;
		case 'invalid':
			throw new Error(`No JSON-RPC message (${it.why}): ${JSON.stringify(message)}`);
	}
}

function check(name: string, value: unknown): void {
	const validate = validator(name);
	if (!validate(value)) {
		const errors = load().ajv.errorsText(validate.errors, { dataVar: name });
		throw new Error(`Against the schema: ${errors}\n${JSON.stringify(value)}`);
	}
}

/** The definitions that a union consists of. */
function members(union: string): string[] {
	return (load().definitions[union]?.anyOf ?? []).map(it => it.$ref.replace('#/$defs/', ''));
}

function validator(name: string): ValidateFunction {
	const known = validators.get(name) ?? load().ajv.compile({ $ref: `mcp#/$defs/${name}` });
	validators.set(name, known);
	return known;
}

function load(): Schema {
	if (!loaded) {
		const file = path.join(projectRoot, 'test', 'schema', '2025-11-25', 'schema.json');
		const schema = JSON.parse(fs.readFileSync(file, 'utf8')) as { $defs: Record<string, Definition> };
		patch(schema.$defs);
		// Not strict: the schema was generated from TypeScript and repeats itself in ways that strict mode rejects.
		const ajv = new Ajv2020({ strict: false, allErrors: true });
		addFormats(ajv);
		ajv.addFormat('byte', /^[A-Za-z0-9+/]*={0,2}$/);
		ajv.addSchema(schema, 'mcp');
		const byMethod = new Map<string, string>();
		for (const [name, { properties }] of Object.entries(schema.$defs)) {
			const method = properties?.method?.const;
			if (method !== undefined) {
				byMethod.set(method, name);
			}
		}
		loaded = { ajv, definitions: schema.$defs, byMethod };
	}
	return loaded;
}

/** schema.ts, which is normative, allows any number in an answered form; the generated schema only integers. */
function patch(definitions: Record<string, unknown>): void {
	const text = JSON.stringify(definitions['ElicitResult']).replaceAll('"integer"', '"number"');
	definitions['ElicitResult'] = JSON.parse(text);
}
