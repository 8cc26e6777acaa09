/**
 * Checks the input of our tools, because the editor doesn't always check input against the tool's schema. Each function throws a
 * ToolError with a message for the model.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { plainObject } from '../../core/text/callArguments.js';
import { ToolError } from './toolErrors.js';

export interface SearchInput {
	readonly query: string;
	/** The label or name of a server; `undefined` to search all running servers. */
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

/** Copies the arguments, so that the caller can't change them between approval and sending. */
function argumentsOf(args: unknown): JsonObject {
	try {
		return plainObject(args);
	} catch {
		throw new ToolError('"arguments" must be a JSON object that matches the inputSchema of the tool.');
	}
}

export function readUri(input: unknown): { readonly server: string; readonly uri: string } {
	const { server, uri } = objectOf(input);
	return { server: text(server, 'server'), uri: text(uri, 'uri') };
}

export function readRest(input: unknown): { readonly handle: string; readonly from: number } {
	const { handle, from = 0 } = objectOf(input);
	if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
		throw new ToolError('"from" must be a position: a whole number, 0 or more.');
	}
	return { handle: text(handle, 'handle'), from };
}

function objectOf(input: unknown): JsonObject {
	return isObject(input) ? input : {};
}

function text(value: unknown, name: string): string {
	const it = optionalText(value, name);
	if (it === undefined) {
		throw new ToolError(`"${name}" is missing.`);
	}
	return it;
}

/** Some models send an empty string for a parameter that they leave out. */
function optionalText(value: unknown, name: string): string | undefined {
	if (value === undefined || value === null || value === '') {
		return undefined;
	}
	if (typeof value !== 'string') {
		throw new ToolError(`"${name}" must be a text.`);
	}
	return value;
}
