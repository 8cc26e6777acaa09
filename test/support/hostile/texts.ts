/** Texts that make careless patterns and loops slow: long runs of one thing, which end in something else. */

/** What is repeated. */
export const units: readonly string[] = [
	Array.from(' \n/\\_-.,:=#@?&*%$\'"`<({[]0aA雨'),
	['{"a":', '"a",', '// a\n', '/* ', '/**/', '%25', '$(', '${', '${a', '${input:a}', 'a@', '../', '/.', ' /', '- '],
	['_a', 'a-', 'a.', 'ab ', 'aB', '0x1', 'xxx-', '<a', '](', '` ', ' #', '\r\n', ' \n', 'a=', 'a=b ', 'a="', '\\"'],
	[
		'http://',
		'https://a@',
		'file:///',
		'//a:',
		'env ',
		'mcp run ',
		'-e a=b ',
		'ignore ',
		'missing ',
		'use ',
		'realm="a", ',
	],
	['\u200B', '\uD83D', 'a\u0301', '\u0301\u0323', '⟦', '──── ', 'QUJD', '{+a*}', '(a|', 'a+', '**/', '{a,', '@server '],
	['https://vscode.dev/redirect?url=', '?config=', 'a: 1\n'],
].flat();

/** About `length` units of UTF-16: the run from the start, and the run between other letters. */
export function textsOf(unit: string): readonly ((length: number) => string)[] {
	const run = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
	return [length => `${run(length)}\u0001!`, length => `a${run(length)}a`];
}

/** Texts that are nested deeper than a stack goes: never closed, closed, and inside a server. */
export function deepTexts(depth: number): readonly string[] {
	return [
		['[', ']'],
		['{"a":', '}'],
		['{"mcpServers":', '}'],
		['[{"rules":', '}]'],
		['(', ')'],
		['{{', '}}'],
	].flatMap(([open = '', close = '']) => {
		const inner = `${open.repeat(depth)}1`;
		const closed = `${inner}${close.repeat(depth)}`;
		return [inner, closed, `{"servers":{"a":{"command":"a","args":${closed}}}}`];
	});
}
