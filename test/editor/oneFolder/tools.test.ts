// Covers M9: tools run by hand, on their pages and with no AI account, and by other extensions.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { listsAnswered } from '../../integration/quickInputs.js';
import { eventually } from '../../integration/support.js';
import { run } from '../support.js';

interface ToolLine extends vscode.QuickPickItem {
	readonly tool?: { readonly name: string };
	readonly server?: { readonly name: string };
}

describe('running a tool', () => {
	const asking = new AskingServers('garden');

	/** Runs a tool that is chosen from the list of all tools. */
	function runByHand(tool: string): Thenable<unknown> {
		const { createQuickPick } = vscode.window;
		Object.assign(vscode.window, {
			createQuickPick: listsAnswered((lines: readonly ToolLine[]) => {
				Object.assign(vscode.window, { createQuickPick });
				return lines.find(it => it.tool?.name === tool && it.server?.name === 'garden');
			}),
		});
		return run('tool.run');
	}

	interface Posted {
		readonly type: string;
		readonly message?: { readonly page?: { readonly outcome: string } };
	}

	it('by hand takes the arguments from the page of the tool and shows the result there', async () => {
		const posted: Posted[] = [];
		let tell: (message: unknown) => void = () => assert.fail('no page listens');
		const { createWebviewPanel } = vscode.window;
		Object.assign(vscode.window, {
			createWebviewPanel: (...args: Parameters<typeof createWebviewPanel>) => {
				const panel = createWebviewPanel(...args);
				const { webview } = panel;
				const [post, listen] = [webview.postMessage.bind(webview), webview.onDidReceiveMessage.bind(webview)];
				Object.assign(webview, {
					postMessage: (message: Posted) => {
						posted.push(message);
						return post(message);
					},
					onDidReceiveMessage: (listener: (message: unknown) => void) => {
						tell = listener;
						return listen(listener);
					},
				});
				return panel;
			},
		});
		try {
			await runByHand('water');
		} finally {
			Object.assign(vscode.window, { createWebviewPanel });
		}
		await eventually('the page', () =>
			vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'water · garden' ? true : undefined,
		);
		await eventually('the form', () => posted.find(it => it.type === 'focusForm'));
		// As the page does when the person presses Run.
		tell({ type: 'run', value: { bed: 'roses' }, isAnyway: false });
		const page = await eventually('the result', () => posted.find(it => it.type === 'result')?.message?.page);
		assert.equal(page.outcome, 'done');
		assert.deepEqual(asking.messages, [], 'the person is not asked about a call of their own');
	});

	it('for another extension gives it the result once it is allowed', async () => {
		asking.press = 'Review';
		const calling = run('tool.run', { server: 'garden', tool: 'weed', arguments: { n: 1 } });
		await asking.inputs.pick(labelled('Allow Once'));
		const { content } = (await calling) as { content: unknown };
		assert.deepEqual(content, [{ type: 'text', text: '["weed",{"n":1}]' }]);
	});
});
