/** Texts that make careless patterns and loops slow: long runs of one thing, which end in something else. */

/** What is repeated. */
export const units: readonly string[] = [
	Array.from(' \t\n/\\_-.,;:=#@?&!*+|~^$%\'"`<>(){}[]0aA雨'),
	['{"a":', '[{', '{"mcpServers":', '"a",', '"a":1,', '// a\n', '/* ', '%25', '%', '$(', '${', '${a', '${input:a}'],
	['a@', '..', '../', '/.', './', ' /', '- ', '-_', '_a', 'a_', 'a-', 'a.', 'ab ', 'aB', 'A_', '1.', '0x1', 'xxx-'],
	['<a', '</', '<a>', '](', '```', '` ', ' #', '# ', '\n#', '\r\n', '\r', ' \n', 'a=', 'a=b ', 'a="', '\\"', '\\\\'],
	['http://', 'https://a@', 'file:///', 'a://', '//a:', ':1', 'env ', 'run ', 'mcp run ', 'cmd /c ', '-e a=b ', '-- '],
	['ignore ', 'never ', 'missing ', 'api key ', 'use ', 'your', 'Bearer ', 'realm="a", ', 'a b=c, ', 'bytes'],
	[
		'\u200B',
		'\u202E',
		'\uD83D\uDE00',
		'\uD83D',
		'\uDE00',
		'a\u0301',
		'\u0301',
		'\u0301\u0323',
		'\u00A0',
		'\uFEFF',
		'⟦',
		'──── ',
	],
	[
		'QUJD',
		'eyJh',
		'{a}',
		'{+a*}',
		'[a-z]',
		'(a|',
		'(?:',
		'a+',
		'\\p',
		'\\1',
		'{1,2}',
		'*/',
		'**/',
		'{a,b}',
		'@server ',
	],
	[
		'https://vscode.dev/redirect?url=',
		'vscode:mcp/install?',
		'?config=',
		'http://a/?url=',
		' { ',
		'a: 1\n',
		'127.0.0.',
	],
].flat();

/** About `length` units of UTF-16: the run from the start, and the run between other letters. */
export function textsOf(unit: string): readonly ((length: number) => string)[] {
	const run = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
	return [length => `${run(length)}\u0001!`, length => `a${run(length)}a`];
}

/** Texts nested 100,000 levels deep, closed and unclosed. */
export const deepTexts: readonly string[] = [
	['[', ']'],
	['{"a":', '}'],
	['{"mcpServers":', '}'],
	['{"rules":', '}'],
	['{"servers":{"a":', '}}'],
	['{"inputs":[', ']}'],
	['(', ')'],
	['"', ''],
	['{{', '}}'],
	['[{"a":', '}]'],
	['<a>', '</a>'],
	['${', '}'],
].flatMap(([open = '', close = '']) => {
	const inner = `${open.repeat(100_000)}1`;
	return [inner, `${inner}${close.repeat(100_000)}`, `{"servers":{"a":{"command":"a","args":${inner}`];
});
