/**
 * Names and languages under which an editor opens texts of servers. Editors choose viewers by file names, and extensions
 * act on languages: notebooks run scripts, custom editors and language servers fetch addresses that a text names. Only
 * the names and languages listed here are used; any other text opens as plain text.
 */
import { hasViewer, mimeLanguage } from './contentView.js';

/** Languages whose support in the editor fetches nothing that a text names, each with its file extensions. */
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

/**
 * Languages that this extension contributes: they have the colors of JSON, YAML and XML without the language servers,
 * which download the schemas that a text names.
 */
const dataLanguages: Readonly<Record<string, { readonly languages: string; readonly extensions: string }>> = {
	'mcp-workbench-json': {
		languages: 'json jsonc json5 snippets',
		extensions: 'json jsonc json5 jsonld geojson webmanifest ipynb code-workspace code-snippets map har',
	},
	'mcp-workbench-yaml': { languages: 'yaml dockercompose', extensions: 'yaml yml' },
	'mcp-workbench-xml': { languages: 'xml xsl', extensions: 'xml xsd xsl xslt rss atom plist svg wsdl' },
};

const byExtension = new Map([
	...Object.entries(codeLanguages).flatMap(([id, extensions]) => words(extensions).map(it => [it, id] as const)),
	...Object.entries(dataLanguages).flatMap(([id, it]) => words(it.extensions).map(name => [name, id] as const)),
]);
const replaced = new Map(
	Object.entries(dataLanguages).flatMap(([id, { languages }]) => words(languages).map(it => [it, id] as const)),
);

/**
 * The file name under which a text opens: `name` itself if its extension is that of a language above, or if it has none;
 * otherwise `name` with `.txt`. Accepts a path and changes its last segment only.
 */
export function textName(name: string): string {
	const extension = extensionOf(name);
	return extension === undefined || isCode(byExtension.get(extension)) ? name : `${name}.txt`;
}

/** The same for contents that may also be media: the names of the editor's own viewers, which check bytes, stay. */
export function openedName(name: string): string {
	return hasViewer(name) ? name : textName(name);
}

/**
 * The language for a text, by its MIME type first and its name second.
 * @param name of the resource or block, before `textName`
 * @param current the id of the language that the editor has chosen
 * @param known the languages that the editor has
 * @returns `undefined` where `current` may stay
 */
export function textLanguage(
	mimeType: string | undefined,
	name: string,
	current: string,
	known: ReadonlySet<string>,
): string | undefined {
	const named = byExtension.get(extensionOf(name) ?? '');
	const found = [mimeLanguage(mimeType, it => known.has(it) && isListed(it)), isCode(named) ? undefined : named].find(
		it => it !== undefined,
	);
	if (found !== undefined) {
		return replaced.get(found) ?? found;
	}
	return isCode(current) ? undefined : (named ?? 'plaintext');
}

/** After the last dot of the last segment, in lower case; `undefined` without a dot. */
function extensionOf(name: string): string | undefined {
	return /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase();
}

function isCode(language: string | undefined): boolean {
	return language !== undefined && Object.hasOwn(codeLanguages, language);
}

function isListed(language: string): boolean {
	return isCode(language) || replaced.has(language);
}

function words(text: string): string[] {
	return text.split(' ').filter(it => it !== '');
}
