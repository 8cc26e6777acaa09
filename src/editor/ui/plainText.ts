/**
 * PURE: server-provided text on its way to the screen, one function per sink. Each sink of the editor
 * has a syntax of its own that such text must not reach: `$(icon)` in labels, `[text](command:…)` in
 * messages. Nothing else in the program passes such text to a sink.
 */
import { canonicalJson } from '../../mcp/index.js';
import { hiddenJoiner, invisible, joinersInWord } from '../../core/text/invisible.js';

/** Longest server text inside a sentence of ours. */
const maxQuoted = 300;
const maxLabel = 200;
const maxLogLine = 20_000;
/** Longest text in a message of a chat. */
const maxBlock = 4000;

/**
 * One visible line: line breaks become spaces; characters that are invisible or turn the reading
 * direction around (and so could hide or fake what stands beside them) become U+FFFD. Joiners stay where emoji and
 * scripts need them.
 */
export function oneLine(text: string, maxLength = maxLabel): string {
	// Texts may have millions of letters: the end of one is looked at only where its beginning is next to nothing.
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

/** Labels, descriptions and details of a quick pick: shows `$(name)` as text, not as an icon. */
export function quickPickText(text: string, maxLength = maxLabel): string {
	return iconless(oneLine(text, maxLength));
}

/**
 * The whole of a text on as many lines of a quick pick as it takes, broken at blanks and slashes where there are some: a
 * line that is wider than the quick pick is cut by the editor, and nobody can see what it ends with.
 * @param width of a line, in letters of common width
 */
export function quickPickLines(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	let used = 0;
	for (const character of oneLine(text, Infinity)) {
		const needed = quickPickWidth(character);
		if (used + needed > width && character === ' ') {
			lines.push(line);
			line = '';
			used = 0;
			continue;
		}
		if (used + needed > width) {
			const end = endOfLine(line, width);
			lines.push(line.slice(0, end).trimEnd());
			line = line.slice(end);
			used = quickPickWidth(line);
		}
		line += character;
		used += needed;
	}
	return [...lines, line].map(iconless);
}

/** Where a full line is broken: after its last blank, or after its last slash if that leaves half of it. */
function endOfLine(line: string, width: number): number {
	const blank = /^.+ /u.exec(line)?.[0];
	const slash = /^.+[/\\]/u.exec(line)?.[0];
	if (slash !== undefined && slash.length > (blank?.length ?? 0) && quickPickWidth(slash) >= width / 2) {
		return slash.length;
	}
	return (blank ?? line).length;
}

/**
 * A value on a line of a quick pick, as JSON: a text keeps its quotes and its line breaks can be seen, so
 * that `"5"` is not 5 and an empty text is not nothing. `isWhole` is false if there is more than is shown.
 */
export function quickPickValue(value: unknown): { readonly text: string; readonly isWhole: boolean } {
	const json = jsonText(value);
	const text = oneLine(json);
	return { text: iconless(text), isWhole: text === json };
}

/**
 * A value of a server as JSON, every character of it. What is nested too deeply for `JSON.stringify`, which throws on
 * it, stands on one line.
 */
export function jsonText(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent);
	} catch {
		return canonicalJson(value);
	}
}

/** The same for a document in which nothing may hide: what could not be seen there is spelled out. */
export function visibleJson(value: unknown): string {
	return visibleJsonText(jsonText(value, 2));
}

/** The same for a text that is JSON already. */
export function visibleJsonText(json: string): string {
	return json.replace(unseenInJson, it =>
		it.length === 1 ? jsonEscape(it) : jsonEscape(it[0] ?? '') + jsonEscape(it[1] ?? ''),
	);
}

function jsonEscape(half: string): string {
	return `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text in a document of ours: line breaks stay, and nothing may hide: what could not be seen is spelled out. */
export function documentText(text: string): string {
	return text
		.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
		.replace(invisibleButBreaks, it => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Sections of a document of ours, each under its title and a line as long. Neither is cleaned here. */
export function sectionsText(sections: readonly (readonly [title: string, text: string])[]): string {
	return sections.map(([title, text]) => `${title}\n${'─'.repeat(Math.min(60, width(title)))}\n${text}\n`).join('\n');
}

/** In columns of an editor, where characters of Chinese and its punctuation take two. */
function width(text: string): number {
	return text.replace(/[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]/gu, '$&$&').length;
}

/** "what · whose" for a title: each part is cut by itself, so that a long one never pushes the other out. */
export function titleText(what: string, whose: string): string {
	return `${quickInputText(what, 60)} · ${quickInputText(whose, 40)}`;
}

/**
 * A line of a log: what follows a line break is indented, so that it cannot pass for a line of ours, and
 * what a terminal or an editor would not show is spelled out.
 */
export function logText(text: string): string {
	const cleaned = text
		.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
		.replace(invisibleButBreaks, it => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`)
		.replaceAll('\n', '\n    ');
	return cleaned.length > maxLogLine ? `${cut(cleaned, maxLogLine - 1)}…` : cleaned;
}

/** Titles, prompts and validation messages of quick inputs: these render links as well. */
export function quickInputText(text: string, maxLength = maxQuoted): string {
	return iconless(breakLinks(oneLine(text, maxLength)));
}

/** Inside a notification or progress message: no links. */
export function notificationText(text: string): string {
	return breakLinks(oneLine(text, maxQuoted));
}

/** Labels and descriptions of tree items, which render nothing but must stay one line. */
export function treeText(text: string): string {
	return oneLine(text);
}

/** Tooltips given as plain strings: line breaks stay. */
export function tooltipText(text: string): string {
	const clean = text.replace(invisibleButBreaks, '\uFFFD');
	return clean.length > 2000 ? `${cut(clean, 1999)}…` : clean;
}

/**
 * Text in a webview, which makes text nodes of it: line breaks stay, and so do the joiners that scripts and emoji need;
 * what would not be seen, or would turn the reading direction around, is spelled out.
 */
export function webviewText(text: string, maxLength: number): string {
	const shown = text.length > maxLength ? `${cut(text, maxLength - 1)}…` : text;
	return shown.replace(/\r\n?/g, '\n').replace(unseenButJoiners, spellOut);
}

/** In Markdown of ours, as the editor's confirmation of a model's call takes it: one line, in which nothing is markup. */
export function markdownText(text: string, maxLength = maxQuoted): string {
	// Every mark that Markdown knows may be escaped. What looks like an address becomes a link all the same in some
	// editors: a zero-width space keeps it text.
	return oneLine(text, maxLength)
		.replace(/[!-/:-@[-`{-~]/g, '\\$&')
		.replace(/\\[:.@](?=\\?[\p{L}\p{N}/])/gu, '$&\u200B');
}

/**
 * A text of many lines in Markdown of ours, as a chat shows it: in a fence that it cannot end, where nothing is markup.
 * What could not be seen is spelled out, and the tags by which the editor knows files and warnings inside fences are broken.
 */
export function markdownBlock(text: string, maxLength = maxBlock): string {
	const shown = text.length > maxLength ? `${cut(text, maxLength - 1)}…` : text;
	const clean = modelText(shown).replace(/<(?=\/?vscode_)/gi, '<\u200B');
	const longest = Math.max(2, ...Array.from(clean.matchAll(/`+/g), it => it[0].length));
	const fence = '`'.repeat(longest + 1);
	return `\n${fence}text\n${clean}\n${fence}\n`;
}

/**
 * For a model: nothing that a person who reads along could not see. Line breaks stay, and so do the joiners that
 * scripts and emoji need.
 */
export function modelText(text: string): string {
	return text.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n').replace(unseenByReader, spellOut);
}

const invisibleButBreaks = new RegExp(`(?![\\n\\t])[\\p{Cc}\\p{Cs}]|(?![\\u200C\\u200D])\\p{Cf}|${hiddenJoiner}`, 'gu');
const unseenButJoiners = new RegExp(`(?![\\n\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}\\p{Cs}]|${joinersInWord}`, 'gu');
/** With the variation selectors that no script and no emoji needs: whole messages have been hidden in them. */
const unseenByReader = new RegExp(
	`(?![\\n\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}\\p{Cs}\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]|${joinersInWord}`,
	'gu',
);
const unseenInJson = /(?![\n ])[\p{DI}\p{C}\p{Z}\u2800]/gu;

function spellOut(characters: string): string {
	return Array.from(characters, it => `\\u{${(it.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`).join('');
}

/** How many letters of common width a text takes on a line of a quick pick. */
export function quickPickWidth(text: string): number {
	let width = 0;
	for (const character of text) {
		width += wide.test(character) ? 2 : 1;
	}
	return width;
}

/** About twice as wide as most letters. */
const wide = /[MWmw@%]|[^ -~\u00A0-\u02FF]/u;

/**
 * A zero-width space keeps `$(name)` text. The editor's own escape, a backslash, would do for the eye,
 * but a screen reader is still told the icon's name, and the backslash.
 */
export function iconless(text: string): string {
	return text.replace(/\$\(/g, '$\u200B(');
}

/** The editor turns `[text](target)` into a link; a zero-width space between the two keeps it text. */
function breakLinks(text: string): string {
	return text.replace(/\]\(/g, ']\u200B(');
}

/** Never ends inside a surrogate pair. */
function cut(text: string, length: number): string {
	return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
