// Checks one message that we send against the official JSON Schema of its revision. `sentCheck.ts` follows whole
// conversations and knows which revision that is.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { classify, isObject, type Message } from '../../src/mcp/jsonrpc/messages.js';
import { projectRoot } from '../host/paths.js';

/** Revisions with an official schema. 2024-10-07, which has none, is checked as 2024-11-05. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof revisions)[number];

export interface SentContext {
	readonly revision: string;
	/** The method of the request that a response answers. */
	readonly answered?: string | undefined;
}

interface Definition {
	readonly $ref?: string;
	readonly anyOf?: readonly { readonly $ref: string }[];
	/** The tasks extension adds its members to `JSONRPCRequest` this way. */
	readonly allOf?: readonly Definition[];
	readonly properties?: { readonly method?: { readonly const?: string } };
}

/** Results of what a server may ask; everything else a client answers is any `Result`. */
const resultOf: Readonly<Record<string, string>> = {
	ping: 'EmptyResult',
	'roots/list': 'ListRootsResult',
	'sampling/createMessage': 'CreateMessageResult',
	'elicitation/create': 'ElicitResult',
	'tasks/get': 'GetTaskResult',
	'tasks/result': 'GetTaskPayloadResult',
	'tasks/list': 'ListTasksResult',
	'tasks/cancel': 'CancelTaskResult',
};

/** The tasks extension has no union of what a client sends. */
const taskRequests = ['GetTaskRequest', 'UpdateTaskRequest', 'CancelTaskRequest'];

/** Throws if a client must not send `message`. */
export function validateSent(message: Message | readonly Message[], { revision, answered }: SentContext): void {
	const schema = OfficialSchema.of(revision);
	if (!Array.isArray(message)) {
		validateOne(schema, message as Message, answered);
		return;
	}
	const kinds = message.map(it => classify(it).kind);
	if (schema.name !== '2025-03-26' || kinds.length === 0) {
		throw new Error(`No batch here: ${JSON.stringify(message)}`);
	}
	if (message.some(it => (it as { method?: string }).method === 'initialize')) {
		throw new Error('Spec 2025-03-26, lifecycle: initialize MUST NOT be part of a batch.');
	}
	const isResponse = kinds[0] === 'result' || kinds[0] === 'error';
	schema.check(isResponse ? 'JSONRPCBatchResponse' : 'JSONRPCBatchRequest', message);
	message.forEach(it => validateOne(schema, it as Message, answered));
}

/** Throws if `value` is not what the schema of a revision calls that: for servers of our own. */
export function validateAs(definition: string, revision: Revision, value: unknown): void {
	OfficialSchema.of(revision).check(definition, value);
}

function validateOne(schema: OfficialSchema, message: Message, answered: string | undefined): void {
	const it = classify(message);
	switch (it.kind) {
		case 'request':
		case 'notification':
			validateCall(schema, it.kind === 'request' ? 'ClientRequest' : 'ClientNotification', it.message.method, message);
			return;
		case 'result': {
			schema.refuseResponses(message);
			schema.check(schema.has('JSONRPCResultResponse') ? 'JSONRPCResultResponse' : 'JSONRPCResponse', message);
			// What is answered as a task says so first.
			const isTask = schema.has('CreateTaskResult') && isObject(it.message.result['task']);
			const name = isTask ? 'CreateTaskResult' : (resultOf[answered ?? ''] ?? 'ClientResult');
			schema.check(schema.has(name) ? name : 'ClientResult', it.message.result);
			return;
		}
		case 'error':
			schema.refuseResponses(message);
			schema.check(schema.has('JSONRPCErrorResponse') ? 'JSONRPCErrorResponse' : 'JSONRPCError', message);
			return;
		case 'invalid':
			throw new Error(`No JSON-RPC message (${it.why}): ${JSON.stringify(message)}`);
	}
}

function validateCall(
	core: OfficialSchema,
	union: 'ClientRequest' | 'ClientNotification',
	method: string,
	message: Message,
): void {
	// In the modern era, tasks are an extension with a schema of its own.
	const isTask = core.isModern && method.startsWith('tasks/');
	const schema = isTask ? OfficialSchema.of('ext-tasks-draft') : core;
	const name = schema.definitionOf(method);
	if (name === undefined) {
		throw new Error(`The schema knows no method ${method}: ${JSON.stringify(message)}`);
	}
	if (!(isTask ? taskRequests : schema.members(union)).includes(name)) {
		throw new Error(`A client never sends ${method}: ${JSON.stringify(message)}`);
	}
	schema.check(name, message);
}

/** One `schema.json`, compiled piece by piece. */
class OfficialSchema {
	private static readonly loaded = new Map<string, OfficialSchema>();

	static of(revision: string): OfficialSchema {
		const name = revision === '2024-10-07' ? '2024-11-05' : revision;
		const known = this.loaded.get(name) ?? new OfficialSchema(name);
		this.loaded.set(name, known);
		return known;
	}

	private readonly ajv: Ajv;
	/** Draft-07 up to 2025-06-18, 2020-12 since. */
	private readonly keyword: 'definitions' | '$defs';
	private readonly definitions: Readonly<Record<string, Definition>>;
	private readonly byMethod = new Map<string, string>();
	private readonly validators = new Map<string, ValidateFunction>();

	private constructor(readonly name: string) {
		const file = path.join(projectRoot, 'test', 'schema', name, 'schema.json');
		const schema = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
		this.keyword = '$defs' in schema ? '$defs' : 'definitions';
		this.definitions = schema[this.keyword] as Record<string, Definition>;
		patch(schema[this.keyword] as Record<string, unknown>);
		// Not strict: the schema was generated from TypeScript and repeats itself in ways that strict mode rejects.
		const options: Options = { strict: false, allErrors: true };
		this.ajv = this.keyword === '$defs' ? new Ajv2020(options) : new Ajv(options);
		addFormats(this.ajv);
		this.ajv.addFormat('byte', /^[A-Za-z0-9+/]*={0,2}$/);
		this.ajv.addSchema(schema, 'mcp');
		for (const [definition, it] of Object.entries(this.definitions)) {
			const method = [it, ...(it.allOf ?? [])].map(part => part.properties?.method?.const).find(Boolean);
			// 2026-07-28 writes the union of one client notification out instead of naming it.
			if (method !== undefined && definition !== 'ClientNotification') {
				this.byMethod.set(method, definition);
			}
		}
	}

	get isModern(): boolean {
		return this.name >= '2026';
	}

	has(definition: string): boolean {
		return Object.hasOwn(this.definitions, definition);
	}

	definitionOf(method: string): string | undefined {
		return this.byMethod.get(method);
	}

	/** The definitions that a union consists of. */
	members(union: string): string[] {
		const { anyOf, properties } = this.definitions[union] ?? {};
		const only = this.byMethod.get(properties?.method?.const ?? '');
		return anyOf?.map(it => it.$ref.replace(`#/${this.keyword}/`, '')) ?? (only === undefined ? [] : [only]);
	}

	/** Spec 2026-07-28, patterns: "clients do not send JSON-RPC responses". */
	refuseResponses(message: Message): void {
		if (this.isModern) {
			throw new Error(`A client sends no responses in ${this.name}: ${JSON.stringify(message)}`);
		}
	}

	check(definition: string, value: unknown): void {
		const known = this.validators.get(definition);
		const validate = known ?? this.ajv.compile({ $ref: `mcp#/${this.keyword}/${definition}` });
		this.validators.set(definition, validate);
		if (!validate(value)) {
			const errors = this.ajv.errorsText(validate.errors, { dataVar: definition });
			throw new Error(`Against the schema of ${this.name}: ${errors}\n${JSON.stringify(value)}`);
		}
	}
}

/** Where the generated schema.json says less than schema.ts, which is normative. */
function patch(definitions: Record<string, unknown>): void {
	// 2025-06-18 and later: any number may stand in an answered form; the generated schema has only integers.
	if (definitions['ElicitResult']) {
		const text = JSON.stringify(definitions['ElicitResult']).replaceAll('"integer"', '"number"');
		definitions['ElicitResult'] = JSON.parse(text);
	}
	// 2026-07-28 and the tasks extension: JSON has fractions and null; the generated schema forgot both.
	if (definitions['JSONValue']) {
		const text = JSON.stringify(definitions['JSONValue']).replaceAll('"integer"', '"number","null"');
		definitions['JSONValue'] = JSON.parse(text);
	}
}
