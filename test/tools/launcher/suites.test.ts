import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../../host/paths.js';
import { findWindows } from '../../host/suites.js';

describe('the integration suites', () => {
	const foldersOf = (...all: Parameters<typeof findWindows>): string[] =>
		findWindows(...all)
			.flatMap(it => it.suites.map(suite => suite.folder))
			.toSorted();

	it('are all folders with tests, each once, in the newest editor', () => {
		const root = path.join(projectRoot, 'test', 'integration');
		const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.test.ts'));
		const folders = new Set(files.map(it => path.dirname(it).replace(/^\.$/, '')));
		assert.deepEqual(foldersOf('newest', /(?:)/), [...folders].toSorted());
	});

	it('are some of these in the oldest', () => {
		const [newest, oldest] = [foldersOf('newest', /(?:)/), foldersOf('oldest', /(?:)/)];
		assert.ok(oldest.includes('languageModelTools') && !oldest.includes('elicitation'));
		assert.deepEqual(
			oldest,
			newest.filter(it => oldest.includes(it)),
		);
	});

	it('name files that are there, and leave some of them to the newest editor', () => {
		const filesOf = (...all: Parameters<typeof findWindows>): string[] =>
			findWindows(...all).flatMap(it =>
				it.suites.flatMap(({ folder, files }) => (files ?? []).map(name => path.join(folder, `${name}.test.ts`))),
			);
		assert.deepEqual(filesOf('newest', /(?:)/), []);
		const named = filesOf('oldest', /(?:)/);
		assert.ok(named.includes('servers.test.ts') && !named.includes('adding.test.ts'));
		const root = path.join(projectRoot, 'test', 'integration');
		assert.deepEqual(
			named.filter(it => !fs.existsSync(path.join(root, it))),
			[],
		);
	});

	it('can be chosen by name', () => {
		assert.deepEqual(foldersOf('newest', /^(?:inputs|restricted)$/), ['inputs', 'restricted']);
	});
});
