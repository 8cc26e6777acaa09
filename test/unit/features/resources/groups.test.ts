/** The rows of resources in the tree, for a simulated server. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { registerResourceGroup } from '../../../../src/features/resources/register.js';
import { handleDrag } from '../../../../src/editor/tree/serversView.js';
import { ServersTree } from '../../../../src/editor/tree/tree.js';
import type { TreeNode } from '../../../../src/editor/tree/treeNodes.js';
import type { Resource, ResourceContents } from '../../../../src/mcp/index.js';
import { LiveResources } from '../../../../src/core/resources/liveResources.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { personReads } from '../../../support/personReads.js';

const owned: { dispose(): void }[] = [];
/** The URIs that were opened by the person. */
const opened: string[] = [];
let reads: Readonly<Record<string, readonly ResourceContents[]>>;

function show(resources: readonly Resource[]): ServersTree {
	const changed = new Emitter<Server | undefined>();
	const server = {
		name: 'shelf',
		definition: {
			id: 'id',
			name: 'shelf',
			source: { kind: 'vscodeFolder', uri: 'file:///a', folderUri: 'file:///', folderName: 'a' },
			launch: { kind: 'stdio', command: 'x', args: [], env: {} },
		},
		options: { messageBytes: 1e6 },
		state: { kind: 'stopped' },
		warnings: [],
		catalog: { resources: { kind: 'loaded', items: resources } },
		client: {
			forgetResource: () => undefined,
			readResource: async (uri: string) => {
				const found = reads[uri];
				if (!found) {
					throw new Error('no such folder');
				}
				return found;
			},
		},
	} as unknown as Server;
	const registry = {
		servers: [server],
		label: () => 'shelf',
		serverOf: () => server,
		onDidChange: changed.event,
	} as unknown as ServerRegistry;
	const tree = new ServersTree(registry);
	const live = new LiveResources({
		...personReads,
		registry,
		onDidChangeIdentity: () => ({ dispose() {} }),
		isSeen: () => false,
	});
	owned.push(changed, tree, live);
	owned.push(registerResourceGroup({ registry, tree, live, byPerson: { add: ({ uri }) => opened.push(uri) } }));
	return tree;
}

async function lines(tree: ServersTree, node?: TreeNode, indent = ''): Promise<string[]> {
	const nodes = await tree.getChildren(node);
	const below = await Promise.all(
		nodes.map(async it => {
			const { label, description } = tree.getTreeItem(it);
			// Rows with only a message have no label, and most rows have no description.
			const line = [label, description ?? '']
				.map(textOf)
				.filter(text => text !== '')
				.join(' · ');
			return [`${indent}${line}`, ...(await lines(tree, it, `${indent}  `))];
		}),
	);
	return below.flat();
}

/** The text of a tree item, which must not be Markdown. */
function textOf(value: unknown): string {
	assert.ok(typeof value === 'string');
	return value;
}

async function itemOf(tree: ServersTree): Promise<vscode.TreeItem> {
	const [server] = await tree.getChildren();
	const [group] = await tree.getChildren(server);
	const [leaf] = await tree.getChildren(group);
	assert.ok(leaf);
	return tree.getTreeItem(leaf);
}

describe('the lines of resources', () => {
	beforeEach(() => {
		reads = {};
	});
	afterEach(() => owned.splice(0).forEach(it => it.dispose()));

	it('read like a file explorer', async () => {
		const tree = show([
			{ uri: 'db://main/users/2', name: 'two' },
			{ uri: 'db://main/users/10', name: 'ten', size: 1200 },
			{ uri: 'db://main/orders/7', name: 'seven', title: 'Order seven' },
			{ uri: 'db://main/orders/8', name: 'eight' },
			{ uri: 'note:x', name: 'alone' },
		]);
		const found = (await lines(tree)).slice(2).map(it => it.slice(4));
		assert.deepEqual(found, [
			'db://main · 4',
			'  users · 2',
			'    two',
			'    ten · 1.2 KB',
			'  orders · 2',
			'    Order seven',
			'    eight',
			'alone',
		]);
	});

	it('say in the tooltip what the server says of it', async () => {
		const annotations = { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
		const about = { name: 'n', title: 'T', mimeType: 'text/plain', size: 5, description: 'What it is.', annotations };
		const { tooltip, resourceUri } = await itemOf(show([{ uri: 'x:1', ...about }]));
		const text = textOf(tooltip);
		for (const part of [
			/^x:1\nName: n\nType: text\/plain\nSize: 5 B\nAudience: You, Models\nPriority: 0.5/,
			/Last modified: /,
			/\n\nWhat it is\.$/,
		]) {
			assert.match(text, part);
		}
		assert.equal(resourceUri?.scheme, 'mcp-workbench');
	});

	it('hide nothing and fake nothing, whatever a name holds', async () => {
		const { label, tooltip } = await itemOf(show([{ uri: 'x:1', name: 'two\nlines \u202Egnp.\u202C $(zap)' }]));
		assert.equal(label, 'two lines \uFFFDgnp.\uFFFD $(zap)');
		assert.doesNotMatch(textOf(tooltip), /\u202E/);
	});

	it('are dragged as what opens: by the name it has elsewhere, or that its viewer knows', async () => {
		const tree = show([
			{ uri: 'x:text', name: 'text', mimeType: 'text/markdown' },
			{ uri: 'x:picture', name: 'picture', mimeType: 'image/png' },
			{ uri: 'x:dir/', name: 'dir', mimeType: 'inode/directory' },
		]);
		const [server] = await tree.getChildren();
		const [group] = await tree.getChildren(server);
		const [folder] = await tree.getChildren(group);
		const data = new vscode.DataTransfer();
		handleDrag([...(await tree.getChildren(folder)), ...(folder ? [folder] : [])], data);
		const dragged = await data.get('text/uri-list')?.asString();
		const paths = dragged?.split('\r\n').map(it => vscode.Uri.parse(it).path);
		assert.deepEqual(paths, ['/shelf/x/text', '/shelf/x/picture.png']);
		assert.deepEqual(opened.slice(-3), ['x:text', 'x:picture', 'x:dir/'], 'what is dropped is read for the person');
		const nothing = new vscode.DataTransfer();
		handleDrag(folder ? [folder] : [], nothing);
		assert.equal(nothing.get('text/uri-list'), undefined);
	});

	it('hand no name to the editor that another editor or a language server would claim', async () => {
		const uris = ['x:a.ipynb', 'x:b', 'x:c.json', 'x:d', 'x:e.png', 'x:f.py', 'command:g.html'];
		const types = ['application/json', 'application/ipynb', '', 'application/json', 'text/plain', '', 'text/html'];
		const tree = show(uris.map((uri, index) => ({ uri, name: uri, mimeType: types[index] ?? '' })));
		const [server] = await tree.getChildren();
		const [group] = await tree.getChildren(server);
		const leaves: TreeNode[] = [];
		const collect = async (node: TreeNode | undefined): Promise<void> => {
			for (const it of await tree.getChildren(node)) {
				await (it.kind === 'leaf' ? leaves.push(it) : collect(it));
			}
		};
		await collect(group);
		const handed = leaves.map(it => tree.getTreeItem(it).resourceUri);
		assert.ok(handed.every(it => it?.scheme === 'mcp-workbench' && it.authority === ''));
		const names = handed.map(it => it?.path.split('/').at(-1) ?? '');
		const expected = ['a.ipynb.txt', 'b', 'c.json.txt', 'd', 'e.png', 'f.py', 'g.html'];
		assert.deepEqual(names.toSorted(), expected);
		const data = new vscode.DataTransfer();
		handleDrag(leaves, data);
		const list = (await data.get('text/uri-list')?.asString()) ?? '';
		const dragged = list.split('\r\n').map(it => vscode.Uri.parse(it));
		assert.ok(dragged.every(it => it.scheme === 'mcp-workbench'));
		assert.deepEqual(dragged.map(it => it.path.split('/').at(-1) ?? '').toSorted(), expected);
	});

	it('of directories are opened by reading, as deep as they go', async () => {
		reads = {
			'x:dir/': [
				{ uri: 'x:dir/a.txt', text: 'a' },
				{ uri: 'x:dir/in/', mimeType: 'inode/directory', text: '' },
				{ uri: 'x:dir/gone/', mimeType: 'inode/directory', text: '' },
			],
			'x:dir/in/': [],
		};
		const found = await lines(show([{ uri: 'x:dir/', name: 'dir', mimeType: 'inode/directory' }]));
		assert.deepEqual(
			found.slice(2).map(it => it.slice(4)),
			['dir', '  a.txt', '  in', '    None', '  gone', `    shelf: "gone" can't be read. no such folder`],
		);
	});
});
