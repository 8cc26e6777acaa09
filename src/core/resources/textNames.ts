/**
 * File names and languages under which texts of servers open. Only those listed here are used, because names and languages
 * start viewers and extensions that act on a text: notebooks run scripts, language servers fetch URLs that a text contains.
 */
import { hasViewer, mimeLanguage } from './contentView.js';

/** Languages whose support in the editor fetches nothing, each with its file extensions. */
const codeLanguages: Readonly<Record<string, string>> = {
	bat: 'bat cmd',
	c: 'c',
	clojure: 'clj cljs cljc edn',
	coffeescript: 'coffee',
	cpp: 'cc cpp cxx h hh hpp hxx',
	csharp: 'cs',
	css: 'css',
	dart: 'dart',
	diff: 'diff patch',
	dockerfile: 'dockerfile',
	elixir: 'ex exs',
	erlang: 'erl',
	fsharp: 'fs fsx',
	go: 'go',
	groovy: 'groovy',
	haskell: 'hs',
	html: 'html htm',
	ini: 'ini',
	java: 'java',
	javascript: 'js mjs cjs',
	javascriptreact: 'jsx',
	jsonl: 'jsonl ndjson',
	julia: 'jl',
	kotlin: 'kt kts',
	latex: 'tex',
	less: 'less',
	log: 'log',
	lua: 'lua',
	makefile: 'mk',
	markdown: 'md markdown',
	'mcp-workbench-text': '',
	'objective-c': 'm',
	perl: 'pl pm',
	php: 'php',
	plaintext: 'txt text',
	powershell: 'ps1 psm1',
	properties: 'properties cfg conf',
	python: 'py pyi',
	r: 'r',
	restructuredtext: 'rst',
	ruby: 'rb',
	rust: 'rs',
	sass: 'sass',
	scala: 'scala',
	scss: 'scss',
	shellscript: 'sh bash zsh fish',
	sql: 'sql',
	swift: 'swift',
	typescript: 'ts mts cts',
	typescriptreact: 'tsx',
	vb: 'vb',
};

const codeByExtension = new Map(idsByName(codeLanguages));
/** JSON and XML open in similar languages, because language servers for them download schemas that a text names. */
const dataByExtension = new Map(
	idsByName({
		jsonl: 'json jsonc json5 jsonld geojson webmanifest ipynb code-workspace code-snippets map har',
		html: 'xml xsd xsl xslt rss atom plist svg wsdl',
	}),
);
/** Those languages by the ones that they replace. */
const replaced = new Map(idsByName({ jsonl: 'json jsonc json5 snippets', html: 'xml xsl' }));

/**
 * The file name under which a text opens: `name`, with `.txt` added if it has an extension that `codeLanguages` doesn't
 * list. Of a path, only the last segment changes.
 */
export function textName(name: string): string {
	const extension = extensionOf(name);
	return extension === undefined || codeByExtension.has(extension) ? name : `${name}.txt`;
}

/** Like `textName`, but keeps names of media: the editor's own viewers check the bytes. */
export function openedName(name: string): string {
	return hasViewer(name) ? name : textName(name);
}

/**
 * The language for a text, by its MIME type first and its name second.
 * @param name of the resource or block, before `textName`
 * @param current the id of the language that the editor has chosen
 * @param known the languages that the editor has
 * @returns `undefined` if `current` can stay
 */
export function textLanguage(
	mimeType: string | undefined,
	name: string,
	current: string,
	known: ReadonlySet<string>,
): string | undefined {
	const extension = extensionOf(name) ?? '';
	const isKnown = (it: string): boolean => known.has(it) && (isCode(it) || replaced.has(it));
	const found = mimeLanguage(mimeType, isKnown) ?? dataByExtension.get(extension);
	if (found !== undefined) {
		return replaced.get(found) ?? found;
	}
	return isCode(current) ? undefined : (codeByExtension.get(extension) ?? 'plaintext');
}

/** The text after the last dot of the last segment, in lower case; `undefined` without a dot. */
function extensionOf(name: string): string | undefined {
	return /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase();
}

function isCode(language: string): boolean {
	return Object.hasOwn(codeLanguages, language);
}

function idsByName(names: Readonly<Record<string, string>>): (readonly [string, string])[] {
	return Object.entries(names).flatMap(([id, text]) => (text.match(/\S+/g) ?? []).map(it => [it, id] as const));
}
