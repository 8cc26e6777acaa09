// Words that a person may copy into a shell.
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { quoteWord } from '../../../src/model/shellWords.js';
import { skip } from '../../support/skip.js';

const words = ['--x=1', 'a b', "it's", '"', '$HOME `id` !x', 'back\\slash\\', '', '*', 'a;b|c&d', '~', '#x', 'ä'];

describe('a word for a shell', () => {
	it('is the same word after a POSIX shell has read it', function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has no POSIX shell');
		}
		const line = words.map(it => quoteWord(it, false)).join(' ');
		const read = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
		assert.deepEqual(read.split('\n').slice(0, -1), words);
	});

	it('has no quotation marks that it does not need', () => {
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

	it('has every character that could not be seen spelled out', () => {
		assert.equal(quoteWord('a\n\u202E\u00A0\u{E0041}\\', false), String.raw`$'a\u000a\u202e\u00a0\U000e0041\\'`);
	});

	it('keeps backslashes before quotation marks on Windows', () => {
		assert.deepEqual(
			['a b\\', 'say \\"x\\"', String.raw`C:\My Folder`].map(it => quoteWord(it, true)),
			[String.raw`"a b\\"`, String.raw`"say \\\"x\\\""`, String.raw`"C:\My Folder"`],
		);
	});
});
