// What surrounds a command line in Markdown and terminals, and what is left of it.
import * as assert from 'node:assert/strict';
import { textLimits } from '../../../../src/mcp/index.js';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';

describe('a pasted command line', () => {
	const command = { type: 'stdio', command: 'my-server', args: ['-y'] };
	const surrounded = [
		'my-server -y',
		'\ufeff my-server -y\n',
		'`my-server -y`',
		'` my-server -y `',
		'```\nmy-server -y\n```',
		'```sh\nmy-server -y\n```',
		'````shell-session\n$ my-server -y\n````',
		' ```\nmy-server -y\n``` ',
		'```my-server -y```',
		'```bash my-server -y```',
		' `my-server -y`\n',
		'` $ my-server -y `',
		'$ my-server -y',
		'$   my-server -y',
		'> my-server -y',
		'❯ my-server -y',
		'% my-server -y',
		'# my-server -y',
		'PS> my-server -y',
		'PS C:\\Users\\me> my-server -y',
		'C:\\Users\\me> my-server -y',
		'C:\\> my-server -y',
	];
	for (const text of surrounded) {
		it(`is found in ${JSON.stringify(text)}`, () => {
			const pasted = parsePasted(text);
			assert.deepEqual(pasted.kind === 'servers' ? pasted.servers.map(it => it.entry) : pasted, [command]);
		});
	}

	const others: readonly (readonly [text: string, words: readonly string[]])[] = [
		['```my.server -y\n```', ['my.server', '-y']],
		['a ```b```', ['a', '```b``']],
		['```a`', ['```a']],
		['`a` b', ['`a`', 'b']],
		['b `a`', ['b', '`a']],
		['`a` ```b```', ['`a`', '```b``']],
		['x $ a', ['x', '$', 'a']],
	];
	for (const [text, [first, ...args]] of others) {
		it(`keeps what is no fence: ${JSON.stringify(text)}`, () => {
			const pasted = parsePasted(text);
			const entry = { type: 'stdio', command: first, ...(args.length > 0 && { args }) };
			assert.deepEqual(pasted.kind === 'servers' ? pasted.servers.map(it => it.entry) : pasted, [entry]);
		});
	}

	it('is none where nothing is left, or too much', () => {
		const codeOf = (text: string): string | undefined => {
			const pasted = parsePasted(text);
			return pasted.kind === 'problem' ? pasted.problem.code : undefined;
		};
		assert.deepEqual(
			['', ' \n', '\ufeff', '``````', '```sh```', '```\n\n```'].map(codeOf),
			Array.from({ length: 6 }, () => 'empty'),
		);
		assert.equal(codeOf('```\nmy-server -y\n```\nThen more.'), 'shell');
		assert.equal(codeOf('a'.padEnd(textLimits.pasted)), undefined);
		assert.equal(codeOf('a'.padEnd(textLimits.pasted + 1)), 'tooLong');
	});
});
