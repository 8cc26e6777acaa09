/**
 * Reading what a server answered: by shape, tolerant of what real servers leave out, strict about what
 * the rest of the program relies on. An entry without its key is dropped, never the whole list.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
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
 * @param entries gets them after what it has
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
			inputSchema: isObject(entry['inputSchema']) ? entry['inputSchema'] : {},
			...(taskSupport === 'optional' || taskSupport === 'required' ? { taskSupport } : {}),
		}
	);
}

export function readResource(entry: JsonObject): Resource | undefined {
	const { uri, name } = entry;
	if (typeof uri === 'string' && typeof name === 'string' && isClean(entry)) {
		return entry as unknown as Resource;
	}
	// A name is required, yet a resource is addressed by its URI alone.
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

/** `content` is required, but servers with `structuredContent` leave it out: no content then. */
export function readToolResult(result: JsonObject): ToolResult {
	const { _meta: meta, structuredContent } = result;
	const own = { content: readList(result, 'content', readContentBlock), isError: result['isError'] === true };
	if (meta === undefined && structuredContent === undefined) {
		return own;
	}
	return {
		...own,
		...(isObject(meta) ? { meta } : {}),
		...('structuredContent' in result ? { structuredContent } : {}),
	};
}

export function readPromptResult(result: JsonObject): PromptResult {
	const { description } = result;
	return {
		description: typeof description === 'string' ? description : undefined,
		messages: readList<PromptMessage>(result, 'messages', ({ role, content }) => ({
			role: role === 'assistant' ? role : 'user',
			content: readContentBlock(isObject(content) ? content : {}),
		})),
	};
}

/** Spec, completion: at most 100 values. A server that sends more is cut. */
export function readCompletion({ completion }: JsonObject): CompletionResult {
	const { values, total, hasMore } = isObject(completion) ? completion : {};
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

/** Kinds that nobody knows, and those that lack what they need, are `unknown`. */
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

/** The optional members that types.ts names, and what it says they are. */
const members: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	['title', isString],
	['description', isString],
	['mimeType', isString],
	['size', value => typeof value === 'number'],
	['annotations', isObject],
	['outputSchema', isObject],
]);

/**
 * Whether no member is of a wrong type. Such an entry is what types.ts says as it came out of the parser: of lists of
 * many thousands, not copying them is most of the time.
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

/** The rest of the entry is kept as sent; members of a wrong type are left out. */
function named(name: string, entry: JsonObject): Named {
	const kept = Object.entries(entry).filter(([key, value]) => members.get(key)?.(value) ?? true);
	return { ...Object.fromEntries(kept), name };
}

function isString(value: unknown): boolean {
	return typeof value === 'string';
}
