/** Dead links of documents are found. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { findDeadLinks, listAnchors } from '../../support/markdownLinks.js';

describe('links of documents', () => {
	let root: string;
	before(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), 'links-'))));
	after(() => fs.rmSync(root, { recursive: true }));

	it('lead to headings as the editor names them', () => {
		assert.deepEqual(listAnchors('# One, two\n## `a.b` and c-d\n```\n# no heading\n```\n'), ['one-two', 'ab-and-c-d']);
	});

	it('are dead without a file or a heading', () => {
		fs.mkdirSync(path.join(root, 'docs'));
		fs.writeFileSync(path.join(root, 'docs', 'b.md'), '# B\n[up](../a.md#a), [gone](gone.md)');
		const links = ['docs/b.md', 'docs/b.md#b', 'docs/b.md#c', '#a', '#b', 'gone.png', 'https://example.org/#x'];
		const text = `# A\n${links.map(it => `[x](${it})`).join('\n')}\n![p](gone.gif)\n\`[x](code.md)\``;
		fs.writeFileSync(path.join(root, 'a.md'), text);
		assert.deepEqual(findDeadLinks(root, 'a.md'), [
			'a.md: docs/b.md#c',
			'a.md: #b',
			'a.md: gone.png',
			'a.md: gone.gif',
		]);
		assert.deepEqual(findDeadLinks(root, 'docs/b.md'), ['docs/b.md: gone.md']);
	});
});
