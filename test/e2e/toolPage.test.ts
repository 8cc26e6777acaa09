/**
 * Walks through the page of a tool in the real workbench, with third-party servers. The contents of the page, and the
 * arguments that it sends, are tested in a bare page (test/pages/realServers.test.ts).
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { fillForm } from '../support/fillForm.js';
import { packageFile } from '../support/realServers.js';
import { eventually, OwnWorkspace, pictureOnFailure } from './support.js';

describe('the page of a tool of a real server', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('tool', 'garden');
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		const run = (name: string, file: string, ...args: readonly string[]): object => ({
			command: 'node',
			args: [packageFile(name, file), ...args],
		});
		workspace.write('mcp.json', {
			servers: {
				filesystem: run('@modelcontextprotocol/server-filesystem', 'index.js', '${workspaceFolder}'),
				memory: {
					...run('@modelcontextprotocol/server-memory', 'index.js'),
					env: { MEMORY_FILE_PATH: '${workspaceFolder}/graph.jsonl' },
				},
				everything: run('@modelcontextprotocol/server-everything', 'index.js', 'stdio'),
			},
		});
		bench = await openWorkbench({ workspace: workspace.folder, inPlace: true });
		await bench.openView('MCP Workbench');
		for (const server of ['everything', 'memory', 'filesystem']) {
			await bench.clickAction(bench.row(server), 'Start Server');
			await bench.row(`${server}Running`).waitFor();
		}
	});
	after(async () => {
		await bench.dispose();
		workspace.remove();
	});
	afterEach(() => bench.runCommand('View: Close All Editors'));

	const inWorkspace = (name: string): string => path.join(workspace.folder, name);
	const page = (): Locator => bench.resultFrame().getByRole('main');
	const done = (): Promise<void> =>
		page()
			.getByText(/^Done · /)
			.first()
			.waitFor();

	/** Opens the page of a tool from the Command Palette. */
	async function open(server: string, tool: string, title: string): Promise<void> {
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.page.getByPlaceholder('Select a tool to run').fill(tool);
		await bench.pick(`${server} · ${tool}`);
		await bench.toolPage(title).waitFor();
	}

	it('writes a file, and another file after one argument is changed', async () => {
		await open('filesystem', 'write_file', 'Write File');
		await fillForm(page(), { path: inWorkspace('one.txt'), content: 'text' });
		await bench.page.keyboard.press('Control+Enter');
		await done();
		await bench.field('path').fill(inWorkspace('two.txt'));
		await bench.page.keyboard.press('Control+Enter');
		await eventually('both files', () =>
			assert.deepEqual(
				['one.txt', 'two.txt'].map(it => fs.readFileSync(inWorkspace(it), 'utf8')),
				['text', 'text'],
			),
		);
	});

	it('fills in rows that contain lists', async () => {
		await open('memory', 'create_entities', 'Create Entities');
		await fillForm(page(), { entities: [{ name: 'Ann', entityType: 'person', observations: ['tall', 'quick'] }] });
		await bench.page.keyboard.press('Control+Enter');
		await done();
		const ann = { type: 'entity', name: 'Ann', entityType: 'person', observations: ['tall', 'quick'] };
		assert.deepEqual(JSON.parse(fs.readFileSync(inWorkspace('graph.jsonl'), 'utf8')), ann);
	});

	it('shows the messages of its call with one click, and restores the arguments of a request', async () => {
		await open('everything', 'echo', 'Echo Tool');
		await fillForm(page(), { message: 'first' });
		await bench.page.keyboard.press('Control+Enter');
		await done();
		await bench.field('message').fill('second');
		await page().getByRole('tab', { name: 'Messages' }).click();
		await page()
			.getByRole('row', { name: /tools\/call/ })
			.click();
		await page().getByRole('button', { name: 'Edit and Resend' }).click();
		await eventually('the first arguments', async () =>
			assert.equal(await bench.field('message').inputValue(), 'first'),
		);
	});

	it('shows progress, and cancels in place', async () => {
		await open('everything', 'trigger-long-running-operation', 'Trigger Long Running Operation Tool');
		await fillForm(page(), { duration: 100, steps: 1000 });
		await bench.page.keyboard.press('Control+Enter');
		await page()
			.getByRole('status')
			.getByText(/1,000|1000/)
			.waitFor();
		await page().getByRole('button', { name: 'Cancel', exact: true }).click();
		await page()
			.getByText(/^Cancell?ed/)
			.first()
			.waitFor();
	});

	it('keeps the entered values, except secrets, when the window is reloaded', async () => {
		await open('filesystem', 'edit_file', 'Edit File');
		await fillForm(page(), {
			path: inWorkspace('one.txt'),
			edits: [{ oldText: 'text', newText: 'ghp_0123456789abcdef0123456789abcdef0123' }],
		});
		const reloaded = bench.page.waitForEvent('load');
		// Unlike a reload of the page, this command keeps the open tabs.
		await bench.runCommand('Developer: Reload Window');
		await reloaded;
		await bench.toolPage('edit_file').waitFor();
		assert.doesNotMatch(await bench.resultFrame().locator('header').first().innerText(), /tokens/);
		await bench.screenshot('tool-1-reloaded');
		await bench.click(bench.resultFrame().getByRole('button', { name: 'Start', exact: true }));
		await bench.toolPage('Edit File').waitFor();
		await eventually('the arguments', async () => {
			assert.equal(await bench.field('path').inputValue(), inWorkspace('one.txt'));
			assert.equal(await bench.field('oldText').inputValue(), 'text');
			assert.equal(await bench.field('newText').inputValue(), '');
		});
		await fillForm(page(), { newText: 'changed' });
		await bench.page.keyboard.press('Control+Enter');
		await done();
		assert.equal(fs.readFileSync(inWorkspace('one.txt'), 'utf8'), 'changed');
	});
});
