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
	it('a project that keeps every rule has no problem', () => {
		assert.deepEqual(
			changed(() => undefined),
			[],
		);
	});

	const table: readonly (readonly [name: string, change: (it: MutableProject) => void, ...problems: string[]])[] = [
		[
			'a command only in package.json',
			it =>
				it.manifest.contributes.commands.push({ ...it.manifest.contributes.commands[0], command: 'mcpWorkbench.new' }),
			'command mcpWorkbench.new is in package.json only',
		],
		[
			'a command only in the code',
			it => (it.contributions.Commands['more'] = 'mcpWorkbench.more'),
			'command mcpWorkbench.more is declared and never registered',
			'command mcpWorkbench.more is in contributions.ts only',
		],
		[
			'a command that nothing registers',
			it => (it.sources['src/a.ts'] = it.sources['src/a.ts']?.replace('Commands.stop', 'Commands.other') ?? ''),
			'command mcpWorkbench.server.stop is declared and never registered',
		],
		[
			'a command that is only run',
			it => (it.sources['src/a.ts'] = it.sources['src/a.ts']?.replace('onServer(', 'executeCommand(') ?? ''),
			'command mcpWorkbench.server.stop is declared and never registered',
		],
		[
			'a command twice',
			it => it.manifest.contributes.commands.push(it.manifest.contributes.commands[0]),
			'command mcpWorkbench.server.start is in package.json twice',
		],
		[
			'a command without words and icon',
			it => (it.manifest.contributes.commands[0] = { command: 'mcpWorkbench.server.start' }),
			'command mcpWorkbench.server.start has no title',
			'command mcpWorkbench.server.start has no category',
			'command mcpWorkbench.server.start is a button and has no icon',
			'word start is in package.nls.json only',
		],
		[
			'a menu with an unknown command',
			it => it.manifest.contributes.menus['view/title'].push({ command: 'mcpWorkbench.gone' }),
			'menu view/title has mcpWorkbench.gone, which is no command',
		],
		[
			'a key for an unknown command, in the way of others',
			it => (it.manifest.contributes.keybindings = [{ command: 'mcpWorkbench.gone', key: 'f2' }]),
			'key f2 runs mcpWorkbench.gone, which is no command',
			'key f2 does not wait until mcpWorkbench.gone can do something',
		],
		[
			'a view only in the code',
			it => (it.contributions.Views['more'] = 'mcpWorkbench.more'),
			'view mcpWorkbench.more is in contributions.ts only',
			'Views.more is declared and never used',
		],
		[
			'a setting only in package.json',
			it => (it.manifest.contributes.configuration.properties['mcpWorkbench.more'] = {}),
			'setting mcpWorkbench.more is in package.json only',
		],
		[
			'a model tool only in package.json, in words that cannot be translated',
			it => it.manifest.contributes.languageModelTools.push({ name: 'more', userDescription: 'More' }),
			'model tool more is in package.json only',
			'"More" in package.json cannot be translated',
		],
		[
			'a walkthrough with steps that never end',
			it => {
				const steps = [{ id: 'b' }, { id: 'c', completionEvents: ['onView:mcpWorkbench.gone'] }];
				it.manifest.contributes.walkthroughs = [{ id: 'a', steps }];
			},
			'step b ends with nothing that happens',
			'step c ends with nothing that happens',
		],
		[
			'a setting outside our name space, never read',
			it => {
				it.contributions.Settings['more'] = 'mcp.more';
				it.manifest.contributes.configuration.properties['mcp.more'] = {};
			},
			'id mcp.more is not in our name space',
			'Settings.more is declared and never used',
		],
		[
			'an id spelled out in the code',
			it => (it.sources['src/a.ts'] += `const id = 'mcpWorkbench.server.start';`),
			'src/a.ts spells out mcpWorkbench.server.start',
		],
		[
			'a context key that nothing sets',
			it => addMenu(it, 'mcpWorkbench.typo && !config.mcpWorkbench.timeout'),
			'when-clause reads mcpWorkbench.typo, which nothing sets',
		],
		[
			'a context key that nothing reads',
			it => {
				it.contributions.ContextKeys['more'] = 'mcpWorkbench.more';
				it.sources['src/a.ts'] += 'ContextKeys.more';
			},
			'context key mcpWorkbench.more is set and no when-clause reads it',
		],
		[
			'a when-clause of an unknown view',
			it => addMenu(it, 'view == mcpWorkbench.other'),
			'when-clause names mcpWorkbench.other, which is no view',
		],
		[
			'an unknown viewItem',
			it => addMenu(it, 'viewItem == server.paused'),
			'when-clause names the viewItem server.paused, which no node has',
		],
		[
			'an unknown viewItem among alternatives',
			it => addMenu(it, String.raw`viewItem =~ /^server\.(running|paused)$/`),
			'when-clause names the viewItem server.paused, which no node has',
		],
		[
			'a pattern that matches no viewItem',
			it => addMenu(it, 'viewItem =~ /^servers/'),
			'when-clause has /^servers/, which matches no viewItem',
		],
		[
			'a test of viewItem that nobody understands',
			it => addMenu(it, 'viewItem in mcpWorkbench.hasServers'),
			'when-clause tests viewItem in a way that is not understood: viewItem in mcpWorkbench.hasServers',
		],
		[
			'a viewItem that no node has',
			it => (it.contributions.TreeContexts['gone'] = 'gone'),
			'TreeContexts.gone is declared and never used',
		],
		[
			'words that are missing, and words that are left',
			it => {
				delete it.nls['category'];
				it.nls['old'] = 'Old';
			},
			'word category is in package.json only',
			'word old is in package.nls.json only',
		],
		[
			'words that cannot be translated',
			it => (it.manifest.contributes.commands[0].title = 'Start'),
			'word start is in package.nls.json only',
			'"Start" in package.json cannot be translated',
		],
		[
			'words with a dead link',
			it => (it.nls['category'] = '[x](command:mcpWorkbench.gone)'),
			'category links to mcpWorkbench.gone, which is no command',
		],
		[
			'a file that does not exist',
			it => (it.manifest['icon'] = 'media/gone.png'),
			'package.json names media/gone.png, which does not exist',
			'package.json names media/gone.png, which is not packed',
		],
		[
			'a file that is not packed',
			it => (it.vscodeignore = it.vscodeignore.replace('!media/icon.png\n', '')),
			'package.json names media/icon.png, which is not packed',
		],
		[
			'translations that are not packed',
			it => (it.manifest['l10n'] = './words'),
			'package.json names the folder ./words, of which nothing is packed',
		],
		[
			'a package that leaves out instead of letting in',
			it => (it.vscodeignore += '\nsrc/**\n!gone.txt\n'),
			'.vscodeignore is no allow-list: src/**',
			'.vscodeignore packs gone.txt, which does not exist',
		],
		[
			'a package that begins with everything',
			it => (it.vscodeignore = it.vscodeignore.replace('**\n', '')),
			'.vscodeignore is no allow-list: its first line is not **',
			'package.json names dist/extension.js, which is not packed',
		],
		[
			'types of a newer editor than we claim to run in',
			it => (it.manifest.devDependencies['@types/vscode'] = '1.100.0'),
			'engines.vscode is ^1.99.0, but the code is checked against 1.100.0',
		],
		[
			'colours that are none in high contrast, or in package.json only',
			it => {
				const defaults = {
					dark: '#fff',
					light: '#000',
					highContrast: 'list.errorForeground',
					highContrastLight: '#000',
				};
				it.manifest.contributes.colors = [{ id: 'a', defaults }];
				it.sources['src/a.ts'] += `new ThemeColor('list.warningForeground')`;
			},
			'colour a is in package.json only',
			'colour a is none in highContrast',
			'src/a.ts takes a colour of lists, which is none in high contrast',
		],
		[
			'a dependency that floats',
			it => (it.manifest.devDependencies['mocha'] = '^12.0.0'),
			'mocha ^12.0.0 is not one exact version',
		],
	];
	for (const [name, change, ...problems] of table) {
		it(`would notice ${name}`, () => {
			assert.deepEqual(changed(change), problems);
		});
	}
});

/** Loosely typed, since tests put in what does not belong. */
interface MutableProject {
	// oxlint-disable-next-line typescript/no-explicit-any -- the point is to put in what does not belong
	manifest: any;
	nls: Record<string, string>;
	contributions: Record<
		'Commands' | 'Views' | 'ContextKeys' | 'TreeContexts' | 'Settings' | 'ModelTools',
		Record<string, string>
	>;
	sources: Record<string, string>;
	vscodeignore: string;
}

/** The problems of a small good project after `change`. */
function changed(change: (project: MutableProject) => void): string[] {
	const project = goodProject();
	change(project);
	const files = ['dist/extension.js', 'media/icon.png', 'media/view.svg', 'package.json'];
	return checkManifest({ ...project, manifest: project.manifest as Manifest, exists: it => files.includes(it) });
}

function goodProject(): MutableProject {
	return {
		manifest: {
			main: './dist/extension.js',
			icon: 'media/icon.png',
			engines: { vscode: '^1.99.0' },
			dependencies: { 'cross-spawn': '7.0.6' },
			devDependencies: { '@types/vscode': '1.99.1' },
			contributes: {
				commands: [
					{ command: 'mcpWorkbench.server.start', title: '%start%', category: '%category%', icon: '$(play)' },
					{ command: 'mcpWorkbench.server.stop', title: '%stop%', category: '%category%' },
				],
				menus: {
					commandPalette: [{ command: 'mcpWorkbench.server.stop', when: 'mcpWorkbench.hasServers' }],
					'view/title': [
						{
							command: 'mcpWorkbench.server.start',
							when: String.raw`view == mcpWorkbench.servers && viewItem =~ /^server\.(running|failed)$/`,
							group: 'inline@1',
						},
						{ command: 'mcpWorkbench.server.stop', when: 'viewItem == tool && config.mcpWorkbench.timeout' },
					],
				},
				views: { mcpWorkbench: [{ id: 'mcpWorkbench.servers', name: '%category%', icon: 'media/view.svg' }] },
				languageModelTools: [{ name: 'find', inputSchema: { description: 'For models.' } }],
				configuration: { properties: { 'mcpWorkbench.timeout': { markdownDescription: '%timeout%' } } },
			},
		},
		nls: {
			start: 'Start',
			stop: 'Stop',
			category: 'MCP',
			timeout: 'See [this](command:mcpWorkbench.server.stop) and [that](command:workbench.action.x).',
		},
		contributions: {
			Commands: { start: 'mcpWorkbench.server.start', stop: 'mcpWorkbench.server.stop' },
			Views: { servers: 'mcpWorkbench.servers' },
			ContextKeys: { hasServers: 'mcpWorkbench.hasServers' },
			TreeContexts: { running: 'server.running', failed: 'server.failed', tool: 'tool' },
			Settings: { timeout: 'mcpWorkbench.timeout' },
			ModelTools: { find: 'find' },
		},
		sources: {
			'src/a.ts': 'registerCommand(Commands.start, start); onServer(\n\tCommands.stop,\n\tstop);',
			'src/b.ts': 'executeCommand(Commands.start); Views.servers; ContextKeys.hasServers; Settings.timeout;',
			'src/c.ts': 'TreeContexts.running; TreeContexts.failed; TreeContexts.tool; ModelTools.find;',
		},
		vscodeignore: '**\n!dist/extension.js\n!media/icon.png\n!media/view.svg\n!package.json\n',
	};
}

function addMenu(it: MutableProject, when: string): void {
	it.manifest.contributes.menus.commandPalette.push({ command: 'mcpWorkbench.server.start', when });
}

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
