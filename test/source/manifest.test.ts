// package.json says to the editor what the code says to itself. The first half compares the real ones, the second
// proves that each comparison can fail.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import * as contributions from '../../src/editor/contributions.js';
import { projectRoot } from '../host/paths.js';
import { checkManifest, type Manifest, type Project } from '../support/manifestChecks.js';

describe('manifest', () => {
	it('agrees with the code, the words and the files', () => {
		assert.deepEqual(checkManifest(readProject()), []);
	});
});

describe('manifest, broken on purpose', () => {
	/** The problems of the real project with one of its parts replaced. */
	const problemsWith = (change: (project: Project) => Partial<Project>): string[] => {
		const project = readProject();
		return checkManifest({ ...project, ...change(project) });
	};

	it('would notice a command that is in package.json only', () => {
		const problems = problemsWith(({ manifest }) => {
			const { contributes } = manifest;
			const commands = [...contributes.commands, { ...contributes.commands[0], command: 'mcpWorkbench.new' }];
			return { manifest: { ...manifest, contributes: { ...contributes, commands } } };
		});
		assert.deepEqual(problems, ['command mcpWorkbench.new is in package.json only']);
	});

	it('would notice a command that is in the code only, and that nothing registers', () => {
		const problems = problemsWith(() => ({
			contributions: { ...contributions, Commands: { ...contributions.Commands, more: 'mcpWorkbench.more' } },
		}));
		assert.deepEqual(problems, [
			'command mcpWorkbench.more is declared and never registered',
			'command mcpWorkbench.more is in contributions.ts only',
		]);
	});

	it('would notice a context key that nothing sets, and an unknown viewItem', () => {
		const problems = problemsWith(({ manifest }) => {
			const { contributes } = manifest;
			const [{ command } = { command: '' }] = contributes.commands;
			const item = { command, when: 'mcpWorkbench.typo && viewItem == server.paused' };
			const menus = {
				...contributes.menus,
				'view/item/context': [...(contributes.menus['view/item/context'] ?? []), item],
			};
			return { manifest: { ...manifest, contributes: { ...contributes, menus } } };
		});
		assert.deepEqual(problems, [
			'when-clause names the viewItem server.paused, which no node has',
			'when-clause reads mcpWorkbench.typo, which nothing sets',
		]);
	});

	it('would notice words that are left, and a file that is not packed', () => {
		const problems = problemsWith(({ nls, vscodeignore }) => ({
			nls: { ...nls, old: 'Old' },
			vscodeignore: vscodeignore.replace('!media/icon.png\n', ''),
		}));
		assert.deepEqual(problems, [
			'word old is in package.nls.json only',
			'package.json names media/icon.png, which is not packed',
		]);
	});
});

function readProject(): Project {
	const files = globSync('src/**/*.ts', { cwd: projectRoot, posix: true, ignore: 'src/editor/contributions.ts' });
	const bundler = read('esbuild.js');
	return {
		manifest: JSON.parse(read('package.json')) as Manifest,
		nls: JSON.parse(read('package.nls.json')) as Record<string, string>,
		contributions,
		sources: Object.fromEntries(files.map(file => [file, read(file)])),
		vscodeignore: read('.vscodeignore'),
		exists: file => bundler.includes(`'${file}'`) || globSync(file, { cwd: projectRoot }).length > 0,
	};
}

function read(file: string): string {
	return fs.readFileSync(path.join(projectRoot, file), 'utf8');
}
