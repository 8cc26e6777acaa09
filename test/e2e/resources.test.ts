/** Resources in the tree, in editors, changed, compared, and read from templates; light and dark. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

const guide = 'lib://docs/guide';

describe('resources', function () {
	this.timeout(180_000);
	let it_: Workbench | undefined;
	pictureOnFailure(() => it_);
	before(async () => {
		it_ = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'library'),
			theme: 'light',
		});
		await it_.openView('MCP Workbench');
		await it_.clickAction(it_.row('library'), 'Start Server');
		await it_.row('Resources').waitFor();
	});
	after(() => it_?.dispose());

	const workbench = (): Workbench => {
		assert.ok(it_);
		return it_;
	};
	const tab = (name: string) => workbench().page.locator('.tab', { hasText: name });

	async function goTo(name: string): Promise<void> {
		const it = workbench();
		await toGo(name);
		await eventually('the hit', async () =>
			assert.match((await it.readQuickInput()).items[0] ?? '', new RegExp(`^${name}`)),
		);
		await it.pick(name);
		await tab(name).waitFor();
	}

	/** Types a name into the list of resources, which replaces the palette in the same place. */
	async function toGo(name: string): Promise<void> {
		const it = workbench();
		await it.runCommand('MCP Workbench: Go to Resource…');
		await it.page.getByPlaceholder('Search resources by name or URI').fill(name);
	}

	/** The server gives the guide another text. */
	async function change(text: string): Promise<void> {
		const it = workbench();
		// A resource that is visible when it changes counts as seen.
		await goTo('code.py');
		const args = encodeURIComponent(JSON.stringify({ uri: guide, text }));
		await toGo(`lib://do/change?${args}`);
		await it.pick('Read from "library"');
		await eventually('the answer', async () => assert.match(await editorText(it), /^what is at do\/change/));
	}

	it('are listed in folders, and open in the view for their type', async () => {
		const it = workbench();
		await it.click(it.row('Resources'));
		await it.click(it.row('lib://'));
		await it.click(it.row('docs'));
		await it.click(it.row('media'));
		await it.row('The Guide').first().waitFor();
		await it.screenshot('resources-1-tree');
		await it.click(it.row('pixel').first());
		await tab('pixel.png').waitFor();
		await it.click(it.row('manual'));
		await it.notification('library: "manual" is a PDF document (11 B)');
		await it.screenshot('resources-2-picture-and-pdf');
		await it.runCommand('Notifications: Clear All Notifications');
		await it.click(it.row('The Guide').first());
		await eventually('the text', async () => assert.match(await editorText(it), /^# Guide/));
		await it.runCommand('View: Keep Editor');
		await eventually('the language', async () => {
			assert.match(await it.page.locator('.statusbar').innerText(), /Markdown/);
		});
	});

	it('are marked if they change unseen, and can be compared with their earlier contents', async () => {
		const it = workbench();
		await change('# Guide\n\nOne and a half.\nTwo.\nThree.\n');
		const badge = (): Promise<number> => it.page.locator('[aria-label*="Changed since you last opened it"]').count();
		await eventually('the sign', async () => assert.ok((await badge()) > 0));
		await it.screenshot('resources-3-changed');
		await it.click(tab('guide').first());
		await eventually('the text', async () => assert.match(await editorText(it), /One and a half/));
		await eventually('no sign', async () => assert.equal(await badge(), 0));
		await it.ask('MCP Workbench: Use Resource…');
		await it.pick('Compare with Previous Version');
		await tab('↔ now').waitFor();
		await it.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
		await it.screenshot('resources-4-diff');
		await it.runCommand('View: Close Editor');
	});

	it('are read from the page of a template, which completes values and shows the URI', async () => {
		const it = workbench();
		await it.click(it.row('lib://'));
		await it.click(it.row('Templates'));
		await it.row('A note').waitFor();
		await it.click(it.row('A note'));
		await it.toolPage('A note').waitFor();
		const frame = it.resultFrame();
		await it.field('id').fill('2');
		await frame.getByRole('option', { name: '22', exact: true }).waitFor();
		await it.screenshot('resources-6-variable');
		await frame.getByRole('option', { name: '22', exact: true }).click();
		await frame.locator('.preview', { hasText: 'lib://note/22' }).waitFor();
		await it.page.keyboard.press('Control+Enter');
		await frame.locator('.block pre', { hasText: 'what is at note/22' }).waitFor();
		await it.screenshot('resources-7-contents');
		await it.click(frame.getByRole('button', { name: 'Open', exact: true }));
		await eventually('the note', async () => assert.equal(await editorText(it), 'what is at note/22'));
	});

	it('open again after a reload, also if the server does not list them', async () => {
		const it = workbench();
		await it.runCommand('View: Keep Editor');
		// Unlike a reload of the page, this command keeps the open tabs.
		const reloaded = it.page.waitForEvent('load');
		await it.runCommand('Developer: Reload Window');
		await reloaded;
		await it.whenReady();
		await it.openView('MCP Workbench');
		await it.clickAction(it.row('library'), 'Start Server');
		await it.row('Templates').waitFor();
		await it.page.getByText('Try Again').click();
		await eventually('the note', async () => assert.equal(await editorText(it), 'what is at note/22'));
	});
});
