/**
 * Finds the folder that a text leads to if a server uses it as a path. Servers may trim, unquote, decode, or expand a text,
 * on any operating system. So either a text is plain, which means that all servers interpret it alike; or all of its
 * possible readings are checked, and the text is unclear if one of them may leave the folder.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { isEncoded, isUnambiguous, readingsOf, withoutEnds } from './pathReadings.js';
import { climbsBelow, expandVariables, hasParent, mayBeParent, separators } from './pathSegments.js';

/** Longest text that can be a plain path, in UTF-16 units. */
const maxPath = 4096;

/** Most names. They are plain without further checks. */
const simpleName = /^\w[\w-]*(?:[./][\w-]+)*$/;
/** `~`, `~user`, `~+` */
const home = /^~(?:[\\/+-]|$|[a-z_])/i;
/** Variables and commands of shells anywhere in a text. */
const expansion = /\$[\w{(@*#?!$'"-]|`|%[^%\s\\/]+%|!\w+!/i;
/** A command that a shell runs, but not a function call of source code; a variable with another value. */
const command = /\$\((?!["'<])|\$\{\w+[-:=+?#%/^,@][^{}]*[./\\]/;
/** Variables and commands of shells at the start of a path. */
const leadingExpansion = /^(?:\$[a-z_{(]|%[^%\s\\/]+%|!\w+!|`[^`\s]*`(?:[\\/]|$))/i;
const drive = /^[a-z]:/i;
/** `--dir=d:`, `a,d:x`: the current folder of another drive. Texts with brackets are excluded: they may be source code. */
const listedDrive = /^[^\s[{(]*[=,][a-z]:/i;
const fileScheme = /^(?:[a-z][\w+.-]*:)*(?:[\w+.-]*[+.-])?file:/i;
/** A file URI of this machine. */
const localFile = /^file:(?:\/\/(?:localhost)?)?\/(?![\\/])/i;
const scheme = /^[a-z][a-z0-9+.-]+:\/\//i;
/** A web address with a host, up to a character that separates the items of a list or sentence. */
const webAddress = /(?<![a-z0-9.-])(?:https?|wss?):\/\/[^\s\\/"'`<>[\]{}(),;|][^\s\\"'`<>[\]{}(),;|]*/gi;
/** `</b>`, `<br/>` */
const tagEnd = /<\/[a-z][\w:.-]*>|\/>/gi;
/** Characters after which a path may begin within a text. A single backslash after white space begins no path. */
const partStart = /[[{(,=@;:|"'`<>&!]|[^\P{Cc}\s]|\s(?!\\(?!\\))/u;
/** Characters at which servers may split lists, besides spaces and punctuation. */
const lineBreaks = /[\n\v\f\r\u2028\u2029]|[^\P{Cc}\s]/u;
/** Matches every line with a path that leaves its folder. Slashes between names alone lead into folders. */
const mayHoldPath = /[\\~:`"'{[?*^]|\.\.|\$\S|%[^%\s]|!\w|(?<![\w.])\/|-[a-z]\//i;
/** `- `, `1. `, `- [x] ` */
const listMarkers = /^(?:(?:[-*+\u2022]|\d{1,9}[.)]|\[[ x]\])\s+)+/i;
/** `get("/a")`, `href="/a"`, `.replace(/a/`: paths in source code. */
const codePath = /[(=]["'`][^"'`]*["'`]|\w\((?=\/)\/|\w\(\$\{\w+\}/g;
/** The beginning of a line with white space that is a path. Most lines with white space are prose or source code. */
const pathWithBlanks =
	/^(?:[\\/]{1,2}\*?[^\\/\s*]+[\\/]|\/\w[^\\/]*[\\/]|~[\w.+-]*[\\/]|\.\.[\\/]|[a-z]:[\\/]|(?:\$[\w@*#?!$-]+|\$\{[^}]*\}|%[^%\s]+%)[\\/])/i;
/** `+++ b/x`, `*** Update File: x`, `rename to x` */
const patchHeader =
	/^(?:\+\+\+|---|\*\*\*(?: (?:(?:Update|Add|Delete) File|Move to):)?|Index:|(?:rename|copy) (?:from|to)|diff --git) (\S.*)/;
/** A quoted path in a text with brackets that leaves its folder, at its beginning or after some folders. */
const quotedPath =
	/["'`](?:\s+(?:\/\w|\.\.[\\/"'`]|~[\w.+-]*[\\/]|[a-z]:[\\/]|\$\w+[\\/])|[^"'`\s]*[\\/]\.\.[\\/"'`]|[^"'`\n]*[^"'`\s.\\/]\.*[\\/](?:\.?[\\/])*\.\.[\\/"'`]|[\\/]|~[\w.+-]*[\\/"'`]|\.\.[\\/"'`]|[a-z]:(?:[\\/]|\.\.)|\$\w+[\\/"'`]|\$\{|%\w+%|(?:[a-z]\w{0,20}[+-])?file:)/i;

/** The beginning of a line with white space that is a folder, not source code or a command. */
const folderWithBlanks = /^(?:[^\\/"'`()<>=]|\s\([^\\/"'`()<>=]*\))*(?:[^\\/"'`()<>=.]|\s\([^\\/"'`()<>=]*\))[\\/]/;
/** A variable of a shell that has a folder as its value, alone or at the end of a list. */
const folderVariable =
	/^(?:\$(?:HOME|OLDPWD|TMPDIR|XDG_\w+)(?:[-.][\w.-]*)?|%(?:HOME|USERPROFILE|HOMEPATH|(?:LOCAL)?APPDATA|TE?MP|ProgramData|(?:Common)?ProgramFiles(?:\(x86\))?|PUBLIC|ALLUSERSPROFILE|SystemRoot|SystemDrive|WinDir)%)[\])}]*$/i;
const everyBracedFolder = /\$\{(HOME|OLDPWD|TMPDIR|XDG_\w+)\}/g;
/** A file URI within a text that has no slash after its scheme. */
const relativeFile = /(?<!\w)file:[^\s"'`,;:\\/]+[\\/]/i;
/** `//#region`, `//@ts-check`: no folder of the file system's root has such a name. */
const markComment = /^\/\/(?:#[\w-]+|@ts-[a-z]+)$/;

/** The place that a text leads to if it is used as a path. */
type PathPlace =
	/** The text isn't a path, or stays below the folder that it is resolved against. */
	| { readonly kind: 'none' }
	/** `path` is absolute, with slashes and without `..`; a drive is its first segment: `/c:/a`. */
	| { readonly kind: 'absolute'; readonly path: string }
	/** The path leaves the folder that it is resolved against, which isn't known here. */
	| { readonly kind: 'outside' }
	/** The text may be a path, and servers may interpret it differently. */
	| { readonly kind: 'unclear' };

/** The place that a text leads to. Accepts any text, and takes time proportional to its length. */
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
		// Some servers remove a query, others take it as a part of the name.
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
	if (text.length > maxPath || expansion.test(text) || home.test(text) || !isUnambiguous(text)) {
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
		// An empty segment is a folder in URLs, but not on disks, so `..` after it is ambiguous.
		!(fileScheme.test(text) && rest.includes('//') && hasParent(rest)) &&
		!(rest.includes('/') && rest.includes('\\')) &&
		!(drive.test(rest) && !isRooted) &&
		!hasPathWithin(text) &&
		(parts.length === 1 || !parts.some(isOdd))
	);
}

/**
 * Whether a segment may mean another file on Windows (a stream, a short name, or a name with trailing dots or spaces), or
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
	// A text of several lines is rarely a path, so `..` counts only if it leads above the start of the path.
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
 * Whether a path that may leave its folder begins within a text, as in lists, options and URIs other than web addresses.
 * A slash within a word doesn't begin a path.
 */
function hasPathWithin(text: string, isLine = false): boolean {
	const rest = text
		.replace(localFile, '/')
		.replace(/^\/?[a-z]:(?=[\\/])/i, '')
		.replaceAll(webAddress, 'x')
		.replaceAll(everyBracedFolder, '$$$1')
		.replaceAll(tagEnd, ' ');
	if (relativeFile.test(rest) || (!isLine && listedDrive.test(rest))) {
		return true;
	}
	const expanded = expandVariables(rest);
	// The leading space lets the rest after a variable at the start of the text count as a path of its own.
	return [rest, ...(expanded === rest ? [] : [` ${expanded}`])].some(it => {
		const [first = '', ...parts] = it.split(partStart);
		return (
			isOptionWithPath(first, isLine) ||
			(text !== '..' && isBareOutside(first)) ||
			parts.some(part => isOptionWithPath(part, isLine) || isPathOutside(part))
		);
	});
}

/** Whether a part is `-I/usr`, `-xzvpf/a` or `-C..`. In a line, which may be `-src/a` of a patch, only after one letter. */
function isOptionWithPath(part: string, isLine: boolean): boolean {
	if (isLine) {
		return /^-[a-z](?:[a-z]{0,3}\.\.(?:[\\/]|$)|[\\/])/i.test(part);
	}
	return /^-(?:[a-z]{1,4}|[a-z]{1,7}f)(?:\.\.(?:[\\/]|$)|[\\/])/i.test(part);
}

/** Whether a part is just the home or parent folder, possibly at the end of a list. */
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

/** Whether a text of several lines is a list with a path that may leave its folder: in brackets, or as a whole line. */
function hasPathInLines(text: string): boolean {
	if (/^\s*[[{(]/.test(text) && quotedPath.test(text)) {
		return true;
	}
	const lines = text.split(lineBreaks).filter(it => mayHoldPath.test(it));
	// A line of slashes only is part of a comment if other lines are comments.
	return (
		lines.some(it => isPathLine(it.trim()) || isPatchedPath(it.trim())) ||
		(lines.some(isOfSlashes) && !lines.some(it => /^\s*\/\/+\s+\S/.test(it)))
	);
}

/** Whether a trimmed line is a path that may leave its folder, or, if it has white space, begins with one. */
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

/** Whether a line is `#!/a`, `/*`, `/* a`, `/*a*\/`, `// a` or `//#a`: no folder has such a name. */
function isCommentLine(line: string): boolean {
	return /^(?:#!|\/\/+\s)/.test(line) || markComment.test(line) || /^\/\*[^\s\\/]*(?:\s|$|\*\/$)/.test(line);
}

/** Whether a line without white space leaves its folder. Source code such as `$a++;`, `~A();`, `file:` and `...` doesn't. */
function isPathItem(item: string): boolean {
	const isName = /^[\w.~$%!{}():+-]*[\w.~$%!{}()+-]$|^[a-z]:$/i.test(item);
	return (
		(isRooted(item) && (isName || separators.test(item))) ||
		(hasParent(item) && !/^\.{3,}$/.test(item)) ||
		hasPathWithin(item, true)
	);
}

/**
 * Whether a text begins with a comment of source code, `// ` or `/*`. As a path, that is a folder of the file system's
 * root whose name begins with a space or an asterisk, which doesn't exist; unless `..` leads out of that folder.
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
