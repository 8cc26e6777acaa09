/** Mutants that no unit test kills, and why none should. Found by `npm run mutate`, which tells all others. */

export interface Survivor {
	readonly file: string;
	/** The line that the mutant begins in, without blanks around it. */
	readonly line: string;
	readonly code: string;
	readonly replacement: string;
	readonly why: string;
}

type Row = readonly [line: string, code: string, replacement: string, why: string];

const noNumberAtTheEnd = 'The URL parser refuses a host that ends in a number and is no IPv4 address.';
const zero = 'No text is read as zero, too.';
const bothSchemes = 'Two origins with one host and no ports differ in their schemes.';

const rows: Readonly<Record<string, readonly Row[]>> = {
	'src/mcp/auth/addresses.ts': [
		["['0.0.0.0', 8, Nearness.machine],", "'0.0.0.0'", '""', zero],
		["{ first: '::', bits: 127, nearness: Nearness.machine },", "'::'", '""', zero],
		["{ first: '::', bits: 96, v4: [96] },", "'::'", '""', zero],
		[
			'if (/^\\d+\\.\\d+\\.\\d+\\.\\d+$/.test(hostname)) {',
			'/^\\d+\\.\\d+\\.\\d+\\.\\d+$/',
			'/\\d+\\.\\d+\\.\\d+\\.\\d+$/',
			noNumberAtTheEnd,
		],
		[
			"return machineName.test(hostname) || /^127\\.\\d+\\.\\d+\\.\\d+$/.test(hostname) || hostname === '[::1]';",
			'/^127\\.\\d+\\.\\d+\\.\\d+$/',
			'/127\\.\\d+\\.\\d+\\.\\d+$/',
			noNumberAtTheEnd,
		],
		[
			"const last = labels.at(-1) ?? '';",
			"''",
			'"Stryker was here!"',
			'A host without labels is of the network, whatever its last label is called.',
		],
		[
			'return all.reduce((nearest, it) => (it > nearest ? it : nearest));',
			'it > nearest',
			'it >= nearest',
			'Equal numbers are the same answer.',
		],
		[
			"const [head = [], tail = []] = text.split('::').map(it => (it === '' ? [] : it.split(':')));",
			'[]',
			'["Stryker was here"]',
			'What is split has a first part.',
		],
	],
	'src/mcp/transport/httpUrl.ts': [
		[
			"const inner = tryParseUrl(reference, `http://socket${base.hash.slice(1) || '/'}`);",
			"'/'",
			'""',
			'The parser adds it.',
		],
		[
			"from.protocol === 'http:' &&",
			"from.protocol === 'http:' &&\n\t\tother.protocol === 'https:'",
			"from.protocol === 'http:' || other.protocol === 'https:'",
			bothSchemes,
		],
		["from.protocol === 'http:' &&", "from.protocol === 'http:'", 'true', bothSchemes],
		["other.protocol === 'https:' &&", "other.protocol === 'https:'", 'true', bothSchemes],
	],
	'src/mcp/uri/parseUrl.ts': [
		[
			"return /^(?:(?:https?|wss?|ftp|file):[/\\\\]*|[/\\\\]{2,})([^/\\\\?#]*)/i.exec(plain)?.[1] ?? '';",
			"''",
			'"Stryker was here!"',
			'Both are shorter than the limit.',
		],
	],
};

export const survivors: readonly Survivor[] = Object.entries(rows).flatMap(([file, ofFile]) =>
	ofFile.map(([line, code, replacement, why]) => ({ file, line, code, replacement, why })),
);
