// Words that a person may copy into a shell.
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	type CommandLine,
	parseCommandLine,
	quoteWord,
	splitAssignment,
} from '../../../../src/core/addServer/shellWords.js';
import { skip } from '../../../support/skip.js';

const words = ['--x=1', 'a b', "it's", '"', '$HOME `id` !x', 'back\\slash\\', '', '*', 'a;b|c&d', '~', '#x', 'ä'];

describe('a word for a shell', () => {
	it('is unchanged when a POSIX shell reads it', function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has no POSIX shell');
		}
		const line = words.map(it => quoteWord(it, false)).join(' ');
		const read = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
		assert.deepEqual(read.split('\n').slice(0, -1), words);
	});

	it('has no unnecessary quotation marks', () => {
		assert.deepEqual(
			['npx', '--x=1', '@a/b@1.0', String.raw`C:\tools\x.exe`].map(it => [quoteWord(it, false), quoteWord(it, true)]),
			[
				['npx', 'npx'],
				['--x=1', '--x=1'],
				['@a/b@1.0', '@a/b@1.0'],
				[String.raw`'C:\tools\x.exe'`, String.raw`C:\tools\x.exe`],
			],
		);
	});

	it('keeps backslashes before quotation marks on Windows', () => {
		assert.deepEqual(
			['a b\\', 'say \\"x\\"', String.raw`C:\My Folder`, 'a\\\\"b'].map(it => quoteWord(it, true)),
			[String.raw`"a b\\"`, String.raw`"say \\\"x\\\""`, String.raw`"C:\My Folder"`, String.raw`"a\\\\\"b"`],
		);
	});
});

describe('a command line', () => {
	const none: CommandLine = { words: [], env: {}, cwd: undefined };
	const table: readonly (readonly [text: string, line: Partial<CommandLine>])[] = [
		['', {}],
		['# only a comment', {}],
		['npx a # a comment', { words: ['npx', 'a'] }],
		['npx a#b', { words: ['npx', 'a#b'] }],
		['export A=b; npx', { words: ['npx'], env: { A: 'b' } }],
		['export A=b C=d && npx', { words: ['npx'], env: { A: 'b', C: 'd' } }],
		['set A=b\r\nSET C=d\r\nnpx', { words: ['npx'], env: { A: 'b', C: 'd' } }],
		['A=b\nnpx', { words: ['npx'], env: { A: 'b' } }],
		['A=b npx', { words: ['A=b', 'npx'] }],
		['$env:A = "b c"\nnpx', { words: ['npx'], env: { A: 'b c' } }],
		['$env:KEY="b"; npx', { words: ['npx'], env: { KEY: 'b' } }],
		['$env:KEY="b\nc"; npx', { words: ['npx'], env: { KEY: 'b\nc' } }],
		['$env:A = b c', { words: ['${env:A}', '=', 'b', 'c'] }],
		['$env:A is b', { words: ['${env:A}', 'is', 'b'] }],
		['x$env:A = b', { words: ['x${env:A}', '=', 'b'] }],
		['$env:A/x = b', { words: ['${env:A}/x', '=', 'b'] }],
		['a = b', { words: ['a', '=', 'b'] }],
		['x$env:A=b', { words: ['x${env:A}=b'] }],
		['$env:A=b c', { words: ['${env:A}=b', 'c'] }],
		['export', { words: ['export'] }],
		['reset A=b', { words: ['reset', 'A=b'] }],
		['setx A=b', { words: ['setx', 'A=b'] }],
		['cd a && npx', { words: ['npx'], cwd: 'a' }],
		['cd a b', { words: ['cd', 'a', 'b'] }],
		['cd', { words: ['cd'] }],
		['a \\\n  b ^\n  c `\n  d', { words: ['a', 'b', 'c', 'd'] }],
		[
			'a $(pwd) `pwd` ${PWD}/x $PWD %cd%',
			{
				words: [
					'a',
					...Array.from({ length: 2 }, () => '${workspaceFolder}'),
					'${workspaceFolder}/x',
					'${workspaceFolder}',
					'${workspaceFolder}',
				],
			},
		],
		[
			'a ${KEY} $key $env:Key %KEY% %x% ${key}',
			{ words: ['a', '${env:KEY}', '${env:key}', '${env:Key}', '${env:KEY}', '%x%', '${key}'] },
		],
		['a ~ ~/b c~ ~d', { words: ['a', '${userHome}', '${userHome}/b', 'c~', '~d'] }],
		['a "b c"d \'e f\' "g\\"h" \'$KEY\' "$KEY"', { words: ['a', 'b cd', 'e f', 'g"h', '$KEY', '${env:KEY}'] }],
		['a <YOUR KEY> b', { words: ['a', '<YOUR KEY>', 'b'] }],
		['a\\ b \\$KEY', { words: ['a b', '$KEY'] }],
		['a \\', { words: ['a'] }],
		['a \\ b', { words: ['a', 'b'] }],
		['a\\\nb', { words: ['a', 'b'] }],
		['a\\ \t\r\nb', { words: ['a', 'b'] }],
		['a\\', { words: ['a'] }],
		['a\t \tb', { words: ['a', 'b'] }],
		['a;', { words: ['a'] }],
		['a &&', { words: ['a'] }],
		['\n && a\n\n', { words: ['a'] }],
		['ab\\ c', { words: ['ab c'] }],
		['a ~', { words: ['a', '${userHome}'] }],
		// Where a path of Windows begins, backslashes escape nothing.
		['C:\\a "b\\"', { words: ['C:\\a', 'b\\'] }],
		['a C:\\b "c\\"', { words: ['a', 'C:\\b', 'c\\'] }],
		['a=\\\\b "c\\"', { words: ['a=\\\\b', 'c\\'] }],
		['C:\\a\\b "C:\\c d\\" e\\"f', { words: ['C:\\a\\b', 'C:\\c d\\', 'e"f'] }],
	];
	for (const [text, line] of table) {
		it(JSON.stringify(text), () => {
			assert.deepEqual(parseCommandLine(text), { ...none, ...line });
		});
	}

	const refused: readonly (readonly [text: string, operator: string])[] = [
		['a | b', '|'],
		['a || b', '||'],
		['a & b', '&'],
		['a > b', '>'],
		['a 2> b', '2>'],
		['a < b', '<'],
		['a $(b)', '$('],
		['a && b', '&&'],
		['a; b', ';'],
		['a\nb', '⏎'],
		['a\nA=b', '⏎'],
		['a\r\n\r\nb', '⏎'],
		['a && b\n', '&&'],
		['a &', '&'],
		['a && cd b', '&&'],
	];
	for (const [text, operator] of refused) {
		it(`needs a shell: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(parseCommandLine(text), { problem: { code: 'shell', operator } });
		});
	}

	it('closes its quotes', () => {
		for (const text of ['a "b', "a 'b", 'a "b\\"', 'aC:\\b "c\\"', 'a\\\\b "c\\"', '\\\\- "c\\"']) {
			assert.deepEqual(parseCommandLine(text), { problem: { code: 'unclosedQuote' } });
		}
	});

	it('sets a variable for a word with a name and a value', () => {
		assert.deepEqual(['A=b', '_a1=', 'A=b=c\nd', 'A', '=b', '-A=b', '1A=b', 'A-B=c'].map(splitAssignment), [
			['A', 'b'],
			['_a1', ''],
			['A', 'b=c\nd'],
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});
});
