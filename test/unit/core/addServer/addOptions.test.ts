// Reads the options of `claude mcp add` and similar commands.
import * as assert from 'node:assert/strict';
import { type AddArguments, readAddOptions } from '../../../../src/core/addServer/addOptions.js';

describe('the options of a command that adds a server', () => {
	const none: AddArguments = { words: [], env: {}, headers: {}, transport: undefined, rest: undefined };
	const table: readonly (readonly [line: string, options: Partial<AddArguments>])[] = [
		['name npx -y package', { words: ['name', 'npx', '-y', 'package'] }],
		['name -- npx -y package', { words: ['name'], rest: ['npx', '-y', 'package'] }],
		['-- npx', { rest: ['npx'] }],
		['name cmd -x -- npx', { words: ['name', 'cmd'], rest: ['npx'] }],
		['-x -- npx -e A=b', { rest: ['npx', '-e', 'A=b'] }],
		['name npx -e A=b', { words: ['name', 'npx', '-e', 'A=b'] }],
		['name npx package --env A=b C=d -y', { words: ['name', 'npx', 'package', '-y'], env: { A: 'b', C: 'd' } }],
		['name npx --env --env=x', { words: ['name', 'npx', '--env', '--env=x'] }],
		['name npx --scope user -s local --scope=project -y', { words: ['name', 'npx', '-y'] }],
		['name npx -s 5 --scope all', { words: ['name', 'npx', '-s', '5', '--scope', 'all'] }],
		['name https://a.example -H X:y', { words: ['name', 'https://a.example'], headers: { X: 'y' } }],
		['name -e A=b npx', { words: ['name', 'npx'], env: { A: 'b' } }],
		['name -e A=b C=d npx', { words: ['name', 'npx'], env: { A: 'b', C: 'd' } }],
		['name --env A=b --env=C=d=e npx', { words: ['name', 'npx'], env: { A: 'b', C: 'd=e' } }],
		['name --env=A=b C=d npx', { words: ['name', 'npx'], env: { A: 'b', C: 'd' } }],
		['name -e npx', { words: ['name'] }],
		['name -t sse https://a.example', { words: ['name', 'https://a.example'], transport: 'sse' }],
		['name --transport=http https://a.example', { words: ['name', 'https://a.example'], transport: 'http' }],
		['name -s user --scope project --timeout 5 npx', { words: ['name', 'npx'] }],
		['name --scope=user npx', { words: ['name', 'npx'] }],
		['name --verbose npx', { words: ['name', 'npx'] }],
		['name -e A=b -e A=c npx', { words: ['name', 'npx'], env: { A: 'c' } }],
		['name --url', { words: ['name', ''] }],
		['name --url https://a.example', { words: ['name', 'https://a.example'] }],
		['name --url=https://a.example/?a=b', { words: ['name', 'https://a.example/?a=b'] }],
		[
			'name --bearer-token-env-var KEY npx',
			{ words: ['name', 'npx'], headers: { Authorization: 'Bearer ${env:KEY}' } },
		],
		['name -H A/:/b/c npx', { words: ['name', 'npx'], headers: { A: 'b c' } }],
		['name -H A/b:c npx', { words: ['name', 'npx'] }],
		['name -H A//:c npx', { words: ['name', 'npx'], headers: { A: 'c' } }],
		['name -H __proto__:x -e __proto__=y', { words: ['name'], headers: own('x'), env: own('y') }],
	];
	for (const [line, options] of table) {
		it(line, () => {
			// A slash stands for a blank within a header.
			const words = line.split(' ').map(it => (/^A\/+[:b]/.test(it) ? it.replaceAll('/', ' ') : it));
			assert.deepEqual(readAddOptions(words), { ...none, ...options });
		});
	}

	it('keep the lines of a value', () => {
		const { env, headers } = readAddOptions(['name', '--env=A=b\nc', '-H', 'X: y\nz']);
		assert.deepEqual([env, headers], [{ A: 'b\nc' }, { X: 'y\nz' }]);
	});

	function own(value: string): Record<string, string> {
		return JSON.parse(`{"__proto__":"${value}"}`) as Record<string, string>;
	}
});
