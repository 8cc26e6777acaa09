// Every command of package.json keeps to the rules of test/support/commandRules.ts. The second half proves that each
// rule can be broken.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { TreeContexts } from '../../src/editor/contributions.js';
import { projectRoot } from '../host/paths.js';
import { checkCommandRules, type CommandsAndMenus, holds, offered } from '../support/commandRules.js';

function read(file: string): unknown {
	return JSON.parse(fs.readFileSync(path.join(projectRoot, file), 'utf8'));
}

const { contributes } = read('package.json') as { contributes: CommandsAndMenus };
const words = read('package.nls.json') as Record<string, string>;
const contexts = Object.values(TreeContexts);

describe('commands', () => {
	it('keep the rules for titles, categories, icons, menus and the palette', () => {
		assert.deepEqual(checkCommandRules(contributes, words, contexts), []);
	});

	it('are few enough to be found: at most 40, with at most 90 entries in menus', () => {
		const entries = Object.values(contributes.menus).flat();
		assert.ok(contributes.commands.length <= 40 && entries.length <= 90);
	});

	it('are offered by the palette only where they can work: with nothing at all, those that lead on or tell what is kept', () => {
		assert.deepEqual(
			offered(contributes, { workspaceFolderCount: 0 }).map(it => it.replace('mcpWorkbench.', '')),
			['server.add', 'servers.import', 'demo.try', 'docs.open', 'approvals.manage', 'data.clear'],
		);
	});

	it('of servers need a server, and most of them one that runs', () => {
		const somewhere = { workspaceFolderCount: 1, isWorkspaceTrusted: true };
		const none = offered(contributes, somewhere);
		const stopped = offered(contributes, { ...somewhere, 'mcpWorkbench.hasServers': true });
		assert.ok(!none.includes('mcpWorkbench.tool.run') && stopped.includes('mcpWorkbench.tool.run'));
		assert.ok(!stopped.includes('mcpWorkbench.server.stop'));
	});
});

describe('the rules of commands, broken on purpose', () => {
	const table: readonly (readonly [name: string, change: (it: Loose) => void, ...problems: string[]])[] = [
		['a category of its own', it => (it.commands[0].category = 'Other'), 'a.start is in another category than all'],
		['small letters', it => (it.words.start = 'Start server'), '"Start server" is not in Title Case'],
		['three dots', it => (it.words.start = 'Start...'), '"Start..." is not written as a title'],
		['the category again', it => (it.words.start = 'Start MCP'), '"Start MCP" says the category again'],
		['a picture', it => (it.commands[0].icon = 'a.svg'), "the icon of a.start has not the theme's colours"],
		[
			'an entry that says nothing',
			it => (it.menus.commandPalette[0].when = undefined),
			'a.start is in the palette anyway: an entry says when',
			'a.start stands on lines of a tree alone, and the palette offers it always',
		],
		[
			'a palette that looks at lines',
			it => (it.menus.commandPalette[0].when = 'viewItem == server'),
			'a.start looks at a view, of which the palette knows nothing',
		],
		[
			'two of one title',
			it => (it.words.stop = 'Start Server'),
			'a.start and a.stop may be in the palette at once, as "Start Server"',
			'a.stop and a.start may be in the palette at once, as "Start Server"',
		],
		[
			'a button that the menu has not',
			it => it.menus['view/item/context'].pop(),
			'a.start is a button of server and not in its menu',
		],
		[
			'two at one place',
			it =>
				it.menus['view/item/context'].push({
					command: 'a.stop',
					when: 'view == v && viewItem == server',
					group: '1@1',
				}),
			'a.start and a.stop have one place in the menu of server',
		],
		['a title of no view', it => (it.menus['view/title'][0].when = 'a.on'), 'a.stop names no view'],
	];
	for (const [name, change, ...problems] of table) {
		it(`would notice ${name}`, () => {
			const it = good();
			change(it);
			assert.deepEqual(checkCommandRules(it as unknown as CommandsAndMenus, it.words, ['server']), problems);
		});
	}

	it('a good one has no problem', () => {
		const it = good();
		assert.deepEqual(checkCommandRules(it as unknown as CommandsAndMenus, it.words, ['server']), []);
	});

	it('reads what our clauses say', () => {
		const keys = { count: 1, scheme: 'b' };
		assert.ok(holds('count != 0 && scheme =~ /^(a|b)$/ && !other && scheme == b', keys));
		assert.ok(!holds('count && other', keys) && !holds('other =~ /x/', keys) && !holds('scheme != b', keys));
		assert.throws(() => holds('a || b', keys), /Not understood/);
	});
});

// oxlint-disable-next-line typescript/no-explicit-any -- the point is to put in what does not belong
type Loose = any;

function good(): Loose {
	return {
		words: { category: 'MCP', start: 'Start Server', stop: 'Stop the Server…' },
		commands: [
			{ command: 'a.start', title: '%start%', category: '%category%', icon: '$(play)' },
			{ command: 'a.stop', title: '%stop%', category: '%category%' },
		],
		menus: {
			commandPalette: [{ command: 'a.start', when: 'a.on' }],
			'view/title': [{ command: 'a.stop', when: 'view == v', group: 'navigation' }],
			'view/item/context': [
				{ command: 'a.start', when: 'view == v && viewItem == server', group: 'inline@1' },
				{ command: 'a.start', when: 'view == v && viewItem == server', group: '1@1' },
			],
		},
	};
}
