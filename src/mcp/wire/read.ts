/**
 * Reads what a server sent: tolerates what real servers leave out, but ensures the types of `types.ts`. An entry
 * without its key is dropped; the rest of its list is kept.
 */
import { isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import {
	type CompletionResult,
	type ContentBlock,
	type Icon,
	type LogMessage,
	type LoggingLevel,
	loggingLevels,
	type Named,
	type Prompt,
	type PromptArgument,
	type PromptMessage,
	type PromptResult,
	type Resource,
	type ResourceContents,
	type ResourceTemplate,
	type Tool,
	type ToolResult,
} from './types.js';

/**
 * The entries of `result[key]` that `read` accepts.
 * @param entries the array that they are added to
 */
export function readList<T>(
	result: JsonObject,
	key: string,
	read: (entry: JsonObject) => T | undefined,
	entries: T[] = [],
): T[] {
	const list = result[key];
	for (const entry of Array.isArray(list) ? list : []) {
		const value = isObject(entry) ? read(entry) : undefined;
		if (value !== undefined) {
			entries.push(value);
		}
	}
	return entries;
}

export function readTool(entry: JsonObject): Tool | undefined {
	if (
		typeof entry['name'] === 'string' &&
		isObject(entry['inputSchema']) &&
		!('execution' in entry) &&
		isClean(entry)
	) {
		return entry as unknown as Tool;
	}
	const it = readNamed(entry);
	const taskSupport = isObject(entry['execution']) ? entry['execution']['taskSupport'] : undefined;
	return (
		it && {
			...it,
			inputSchema: toObject(entry['inputSchema']),
			...(taskSupport === 'optional' || taskSupport === 'required' ? { taskSupport } : {}),
		}
	);
}

export function readResource(entry: JsonObject): Resource | undefined {
	const { uri, name } = entry;
	if (typeof uri === 'string' && typeof name === 'string' && isClean(entry)) {
		return entry as unknown as Resource;
	}
	// The spec requires a name, but the URI alone identifies a resource.
	return typeof uri === 'string' ? { ...named(typeof name === 'string' ? name : uri, entry), uri } : undefined;
}

export function readResourceTemplate(entry: JsonObject): ResourceTemplate | undefined {
	const { uriTemplate, name } = entry;
	return typeof uriTemplate === 'string'
		? { ...named(typeof name === 'string' ? name : uriTemplate, entry), uriTemplate }
		: undefined;
}

export function readPrompt(entry: JsonObject): Prompt | undefined {
	const it = readNamed(entry);
	return it && { ...it, arguments: readList<PromptArgument>(entry, 'arguments', readArgument) };
}

export function readResourceContents(entry: JsonObject): ResourceContents | undefined {
	const { uri, mimeType, text, blob } = entry;
	return typeof uri === 'string'
		? {
				uri,
				...(typeof mimeType === 'string' ? { mimeType } : {}),
				...(typeof text === 'string' ? { text } : {}),
				...(typeof blob === 'string' ? { blob } : {}),
			}
		: undefined;
}

/**
 * The spec requires `content`, but servers with `structuredContent` omit it. A result with neither is kept as received: the
 * `toolResult` of 2024-10-07, or an object of the server's own (things3-mcp#4, modelcontextprotocol/servers#179).
 */
export function readToolResult(result: JsonObject): ToolResult {
	const { _meta: meta, structuredContent, content } = result;
	const blocks = readList(result, 'content', readContentBlock);
	const isWhole =
		blocks.length === 0 && structuredContent === undefined && !(Array.isArray(content) && !content.length);
	const own = {
		content: isWhole ? [{ type: 'unknown', raw: result, isWhole } as const] : blocks,
		isError: result['isError'] === true,
	};
	const unknownMembers = isWhole ? [] : Object.keys(result).filter(it => !resultMembers.has(it));
	if (meta === undefined && structuredContent === undefined && unknownMembers.length === 0) {
		return own;
	}
	return {
		...own,
		...(unknownMembers.length > 0 && { unknownMembers }),
		...(isObject(meta) ? { meta } : {}),
		...('structuredContent' in result ? { structuredContent } : {}),
	};
}

const resultMembers: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

export function readPromptResult(result: JsonObject): PromptResult {
	const { description } = result;
	return {
		description: typeof description === 'string' ? description : undefined,
		messages: readList<PromptMessage>(result, 'messages', ({ role, content }) => ({
			role: role === 'assistant' ? role : 'user',
			content: readContentBlock(toObject(content)),
		})),
	};
}

/** Spec, completion: at most 100 values. Further values are dropped. */
export function readCompletion({ completion }: JsonObject): CompletionResult {
	const { values, total, hasMore } = toObject(completion);
	const all = Array.isArray(values) ? values.filter(it => typeof it === 'string') : [];
	return {
		values: all.slice(0, 100),
		total: typeof total === 'number' ? total : undefined,
		hasMore: hasMore === true || all.length > 100,
	};
}

export function readLogMessage(params: JsonObject): LogMessage {
	const { level, logger, data } = params;
	const known = isLevel(level) ? level : 'info';
	return typeof logger === 'string' ? { level: known, logger, data } : { level: known, data };
}

const levels: ReadonlySet<unknown> = new Set(loggingLevels);

function isLevel(level: unknown): level is LoggingLevel {
	return levels.has(level);
}

/** A block of an unknown kind, or without its required members, is `unknown`. */
export function readContentBlock(block: JsonObject): ContentBlock {
	const { type, text, data, mimeType, resource } = block;
	if (type === 'text' && typeof text === 'string') {
		return { type, text };
	}
	if ((type === 'image' || type === 'audio') && typeof data === 'string') {
		return { type, data, mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream' };
	}
	if (type === 'resource_link') {
		const link = readResource(block);
		if (link) {
			return { ...link, type };
		}
	}
	if (type === 'resource' && isObject(resource)) {
		const contents = readResourceContents(resource);
		if (contents) {
			return { type, resource: contents };
		}
	}
	return { type: 'unknown', raw: block };
}

function readArgument(entry: JsonObject): PromptArgument | undefined {
	const it = readNamed(entry);
	return it && { ...it, required: entry['required'] === true };
}

function readNamed(entry: JsonObject): Named | undefined {
	return typeof entry['name'] === 'string' ? named(entry['name'], entry) : undefined;
}

/** The optional members in `types.ts`, each with the check of its type. */
const members: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	['title', isString],
	['description', isString],
	['mimeType', isString],
	['size', value => typeof value === 'number'],
	['annotations', isObject],
	['outputSchema', isObject],
]);

/**
 * Whether no member has a wrong type. Such an entry is used as parsed: copying the entries would be most of the time
 * for lists of many thousands.
 */
function isClean({ title, description, mimeType, size, annotations, outputSchema }: JsonObject): boolean {
	return (
		(title === undefined || typeof title === 'string') &&
		(description === undefined || typeof description === 'string') &&
		(mimeType === undefined || typeof mimeType === 'string') &&
		(size === undefined || typeof size === 'number') &&
		(annotations === undefined || isObject(annotations)) &&
		(outputSchema === undefined || isObject(outputSchema))
	);
}

export function readIcon({ src, mimeType, sizes, theme }: JsonObject): Icon | undefined {
	return typeof src === 'string'
		? {
				src,
				...(typeof mimeType === 'string' ? { mimeType } : {}),
				...(Array.isArray(sizes) ? { sizes: sizes.filter(isString) as string[] } : {}),
				...(theme === 'light' || theme === 'dark' ? { theme } : {}),
			}
		: undefined;
}

/** Keeps the entry's other members as sent, except members of a wrong type. */
function named(name: string, entry: JsonObject): Named {
	const kept = Object.entries(entry).filter(([key, value]) => members.get(key)?.(value) ?? true);
	return { ...Object.fromEntries(kept), name };
}

function isString(value: unknown): boolean {
	return typeof value === 'string';
}
