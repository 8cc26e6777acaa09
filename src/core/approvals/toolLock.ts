/**
 * Kept tool definitions: those that last ran here, and those of a lock file (`.vscode/mcp-lock.json`), whose format is
 * meant for diffs in git. An entry records what a tool was; it never allows a call.
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
import { findJsonExcess } from '../text/boundedJson.js';
import type { LockState } from './approval.js';

/** The parts of a tool that are locked: those that a person or a model relies on. */
export interface LockedTool {
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolAnnotations;
}

export interface LockedServer {
	readonly instructions?: string;
	readonly tools: Readonly<Record<string, LockedTool>>;
}

/** Servers by the name of the server in the configuration of the same folder. */
export type ToolLock = Readonly<Record<string, LockedServer>>;

/** The entries of a lock file; or, if it can't be read, the error of the parser or file system, if there is one. */
export type ParsedLock =
	| { readonly kind: 'read'; readonly lock: ToolLock }
	| { readonly kind: 'broken'; readonly error: string | undefined };

/** A tool as its server offers it now, with the server's instructions. */
export interface CurrentTool {
	readonly server: string;
	readonly tool: Tool;
	readonly instructions: string | undefined;
}

/** The locked definition of one tool. */
export interface LockedDefinition {
	readonly tool: LockedTool;
	readonly instructions: string | undefined;
}

const toolParts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
export type ChangedPart = (typeof toolParts)[number] | 'instructions';

/** UTF-16 units of the canonical JSON of a definition, with the instructions of its server. */
const maxLocked = 1024 * 1024;
/** Levels of objects and arrays in a definition. The limit of `boundedJson.ts`, for the whole lock file, is larger. */
const maxLockedDepth = 128;

/** Why a definition can't be locked; undefined if it can be. Every call of a tool that can't be locked needs approval. */
export function findLockProblem({ tool, instructions }: CurrentTool): 'tooDeep' | 'tooLarge' | undefined {
	const parts = lockedParts(tool);
	if (isNestedTooDeeply(parts)) {
		return 'tooDeep';
	}
	return canonicalJson([tool.name, parts, instructions]).length > maxLocked ? 'tooLarge' : undefined;
}

/** Whether a value has more than `maxDepth` levels; by default, more than a locked definition may have. Doesn't recurse. */
export function isNestedTooDeeply(value: unknown, maxDepth = maxLockedDepth): boolean {
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
	const excess = findJsonExcess(text, textLimits.lockFile);
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
		? { kind: 'read', lock: Object.fromEntries(entries) as ToolLock }
		: { kind: 'broken', error: undefined };
}

/** The text of a lock file. For readable diffs, names are sorted, and a text of several lines is an array of lines. */
export function formatLock(lock: ToolLock): string {
	const servers = mapValues(lock, ({ instructions, tools, ...others }) => ({
		...others,
		instructions: linesOf(instructions),
		tools: mapValues(tools, tool => ({ ...tool, description: linesOf(tool.description) })),
	}));
	const sorted: unknown = JSON.parse(canonicalJson({ servers, version: 1 }));
	return `${JSON.stringify(sorted, undefined, '\t')}\n`;
}

/** A copy of the lock with the tool's current definition. */
export function addToLock(lock: ToolLock, { server, tool, instructions }: CurrentTool): ToolLock {
	const { instructions: _, tools, ...others } = own(lock, server) ?? {};
	return {
		...lock,
		[server]: {
			...others,
			...(instructions !== undefined && { instructions }),
			tools: { ...tools, [tool.name]: lockedParts(tool) },
		},
	};
}

/**
 * The parts that differ from the lock; empty if none do, `undefined` if the tool isn't locked. Changed instructions of the
 * server also count for a tool that isn't locked: locking the tool would accept them for the server's other tools.
 */
export function listChangedParts(
	lock: ToolLock,
	{ server, tool, instructions }: CurrentTool,
): ChangedPart[] | undefined {
	const locked = own(lock, server);
	const ofServer = locked && locked.instructions !== instructions ? (['instructions'] as const) : [];
	const found = locked && own(locked.tools, tool.name);
	if (!found) {
		return ofServer.length > 0 ? [...ofServer] : undefined;
	}
	const now = lockedParts(tool);
	return [...toolParts.filter(it => canonicalJson(found[it]) !== canonicalJson(now[it])), ...ofServer];
}

/** The locked definition. For a tool that isn't locked: its current parts, with the locked instructions of its server. */
export function findLocked(lock: ToolLock, server: string, tool: Tool): LockedDefinition | undefined {
	const ofServer = own(lock, server);
	if (!ofServer) {
		return undefined;
	}
	return { tool: lockedParts(own(ofServer.tools, tool.name) ?? tool), instructions: ofServer.instructions };
}

/** The parts of a tool that are locked, unchanged. */
export function lockedParts(tool: Tool | LockedTool): LockedTool {
	const parts = toolParts.filter(it => tool[it] !== undefined).map(it => [it, tool[it]] as const);
	return Object.fromEntries(parts) as unknown as LockedTool;
}

/** How a tool compares with the kept definitions. */
export interface ToolComparison {
	/** The combined state, which the decision uses: a difference from either counts as a change. */
	readonly state: LockState;
	/** The state compared with the lock file, which others can change. */
	readonly lock: 'new' | 'same' | 'changed' | 'unreadable';
	/** The state compared with the definition that last ran here. */
	readonly ran: 'new' | 'same' | 'changed';
	/** Empty unless the tool has changed. */
	readonly changes: readonly ChangedPart[];
	/** The kept definition to show: from the lock file, unless only the one that ran here differs. */
	readonly locked: LockedDefinition | undefined;
}

/** Compares a tool with the lock file and with the definitions that last ran here. */
export function compareTool(lockFile: ParsedLock, ranHere: ToolLock, part: CurrentTool): ToolComparison {
	const inFile = lockFile.kind === 'read' ? listChangedParts(lockFile.lock, part) : undefined;
	const here = listChangedParts(ranHere, part);
	const lock = lockFile.kind === 'broken' ? 'unreadable' : stateOf(inFile);
	const ran = stateOf(here);
	const state = (['unreadable', 'changed', 'same'] as const).find(it => lock === it || ran === it) ?? 'new';
	const isAsked = state === 'unreadable' || state === 'changed';
	const shown = lockFile.kind === 'read' && (lock === 'changed' || here === undefined) ? lockFile.lock : ranHere;
	return {
		state: !isAsked && findLockProblem(part) !== undefined ? 'notLocked' : state,
		lock,
		ran,
		changes: [...new Set([...(inFile ?? []), ...(here ?? [])])],
		locked: (inFile ?? here) ? findLocked(shown, part.server, part.tool) : undefined,
	};
}

function stateOf(changes: readonly ChangedPart[] | undefined): 'new' | 'same' | 'changed' {
	return changes === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same';
}

/** Names of the tools that differ between two lists of a server, in the order of the lists. */
export interface ToolChanges {
	readonly changed: readonly string[];
	readonly added: readonly string[];
	readonly removed: readonly string[];
}

/** Compares two lists. @param differing names of tools that count as changed in any case */
export function compareLists(before: readonly Tool[], now: readonly Tool[], differing: readonly string[]): ToolChanges {
	const known = new Map(before.map(it => [it.name, canonicalJson(lockedParts(it))]));
	const names = new Set(now.map(it => it.name));
	const isAdded = ({ name }: Tool): boolean => !known.has(name) && !differing.includes(name);
	const isChanged = (tool: Tool): boolean =>
		differing.includes(tool.name) || (!isAdded(tool) && known.get(tool.name) !== canonicalJson(lockedParts(tool)));
	return {
		changed: now.filter(isChanged).map(it => it.name),
		added: now.filter(isAdded).map(it => it.name),
		removed: before.map(it => it.name).filter(it => !names.has(it)),
	};
}

/** SHA-256 of a tool's definition and its server's instructions, in hexadecimal. Independent of the order of keys. */
export async function hashDefinition({ tool, instructions }: Omit<CurrentTool, 'server'>): Promise<string> {
	return sha256(canonicalJson([tool.name, lockedParts(tool), instructions ?? null]));
}

/** The kept tools of a server from JSON; `undefined` for an invalid value. */
export function toServer(value: unknown): LockedServer | undefined {
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
				tools: Object.fromEntries(tools) as LockedServer['tools'],
			};
}

function toTool(value: unknown): LockedTool | undefined {
	if (!isObject(value) || !isObject(value['inputSchema'])) {
		return undefined;
	}
	const { title, inputSchema, outputSchema, annotations } = value;
	const description = textOf(value['description']);
	const isWhole =
		description !== null &&
		(title === undefined || typeof title === 'string') &&
		[outputSchema, annotations].every(it => it === undefined || isObject(it));
	if (!isWhole) {
		return undefined;
	}
	// Keys of newer versions are kept.
	const { description: _, ...others } = value;
	return { ...others, ...(description !== undefined && { description }), inputSchema };
}

/** A text of several lines as an array of lines. */
function linesOf(text: string | undefined): string | readonly string[] | undefined {
	return text?.includes('\n') === true ? text.split('\n') : text;
}

/** The text that `linesOf` was given; `null` for an invalid value. */
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
