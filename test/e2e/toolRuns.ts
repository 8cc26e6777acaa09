/** Runs tools of the server that gives results of every kind, as a person does. */
import * as path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';

export class ToolRuns {
	private constructor(readonly bench: Workbench) {}

	/** Opens a workbench and starts the server. */
	static async open(): Promise<ToolRuns> {
		const bench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'results'),
			settings: {
				// The editor must not add to what tests type.
				'editor.autoClosingBrackets': 'never',
				'editor.autoClosingQuotes': 'never',
				'editor.autoSurround': 'never',
				'mcpWorkbench.serverOptions': { results: { messageSize: 256, toolTimeouts: { silent: 1, steps: 1 } } },
			},
		});
		const runs = new ToolRuns(bench);
		await bench.openView('MCP Workbench');
		await runs.start();
		return runs;
	}

	async start(): Promise<void> {
		await this.bench.clickAction(this.bench.row('results'), 'Start Server');
		await this.bench.row('Tools').waitFor();
	}

	/** Closes all editors and notifications, which the next tests would find. */
	async tidy(): Promise<void> {
		await this.bench.runCommand('View: Close All Editors');
		await this.bench.runCommand('Notifications: Clear All Notifications');
	}

	/** Chooses a tool, up to its page. Without arguments it runs at once. */
	async choose(tool: string, server = 'results'): Promise<void> {
		const { bench } = this;
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.page.getByPlaceholder('Select a tool to run').fill(`${server} · ${tool}`);
		// Of ten thousand, those that fit are found a moment later.
		await bench.pick(`${server} · ${tool}`);
		await bench.toolPage(tool).waitFor();
	}

	/** Runs a tool without arguments and waits until its result is shown. */
	async run(tool: string, facts: string | RegExp = 'Done'): Promise<FrameLocator> {
		await this.choose(tool);
		const frame = this.bench.resultFrame();
		await frame.locator('.status', { hasText: facts }).waitFor();
		return frame;
	}
}
