/**
 * Cleans text of servers for each sink, with one function per sink. Sinks of the editor have a syntax that untrusted
 * text must not use, such as `$(icon)` in labels and `[text](command:…)` in messages. All untrusted text must pass one
 * of these functions, or one of `exactText.ts`.
 */
import * as vscode from 'vscode';
import { canonicalJson } from '../../mcp/index.js';
import { escapeCharacter, hiddenJoiner, invisible, joinersInWord } from '../../core/text/spelledOut.js';

/** Longest untrusted text within a sentence. */
const maxQuoted = 300;
const maxLabel = 200;
const maxLogLine = 20_000;
const maxTooltip = 2000;

/**
 * One visible line. Line breaks become spaces. Characters that are invisible or change the text direction, which could
 * hide or fake the text beside them, become U+FFFD. Joiners that emoji and scripts need stay.
 */
export function oneLine(text: string, maxLength = maxLabel): string {
	// Texts can have millions of characters, so the whole text is cleaned only if its beginning is nearly empty.
	const begin = text.length > maxLength * 8 ? lineOf(text.slice(0, maxLength * 8)) : '';
	const line = begin.length > maxLength ? begin : lineOf(text);
	return line.length > maxLength ? `${cut(line, maxLength - 1)}…` : line;
}

function lineOf(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/gu, ' ')
		.replace(invisible, '\uFFFD')
		.trim();
}

/** For a segment of a path: never empty, and without slashes, `.` and `..`. */
export function pathSegment(text: string, maxLength = 100): string {
	const clean = oneLine(text, maxLength).replaceAll('/', '\u2215');
	return clean === '' || clean === '.' || clean === '..' ? '_' : clean;
}

/** For labels, descriptions and details of a quick pick: `$(name)` stays text. */
export function quickPickText(text: string, maxLength = maxLabel): string {
	return iconless(oneLine(text, maxLength));
}

/** A value as JSON on one line of a quick pick, so that the text "5" differs from the number 5. */
export function quickPickValue(value: unknown): string {
	return quickPickText(jsonText(value));
}

/** A value as JSON, in full and not cleaned; on one line if it is nested too deeply for `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent);
	} catch {
		return canonicalJson(value);
	}
}

/** Like `jsonText`, for a document: invisible characters are spelled out. */
export function visibleJson(value: unknown): string {
	return visibleJsonText(jsonText(value, 2));
}

/** Like `visibleJson`, for a text that is already JSON. */
export function visibleJsonText(json: string): string {
	return json.replace(unseenInJson, it =>
		it.length === 1 ? jsonEscape(it) : jsonEscape(it[0] ?? '') + jsonEscape(it[1] ?? ''),
	);
}

function jsonEscape(half: string): string {
	return `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For documents: line breaks stay, and invisible characters are spelled out. */
export function documentText(text: string): string {
	return text.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n').replace(invisibleButBreaks, escapeCharacter);
}

/**
 * Formats sections for a document. Each text is indented below its title, so that it can't imitate one, and so that the
 * editor can fold it; a section without a text says so beside its title. The texts must have been cleaned.
 */
export function sectionsText(sections: readonly (readonly [title: string, text: string | undefined])[]): string {
	const { t } = vscode.l10n;
	return sections
		.map(([title, text]) =>
			text === undefined ? `${t('{0}: {1}', title, t('None'))}\n` : `${title}\n${text.replaceAll(/^|\n/g, '$&  ')}\n`,
		)
		.join('\n');
}

/** A title such as "get-sum · Demo". @param source a server's label, or a time */
export function titleText(what: string, source: string): string {
	return `${quickInputText(what, 60)} · ${source}`;
}

/** For logs: further lines are indented, so that none can fake a log line; invisible characters are spelled out. */
export function logText(text: string): string {
	const cleaned = documentText(text).replaceAll('\n', '\n    ');
	return cleaned.length > maxLogLine ? `${cut(cleaned, maxLogLine - 1)}…` : cleaned;
}

/** For titles, prompts and validation messages of quick inputs, which also render links. */
export function quickInputText(text: string, maxLength = maxQuoted): string {
	return iconless(breakLinks(oneLine(text, maxLength)));
}

/** For notifications and progress messages, which render links. */
export function notificationText(text: string): string {
	return breakLinks(oneLine(text, maxQuoted));
}

/** For tooltips that are plain strings: line breaks stay. */
export function tooltipText(text: string): string {
	// Texts can have millions of characters. Cleaning makes one character of two at most.
	const clean = text.slice(0, 2 * maxTooltip + 2).replace(invisibleButBreaks, '\uFFFD');
	return clean.length > maxTooltip ? `${cut(clean, maxTooltip - 1)}…` : clean;
}

/**
 * For text nodes of a webview: line breaks and joiners that scripts and emoji need stay. Other characters that are
 * invisible or change the text direction are spelled out.
 */
export function webviewText(text: string, maxLength: number): string {
	return modelText(text.length > maxLength ? `${cut(text, maxLength - 1)}…` : text);
}

/** For Markdown, such as the editor's confirmation of a model's call: one line without markup. */
export function markdownText(text: string, maxLength = maxQuoted): string {
	// Markdown allows escaping all punctuation. Some editors still turn text that looks like a URL into a link, which a
	// zero-width space prevents.
	return oneLine(text, maxLength)
		.replace(/[!-/:-@[-`{-~]/g, '\\$&')
		.replace(/\\[:.@](?=\\?[\p{L}\p{N}/])/gu, '$&\u200B');
}

/** For models: invisible characters are spelled out. Line breaks and joiners of scripts and emoji stay. */
export function modelText(text: string): string {
	return text
		.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
		.replace(unseenByReader, it => Array.from(it, escapeCharacter).join(''));
}

const invisibleButBreaks = new RegExp(`(?![\\n\\t])[\\p{Cc}\\p{Cs}]|(?![\\u200C\\u200D])\\p{Cf}|${hiddenJoiner}`, 'gu');
/** Includes the variation selectors that no script or emoji needs, in which texts can be hidden. */
const unseenByReader = new RegExp(
	`(?![\\n\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}\\p{Cs}\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]|${joinersInWord}`,
	'gu',
);
const unseenInJson = /(?![\n ])[\p{DI}\p{C}\p{Z}\u2800]/gu;

/** Keeps `$(name)` text by a zero-width space. Screen readers would read an icon escaped with a backslash. */
export function iconless(text: string): string {
	return text.replace(/\$\(/g, '$\u200B(');
}

/** The editor turns `[text](target)` into a link, which a zero-width space prevents. */
function breakLinks(text: string): string {
	return text.replace(/\]\(/g, ']\u200B(');
}

/** Cuts a text, but not within a surrogate pair. */
function cut(text: string, length: number): string {
	return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
