/**
 * Finds the folders that the paths in a call's arguments are in, for policies and sheets. Only a plain absolute path is
 * understood: any other text that may be a path counts as outside all folders. Only arguments are checked, because a server
 * can open any file.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import type { JsonObject, Root } from '../../mcp/index.js';
import type { PathScope } from './approval.js';

/** A separator, `..`, `~`, `$`, a drive letter, or a line break. */
const mayBePath = /[/\\~$\n\r\u2028\u2029]|\.\.|\b[a-z]:/i;
/** Matches parts of a path that a server, a shell, or a file system may interpret differently. */
const notPlain = /[\\~$\p{Cc}\u2028\u2029]/u;

/**
 * The roots that the paths in the arguments are in, and the texts that lead or may lead outside.
 * @param ignoresCase whether the file system ignores case
 * @param names the arguments that are paths; left out, all text that may be a path is
 */
export function findPathScope(
	args: JsonObject,
	roots: readonly Root[],
	ignoresCase: boolean,
	names?: readonly string[],
): PathScope {
	const folders = roots.flatMap(({ uri, name }) => {
		const path = pathOfRoot(uri);
		const isOnlyOne = roots.filter(it => it.name === name).length === 1;
		const names = isOnlyOne ? [name ?? uri] : [name ?? uri, uri];
		return path === undefined ? [] : [{ names, path: comparable(path, ignoresCase) }];
	});
	const reached = new Set<string>();
	const outside = new Set<string>();
	const unclear = new Set<string>();
	const texts = names ? namedTexts(args, names) : [...textsOf(args)].filter(it => mayBePath.test(it));
	for (const text of texts) {
		const plain = plainPath(text);
		const path = plain === undefined ? undefined : comparable(plain, ignoresCase);
		const inside = folders.filter(
			it => path === it.path || path?.startsWith(it.path === '/' ? '/' : `${it.path}/`) === true,
		);
		inside.flatMap(it => it.names).forEach(it => reached.add(it));
		if (inside.length === 0) {
			outside.add(text);
		}
		if (path === undefined) {
			unclear.add(text);
		}
	}
	return { roots: [...reached], outside: [...outside], unclear: [...unclear] };
}

/** The values of the named arguments that are texts or lists of texts. Other values can't be paths. */
function namedTexts(args: JsonObject, names: readonly string[]): string[] {
	return names.flatMap(name => {
		const value: unknown = Object.getOwnPropertyDescriptor(args, name)?.value;
		const values: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
		return values.map(it => (typeof it === 'string' ? it : JSON.stringify(it)));
	});
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

/**
 * The text with `/` as separator if it is a plain absolute path, such as `/a/b` or `C:\a\b`. Windows ignores dots and
 * spaces at the end of a name.
 */
function plainPath(text: string): string | undefined {
	const path = /^[a-z]:[\\/]/i.test(text) ? `/${text.replaceAll('\\', '/')}` : text;
	const segments = path.replace(/(?<=.)\/$/, '').split('/');
	const isPlain = path.startsWith('/') && !notPlain.test(path) && !segments.slice(1).some(it => /^$|[. ]$/.test(it));
	return path === '/' ? path : isPlain ? segments.join('/') : undefined;
}

/** The path of a root with a `file:` URI. The names of its folders can have any characters. */
function pathOfRoot(uri: string): string | undefined {
	const [, path] = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(uri) ?? [];
	const decoded = path === undefined ? undefined : tryDecodeUri(path);
	return decoded === undefined ? undefined : `/${decoded.split('/').filter(Boolean).join('/')}`;
}

/** A path for comparison. Drive letters are compared without case on every file system. */
function comparable(path: string, ignoresCase: boolean): string {
	return ignoresCase ? path.normalize('NFC').toLowerCase() : path.replace(/^\/[a-z]:/i, it => it.toLowerCase());
}
