/** README, the pages of docs/ and the other documents: what they say that can be looked up. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import { projectRoot } from '../host/paths.js';
import { findDeadLinks } from '../support/markdownLinks.js';
import { readSources } from '../support/sourceTrees.js';
import { readMessages } from '../support/visibleWords.js';
import { commandsPage, createCommandsPage } from '../support/commandsPage.js';
import { createSettingsPage, listSettings, settingsPage, type SettingsManifest } from '../support/settingsPage.js';

interface Manifest extends SettingsManifest {
	readonly scripts: Readonly<Record<string, string>>;
	readonly contributes: SettingsManifest['contributes'] & {
		readonly commands: readonly { readonly command: string; readonly title: string }[];
	};
}

const read = (name: string): string => fs.readFileSync(path.join(projectRoot, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const words = JSON.parse(read('package.nls.json')) as Record<string, string>;
const pages = globSync('docs/*.md', { cwd: projectRoot, posix: true });
const documents = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'CODE_OF_CONDUCT.md',
	'SUPPORT.md',
	'ARCHITECTURE.md',
	'CHANGELOG.md',
	'demo/README.md',
	'l10n/README.md',
	'test/README.md',
	...pages,
];

/** The title of a command as it is shown. */
const titleOf = (command: string): string => {
	const title = manifest.contributes.commands.find(it => it.command === command)?.title ?? '';
	return title.replace(/^%(.+)%$/, (_, key: string) => words[key] ?? '');
};

describe('documents', () => {
	it('are short enough to be read', () => {
		for (const name of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...pages]) {
			const size = Buffer.byteLength(read(name));
			const kilobytes = name === 'ARCHITECTURE.md' ? 10 : 8;
			assert.ok(size <= kilobytes * 1024, `${name} has ${size} bytes`);
		}
	});

	it('have few and short lines about each release', () => {
		const lines = read('CHANGELOG.md').split('\n');
		assert.deepEqual(
			lines.filter(it => it.length > 160),
			[],
		);
		const releases = lines.join('\n').split('\n## ').slice(1);
		const limits = releases.map(it => (it.startsWith('0.1.0') ? 12 : 25));
		const counts = releases.map(it => it.split('\n').filter(line => /^(- |  )/.test(line)).length);
		assert.deepEqual(
			counts.filter((count, index) => count > (limits[index] ?? 0)),
			[],
			counts.join(', '),
		);
	});

	it('have no dead links', () => {
		assert.ok(pages.length > 10);
		assert.deepEqual(
			documents.flatMap(it => findDeadLinks(projectRoot, it)),
			[],
		);
	});

	it('have the settings of package.json: npm run docs writes them', () => {
		assert.equal(fs.readFileSync(settingsPage, 'utf8'), createSettingsPage());
	});

	it('have every setting with its default', () => {
		const page = read('docs/settings.md');
		for (const [name, { default: value }] of listSettings(manifest)) {
			const [, section = ''] = page.split(`\n### ${name}\n`);
			assert.ok(section.split('\n##')[0]?.includes(`\nDefault: \`${JSON.stringify(value)}\`. `), name);
		}
	});

	it('have the commands and keys of package.json: npm run docs writes them', () => {
		assert.equal(fs.readFileSync(commandsPage, 'utf8'), createCommandsPage());
	});

	it('name every command', () => {
		const explained = pages.filter(it => it !== 'docs/commands-and-keys.md');
		const text = ['README.md', ...explained].map(read).join('\n').replaceAll(/\s+/g, ' ');
		const titles = manifest.contributes.commands.map(it => titleOf(it.command));
		assert.deepEqual(
			titles.filter(it => it === '' || !(text.includes(`**${it}**`) || text.includes(`**MCP Workbench: ${it}**`))),
			[],
		);
	});

	it('name only commands, buttons and groups that exist', () => {
		const messages = readMessages(readSources()).places.keys();
		const known = new Set([...messages, ...Object.values(words)].flatMap(it => [it, `MCP Workbench: ${it}`]));
		// Descriptions of settings also stress what is important.
		for (const page of pages.filter(it => !['docs/settings.md', 'docs/commands-and-keys.md'].includes(it))) {
			const named = Array.from(read(page).matchAll(/\*\*([^*]+)\*\*/g), ([, name = '']) =>
				name.replaceAll(/\s+/g, ' '),
			);
			assert.deepEqual(
				named.filter(it => !known.has(it)),
				[],
				page,
			);
		}
	});

	it('begin with what the reader can do, or knows, after reading', () => {
		for (const page of pages.filter(it => it !== 'docs/README.md')) {
			assert.match(read(page), /^# \S.*\n\nAfter reading this page you (can|know) /, page);
		}
	});

	it('name only files that exist', () => {
		for (const document of ['SECURITY.md', 'CONTRIBUTING.md', ...pages]) {
			const named = Array.from(read(document).matchAll(/`((?:test|src|docs)\/[\w./-]*)`/g), ([, file = '']) => file);
			assert.ok(document !== 'SECURITY.md' || named.length > 10);
			assert.deepEqual(
				named.filter(it => !fs.existsSync(path.join(projectRoot, it))),
				[],
				document,
			);
		}
	});

	it('name only scripts of package.json, as the workflow and the tasks of the editor do', () => {
		const { scripts } = manifest;
		const files = [
			'README.md',
			'CONTRIBUTING.md',
			'SUPPORT.md',
			'.github/workflows/ci.yml',
			'.github/pull_request_template.md',
		];
		const named = files.flatMap(file =>
			Array.from(read(file).matchAll(/npm run(?: -s)? ([\w:]+)/g), ([, script = '']) => script),
		);
		const { tasks } = JSON.parse(read('.vscode/tasks.json')) as {
			readonly tasks: readonly { readonly script: string }[];
		};
		const all = [...named, ...tasks.map(it => it.script)];
		assert.ok(all.length > 5);
		assert.deepEqual(
			all.filter(it => !Object.hasOwn(scripts, it)),
			[],
		);
	});

	it('say that there is no telemetry', () => {
		for (const name of ['README.md', 'SECURITY.md', 'docs/security.md']) {
			assert.match(read(name), /There is no telemetry\./, name);
		}
	});
});
