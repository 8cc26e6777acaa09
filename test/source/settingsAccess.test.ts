// Settings are read and written in one file, which asks for the value of each place.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import { projectRoot } from '../host/paths.js';

interface Manifest {
	readonly contributes: {
		readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly scope: string }>> }[];
	};
}

describe('settings in the source', () => {
	const files = globSync('src/**/*.ts', { cwd: projectRoot, posix: true });
	const having = (pattern: RegExp): readonly string[] =>
		files.filter(it => pattern.test(fs.readFileSync(path.join(projectRoot, it), 'utf8'))).toSorted();

	it('are reached by one file; another reads what `${config:…}` names', () => {
		assert.deepEqual(having(/\bgetConfiguration\b/), [
			'src/editor/workspace/config.ts',
			'src/editor/workspace/variables.ts',
		]);
	});

	it('of ours are nine, of which a workspace can set one', () => {
		const { contributes } = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as Manifest;
		const all = contributes.configuration.flatMap(it => Object.entries(it.properties));
		assert.deepEqual(Object.fromEntries(all.map(([name, { scope }]) => [name.replace('mcpWorkbench.', ''), scope])), {
			servers: 'machine',
			inputs: 'machine',
			serverOptions: 'machine',
			tools: 'resource',
			requestTimeout: 'application',
			confirmServers: 'application',
			policy: 'application',
			'auth.servers': 'application',
			keepHistory: 'application',
		});
	});

	it('of ours are inspected, and never read as the editor merges them', () => {
		const config = fs.readFileSync(path.join(projectRoot, 'src/editor/workspace/config.ts'), 'utf8');
		assert.equal(config.match(/\bgetConfiguration\b/g)?.length, 1);
		assert.doesNotMatch(config, /\.(?:get|has)(?:<[^>]*>)?\(/);
	});
});
