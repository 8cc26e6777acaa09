// Covers M9: tools run by hand, with a form and no AI account, and by other extensions.
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

	const resultTab = (label: string): Promise<vscode.Tab> =>
		eventually(label, () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === label && it.input instanceof vscode.TabInputWebview),
		);

	it('by hand asks for the arguments in a form and shows the result', async () => {
		const running = runByHand('water');
		await asking.inputs.type('roses');
		const { lines } = await asking.inputs.pick(labelled('Run'));
		assert.ok(lines.includes('bed * | "roses"'), lines.join('\n'));
		await running;
		await resultTab('water · garden');
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
