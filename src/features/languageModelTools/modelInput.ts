/** PURE: what models send, checked: the editor promises to check it against the schema, and does not always. */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { plainObject } from '../../core/text/plainData.js';
import { ModelError } from './modelErrors.js';

/** Of a search. */
export interface SearchInput {
	readonly query: string;
	readonly server: string | undefined;
	readonly limit: number;
}

const defaultLimit = 10;
const maxLimit = 100;

export function readSearch(input: unknown): SearchInput {
	const { query, server, limit } = objectOf(input);
	return {
		query: optionalText(query, 'query') ?? '',
		server: optionalText(server, 'server'),
		limit: typeof limit === 'number' && limit >= 1 ? Math.min(maxLimit, Math.floor(limit)) : defaultLimit,
	};
}

export function readCall(input: unknown): {
	readonly server: string;
	readonly tool: string;
	readonly args: JsonObject;
} {
	const { server, tool, arguments: args = {} } = objectOf(input);
	return { server: text(server, 'server'), tool: text(tool, 'tool'), args: argumentsOf(args) };
}

/** What is looked at, shown and sent is the same, whatever whoever called does to their object. */
function argumentsOf(args: unknown): JsonObject {
	try {
		return plainObject(args);
	} catch {
		throw new ModelError('"arguments" must be a JSON object that matches the inputSchema of the tool.');
	}
}

export function readUri(input: unknown): { readonly server: string; readonly uri: string } {
	const { server, uri } = objectOf(input);
	return { server: text(server, 'server'), uri: text(uri, 'uri') };
}

export function readRest(input: unknown): { readonly handle: string; readonly from: number } {
	const { handle, from = 0 } = objectOf(input);
	if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
		throw new ModelError('"from" must be a position: a whole number, 0 or more.');
	}
	return { handle: text(handle, 'handle'), from };
}

function objectOf(input: unknown): JsonObject {
	return isObject(input) ? input : {};
}

function text(value: unknown, name: string): string {
	const it = optionalText(value, name);
	if (it === undefined) {
		throw new ModelError(`"${name}" is missing.`);
	}
	return it;
}

/** Some models send an empty text for what they leave out. */
function optionalText(value: unknown, name: string): string | undefined {
	if (value === undefined || value === null || value === '') {
		return undefined;
	}
	if (typeof value !== 'string') {
		throw new ModelError(`"${name}" must be a text.`);
	}
	return value;
}
