/**
 * PURE: which folders the arguments of a call name. A guess for policies and prompts, leaning to the safe side: a text
 * that may be a path counts as one, and what cannot be placed lies outside. What a server does with it is its own affair.
 */
import type { JsonObject, Root } from '../mcp/index.js';
import type { Reach } from './policy.js';

/** Longer texts, and those of several lines, are no paths. */
const longestPath = 4096;

/** @param ignoresCase whether the disk takes "A" and "a" for the same */
export function reachOf(args: JsonObject, roots: readonly Root[], ignoresCase: boolean): Reach {
	const folders = roots.flatMap(({ uri, name }) => {
		const path = pathOf(uri);
		return path === undefined ? [] : [{ name: name ?? uri, path: comparable(path, ignoresCase) }];
	});
	const reached = new Set<string>();
	const outside = new Set<string>();
	for (const text of textsOf(args)) {
		const path = pathOf(text);
		if (path !== undefined) {
			const place = comparable(path, ignoresCase);
			const holders = folders.filter(
				it => place === it.path || place.startsWith(it.path === '/' ? '/' : `${it.path}/`),
			);
			for (const { name } of holders) {
				reached.add(name);
			}
			if (holders.length === 0) {
				outside.add(text);
			}
		}
	}
	return { roots: [...reached], outside: [...outside] };
}

/** Names and values, since a server may take either for a path. */
function* textsOf(args: JsonObject): Generator<string> {
	const open: unknown[] = [args];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') {
			yield value;
		} else if (typeof value === 'object' && value !== null) {
			for (const [name, member] of Object.entries(value)) {
				open.push(member);
				if (!Array.isArray(value)) {
					yield name;
				}
			}
		}
	}
}

/** An absolute path with slashes and without detours; `undefined` for what is none. What has no known start has `..`. */
function pathOf(text: string): string | undefined {
	if (text.length > longestPath || /[\n\r]/.test(text)) {
		return undefined;
	}
	if (/^file:/i.test(text)) {
		return withoutDetours(decoded(text.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, '').replace(/[?#].*$/, '')));
	}
	const isPath = /^(?:\/|\\|[a-z]:[\\/]|~[\\/]|~$|\.\.(?:[\\/]|$))/i.test(text) || /[\\/]\.\.(?:[\\/]|$)/.test(text);
	return isPath ? withoutDetours(text) : undefined;
}

function withoutDetours(path: string): string {
	const parts: string[] = [];
	for (const part of path.split(/[\\/]+/)) {
		if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') {
			parts.pop();
		} else if (part !== '.' && part !== '') {
			parts.push(part);
		}
	}
	// "/c:/a" of a URI is "c:/a"; what begins elsewhere than at a root lies nowhere that is known.
	const isRooted = /^[\\/]/.test(path) || /^[a-z]:/i.test(path);
	const joined = parts.join('/');
	return isRooted ? `/${joined}` : `?/${joined}`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The letter of a drive never matters. */
function comparable(path: string, ignoresCase: boolean): string {
	return ignoresCase ? path.toLowerCase() : path.replace(/^\/[a-z]:/i, it => it.toLowerCase());
}
