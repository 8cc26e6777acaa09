/**
 * Messages as a file of JSON lines: a header with the version, then one line for everything on the wire. The last member
 * of a line is `message`, as it was written on the wire, or `text`, for what isn't whole or isn't JSON.
 */
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { asCallOrigin, type MessageSource, type Outcome, type RecordKind, type WireRecord } from './wireRecord.js';

const format = 'mcp-workbench-messages';
const version = 1;
const beforeMessage = ',"message":';

/** Removes the secrets of all servers from the data of one server. */
export type Redact = <T>(value: T, source: Pick<MessageSource, 'redactor'>) => T;

/** Writes the content of a file. */
export function writeMessages(records: readonly WireRecord[], redact: Redact): string {
	const operations = new Map<object, number>();
	const lines = records.map(record => {
		const { number, time, kind, method, id, target, about, task, outcome, length, origin, text: whole } = record;
		const { source, connection, direction } = record.channel;
		const facts = { number, time, connection, kind, direction, method, id, target, about, task, outcome, length };
		if (origin && !operations.has(origin)) {
			operations.set(origin, operations.size + 1);
		}
		const operation = origin && operations.get(origin);
		const { caller } = asCallOrigin(origin);
		const text = redact(whole, source);
		const line = JSON.stringify(redact({ server: source.name, ...facts, operation, caller: caller?.kind }, source));
		// In valid JSON, line breaks are only between tokens.
		return parseObject(text)
			? `${line.slice(0, -1)}${beforeMessage}${text.replaceAll(/[\r\n]+/g, ' ')}}`
			: `${line.slice(0, -1)},"text":${JSON.stringify(text)}}`;
	});
	return `${[JSON.stringify({ format, version }), ...lines].join('\n')}\n`;
}

/**
 * Reads the content of a file. Skips invalid lines.
 * @returns `undefined` if the file has another format or version
 */
export function readMessages(content: string): readonly WireRecord[] | undefined {
	const [first = '', ...lines] = content.split(/\r?\n/);
	const header = parseObject(first);
	if (header?.['format'] !== format || header['version'] !== version) {
		return undefined;
	}
	const sources = new Map<string, MessageSource>();
	const origins = new Map<unknown, object>();
	return lines.flatMap((line, index) => {
		const facts = parseObject(line);
		const record = facts && recordOf(facts, index + 1, line);
		if (!record) {
			return [];
		}
		const { server, operation, connection } = facts;
		const direction = facts['direction'] === 'sent' ? 'sent' : 'received';
		const source = sources.get(String(server)) ?? sourceNamed(String(server));
		sources.set(source.name, source);
		const origin = operation === undefined ? undefined : (origins.get(operation) ?? {});
		if (origin) {
			origins.set(operation, origin);
		}
		return [{ ...record, channel: { source, connection: Number(connection), direction }, origin }];
	});
}

function sourceNamed(name: string): MessageSource {
	return { id: name, name, redactor: undefined };
}

const kinds: Readonly<Record<RecordKind, true>> = {
	request: true,
	answer: true,
	notification: true,
	exchange: true,
	lost: true,
	other: true,
};
const outcomes: Readonly<Record<Exclude<Outcome['kind'], 'lost'>, true>> = {
	ok: true,
	toolError: true,
	inputRequired: true,
	task: true,
	error: true,
};

function recordOf(facts: JsonObject, number: number, line: string): Omit<WireRecord, 'channel' | 'origin'> | undefined {
	const { time, kind, method, id, target, about, task, outcome, length, text } = facts;
	const from = line.indexOf(beforeMessage);
	const raw = isText(text)
		? text
		: from === -1
			? undefined
			: line.slice(from + beforeMessage.length, line.lastIndexOf('}'));
	return isNumber(time) && isKeyOf(kinds, kind) && isText(method) && isNumber(length) && raw !== undefined
		? {
				number,
				time,
				kind,
				method,
				id: isText(id) || isNumber(id) ? id : undefined,
				target: isText(target) ? target : undefined,
				about: isText(about) || isNumber(about) ? about : undefined,
				task: isText(task) ? task : undefined,
				outcome: isObject(outcome) ? readOutcome(outcome) : undefined,
				length,
				text: raw,
			}
		: undefined;
}

function readOutcome({ kind, code, reason }: JsonObject): Outcome | undefined {
	if (kind === 'lost') {
		return { kind, reason: isText(reason) ? reason : '' };
	}
	return isKeyOf(outcomes, kind) ? { kind, ...(isNumber(code) ? { code } : {}) } : undefined;
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}

function isKeyOf<K extends string>(known: Readonly<Record<K, true>>, value: unknown): value is K {
	return isText(value) && Object.hasOwn(known, value);
}

function parseObject(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isObject(value) ? value : undefined;
}
