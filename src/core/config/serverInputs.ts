/**
 * Finds the values of a server that should become `inputs` of `mcp.json`, and replaces them: placeholders from a README,
 * and secrets. A secret must not be in a file that is committed; `${input:…}` asks for it when the server starts.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { findSecret, isSecretName, mentionsSecret } from '../text/secretNames.js';
import type { ServerEntry } from './serverEntry.js';

/** An entry of `inputs` with all its keys in the file. */
export interface ServerInput extends JsonObject {
	readonly id: string;
	readonly type: string;
}

/** Reads a list of inputs, and skips invalid ones. */
export function toServerInputs(value: unknown): ServerInput[] {
	return (Array.isArray(value) ? (value as unknown[]) : [])
		.filter((it): it is ServerInput => isObject(it) && typeof it['id'] === 'string' && typeof it['type'] === 'string')
		.map(it => ({ ...it }));
}

/** A part of an entry that should become an input. */
export interface SuggestedInput {
	/** The path of the value in the entry: `['env', 'KEY']`, `['args', 3]`. */
	readonly path: readonly (string | number)[];
	/** The range of the part in the value; empty if the entry has no value there yet. */
	readonly start: number;
	readonly end: number;
	readonly text: string;
	/** The name of the value: a variable, header, option or parameter. */
	readonly key: string;
	readonly why: 'placeholder' | 'secret' | 'missing';
	/** Whether the input is masked. */
	readonly password: boolean;
}

/** Finds placeholders and secrets, in the order of the entry. */
export function suggestInputs(entry: ServerEntry): SuggestedInput[] {
	if (entry.type !== 'stdio') {
		return [
			...suggestionsIn(['url'], entry.url, urlSpans(entry.url)),
			...Object.entries(entry.headers ?? {}).flatMap(([key, it]) =>
				suggestionsIn(['headers', key], it, [whole(it, key)]),
			),
		];
	}
	const { command, args = [], env = {} } = entry;
	return [
		...args.flatMap((it, index) => suggestionsInArgument(it, index, args[index - 1] ?? '')),
		...Object.entries(env).flatMap(([key, it]) =>
			typeof it === 'string' ? suggestionsIn(['env', key], it, [whole(it, key)]) : [],
		),
		...missingVariables(command, args, env),
	];
}

interface Span {
	readonly start: number;
	readonly end: number;
	readonly key: string;
}

function whole({ length }: string, key: string): Span {
	return { start: 0, end: length, key };
}

function suggestionsIn(path: SuggestedInput['path'], text: string, spans: readonly Span[]): SuggestedInput[] {
	const found: SuggestedInput[] = [];
	for (const { start: from, end, key } of spans) {
		const inner = findSecret(text.slice(from, end), key);
		const part = inner && { ...inner, start: from + inner.start, end: from + inner.end };
		// A part inside another one is replaced with it.
		if (part && found.every(it => part.end <= it.start || it.end <= part.start)) {
			found.push({ ...part, path, key, text: text.slice(part.start, part.end) });
		}
	}
	return found;
}

/**
 * Suggestions for `--api-key X`, `--api-key=X`, `KEY=X`, `Authorization: Bearer X`, and URLs.
 * @param before the argument before this one
 */
function suggestionsInArgument(text: string, index: number, before: string): SuggestedInput[] {
	const path = ['args', index];
	const named = /^-{0,2}([A-Za-z][\w.-]*)\s*(?:=|:(?!\/\/))\s*(?=.)/.exec(text);
	const start = named?.[0].length ?? 0;
	if (/^\w+:\/\//.test(text.slice(start))) {
		return suggestionsIn(path, text, urlSpans(text));
	}
	if (named) {
		return suggestionsIn(path, text, [{ start, end: text.length, key: named[1] ?? '' }]);
	}
	const option = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1] ?? '';
	// `-e NAME` is the name of a variable.
	const isName = (option === 'e' || option === 'env') && /^\w+$/.test(text);
	return text.startsWith('-') || isName ? [] : suggestionsIn(path, text, [whole(text, option)]);
}

function spanOf(match: RegExpExecArray, key: string): Span {
	return { start: match.index, end: match.index + match[0].length, key };
}

/** The password, the values of parameters, and a placeholder in a URL. */
function urlSpans(url: string): Span[] {
	const spans = Array.from(url.matchAll(/(?<=[?&]([\w.-]+)=)[^&#]+/g), it => spanOf(it, it[1] ?? ''));
	// Also matches a URL in the query.
	const password = /:\/\/[^/:@?#]+:([^/@?#]+)@/.exec(url);
	const [beforeQuery = ''] = url.split('?', 1);
	const placeholder = /<[^<>]+>|(?<!\$)\{[A-Za-z_-]{3,}\}/.exec(beforeQuery);
	if (placeholder) {
		spans.unshift(spanOf(placeholder, placeholder[0].replace(/\W/g, '')));
	}
	if (password?.[1] !== undefined) {
		const end = password.index + password[0].length - '@'.length;
		spans.unshift({ start: end - password[1].length, end, key: 'password' });
	}
	return spans;
}

/** Suggestions for `docker run -e KEY`, which passes on a variable that the entry must set. */
function missingVariables(command: string, args: readonly string[], env: object): SuggestedInput[] {
	if (!/(^|[\\/])(docker|podman|nerdctl)(\.exe)?$/.test(command)) {
		return [];
	}
	const names = args.flatMap((it, index) => {
		const named = /^(-e|--env)$/.test(args[index - 1] ?? '') ? it : /^--env=(.*)/s.exec(it)?.[1];
		return named !== undefined && /^[A-Za-z_]\w*$/.test(named) && !Object.hasOwn(env, named) ? [named] : [];
	});
	return [...new Set(names)].map(key => ({
		path: ['env', key],
		start: 0,
		end: 0,
		text: '',
		key,
		why: 'missing',
		password: isSecretName(key),
	}));
}

/** The entry with `•••` in place of secrets, so that it can be shown. */
export function withoutSecrets(entry: ServerEntry): ServerEntry {
	const secrets = suggestInputs(entry).filter(it => it.why === 'secret');
	return replaceParts(entry, secrets, () => '•••');
}

interface EntryWithInputs {
	readonly entry: ServerEntry;
	readonly inputs: readonly ServerInput[];
	/** The secrets that were replaced, by the id of the input. Keep them in secret storage only. */
	readonly answers: ReadonlyMap<string, string>;
}

/**
 * Replaces suggested parts by `${input:…}`.
 * @param name of the server, for ids and descriptions
 * @param taken ids that exist already
 */
export function replaceWithInputs(
	entry: ServerEntry,
	name: string,
	suggestions: readonly SuggestedInput[],
	taken: ReadonlySet<string>,
): EntryWithInputs {
	const ids = new Set(taken);
	const inputs = new Map<SuggestedInput, ServerInput>();
	for (const suggestion of suggestions) {
		const { key, text, password } = suggestion;
		const base = inputId(key, name);
		let id = base;
		for (let number = 2; ids.has(id); number++) {
			id = `${base}-${number}`;
		}
		ids.add(id);
		const fallback = /^\$\{\w+:-([^}]*)\}$/.exec(text)?.[1];
		inputs.set(suggestion, {
			id,
			type: 'promptString',
			description: key === '' ? name : `${key} (${name})`,
			...(fallback !== undefined && { default: fallback }),
			...(password && { password: true }),
		});
	}
	return {
		entry: replaceParts(entry, suggestions, it => `\${input:${inputs.get(it)?.id ?? ''}}`),
		inputs: [...inputs.values()],
		answers: new Map(
			Array.from(inputs).flatMap(([{ why, text }, { id }]): [string, string][] =>
				why === 'secret' ? [[id, text]] : [],
			),
		),
	};
}

/** The definition of an input of which only the id is known. */
export function describeInput(id: string): ServerInput {
	return { id, type: 'promptString', description: id, ...(mentionsSecret(id) && { password: true }) };
}

function replaceParts(
	entry: ServerEntry,
	suggestions: readonly SuggestedInput[],
	textFor: (suggestion: SuggestedInput) => string,
): ServerEntry {
	const copy = structuredClone(entry) as unknown as Record<string, unknown>;
	// The last part of a value first, so that the others keep their places.
	for (const suggestion of suggestions.toSorted((a, b) => b.start - a.start)) {
		const { path, start, end } = suggestion;
		setIn(copy, path, old => `${old.slice(0, start)}${textFor(suggestion)}${old.slice(end)}`);
	}
	return copy as unknown as ServerEntry;
}

/** Names that many servers use, so that an id needs the server's name too. */
const common = /^(|url|authorization|token|(x-)?api-key|apikey|key|password|secret|access-token|path)$/;

function slug(text: string): string {
	return text
		.slice(0, 300)
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '')
		.slice(0, 60);
}

export function inputId(key: string, server: string): string {
	const short = slug(key);
	return (common.test(short) ? slug(`${server} ${short}`) : short) || 'input';
}

function setIn(
	root: Record<string, unknown>,
	[first = '', second]: SuggestedInput['path'],
	change: (old: string) => string,
): void {
	const record = second === undefined ? root : ((root[first] ??= {}) as Record<string | number, unknown>);
	const key = second ?? first;
	const old = Object.hasOwn(record, key) ? record[key] : undefined;
	const value = change(typeof old === 'string' ? old : '');
	// An own property, whatever its name.
	Object.defineProperty(record, key, { value, enumerable: true });
}

/** A variable of an input in a JSON text. */
const inputVariable = /\$\{input:([^{}"\\]+)\}/g;

/** The ids of the inputs that an entry uses. */
export function usedInputs(entry: ServerEntry): string[] {
	return [...new Set(Array.from(JSON.stringify(entry).matchAll(inputVariable), it => it[1] ?? ''))];
}

/** The entry with other ids of inputs. */
export function renameInputs(entry: ServerEntry, names: ReadonlyMap<string, string>): ServerEntry {
	const text = JSON.stringify(entry).replace(inputVariable, (whole, id: string) => {
		const other = names.get(id);
		return other === undefined ? whole : `\${input:${other}}`;
	});
	return JSON.parse(text) as ServerEntry;
}
