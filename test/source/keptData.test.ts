// Everything that is kept on the machine has an entry in `editor/storage/stateKeys.ts`, and with it a part of "Clear All Data…".
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import {
	dataParts,
	filesOf,
	stateKeys,
	stateKeyPrefixes,
	keysOf,
	storedFiles,
} from '../../src/editor/storage/stateKeys.js';
import { projectRoot } from '../host/paths.js';

describe('what is kept', () => {
	const sources = new Map(
		globSync('src/**/*.ts', { cwd: projectRoot, posix: true })
			.filter(it => it !== 'src/editor/storage/stateKeys.ts')
			.map(it => [it, fs.readFileSync(path.join(projectRoot, it), 'utf8')] as const),
	);
	const having = (pattern: RegExp): readonly string[] =>
		Array.from(sources, ([file, text]) => (pattern.test(text) ? file : ''))
			.filter(Boolean)
			.toSorted();

	it('in the editor’s state goes through `VersionedState`, whose keys are listed, but for inputs', () => {
		assert.deepEqual(having(/\bMemento\b/), [
			'src/editor/storage/inputStore.ts',
			'src/editor/storage/versionedState.ts',
		]);
		assert.deepEqual(having(/\b(?:workspaceState|globalState)\b/), ['src/compose.ts']);
		assert.match(sources.get('src/editor/storage/versionedState.ts') ?? '', /memento\.update\(key, value\)/);
		assert.match(sources.get('src/editor/storage/inputStore.ts') ?? '', /const prefix: StateKeyPrefix = /);
	});

	it('as a secret has a name with a listed prefix', () => {
		const stores = ['src/editor/storage/authStore.ts', 'src/editor/storage/inputStore.ts'];
		assert.deepEqual(having(/\bsecrets\.(?:store|delete)\b/), stores);
		assert.deepEqual(having(/\bcontext\.secrets\b/), ['src/compose.ts']);
		for (const file of stores) {
			assert.match(sources.get(file) ?? '', /const prefix: StateKeyPrefix = '(?:input|auth):'/, file);
		}
		assert.deepEqual(Object.keys(stateKeyPrefixes), ['input:', 'auth:']);
	});

	it('as a file is in a listed folder of the storage', () => {
		assert.deepEqual(having(/\b(?:storageUri|globalStorageUri|storagePath|globalStoragePath|logUri)\b/), [
			'src/compose.ts',
			'src/editor/storage/guardFiles.ts',
			'src/extension.ts',
			'src/features/approvals/guardDiagnostics.ts',
			'src/features/clearData/parts.ts',
		]);
		// Each place that makes a name in the storage says that it is a listed one.
		const names = Array.from(sources.values()).flatMap(text =>
			Array.from(text.matchAll(/'([^']+)' satisfies StoredFile/g), ([, name = '']) => name),
		);
		const others = ['mcp-policy.json', 'audit', 'mcp-lock.json', 'seenTools'];
		assert.deepEqual([...new Set([...names, ...others])].toSorted(), Object.keys(storedFiles).toSorted());
	});

	it('belongs to a part that can be removed, except the records of processes', () => {
		const parts = new Set<string | undefined>([
			...Object.values(stateKeys),
			...Object.values(stateKeyPrefixes),
			...Object.values(storedFiles),
		]);
		assert.deepEqual(
			dataParts.filter(it => !parts.has(it)),
			[],
			'parts of nothing',
		);
		assert.deepEqual(
			Object.entries(storedFiles).filter(([, part]) => part === undefined),
			[['servers', undefined]],
		);
		assert.deepEqual(dataParts.flatMap(it => keysOf(it)).toSorted(), Object.keys(stateKeys).toSorted());
		assert.deepEqual(filesOf('files'), ['opened']);
	});
});
