/**
 * Pinned tool definitions, as in `.vscode/mcp-lock.json`. The file is made to be read: a change of a definition is a
 * change of lines in git. An entry says what a tool was, never that anyone allowed it.
 */
import { toMessage } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import { canonicalJson, isObject, type JsonObject, textLimits, type Tool, type ToolAnnotations } from '../mcp/index.js';
import { findJsonExcess, maxJsonDepth } from './boundedJson.js';

/** The parts of a tool that a person reads and a model believes. */
export interface PinnedTool {
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolAnnotations;
}

/** The day it was pinned, `2026-11-03`: for people, who want to know since when. It decides nothing. */
interface Dated {
	readonly pinned?: string;
}

export interface PinnedServer {
	readonly instructions?: string;
	readonly tools: Readonly<Record<string, PinnedTool & Dated>>;
}

/** By the server's name in the configuration of the same folder. */
export type Lock = Readonly<Record<string, PinnedServer>>;

/** A file that was read, or what keeps it from being one: the error of the parser or of the file system, if any. */
export type ParsedLock =
	| { readonly kind: 'read'; readonly lock: Lock }
	| { readonly kind: 'broken'; readonly error: string | undefined };

/** A tool with what its server says of all of them. */
export interface PinnedPart {
	readonly server: string;
	readonly tool: Tool;
	readonly instructions: string | undefined;
}

/** What a lock says of one tool. */
export interface PinnedDefinition extends Dated {
	readonly tool: PinnedTool;
	readonly instructions: string | undefined;
}

const toolParts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
export type ChangedPart = (typeof toolParts)[number] | 'instructions';

/** UTF-16 units of the canonical JSON of a definition, with the instructions of its server. */
const maxPinned = 1024 * 1024;
/** Objects and arrays inside each other in a definition; a lock file has a few more around it. */
const maxPinnedDepth = 128;

/** What keeps a definition from being pinned: such a tool cannot be compared, and is asked about each time. */
export function problemOfPin({ tool, instructions }: PinnedPart): 'tooDeep' | 'tooLarge' | undefined {
	const pin = pinOf(tool);
	if (isNestedTooDeeply(pin)) {
		return 'tooDeep';
	}
	return canonicalJson([tool.name, pin, instructions]).length > maxPinned ? 'tooLarge' : undefined;
}

/** Whether a value is nested deeper than definitions that can be pinned, or than that many levels. Takes values of any depth. */
export function isNestedTooDeeply(value: unknown, maxDepth = maxPinnedDepth): boolean {
	const open: (readonly [value: unknown, depth: number])[] = [[value, 1]];
	for (let next = open.pop(); next; next = open.pop()) {
		const [it, depth] = next;
		if (typeof it === 'object' && it !== null) {
			if (depth > maxDepth) {
				return true;
			}
			for (const member of Object.values(it) as unknown[]) {
				open.push([member, depth + 1]);
			}
		}
	}
	return false;
}

/** Reads a whole file, which nobody writes by hand: JSON without comments. An empty one has no entries. Never throws. */
export function parseLock(text: string): ParsedLock {
	const excess = findJsonExcess(text, { maxLength: textLimits.lockFile, maxDepth: maxJsonDepth });
	if (excess) {
		return { kind: 'broken', error: excess.code };
	}
	if (text.trim() === '') {
		return { kind: 'read', lock: {} };
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return { kind: 'broken', error: toMessage(error) };
	}
	const servers =
		isObject(value) && value['version'] === 1 && isObject(value['servers']) ? value['servers'] : undefined;
	const entries = Object.entries(servers ?? {}).map(([name, it]) => [name, toServer(it)] as const);
	return servers && entries.every(([, it]) => it)
		? { kind: 'read', lock: Object.fromEntries(entries) as Lock }
		: { kind: 'broken', error: undefined };
}

/** The file's text: names in order, a line of a text on a line of its own. Of definitions that can be pinned. */
export function formatLock(lock: Lock): string {
	const servers = mapValues(lock, ({ instructions, tools, ...others }) => ({
		...others,
		instructions: linesOf(instructions),
		tools: mapValues(tools, tool => ({ ...tool, description: linesOf(tool.description) })),
	}));
	const sorted: unknown = JSON.parse(canonicalJson({ servers, version: 1 }));
	return `${JSON.stringify(sorted, undefined, '\t')}\n`;
}

/**
 * The lock in which the tool is what it is now.
 * @param pinned the day
 */
export function withPin(lock: Lock, { server, tool, instructions }: PinnedPart, pinned?: string): Lock {
	const pin = { ...pinOf(tool), ...(pinned !== undefined && { pinned }) };
	const { instructions: _, tools, ...others } = own(lock, server) ?? {};
	return {
		...lock,
		[server]: {
			...others,
			...(instructions !== undefined && { instructions }),
			tools: { ...tools, [tool.name]: pin },
		},
	};
}

/**
 * What differs from the pin: nothing for the same, `undefined` for a tool without a pin. Changed instructions of the
 * server count for a tool without a pin too: its call would pin them for the tools that were pinned with others.
 */
export function changesOfPin(lock: Lock, { server, tool, instructions }: PinnedPart): ChangedPart[] | undefined {
	const pinned = own(lock, server);
	const ofServer = areInstructionsChanged(lock, server, instructions) ? (['instructions'] as const) : [];
	const found = pinned && own(pinned.tools, tool.name);
	if (!found) {
		return ofServer.length > 0 ? [...ofServer] : undefined;
	}
	const now = pinOf(tool);
	return [...toolParts.filter(it => canonicalJson(found[it]) !== canonicalJson(now[it])), ...ofServer];
}

/** Whether the instructions of a server are not those it had when one of its tools was pinned. */
export function areInstructionsChanged(lock: Lock, server: string, instructions: string | undefined): boolean {
	const pinned = own(lock, server);
	return pinned !== undefined && pinned.instructions !== instructions;
}

/** The pinned definition; of a tool without a pin, the pinned instructions of its server, and the tool as it is. */
export function pinnedIn(lock: Lock, server: string, tool: Tool): PinnedDefinition | undefined {
	const pinned = own(lock, server);
	if (!pinned) {
		return undefined;
	}
	const found: PinnedTool & Dated = own(pinned.tools, tool.name) ?? pinOf(tool);
	const { pinned: day } = found;
	return { tool: pinOf(found), instructions: pinned.instructions, ...(day !== undefined && { pinned: day }) };
}

/** The parts that are pinned, as they were sent. */
export function pinOf({ title, description, inputSchema, outputSchema, annotations }: Tool | PinnedTool): PinnedTool {
	return {
		...(title !== undefined && { title }),
		...(description !== undefined && { description }),
		inputSchema,
		...(outputSchema && { outputSchema }),
		...(annotations && { annotations }),
	};
}

/** Tells whether a tool is still what it was (SHA-256, hexadecimal), whatever the order of keys. */
export async function fingerprintOf({ tool, instructions }: Omit<PinnedPart, 'server'>): Promise<string> {
	const text = canonicalJson([tool.name, pinOf(tool), instructions ?? null]);
	return sha256(text);
}

function toServer(value: unknown): PinnedServer | undefined {
	if (!isObject(value) || !isObject(value['tools'])) {
		return undefined;
	}
	const instructions = textOf(value['instructions']);
	const tools = Object.entries(value['tools']).map(([name, it]) => [name, toTool(it)] as const);
	return instructions === null || !tools.every(([, it]) => it)
		? undefined
		: {
				...value,
				...(instructions !== undefined && { instructions }),
				tools: Object.fromEntries(tools) as PinnedServer['tools'],
			};
}

/** A day as it is written, in the local calendar. */
export function dayOf(time: Date): string {
	const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
	return parts.map(it => String(it).padStart(2, '0')).join('-');
}

function toTool(value: unknown): (PinnedTool & Dated) | undefined {
	if (!isObject(value) || !isObject(value['inputSchema'])) {
		return undefined;
	}
	// Version 0.1.0 wrote `approved`, also for tools that were only run.
	const { title, inputSchema, outputSchema, annotations, approved, pinned = approved } = value;
	const description = textOf(value['description']);
	const isWhole =
		description !== null &&
		(title === undefined || typeof title === 'string') &&
		[outputSchema, annotations].every(it => it === undefined || isObject(it));
	if (!isWhole) {
		return undefined;
	}
	// What another version has added stays.
	const { approved: _, pinned: __, description: ___, ...others } = value;
	return {
		...others,
		...(description !== undefined && { description }),
		inputSchema,
		// What is no day is no reason to doubt the rest.
		...(isDay(pinned) && { pinned }),
	};
}

function isDay(value: unknown): value is string {
	return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** A text of several lines is a list of them. */
function linesOf(text: string | undefined): string | readonly string[] | undefined {
	return text?.includes('\n') === true ? text.split('\n') : text;
}

/** The way back; `null` for what is neither. */
function textOf(value: unknown): string | undefined | null {
	if (value === undefined || typeof value === 'string') {
		return value;
	}
	return Array.isArray(value) && value.every(it => typeof it === 'string') ? value.join('\n') : null;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
