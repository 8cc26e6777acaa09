/** Where the focus goes when a server is removed from the Command Palette. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServersView } from '../../../../src/editor/tree/serversView.js';
import type { ServersTree } from '../../../../src/editor/tree/tree.js';
import type { PendingRequests } from '../../../../src/core/requests/pendingRequests.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { window } from '../../../support/vscodeDouble.js';

const demo = { definition: { name: 'demo', source: { kind: 'userSettings' } } } as unknown as Server;
const next = { definition: { name: 'next', source: { kind: 'userSettings' } } } as unknown as Server;
const registry = { servers: [next, demo] } as unknown as ServerRegistry;
const event = (): { dispose: () => void } => ({ dispose: () => undefined });

describe('the focus after a removal', () => {
	const { own } = leakCheck();
	const { createTreeView, onDidChangeTextEditorSelection, tabGroups } = window;
	afterEach(() => {
		Object.assign(window, { createTreeView, onDidChangeTextEditorSelection, tabGroups });
	});

	it('may have been on a row that is selected, or on any row of the visible view where no editor is open', () => {
		for (const [visible, selection, activeTab, expected] of [
			[true, [], undefined, true],
			[true, [], {}, false],
			[false, [], undefined, false],
			[true, [{ kind: 'server', server: demo }], {}, true],
			[true, [{ kind: 'server', server: next }], {}, false],
		] as const) {
			const events = {
				onDidChangeCheckboxState: event,
				onDidExpandElement: event,
				onDidCollapseElement: event,
				onDidChangeSelection: event,
				onDidChangeVisibility: event,
			};
			Object.assign(window, {
				createTreeView: () => ({ visible, selection, ...events, dispose: () => undefined }),
				tabGroups: { ...tabGroups, activeTabGroup: { activeTab } },
			});
			const tree = { onDidChangeTreeData: event } as unknown as ServersTree;
			const view = own(new ServersView(registry, tree, { onDidChange: event } as unknown as PendingRequests));
			assert.equal(view.mayHaveFocus(demo), expected);
		}
	});

	it('was on the selected row until the person turned to a text', () => {
		const { Keyboard, Mouse, Command } = vscode.TextEditorSelectionChangeKind;
		const listeners = { row: (): void => undefined, text: (_event: { kind: number | undefined }): void => undefined };
		const view = {
			visible: true,
			selection: [{ kind: 'server', server: demo }],
			onDidChangeCheckboxState: event,
			onDidExpandElement: event,
			onDidCollapseElement: event,
			onDidChangeVisibility: event,
			onDidChangeSelection: (listener: () => void) => {
				listeners.row = listener;
				return event();
			},
			dispose: () => undefined,
		};
		Object.assign(window, {
			createTreeView: () => view,
			onDidChangeTextEditorSelection: (listener: typeof listeners.text) => {
				listeners.text = listener;
				return event();
			},
			tabGroups: { ...tabGroups, activeTabGroup: { activeTab: {} } },
		});
		const tree = { onDidChangeTreeData: event } as unknown as ServersTree;
		const shown = own(new ServersView(registry, tree, { onDidChange: event } as unknown as PendingRequests));
		for (const [kind, expected] of [
			// An extension selects a range in the editor.
			[undefined, true],
			[Command, true],
			[Keyboard, false],
			[Mouse, false],
		] as const) {
			listeners.row();
			assert.equal(shown.mayHaveFocus(demo), true);
			listeners.text({ kind });
			assert.equal(shown.mayHaveFocus(demo), expected, String(kind));
		}
	});
});
