// Redraws a single row of the tree.
import * as assert from 'node:assert/strict';
import { ThemeIcon } from 'vscode';
import { TreeContexts } from '../../../../src/editor/contributions.js';
import { ServersTree } from '../../../../src/editor/tree/tree.js';
import type { LeafNode, TreeNode } from '../../../../src/editor/tree/treeNodes.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';

describe('a tree row that is redrawn', () => {
	const { own } = leakCheck();
	const server = {
		definition: { id: 'garden', source: {} },
		state: { kind: 'running' },
		catalog: {},
	} as unknown as Server;
	let tree: ServersTree;
	let isRunning: boolean;
	let drawn: (TreeNode[] | undefined)[];
	const children = (node?: TreeNode): TreeNode[] => tree.getChildren(node) as TreeNode[];

	beforeEach(() => {
		[isRunning, drawn] = [false, []];
		const { event } = own(new Emitter<Server | undefined>());
		tree = own(new ServersTree({ servers: [server], onDidChange: event } as unknown as ServerRegistry));
		own(
			tree.registerGroup<string>({
				id: 'tools',
				order: 1,
				label: 'Tools',
				icon: 'tools',
				list: () => ({ kind: 'loaded', items: ['water', 'weed'] }),
				describe: name => ({
					key: name,
					label: name,
					icon: new ThemeIcon(isRunning ? 'loading~spin' : 'tools'),
					context: TreeContexts.tool,
				}),
			}),
		);
		own(tree.onDidChangeTreeData(it => void drawn.push(it)));
	});

	it('keeps the object that the editor holds, with new properties, and redraws no other row', () => {
		const [node] = children();
		const [group] = children(node);
		const [water, weed] = children(group) as LeafNode[];
		isRunning = true;
		tree.redrawEntry('tools', server, 'weed');
		assert.equal(drawn.length, 1);
		assert.deepEqual(
			drawn[0]?.map(it => it === weed),
			[true],
		);
		assert.deepEqual([weed?.look.icon.id, water?.look.icon.id], ['loading~spin', 'tools']);
	});

	it('does nothing if the row was never created, or is gone', () => {
		tree.redrawEntry('tools', server, 'weed');
		children(children(children()[0])[0]);
		tree.redrawEntry('tools', server, 'plant');
		tree.redrawEntry('others', server, 'weed');
		assert.deepEqual(drawn, []);
	});

	it('its group has an icon', () => {
		const [group] = children(children()[0]);
		assert.ok(group);
		assert.deepEqual(tree.getTreeItem(group).iconPath, new ThemeIcon('tools'));
	});
});
