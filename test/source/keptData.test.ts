// All stored data has a name in `editor/storage/editorState.ts`, and "Clear All Data…" removes it.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import { clearedFiles, stateKeys } from '../../src/editor/storage/editorState.js';
import { projectRoot } from '../host/paths.js';

describe('stored data', () => {
	const sources = new Map(
		globSync('src/**/*.ts', { cwd: projectRoot, posix: true }).map(
			it => [it, fs.readFileSync(path.join(projectRoot, it), 'utf8')] as const,
		),
	);
	const having = (pattern: RegExp): readonly string[] =>
		Array.from(sources, ([file, text]) => (pattern.test(text) ? file : ''))
			.filter(Boolean)
			.toSorted();

	it('data in the editor’s state goes through `EditorState`, whose keys are listed, except inputs', () => {
		assert.deepEqual(having(/\bMemento\b/), ['src/editor/storage/editorState.ts', 'src/editor/storage/inputStore.ts']);
		assert.deepEqual(having(/\b(?:workspaceState|globalState)\b/), ['src/compose.ts']);
		assert.match(sources.get('src/editor/storage/editorState.ts') ?? '', /memento\.update\(key, value\)/);
		assert.match(sources.get('src/editor/storage/inputStore.ts') ?? '', /const prefix: StateKeyPrefix = /);
	});

	it('a secret has a name with a listed prefix', () => {
		const stores = ['src/editor/storage/authStore.ts', 'src/editor/storage/inputStore.ts'];
		assert.deepEqual(having(/\bsecrets\.(?:store|delete)\b/), stores);
		assert.deepEqual(having(/\bcontext\.secrets\b/), ['src/compose.ts']);
		for (const file of stores) {
			assert.match(sources.get(file) ?? '', /const prefix: StateKeyPrefix = '(?:input|auth):'/, file);
		}
	});

	it('a file is in a listed folder of the storage', () => {
		assert.deepEqual(having(/\b(?:storageUri|globalStorageUri|storagePath|globalStoragePath|logUri)\b/), [
			'src/compose.ts',
			'src/editor/storage/guardFiles.ts',
			'src/extension.ts',
			'src/features/approvals/guardDiagnostics.ts',
			'src/features/clearData/register.ts',
		]);
		// Each place that makes a name in the storage says that it is a listed one.
		const names = Array.from(sources.values()).flatMap(text =>
			Array.from(text.matchAll(/'([^']+)' satisfies StoredFile/g), ([, name = '']) => name),
		);
		const ofOwners = ['history', 'servers'];
		assert.deepEqual([...new Set(names)].toSorted(), [...ofOwners, ...clearedFiles].toSorted());
	});

	it('data under every key of the state is removed', () => {
		assert.match(
			sources.get('src/features/clearData/register.ts') ?? '',
			/state\.clearAll\(\),\s+userState\.clearAll\(\)/,
		);
		assert.equal(new Set(stateKeys).size, stateKeys.length);
	});
});
