import * as assert from 'node:assert/strict';
import { openedName, textLanguage, textName } from '../../../../src/core/resources/textNames.js';

const known = new Set([
	'json',
	'jsonc',
	'snippets',
	'yaml',
	'xml',
	'prompt',
	'python',
	'markdown',
	'plaintext',
	'toml',
]);

describe('names and languages of untrusted texts', () => {
	for (const name of ['a.py', 'A.PY', 'guide', 'docs.v2/guide', 'a.ipynb/b.md', 'a.b.ts', 'x.txt']) {
		it(`${name} stays`, () => assert.equal(textName(name), name));
	}

	const unlisted = [
		'x.ipynb',
		'X.IPYNB',
		'x.json',
		'.babelrc',
		'tasks.json',
		'a/b.yaml',
		'x.py.claimed',
		'x.',
		'..',
		'a.constructor',
	];
	for (const name of [...unlisted, 'x.svgz', 'x.code-workspace', 'x.toml', 'x.drawio', 'x.py\u200B', 'x. py']) {
		it(`${name} gets .txt`, () => {
			assert.equal(textName(name), `${name}.txt`);
			assert.equal(openedName(name), `${name}.txt`);
			assert.equal(textName(textName(name)), `${name}.txt`);
		});
	}

	it('media keep their names only where bytes are looked at', () => {
		assert.deepEqual([openedName('x.png'), textName('x.png')], ['x.png', 'x.png.txt']);
	});

	const languages: readonly (readonly [string | undefined, string, string, string | undefined])[] = [
		['application/json', 'x', 'plaintext', 'jsonl'],
		['application/jsonc', 'x', 'plaintext', 'jsonl'],
		['application/snippets', 'x', 'plaintext', 'jsonl'],
		['application/vnd.api+json', 'x.md', 'markdown', 'jsonl'],
		[undefined, 'x.json', 'plaintext', 'jsonl'],
		['text/plain', 'x.yml', 'plaintext', undefined],
		['text/yaml', 'x', 'yaml', 'plaintext'],
		['image/svg+xml', 'x', 'plaintext', 'html'],
		['text/x-python', 'x', 'plaintext', 'python'],
		[undefined, 'x.py', 'python', undefined],
		// The editor or an extension has chosen by the whole name or the first line.
		[undefined, 'x', 'yaml', 'plaintext'],
		[undefined, 'a.prompt.md', 'prompt', 'markdown'],
		[undefined, 'x.toml', 'plaintext', undefined],
		['application/toml', 'x', 'plaintext', undefined],
		['text/prompt', 'x', 'plaintext', undefined],
		['text/constructor', 'x', 'constructor', 'plaintext'],
	];
	for (const [mimeType, name, current, expected] of languages) {
		it(`${mimeType ?? 'no type'}, ${name}, ${current} is ${expected ?? 'left alone'}`, () => {
			assert.equal(textLanguage(mimeType, name, current, known), expected);
		});
	}
});
