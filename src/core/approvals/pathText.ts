/**
 * Finds out where a text leads if a server uses it as a path. Servers may trim, unquote, decode, or expand a text, on any
 * operating system. So a text is either plain, which means that all servers read it alike, or all of its possible
 * readings are checked, and one that may leave the folder is enough to make it unclear.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { isEncoded, isUnambiguous, readingsOf, withoutEnds } from './pathReadings.js';
import { climbsBelow, expandVariables, hasParent, mayBeParent, separators } from './pathSegments.js';

/** Longest text that is understood as a path, in UTF-16 units. */
const longestPath = 4096;

/** Most names: they need no closer look. */
const simpleName = /^\w[\w-]*(?:[./][\w-]+)*$/;
/** `~`, `~user`, `~+` */
const home = /^~(?:[\\/+-]|$|[a-z_])/i;
/** Variables and commands of shells anywhere in a text. */
const expansion = /\$[\w{(@*#?!$'"-]|`|%[^%\s\\/]+%|!\w+!/i;
/** A command that a shell runs, but not a function call of source code; a variable with another value. */
const command = /\$\((?!["'<])|\$\{\w+[-:=+?#%/^,@][^{}]*[./\\]/;
/** The same where the whole path begins with them. */
const leadingExpansion = /^(?:\$[a-z_{(]|%[^%\s\\/]+%|!\w+!|`[^`\s]*`(?:[\\/]|$))/i;
const drive = /^[a-z]:/i;
const fileScheme = /^(?:[a-z][\w+.-]*:)*(?:[\w+.-]*[+.-])?file:/i;
/** A file URI of this machine. */
const localFile = /^file:(?:\/\/(?:localhost)?)?\/(?![\\/])/i;
const scheme = /^[a-z][a-z0-9+.-]+:\/\//i;
/** A web address with a host; ends where a list or sentence would go on. */
const webAddress = /(?<![a-z0-9.-])(?:https?|wss?):\/\/[^\s\\/"'`<>[\]{}(),;|][^\s\\"'`<>[\]{}(),;|]*/gi;
/** `</b>`, `<br/>` */
const tagEnd = /<\/[a-z][\w:.-]*>|\/>/gi;
/** Characters after which a path may begin within a text. No path begins with a single backslash after a blank. */
const partStart = /[[{(,=@;:|"'`<>&!]|[^\P{Cc}\s]|\s(?!\\(?!\\))/u;
/** Separators at which servers split lists, besides spaces and punctuation. */
const lineBreaks = /[\n\v\f\r\u2028\u2029]|[^\P{Cc}\s]/u;
/** Every line that holds a path out of its folder has one of these; slashes between names lead into folders. */
const mayHoldPath = /[\\~:`"'{[?*^]|\.\.|\$\S|%[^%\s]|!\w|(?<![\w.])\/|-[a-z]\//i;
/** `- `, `1. `, `- [x] ` */
const listMarkers = /^(?:(?:[-*+\u2022]|\d{1,9}[.)]|\[[ x]\])\s+)+/i;
/** `get("/a")`, `href="/a"`, `.replace(/a/`: source code, where lines without blanks are no lists. */
const codePath = /[(=]["'`][^"'`]*["'`]|\w\((?=\/)\/|\w\(\$\{\w+\}/g;
/** Where the first folder of a path ends within a line that has blanks. Most such lines are prose or source code. */
const pathWithBlanks =
	/^(?:[\\/]{1,2}\*?[^\\/\s*]+[\\/]|\/\w[^\\/]*[\\/]|~[\w.+-]*[\\/]|\.\.[\\/]|[a-z]:[\\/]|(?:\$[\w@*#?!$-]+|\$\{[^}]*\}|%[^%\s]+%)[\\/])/i;
/** `+++ b/x`, `*** Update File: x`, `rename to x` */
const patchHeader =
	/^(?:\+\+\+|---|\*\*\*(?: (?:(?:Update|Add|Delete) File|Move to):)?|Index:|(?:rename|copy) (?:from|to)|diff --git) (\S.*)/;
/** A quoted path in a text that is in brackets: one that leaves its folder at once, or after some folders. */
const quotedPath =
	/["'`](?:\s+(?:\/\w|\.\.[\\/"'`]|~[\w.+-]*[\\/]|[a-z]:[\\/]|\$\w+[\\/])|[^"'`\s]*[\\/]\.\.[\\/"'`]|[^"'`\n]*[^"'`\s.\\/]\.*[\\/](?:\.?[\\/])*\.\.[\\/"'`]|[\\/]|~[\w.+-]*[\\/"'`]|\.\.[\\/"'`]|[a-z]:(?:[\\/]|\.\.)|\$\w+[\\/"'`]|\$\{|%\w+%|(?:[a-z]\w{0,20}[+-])?file:)/i;

/** Where a line with blanks begins with a folder, and not with source code or a command. */
const folderWithBlanks = /^(?:[^\\/"'`()<>=]|\s\([^\\/"'`()<>=]*\))*(?:[^\\/"'`()<>=.]|\s\([^\\/"'`()<>=]*\))[\\/]/;
/** Variables of shells that hold a folder, alone or at the end of a list. */
const folderVariable =
	/^(?:\$(?:HOME|OLDPWD|TMPDIR|XDG_\w+)(?:[-.][\w.-]*)?|%(?:HOME|USERPROFILE|HOMEPATH|(?:LOCAL)?APPDATA|TE?MP|ProgramData|(?:Common)?ProgramFiles(?:\(x86\))?|PUBLIC|ALLUSERSPROFILE|SystemRoot|SystemDrive|WinDir)%)[\])}]*$/i;
const everyBracedFolder = /\$\{(HOME|OLDPWD|TMPDIR|XDG_\w+)\}/g;
/** A file URI within a text that has no slash after its scheme. */
const relativeFile = /(?<!\w)file:[^\s"'`,;:\\/]+[\\/]/i;
/** `//#region`, `//@ts-check`: as a path, it is a folder of the file system's root that does not exist. */
const markComment = /^\/\/(?:#[\w-]+|@ts-[a-z]+)$/;

/** Where a text leads if it is used as a path. */
export type PathPlace =
	/** It isn't a path, or stays below the folder that it is resolved against. */
	| { readonly kind: 'none' }
	/** `path` is absolute, with slashes and without `..`; a drive stands first: `/c:/a`. */
	| { readonly kind: 'absolute'; readonly path: string }
	/** It leaves the folder that it is resolved against, which isn't known here. */
	| { readonly kind: 'outside' }
	/** It may be a path, and servers may interpret it differently. */
	| { readonly kind: 'unclear' };

/** Takes time proportional to the length of the text, which may be anything. */
export function locatePath(text: string): PathPlace {
	if (!isUnderstood(text)) {
		const isOfLines = isMultiLine(text);
		// Keeps the `>` of a tag at the end of the text from being stripped as a quote.
		for (const reading of readingsOf(isOfLines && text.trim().endsWith('>') ? `${text}\nx` : text)) {
			if (mayLeaveFolder(reading, isOfLines)) {
				return { kind: 'unclear' };
			}
		}
		return { kind: 'none' };
	}
	if (localFile.test(text)) {
		// Some servers drop a query, others take it as a part of the name.
		const [encoded = '', ...query] = text.replace(/^file:(?:\/\/(?:localhost)?)?/i, '').split(/[?#]/);
		const path = query.some(it => separators.test(it)) ? undefined : tryDecodeUri(encoded);
		return path === undefined ? { kind: 'unclear' } : { kind: 'absolute', path: withoutDetours(path) };
	}
	if (text.startsWith('/') || /^[a-z]:[\\/]/i.test(text)) {
		return { kind: 'absolute', path: withoutDetours(text) };
	}
	if (text.startsWith('\\')) {
		return { kind: 'unclear' };
	}
	return hasParent(text) ? { kind: 'outside' } : { kind: 'none' };
}

/** Whether all servers that use a text as a path interpret it alike. */
export function isUnderstood(text: string): boolean {
	return isPlain(text) && (!isEncoded(text) || isHarmlesslyEncoded(text));
}

function isPlain(text: string): boolean {
	if (text.length > longestPath || expansion.test(text) || home.test(text) || !isUnambiguous(text)) {
		return false;
	}
	if (simpleName.test(text)) {
		return true;
	}
	const rest = fileScheme.test(text)
		? text.replace(localFile, '/').replace(/^\/(?=[a-z]:\/)/i, '')
		: scheme.test(text)
			? text.replace(scheme, '').replace(/:\d+(?=\/|$)/, '')
			: text;
	const isRooted = /^[a-z]:[\\/]/i.test(rest);
	const parts = (isRooted ? rest.slice(2) : rest).split(separators);
	return (
		!fileScheme.test(rest) &&
		!/^[\\/]{2}/.test(rest) &&
		// URLs have nameless folders, and disks have none.
		!(fileScheme.test(text) && rest.includes('//') && hasParent(rest)) &&
		!(rest.includes('/') && rest.includes('\\')) &&
		!(drive.test(rest) && !isRooted) &&
		!hasPathWithin(text) &&
		(parts.length === 1 || !parts.some(isOdd))
	);
}

/**
 * Whether a segment may name another file on Windows (a stream, a short name, or a name with trailing dots or spaces), or
 * in a shell.
 */
function isOdd(part: string): boolean {
	return (
		part !== '.' && part !== '..' && (/[. ]$/.test(part) || /~\d/.test(part) || part.includes(':') || mayBeParent(part))
	);
}

/** Whether percent decoding changes neither the separators nor the dots of a path. */
function isHarmlesslyEncoded(text: string): boolean {
	const decoded = tryDecodeUri(text);
	return decoded !== undefined && !isEncoded(decoded) && isPlain(decoded) && shapeOf(decoded) === shapeOf(text);
}

/** The dots and separators of a text. */
function shapeOf(text: string): string {
	return text.replaceAll(/[^./\\]/g, '');
}

/** Whether a reading may lead out of the folder it is resolved against. */
function mayLeaveFolder(reading: string, isOfLines: boolean): boolean {
	if (!isOfLines) {
		return (
			isRooted(reading) ||
			hasParent(reading) ||
			climbsBelow(reading, 0, true) ||
			hasPathWithin(reading) ||
			(command.test(reading) && separators.test(reading))
		);
	}
	// A text of several lines is rarely a path: `..` counts only if it leads above the start of the text.
	const mayBeOne = !isComment(reading) && (isRooted(reading) || climbsBelow(reading, 0, false));
	return mayBeOne || hasPathInLines(reading);
}

function isRooted(text: string): boolean {
	return (
		separators.test(text[0] ?? '') ||
		drive.test(text) ||
		home.test(text) ||
		leadingExpansion.test(text) ||
		fileScheme.test(text)
	);
}

/**
 * Whether a path that may lead out of a folder begins within a text, as in lists, options and URIs other than web
 * addresses. Slashes within words begin none.
 */
function hasPathWithin(text: string, isLine = false): boolean {
	const rest = text
		.replace(localFile, '/')
		.replace(/^\/?[a-z]:(?=[\\/])/i, '')
		.replaceAll(webAddress, 'x')
		.replaceAll(everyBracedFolder, '$$$1')
		.replaceAll(tagEnd, ' ');
	if (relativeFile.test(rest)) {
		return true;
	}
	const expanded = expandVariables(rest);
	// After a blank, what follows a variable at the start of a text is a path of its own.
	return [rest, ...(expanded === rest ? [] : [` ${expanded}`])].some(it => {
		const [first = '', ...parts] = it.split(partStart);
		return (
			isOptionWithPath(first, isLine) ||
			(text !== '..' && isBareOutside(first)) ||
			parts.some(part => isOptionWithPath(part, isLine) || isPathOutside(part))
		);
	});
}

/** `-I/usr`, `-xzvpf/a`, `-C..`; among several lines only after one letter, because a line of a patch can be `-src/a`. */
function isOptionWithPath(part: string, isLine: boolean): boolean {
	if (isLine) {
		return /^-[a-z](?:[a-z]{0,3}\.\.(?:[\\/]|$)|[\\/])/i.test(part);
	}
	return /^-(?:[a-z]{1,4}|[a-z]{1,7}f)(?:\.\.(?:[\\/]|$)|[\\/])/i.test(part);
}

/** The home or the parent alone, at the end of a list perhaps. */
function isBareOutside(part: string): boolean {
	return /^(?:~|\.\.)[\])}]*$/.test(part) || folderVariable.test(part);
}

function isPathOutside(part: string): boolean {
	return (
		separators.test(part[0] ?? '') ||
		isBareOutside(part) ||
		(separators.test(part) && (home.test(part) || leadingExpansion.test(part) || hasParent(part)))
	);
}

/** Whether a text of several lines is a list with such a path: in brackets, or with a line that is nothing else. */
function hasPathInLines(text: string): boolean {
	if (/^\s*[[{(]/.test(text) && quotedPath.test(text)) {
		return true;
	}
	const lines = text.split(lineBreaks).filter(it => mayHoldPath.test(it));
	// Between lines of comment, one of slashes alone is one too.
	return (
		lines.some(it => isPathLine(it.trim()) || isPatchedPath(it.trim())) ||
		(lines.some(isOfSlashes) && !lines.some(it => /^\s*\/\/+\s+\S/.test(it)))
	);
}

/** Whether a trimmed line is a path as a whole text would be, or begins with one where it has blanks. */
function isPathLine(line: string): boolean {
	if (isCommentLine(line) || isOfSlashes(line)) {
		return false;
	}
	const unmarked = line.replace(listMarkers, '').replaceAll(tagEnd, ' ');
	const item = withoutEnds(unmarked.startsWith('-') ? unmarked : unmarked.replaceAll(codePath, 'x'));
	return /\s/.test(item)
		? pathWithBlanks.test(item) ||
				(folderWithBlanks.test(item) && climbsBelow(item, 0, false)) ||
				(fileScheme.test(item) && /^\S*[\\/]/.test(item))
		: isPathItem(item);
}

/** Whether a trimmed line of a patch names a file outside. */
function isPatchedPath(line: string): boolean {
	const [, path = ''] = patchHeader.exec(line) ?? [];
	return path !== '/dev/null' && (isRooted(path) || hasParent(path));
}

function isOfSlashes(line: string): boolean {
	return /^\s*\/{2,}\s*$/.test(line);
}

/** `#!/a`, `/*`, `/* a`, `/*a*\/`, `// a`, `//#a`. As a path, a folder of that name does not exist. */
function isCommentLine(line: string): boolean {
	return /^(?:#!|\/\/+\s)/.test(line) || markComment.test(line) || /^\/\*[^\s\\/]*(?:\s|$|\*\/$)/.test(line);
}

/** What leads out of the folder, of a line without blanks. Source code has `$a++;`, `~A();`, `file:` and `...`, too. */
function isPathItem(item: string): boolean {
	const isName = /^[\w.~$%!{}():+-]*[\w.~$%!{}()+-]$|^[a-z]:$/i.test(item);
	return (
		(isRooted(item) && (isName || separators.test(item))) ||
		(hasParent(item) && !/^\.{3,}$/.test(item)) ||
		hasPathWithin(item, true)
	);
}

/**
 * Whether a text begins as source code does, with `// ` or `/*`: as a path, that is a folder of the file system's root
 * whose name begins with a blank or an asterisk, which does not exist; unless `..` leads out of it again.
 */
function isComment(text: string): boolean {
	const [start] = /^\s*\/(?:\/(?=\s|#[\w-]+[\n\r]|@ts-[a-z]+[\n\r])|(?=\*))/.exec(text) ?? [];
	return start !== undefined && !climbsBelow(text.slice(start.length), 1, false);
}

function isMultiLine(text: string): boolean {
	return /[\n\r\u2028\u2029]/.test(text.trim());
}

/** An absolute path with slashes, without `.` and `..`. */
function withoutDetours(path: string): string {
	const parts: string[] = [];
	for (const part of path.split(separators)) {
		if (part === '..') {
			parts.pop();
		} else if (part !== '.' && part !== '') {
			parts.push(part);
		}
	}
	return `/${parts.join('/')}`;
}
