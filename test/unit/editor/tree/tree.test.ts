// The rows of the tree for simulated servers: states, filters, and long lists.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Disposable, Emitter } from '../../../../src/base/lifecycle.js';
import { TreeContexts } from '../../../../src/editor/contributions.js';
import { describeRemoteSide } from '../../../../src/editor/l10n/configWords.js';
import { serverItem, warningIcon } from '../../../../src/editor/tree/treeItems.js';
import { ServersTree } from '../../../../src/editor/tree/tree.js';
import type { TreeNode } from '../../../../src/editor/tree/treeNodes.js';
import type { Session, Tool } from '../../../../src/mcp/index.js';
import type { ListState } from '../../../../src/core/servers/catalog.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import type { ServerState } from '../../../../src/core/servers/serverState.js';
import { eventually, settled } from '../../../support/waiting.js';

const session: Session = {
	era: 'legacy',
	eraReason: { code: 'error', error: -32601 },
	protocolVersion: '2025-11-25',
	capabilities: { tools: {}, logging: {} },
	serverInfo: { name: 'inner', title: 'A $(flame) server', version: '2.1' },
	instructions: 'Be kind.\nAlways.',
};

const failure = { kind: 'exited', exitCode: 3, signal: undefined } as const;

const stderr = ['no key'];

const states: Readonly<Record<ServerState['kind'], ServerState>> = {
	stopped: { kind: 'stopped' },
	untrusted: { kind: 'untrusted' },
	waiting: { kind: 'waiting', what: 'input' },
	starting: { kind: 'starting' },
	running: { kind: 'running', session, since: Date.UTC(2026, 0, 2, 12) },
	stopping: { kind: 'stopping' },
	reconnecting: { kind: 'reconnecting', failure, stderr, retryAt: 0 },
	failed: { kind: 'failed', failure, stderr },
};

interface PlayedServer {
	state: ServerState;
	pid: number | undefined;
	tools: ListState<Tool>;
	readonly name: string;
	readonly server: Server;
}

function play(name: string, state: ServerState, tools: readonly string[] = []): PlayedServer {
	const source = {
		kind: 'vscodeFolder',
		uri: `file:///home/me/${name}/.vscode/mcp.json`,
		folderUri: 'file:///home/me',
		folderName: 'me',
	};
	const played = {
		name,
		state,
		pid: 4711,
		tools: loaded(tools),
		warnings: [],
		definition: {
			id: `id-${name}`,
			name,
			source,
			offset: 0,
			launch: { kind: 'stdio', command: 'x', args: [], env: {} },
		},
		get catalog(): unknown {
			return this.state.kind === 'running' ? this : undefined;
		},
	};
	return Object.assign(played, { server: played as unknown as Server });
}

function loaded(names: readonly string[]): ListState<Tool> {
	return { kind: 'loaded', items: names.map(name => ({ name, inputSchema: {} })) };
}

function tooltip(item: vscode.TreeItem): string {
	assert.ok(typeof item.tooltip === 'string');
	return item.tooltip;
}

describe('the lines of the tree', () => {
	let changed: Emitter<Server | undefined>;
	let tree: ServersTree;
	const shown: Disposable[] = [];
	let described: number;
	let refreshes: (string[] | undefined)[];

	/** For rows with synchronous children only. */
	const below = (node?: TreeNode): TreeNode[] => tree.getChildren(node) as TreeNode[];

	function show(...servers: PlayedServer[]): void {
		changed = new Emitter();
		const label = (it: Server): string => `${it.name}!`;
		const registry = { servers: servers.map(it => it.server), label, onDidChange: changed.event };
		tree = new ServersTree(registry as unknown as ServerRegistry);
		shown.push(tree, changed);
		described = 0;
		tree.registerGroup<Tool>({
			id: 'tools',
			order: 1,
			label: 'Tools',
			icon: 'symbol-misc',
			list: catalog => catalog.tools,
			search: ({ name }) => ({ names: [name] }),
			describe: ({ name }) => {
				described++;
				return { key: name, label: name, icon: new vscode.ThemeIcon('tools'), context: TreeContexts.tool };
			},
		});
		refreshes = [];
		tree.onDidChangeTreeData(nodes => refreshes.push(nodes?.map(it => tree.getTreeItem(it).id ?? '')));
		lines();
		for (const { server } of servers) {
			changed.fire(server);
		}
		refreshes.length = 0;
	}
	afterEach(() => {
		for (const it of shown.splice(0)) {
			it.dispose();
		}
	});

	/** All rows as indented text. */
	function lines(parent?: TreeNode, indent = ''): string[] {
		return below(parent).flatMap(node => {
			const { label, description } = tree.getTreeItem(node);
			assert.ok(typeof label === 'string');
			return [`${indent}${label} ${String(description)}`.trimEnd(), ...lines(node, `${indent}  `)];
		});
	}

	function child(node: TreeNode | undefined, index: number): TreeNode {
		return below(node).at(index) ?? assert.fail('no such line');
	}

	for (const [kind, state] of Object.entries(states)) {
		it(`${kind}: says so to menus, eyes and ears`, () => {
			const item = serverItem(play('garden', state).server, 'garden', false);
			assert.ok(item.iconPath instanceof vscode.ThemeIcon);
			assert.equal(item.accessibilityInformation?.label, `garden, ${String(item.description).replaceAll(' · ', ', ')}`);
			assert.match(tooltip(item), /^garden\n.+\n/);
			assert.match(tooltip(item), /\nConfigured in \.vscode\/mcp\.json in folder "me"/);
		});
	}

	it('tells in the tooltip what is known of a server that runs', () => {
		const side = describeRemoteSide();
		const when = new Date(Date.UTC(2026, 0, 2, 12)).toLocaleString(vscode.env.language, {
			dateStyle: 'medium',
			timeStyle: 'short',
			hourCycle: 'h23',
		});
		assert.deepEqual(tooltip(serverItem(play('garden', states.running).server, 'garden (a)', false)).split('\n'), [
			'garden',
			'Running · 2025-11-25 · stdio',
			'Protocol revision 2025-11-25: The server answered the discovery request with error -32601',
			'Capabilities: tools, logging',
			`Running since ${when}, process 4711`,
			'Configured in .vscode/mcp.json in folder "me"',
			...(side === undefined ? [] : [side]),
			'',
			'Name reported by the server: "A $(flame) server 2.1"',
			'Instructions from the server: "Be kind. Always."',
		]);
	});

	it('shows right after its state that it is muted', () => {
		const { server } = play('garden', states.running);
		Object.assign(server, { isMuted: true });
		assert.equal(serverItem(server, 'garden', false).description, 'Running · Muted · 2025-11-25 · stdio');
	});

	it('says in the tooltip what a click does in Restricted Mode', () => {
		const item = serverItem(play('garden', states.untrusted).server, 'garden', false);
		assert.equal(item.command?.command, 'workbench.trust.manage');
		assert.match(tooltip(item), /\nSelect the server to manage Workspace Trust\.\n/);
	});

	it('says in the tooltip of the demo server that it is part of the extension', () => {
		const { server } = play('demo', states.stopped);
		const source = { ...server.definition.source, kind: 'userSettings', isDemo: true };
		Object.assign(server.definition, { source });
		assert.match(tooltip(serverItem(server, 'demo', false)), /\nPart of this extension/);
	});

	it('shows warnings about the protocol right after the state, and their details in the tooltip', () => {
		const garden = play('garden', states.running);
		show(garden);
		const { server } = garden;
		Object.assign(server, { warnings: [{ kind: 'noise', text: 'debug' }] });
		const item = serverItem(server, 'garden', false);
		assert.deepEqual([item.description, item.iconPath], ['Running · Warnings · 2025-11-25 · stdio', warningIcon()]);
		assert.match(
			tooltip(item),
			/\nThe server doesn't follow the protocol:\nThe server wrote a line to stdout .*: "debug"\n\n/,
		);
		refreshes = [];
		changed.fire(server);
		assert.deepEqual(refreshes, [['id-garden']]);
	});

	it('shows the last lines of stderr of one that failed', () => {
		assert.match(tooltip(serverItem(play('x', states.failed).server, 'x', false)), /error output:\nno key$/);
	});

	it('has groups with a say of their own: with checkboxes, and outside of every filter', async () => {
		const garden = play('garden', states.running, ['water']);
		const other = play('other', states.running);
		show(garden, other);
		const changedLists = new Emitter<void>();
		shown.push(changedLists);
		const flags = new Map<Server, ListState<string>>();
		const heard: unknown[] = [];
		tree.registerGroup<string>({
			id: 'flags',
			order: 2,
			label: 'Flags',
			icon: 'symbol-misc',
			list: (_, server) => flags.get(server) ?? { kind: 'absent' },
			onDidChange: changedLists.event,
			summary: (server, entries) => ({ description: `${entries.length} of ${server.name}`, tooltip: 'about flags' }),
			describe: text => ({
				key: text,
				label: text,
				icon: new vscode.ThemeIcon('flag'),
				context: TreeContexts.root,
				checkbox: text === 'fixed' ? undefined : { isChecked: text === 'on', tooltip: `Change ${text}` },
			}),
			check: async (server, checked) => {
				heard.push([server.name, ...checked]);
				assert.ok(!checked.has('off'), 'refused');
			},
		});
		changedLists.fire();
		refreshes.length = 0;
		flags.set(garden.server, { kind: 'loaded', items: ['on', 'off', 'fixed'] });
		flags.set(other.server, { kind: 'loaded', items: ['on'] });
		changedLists.fire();
		assert.deepEqual(refreshes, [['id-garden'], ['id-other']], 'a group has come');
		const gardens = ['garden! Running · 2025-11-25 · stdio', '  Tools 1', '    water', '  Flags 3 of garden'];
		const others = ['other! Running · 2025-11-25 · stdio', '  Tools 0', '     None', '  Flags 1 of other', '    on'];
		assert.deepEqual(lines(), [...gardens, '    on', '    off', '    fixed', ...others]);
		const group = child(child(undefined, 0), 1);
		assert.equal(tree.getTreeItem(group).tooltip, 'about flags');
		const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
		const box = (state: vscode.TreeItemCheckboxState, name: string): unknown => {
			const tooltip = `Change ${name}`;
			return { state, tooltip, accessibilityInformation: { label: tooltip } };
		};
		const [on, off, fixed] = below(group);
		assert.deepEqual(
			below(group).map(it => tree.getTreeItem(it).checkboxState),
			[box(Checked, 'on'), box(Unchecked, 'off'), undefined],
		);
		assert.ok(on && off && fixed);

		refreshes.length = 0;
		flags.set(garden.server, { kind: 'loaded', items: ['on'] });
		changedLists.fire();
		assert.deepEqual(refreshes, [['id-garden/flags']]);
		await tree.check([
			[on, false],
			[child(child(child(undefined, 1), 1), 0), false],
		]);
		await assert.rejects(tree.check([[off, true]]), /refused/);
		assert.deepEqual(heard, [
			['garden', ['on', false]],
			['other', ['on', false]],
			['garden', ['off', true]],
		]);
		assert.deepEqual(refreshes, [['id-garden/flags'], ['id-garden/flags']], 'refused, its lines are as they were');

		tree.filter = 'o';
		assert.deepEqual([lines(), tree.count()], [[], { hits: 0, all: 1 }]);
	});

	it('draws again only the group whose list has changed', () => {
		const garden = play('garden', states.running, ['water']);
		const other = play('other', states.running, ['x']);
		show(garden, other);
		changed.fire(garden.server);
		assert.deepEqual(refreshes, [], 'nothing has changed');
		garden.tools = loaded(['water', 'weed']);
		changed.fire(garden.server);
		garden.state = { ...states.running };
		changed.fire(garden.server);
		garden.tools = { kind: 'absent' };
		changed.fire(garden.server);
		garden.state = states.stopped;
		changed.fire(garden.server);
		changed.fire(undefined);
		garden.state = states.failed;
		changed.fire(garden.server);
		assert.deepEqual(refreshes, [
			['id-garden/tools'],
			['id-garden'],
			['id-garden'],
			['id-garden'],
			undefined,
			['id-garden'],
		]);
	});

	it('draws all lines only where the first arrow comes, or the last one goes: these move the text of the others', () => {
		const [one, two, three] = ['one', 'two', 'three'].map(it => play(it, states.stopped)) as [
			PlayedServer,
			PlayedServer,
			PlayedServer,
		];
		show(one, two, three);
		const become = (played: PlayedServer, state: ServerState): void => {
			played.state = state;
			changed.fire(played.server);
		};
		// Both run before the tree hears of the first.
		two.state = states.running;
		become(one, states.running);
		become(two, states.running);
		become(three, states.running);
		become(three, states.failed);
		one.state = states.stopped;
		become(two, states.stopped);
		become(one, states.stopped);
		const all = ['id-one', 'id-two', 'id-three'];
		assert.deepEqual(refreshes, [all, ['id-two'], ['id-three'], ['id-three'], ['id-two'], all]);
	});

	it('draws a list that changes again and again only once in a while: a click meanwhile would lose its line', async () => {
		const garden = play('garden', states.running, ['water']);
		const other = play('other', states.running, ['x']);
		show(garden, other);
		// What the editor has been given must have arrived.
		await settled();
		refreshes = [];
		for (let count = 0; count < 5; count++) {
			garden.tools = loaded(['water', `weed ${count}`]);
			changed.fire(garden.server);
		}
		other.tools = loaded(['y']);
		changed.fire(other.server);
		assert.deepEqual(refreshes, [['id-garden/tools'], ['id-other/tools']]);
		await eventually(() => refreshes[2] !== undefined, 'the last of the changes');
		assert.deepEqual(refreshes.slice(2), [['id-garden/tools']]);
		garden.tools = loaded(['water']);
		changed.fire(garden.server);
		garden.state = { ...states.running };
		changed.fire(garden.server);
		assert.deepEqual(refreshes.slice(3), [['id-garden']], 'what is drawn with its server need not be drawn again');
	});

	it('gives the editor the same line for the same group, with the same ids', () => {
		const garden = play('garden', states.running, ['water', 'water']);
		show(garden);
		const ids = (): unknown[] =>
			below(child(undefined, 0)).flatMap(it => [it, ...below(it).map(leaf => tree.getTreeItem(leaf).id)]);
		const before = ids();
		garden.tools = loaded(['water', 'water', 'weed']);
		changed.fire(garden.server);
		assert.equal(ids()[0], before[0]);
		assert.deepEqual(ids().slice(0, 3), before);
	});

	it('leaves what a filter finds, in lists that come later as well', () => {
		const garden = play('garden', states.running, ['water-plants', 'weed', 'wipe']);
		const idle = play('idle', states.stopped);
		const other = play('other', states.running, ['x']);
		show(garden, idle, other);
		tree.filter = ' wp ';
		assert.deepEqual(lines(), ['garden! Running · 2025-11-25 · stdio', '  Tools 1 of 3', '    water-plants']);
		assert.deepEqual(tree.count(), { hits: 1, all: 4 });
		other.tools = loaded(['wash-pots']);
		changed.fire(other.server);
		garden.tools = { kind: 'loading' };
		changed.fire(garden.server);
		assert.deepEqual(lines(), [
			'garden! Running · 2025-11-25 · stdio',
			'  Tools Loading',
			'other! Running · 2025-11-25 · stdio',
			'  Tools 1 of 1',
			'    wash-pots',
		]);
		assert.deepEqual(refreshes, [undefined, undefined, undefined]);
		const group = child(child(undefined, 1), 0);
		assert.equal(tree.getTreeItem(group).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
		tree.filter = 'nothing has that name';
		garden.tools = loaded([]);
		changed.fire(garden.server);
		assert.deepEqual(lines(), []);
		tree.filter = ' ';
		assert.equal(lines().length, 7);
	});

	it('leaves lines open or closed as the person left them, with and without a filter', () => {
		const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
		show(play('garden', states.running, ['water']));
		const look = (): unknown[] => {
			const server = child(undefined, 0);
			return [server, child(server, 0)].map(it => tree.getTreeItem(it).collapsibleState);
		};
		assert.deepEqual(look(), [Expanded, Collapsed]);
		tree.setExpanded(child(child(undefined, 0), 0), true);
		tree.filter = 'wat';
		assert.deepEqual(look(), [Expanded, Expanded]);
		tree.setExpanded(child(child(undefined, 0), 0), false);
		tree.setExpanded(child(undefined, 0), false);
		assert.deepEqual(look(), [Collapsed, Collapsed]);
		tree.filter = '';
		assert.deepEqual(look(), [Collapsed, Expanded]);
	});

	it('shows a list of URIs as folders, those of a page at a time, and hits of a filter without', () => {
		const garden = play('garden', states.running);
		show(garden);
		const uris = Array.from({ length: 1500 }, (_, index) => `db://plants/${index}/leaf`);
		const all = ['db://plants/index', 'note://today', ...uris].map(name => ({ name, inputSchema: {} }));
		garden.tools = { kind: 'loaded', items: all };
		const group = tree.registerGroup<Tool>({
			id: 'places',
			order: 2,
			label: 'Places',
			icon: 'symbol-misc',
			list: catalog => catalog.tools,
			uri: ({ name }) => name,
			search: ({ name }) => ({ names: [name] }),
			describe: ({ name }) => ({
				key: name,
				label: name,
				icon: new vscode.ThemeIcon('tools'),
				context: TreeContexts.tool,
			}),
		});
		const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
		const places = child(child(undefined, 0), 1);
		const folder = child(places, 0);
		const item = tree.getTreeItem(folder);
		assert.deepEqual([item.label, item.description, item.contextValue], ['db://plants', '1,501', 'folder']);
		assert.equal(item.collapsibleState, Collapsed, 'something stands beside it');
		assert.equal(tree.getTreeItem(child(places, 1)).label, 'note://today');
		const page = below(folder);
		assert.deepEqual(page.length, 1001);
		const inner = page[7] ?? assert.fail('no line');
		assert.equal(tree.getTreeItem(inner).label, '7');
		const leaf = child(inner, 0);
		assert.equal(tree.getTreeItem(leaf).label, 'db://plants/7/leaf');
		assert.ok(leaf.kind === 'leaf' && leaf.server === garden.server && tree.getParent(leaf) === inner);
		const more = page.at(-1);
		assert.ok(more?.kind === 'more' && tree.getTreeItem(more).label === 'Show 501 more');
		const first = tree.showMore(more.parent) ?? assert.fail('no line');
		assert.equal(tree.getTreeItem(first).label, '1000');
		assert.deepEqual(refreshes, [[item.id]]);
		assert.equal(tree.getTreeItem(below(folder).at(-1) ?? leaf).label, 'db://plants/index');
		tree.setExpanded(folder, true);
		assert.equal(tree.getTreeItem(child(child(child(undefined, 0), 1), 0)).collapsibleState, Expanded);
		tree.filter = 'plants/7/';
		assert.deepEqual(lines().slice(-2), ['  Places 1 of 1,502', '    db://plants/7/leaf']);
		group.dispose();
	});

	it('shows the loaded part of a list that is still loading, also through a filter', () => {
		const garden = play('garden', states.running);
		garden.tools = {
			kind: 'growing',
			items: [
				{ name: 'water', inputSchema: {} },
				{ name: 'weed', inputSchema: {} },
			],
		};
		show(garden);
		assert.deepEqual(lines().slice(1), ['  Tools 2 so far', '    water', '    weed']);
		tree.filter = 'xyz';
		assert.deepEqual(lines().slice(1), ['  Tools 0 so far'], 'there may be hits in what comes');
		tree.filter = 'wat';
		assert.deepEqual(lines().slice(1), ['  Tools 1 so far', '    water']);
		assert.deepEqual(tree.count(), { hits: 1, all: 2 });
	});

	it('shows the pages that came before a failure, below why there are no more', () => {
		const garden = play('garden', states.running);
		const items = ['water', 'weed'].map(name => ({ name, inputSchema: {} }));
		garden.tools = { kind: 'failed', error: new Error('It goes in a circle.'), items };
		show(garden);
		assert.deepEqual(lines().slice(1), [
			'  Tools 2 (incomplete)',
			'     It goes in a circle.',
			'    water',
			'    weed',
		]);
		tree.filter = 'wat';
		assert.deepEqual(lines().slice(-1), ['    water']);
		assert.deepEqual(tree.count(), { hits: 1, all: 2 });
	});

	it('makes lines of 100,000 entries a page at a time', () => {
		const names = Array.from({ length: 100_000 }, (_, index) => `file-${index}`);
		const garden = play('garden', states.running, names);
		show(garden);
		described = 0;
		const group = child(child(undefined, 0), 0);
		assert.equal(tree.getTreeItem(group).description, (100_000).toLocaleString(vscode.env.language));
		const page = below(group);
		assert.deepEqual([page.length, described], [1001, 1000]);
		const more = page.at(-1);
		assert.ok(more?.kind === 'more');
		const item = tree.getTreeItem(more);
		assert.deepEqual([item.contextValue, item.command?.arguments], [TreeContexts.more, [more]]);
		const first = tree.showMore(more.parent) ?? assert.fail('no line');
		assert.deepEqual(refreshes, [['id-garden/tools']]);
		assert.equal(tree.getTreeItem(first).label, 'file-1000');
		assert.equal(below(group).length, 2001);
		described = 0;
		garden.tools = loaded(names.slice(1));
		changed.fire(garden.server);
		assert.deepEqual([below(group).length, described], [2001, 2000], 'as many as before');

		described = 0;
		tree.filter = 'file9999';
		assert.deepEqual(
			below(child(child(undefined, 0), 0)).map(it => tree.getTreeItem(it).label),
			[9999, ...Array.from({ length: 10 }, (_, index) => 99_990 + index)].map(it => `file-${it}`),
		);
		assert.equal(described, 11);
	});
});
