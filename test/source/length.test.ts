// CONTRIBUTING, house rules: a file has at most 600 lines, or its header says why it is longer.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

const maxLines = 600;

/** Lines before the first that is neither a comment nor blank. */
function headerOf(text: string): string {
	return /^(?:\s*(?:\/\/[^\n]*|\/\*[^]*?\*\/)\n)*/.exec(text)?.[0] ?? '';
}

/** Whether the file is short enough, or says why it is not: "Over 600 lines: …". */
function mayBeSo(text: string): boolean {
	return text.trimEnd().split('\n').length <= maxLines || /Over 600 lines: \S+/.test(headerOf(text));
}

describe('length of files', () => {
	it('no file has more than 600 lines without a reason in its header', () => {
		const files = ['src', 'test', 'demo', 'media'].flatMap(folder =>
			fs
				.readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
				.filter(it => /\.([cm]?[jt]s|css)$/.test(it) && !it.split(path.sep).includes('output'))
				.map(it => path.join(folder, it)),
		);
		assert.ok(files.length > 500, `${files.length} files`);
		assert.deepEqual(
			files.filter(it => !mayBeSo(fs.readFileSync(path.join(projectRoot, it), 'utf8'))),
			[],
		);
	});
});
