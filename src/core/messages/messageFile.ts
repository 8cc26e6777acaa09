/** Messages as a file of JSON lines: a header with the version, then a line for each record. */
import { parseJson } from '../../base/parseJson.js';
import { isObject } from '../../mcp/index.js';
import { type Facts, type MessageSource, outcomeKinds, recordKinds, WireRecord } from './wireRecord.js';

const header = '{"format":"mcp-workbench-messages","version":1}';

/** Removes the secrets of all servers from the data of one server. */
export type Redact = <T>(value: T, source: Pick<MessageSource, 'redactor'>) => T;

/** The content of a file. `text` of a line is what was on the wire; `operation` is the same in requests that belong together. */
export function writeMessages(records: readonly WireRecord[], redact: Redact): string {
	const operations = new Map(records.map(it => [it.origin, it.number]));
	const lines = records.map(({ time, channel, facts, text, origin, call: { caller }, more: { fullSize } }) => {
		const { source, connection, direction } = channel;
		const operation = origin && operations.get(origin);
		const sender = { time, server: source.name, connection, direction, caller: caller?.kind, operation };
		return JSON.stringify(redact({ ...sender, ...facts, fullSize, text }, source));
	});
	return `${[header, ...lines].join('\n')}\n`;
}

/**
 * Reads the content of a file. Skips invalid lines.
 * @returns `undefined` if the file has another format or version
 */
export function readMessages(content: string): readonly WireRecord[] | undefined {
	const [first, ...lines] = content.split(/\r?\n/);
	const origins = new Map<unknown, object>();
	return first !== header ? undefined : lines.flatMap((line, index) => recordOf(parseJson(line), index + 1, origins));
}

/** Facts as `writeMessages` writes them. */
interface Line extends Facts {
	readonly time: number;
	readonly server: string;
	readonly connection: number;
	readonly direction: 'sent' | 'received';
	readonly operation?: number;
	readonly fullSize?: number;
	readonly text: string;
}

const checks: { readonly [K in keyof Line]-?: (value: unknown) => boolean } = {
	time: it => typeof it === 'number',
	server: it => typeof it === 'string',
	connection: it => typeof it === 'number',
	direction: it => it === 'sent' || it === 'received',
	operation: it => it === undefined || typeof it === 'number',
	fullSize: it => it === undefined || typeof it === 'number',
	text: it => typeof it === 'string',
	kind: it => recordKinds.some(kind => kind === it),
	method: it => typeof it === 'string',
	id: isId,
	target: it => it === undefined || typeof it === 'string',
	about: isId,
	task: it => it === undefined || typeof it === 'string',
	outcome: it => it === undefined || (isObject(it) && outcomeKinds.some(kind => kind === it['kind'])),
};

function isId(value: unknown): boolean {
	return ['undefined', 'number', 'string'].includes(typeof value);
}

function recordOf(line: unknown, number: number, origins: Map<unknown, object>): readonly WireRecord[] {
	if (!isObject(line) || !Object.entries(checks).every(([name, isValid]) => isValid(line[name]))) {
		return [];
	}
	const { time, server, connection, direction, operation, fullSize, text, ...facts } = line as unknown as Line;
	const origin = operation === undefined ? undefined : (origins.get(operation) ?? {});
	if (origin) {
		origins.set(operation, origin);
	}
	const source = { id: server, name: server, redactor: undefined };
	return [new WireRecord(number, time, { source, connection, direction }, text, { origin, facts, fullSize })];
}
