/**
 * PURE: `inputs` of `mcp.json`, and what should become one: placeholders of a README and secrets. A secret has no
 * place in a file that is committed; `${input:…}` asks for it when the server starts.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { findSecret, isSecretName, mentionsSecret } from '../text/secretNames.js';
import type { ServerEntry } from './serverEntry.js';

/** An entry of `inputs`, as it stands in the file. */
export interface ServerInput extends JsonObject {
	readonly id: string;
	readonly type: string;
}

/** Reads a list of inputs; what is none is passed over. */
export function readInputs(value: unknown): ServerInput[] {
	if (!Array.isArray(value)) {
		return [];
	}
	return value
		.filter((it): it is ServerInput => isObject(it) && typeof it['id'] === 'string' && typeof it['type'] === 'string')
		.map(it => ({ ...it }));
}

/** A part of an entry that the person would rather be asked for. */
export interface Wish {
	/** Where in the entry: `['env', 'KEY']`, `['args', 3]`. */
	readonly path: readonly (string | number)[];
	/** What part of the text there; the whole of it if the entry has nothing at that place yet. */
	readonly start: number;
	readonly end: number;
	readonly text: string;
	/** What it is called there. */
	readonly key: string;
	readonly why: 'placeholder' | 'secret' | 'missing';
	readonly password: boolean;
}

/** Finds placeholders and secrets, in the order of the entry. */
export function findWishes(entry: ServerEntry): Wish[] {
	if (entry.type !== 'stdio') {
		return [
			...wishesIn(['url'], entry.url, urlSpans(entry.url)),
			...Object.entries(entry.headers ?? {}).flatMap(([key, it]) => wishesIn(['headers', key], it, [whole(it, key)])),
		];
	}
	const { command, args = [], env = {} } = entry;
	return [
		...args.flatMap((it, index) => wishesInArgument(it, index, args[index - 1] ?? '')),
		...Object.entries(env).flatMap(([key, it]) =>
			typeof it === 'string' ? wishesIn(['env', key], it, [whole(it, key)]) : [],
		),
		...missing(command, args, env),
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

function wishesIn(path: Wish['path'], text: string, spans: readonly Span[]): Wish[] {
	return spans.flatMap(span => {
		const inner = findSecret(text.slice(span.start, span.end), span.key);
		if (!inner) {
			return [];
		}
		const { why, password } = inner;
		const start = span.start + inner.start;
		const end = span.start + inner.end;
		return [{ path, start, end, text: text.slice(start, end), key: span.key, why, password }];
	});
}

/** `--api-key X`, `--api-key=X`, `KEY=X`, `Authorization: Bearer X`, and URLs. @param before the argument before it */
function wishesInArgument(text: string, index: number, before: string): Wish[] {
	const path = ['args', index];
	const named = /^-{0,2}([A-Za-z][\w.-]*)\s*(?:=|:(?!\/\/))\s*(?=.)/.exec(text);
	const start = named?.[0].length ?? 0;
	if (/^\w+:\/\//.test(text.slice(start))) {
		return wishesIn(path, text, urlSpans(text));
	}
	if (named) {
		return wishesIn(path, text, [{ start, end: text.length, key: named[1] ?? '' }]);
	}
	const option = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1] ?? '';
	// `-e NAME` names a variable.
	const isName = (option === 'e' || option === 'env') && /^\w+$/.test(text);
	return text.startsWith('-') || isName ? [] : wishesIn(path, text, [whole(text, option)]);
}

function spanOf(match: RegExpExecArray, key: string): Span {
	return { start: match.index, end: match.index + match[0].length, key };
}

/** Passwords and values in a URL. */
function urlSpans(url: string): Span[] {
	const spans = Array.from(url.matchAll(/(?<=[?&]([\w.-]+)=)[^&#]+/g), it => spanOf(it, it[1] ?? ''));
	// Also of a URL in the query.
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

/** `docker run -e KEY` hands a variable on; unless it is set in the editor's environment, there is none. */
function missing(command: string, args: readonly string[], env: object): Wish[] {
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

/** The entry as it may be shown: without secrets. */
export function withoutSecrets(entry: ServerEntry): ServerEntry {
	const secrets = findWishes(entry).filter(it => it.why === 'secret');
	return replaceParts(entry, secrets, () => '•••');
}

export interface EntryWithInputs {
	readonly entry: ServerEntry;
	readonly inputs: readonly ServerInput[];
	/** What the entry said where it now asks, by id: secrets only. Never to be written where others can read it. */
	readonly answers: ReadonlyMap<string, string>;
}

/**
 * Replaces what is wished for by `${input:…}`.
 * @param name of the server, for ids and descriptions
 * @param taken ids that mean something else already
 */
export function grant(
	entry: ServerEntry,
	name: string,
	wishes: readonly Wish[],
	taken: ReadonlySet<string>,
): EntryWithInputs {
	const ids = new FreeIds(taken);
	const inputs = new Map<Wish, ServerInput>();
	for (const wish of wishes) {
		const { key, text, password } = wish;
		const id = ids.take(baseOf(key, name));
		const fallback = /^\$\{\w+:-([^}]*)\}$/.exec(text)?.[1];
		inputs.set(wish, {
			id,
			type: 'promptString',
			description: key === '' ? name : `${key} (${name})`,
			...(fallback !== undefined && { default: fallback }),
			...(password && { password: true }),
		});
	}
	return {
		entry: replaceParts(entry, wishes, it => `\${input:${inputs.get(it)?.id ?? ''}}`),
		inputs: [...inputs.values()],
		answers: new Map(
			Array.from(inputs).flatMap(([{ why, text }, { id }]): [string, string][] =>
				why === 'secret' ? [[id, text]] : [],
			),
		),
	};
}

/** What an input asks that nobody has described. */
export function describeInput(id: string): ServerInput {
	return { id, type: 'promptString', description: id, ...(mentionsSecret(id) && { password: true }) };
}

function replaceParts(entry: ServerEntry, wishes: readonly Wish[], textFor: (wish: Wish) => string): ServerEntry {
	const copy = structuredClone(entry) as unknown as Record<string, unknown>;
	const byPlace = new Map<string, { readonly path: Wish['path']; readonly wishes: Wish[] }>();
	for (const wish of wishes) {
		const { path } = wish;
		const place = JSON.stringify(path);
		const known = byPlace.get(place);
		if (known) {
			known.wishes.push(wish);
		} else {
			byPlace.set(place, { path, wishes: [wish] });
		}
	}
	for (const { path, wishes: all } of byPlace.values()) {
		setIn(copy, path, old => replaceSpans(old, all, textFor));
	}
	return copy as unknown as ServerEntry;
}

function replaceSpans(old: string, wishes: readonly Wish[], textFor: (wish: Wish) => string): string {
	const pieces: string[] = [];
	let from = 0;
	for (const wish of wishes.toSorted((a, b) => a.start - b.start)) {
		// One inside another goes with it.
		if (wish.start >= from) {
			pieces.push(old.slice(from, wish.start), textFor(wish));
			from = wish.end;
		}
	}
	return [...pieces, old.slice(from)].join('');
}

/** Names that each second server has. */
const common = /^(|url|authorization|token|(x-)?api-key|apikey|key|password|secret|access-token|path)$/;

function slug(text: string): string {
	return text
		.slice(0, 300)
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '')
		.slice(0, 60);
}

function baseOf(key: string, server: string): string {
	const short = slug(key);
	return (common.test(short) ? slug(`${server} ${short}`) : short) || 'input';
}

/** Gives each id once: `token`, `token-2` and so on. */
class FreeIds {
	private readonly taken: Set<string>;
	/** The last number of each base: hundreds of the same name must not be counted through each time. */
	private readonly numbers = new Map<string, number>();

	constructor(taken: ReadonlySet<string>) {
		this.taken = new Set(taken);
	}

	take(base: string): string {
		for (let number = (this.numbers.get(base) ?? 0) + 1; ; number++) {
			const id = number === 1 ? base : `${base}-${number}`;
			if (!this.taken.has(id)) {
				this.taken.add(id);
				this.numbers.set(base, number);
				return id;
			}
		}
	}
}

function setIn(
	root: Record<string, unknown>,
	[first = '', second]: Wish['path'],
	change: (old: string) => string,
): void {
	const record = second === undefined ? root : ((root[first] ??= {}) as Record<string | number, unknown>);
	const key = second ?? first;
	const old = Object.hasOwn(record, key) ? record[key] : undefined;
	const value = change(typeof old === 'string' ? old : '');
	// An own property, whatever its name.
	Object.defineProperty(record, key, { value, enumerable: true });
}

/** In JSON. */
const inputVariable = /\$\{input:([^{}"\\]+)\}/g;

/** The `${input:…}` that an entry uses. */
export function usedInputs(entry: ServerEntry): string[] {
	return [...new Set(Array.from(JSON.stringify(entry).matchAll(inputVariable), it => it[1] ?? ''))];
}

/** The same entry with other ids. */
export function renameInputs(entry: ServerEntry, names: ReadonlyMap<string, string>): ServerEntry {
	const text = JSON.stringify(entry).replace(inputVariable, (whole, id: string) => {
		const other = names.get(id);
		return other === undefined ? whole : `\${input:${other}}`;
	});
	return JSON.parse(text) as ServerEntry;
}
