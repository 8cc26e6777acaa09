/**
 * Pinned tool definitions, as in `.vscode/mcp-lock.json`: parsing, formatting, and comparing. The format is meant for
 * diffs in git. An entry records what a tool was; it never allows a call.
 */
import { toMessage } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import {
	canonicalJson,
	isObject,
	type JsonObject,
	textLimits,
	type Tool,
	type ToolAnnotations,
} from '../../mcp/index.js';
import { findJsonExcess, maxJsonDepth } from '../text/boundedJson.js';

/** The parts of a tool that are pinned: those that a person or a model relies on. */
export interface PinnedTool {
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolAnnotations;
}

/** `pinned` is the day, such as `2026-11-03`. It is shown to people and decides nothing. */
interface Dated {
	readonly pinned?: string;
}

export interface PinnedServer {
	readonly instructions?: string;
	readonly tools: Readonly<Record<string, PinnedTool & Dated>>;
}

/** Pins by the name of the server in the configuration of the same folder. */
export type Lock = Readonly<Record<string, PinnedServer>>;

/** A lock file that was read, or one that can't be, with the error of the parser or file system, if any. */
export type ParsedLock =
	| { readonly kind: 'read'; readonly lock: Lock }
	| { readonly kind: 'broken'; readonly error: string | undefined };

/** A tool as its server offers it now, with the server's instructions. */
export interface PinnedPart {
	readonly server: string;
	readonly tool: Tool;
	readonly instructions: string | undefined;
}

/** The pinned definition of one tool. */
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

/** Why a definition can't be pinned; undefined if it can. Every call of a tool that can't be pinned needs approval. */
export function problemOfPin({ tool, instructions }: PinnedPart): 'tooDeep' | 'tooLarge' | undefined {
	const pin = pinOf(tool);
	if (isNestedTooDeeply(pin)) {
		return 'tooDeep';
	}
	return canonicalJson([tool.name, pin, instructions]).length > maxPinned ? 'tooLarge' : undefined;
}

/** Whether a value has more than `maxDepth` levels; by default, more than a pinned definition may have. Not recursive. */
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

/** Parses a lock file: JSON without comments. An empty file has no entries. Never throws. */
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

/** The text of a lock file: names are sorted, and a text of several lines is an array of lines, for readable diffs. */
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
 * The lock with the tool pinned as it is now.
 * @param pinned the day of the pin
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
 * The parts that differ from the pin; empty if none do, `undefined` if the tool has no pin. Changed instructions of the
 * server also count for a tool without a pin, because pinning it would accept them for the server's other tools.
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

/** Whether a server's instructions differ from the pinned ones. False for a server without pins. */
export function areInstructionsChanged(lock: Lock, server: string, instructions: string | undefined): boolean {
	const pinned = own(lock, server);
	return pinned !== undefined && pinned.instructions !== instructions;
}

/** The pinned definition. For a tool without a pin: the tool as it is now, with the pinned instructions of its server. */
export function pinnedIn(lock: Lock, server: string, tool: Tool): PinnedDefinition | undefined {
	const pinned = own(lock, server);
	if (!pinned) {
		return undefined;
	}
	const found: PinnedTool & Dated = own(pinned.tools, tool.name) ?? pinOf(tool);
	const { pinned: day } = found;
	return { tool: pinOf(found), instructions: pinned.instructions, ...(day !== undefined && { pinned: day }) };
}

/** The parts of a tool that are pinned, unchanged. */
export function pinOf({ title, description, inputSchema, outputSchema, annotations }: Tool | PinnedTool): PinnedTool {
	return {
		...(title !== undefined && { title }),
		...(description !== undefined && { description }),
		inputSchema,
		...(outputSchema && { outputSchema }),
		...(annotations && { annotations }),
	};
}

/** SHA-256 of a tool's definition and its server's instructions, in hexadecimal. Independent of the order of keys. */
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

/** A day as it is written in a lock file, in the local time zone. */
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
	// Keys of newer versions are kept.
	const { approved: _, pinned: __, description: ___, ...others } = value;
	return {
		...others,
		...(description !== undefined && { description }),
		inputSchema,
		// An invalid day is dropped; it doesn't make the entry invalid.
		...(isDay(pinned) && { pinned }),
	};
}

function isDay(value: unknown): value is string {
	return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** A text of several lines as an array of lines. */
function linesOf(text: string | undefined): string | readonly string[] | undefined {
	return text?.includes('\n') === true ? text.split('\n') : text;
}

/** Undoes `linesOf`; `null` for an invalid value. */
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
