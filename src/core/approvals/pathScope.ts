/**
 * Finds the folders that paths in a call's arguments lead to, for policies and sheets. Text that may be a path but isn't
 * understood counts as outside all folders. Only arguments are checked: a server can open any file.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import type { JsonObject, Root } from '../../mcp/index.js';
import { locatePath } from './pathText.js';
import type { PathScope } from './policy.js';

/**
 * The roots that the paths in the arguments are in, and the texts that lead or may lead outside.
 * @param ignoresCase whether the file system ignores case
 */
export function findPathScope(args: JsonObject, roots: readonly Root[], ignoresCase: boolean): PathScope {
	const folders = roots.flatMap(({ uri, name }) => {
		const path = pathOfRoot(uri);
		return path === undefined ? [] : [{ name: name ?? uri, path: comparable(path, ignoresCase) }];
	});
	const reached = new Set<string>();
	const outside = new Set<string>();
	const unclear = new Set<string>();
	for (const text of textsOf(args)) {
		const place = locatePath(text);
		if (place.kind === 'absolute') {
			const path = comparable(place.path, ignoresCase);
			const holders = folders.filter(it => path === it.path || path.startsWith(it.path === '/' ? '/' : `${it.path}/`));
			for (const { name } of holders) {
				reached.add(name);
			}
			if (holders.length === 0) {
				outside.add(text);
			}
		} else if (place.kind !== 'none') {
			outside.add(text);
			if (place.kind === 'unclear') {
				unclear.add(text);
			}
		}
	}
	return { roots: [...reached], outside: [...outside], unclear: [...unclear] };
}

/** All strings in the arguments and all names of members: a server may use either as a path. */
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

/** The path of a root with a `file:` URI. The names of its folders can have any characters. */
function pathOfRoot(uri: string): string | undefined {
	const [, path] = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(uri) ?? [];
	const decoded = path === undefined ? undefined : tryDecodeUri(path);
	return decoded === undefined ? undefined : `/${decoded.split('/').filter(Boolean).join('/')}`;
}

/** A path for comparison. Drive letters are compared without case on every file system. */
function comparable(path: string, ignoresCase: boolean): string {
	return ignoresCase ? path.toLowerCase() : path.replace(/^\/[a-z]:/i, it => it.toLowerCase());
}
