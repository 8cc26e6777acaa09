import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually } from '../support.js';

describe('the documentation, in a workspace that is not trusted', () => {
	it('opens as a preview', async () => {
		await activate();
		const inputs = new QuickInputs();
		try {
			const opened = vscode.commands.executeCommand('mcpWorkbench.docs.open');
			await inputs.pick(it => it.label === 'Approvals');
			await opened;
			const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap(it => it.tabs);
			await eventually('the preview', () => {
				const tab = tabs().find(it => it.input instanceof vscode.TabInputWebview && it.label.includes('approvals.md'));
				return tab && vscode.window.tabGroups.close(tab);
			});
		} finally {
			inputs.dispose();
		}
	});
});
