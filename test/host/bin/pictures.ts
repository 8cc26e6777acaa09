// `npm run pictures`: takes the pictures of README, docs and the walkthrough again, from the packaged extension in a real
// editor. Texts are in Open Sans if it is installed (Debian: fonts-open-sans).
// `npm run pictures -- all` runs the end-to-end tests instead, with pictures of every screen in all themes.
import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { endSharedMachine } from '../machine.js';
import { programPath, projectRoot } from '../paths.js';
import type { Theme } from '../themes.js';
import { openWorkbench, picturesVariable, type Workbench } from '../workbench.js';
import { palettePng } from '../../pictures/palettePng.js';

const sources = path.join(projectRoot, 'test', 'pictures');
const viewport = { width: 900, height: 676 };
/** Of a picture. With fewer, edges of letters look rough. */
const colors = 64;

/** A part of the window in its own pixels; pictures have one and a half times as many. */
interface Clip {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

async function main(): Promise<void> {
	if (process.argv.includes('all')) {
		const env = { ...process.env, [picturesVariable]: '1' };
		const { status } = spawnSync(process.execPath, [programPath('test'), 'e2e'], { env, stdio: 'inherit' });
		process.exit(status ?? 1);
	}
	process.env['FONTCONFIG_FILE'] = path.join(sources, 'fonts.conf');
	await inWindow(path.join(sources, 'garden'), takeReadmePictures);
	await inWindow(undefined, takeWalkthroughPictures);
}

/** Opens a workspace in a window without the parts that only an editor in a browser has. */
async function inWindow(workspace: string | undefined, takePictures: (it: Workbench) => Promise<void>): Promise<void> {
	const bench = await openWorkbench({
		...(workspace !== undefined && { workspace }),
		machine: { builtIns: 'all', deviceScaleFactor: 1.5 },
		viewport,
		settings: {
			'diffEditor.renderGutterMenu': false,
			'editor.minimap.enabled': false,
			'window.commandCenter': false,
			'window.menuBarVisibility': 'hidden',
			'workbench.activityBar.compact': true,
			'workbench.layoutControl.enabled': false,
		},
	});
	try {
		await bench.openView('MCP Workbench');
		await widenSideBar(bench, 330);
		await bench.runCommand('MCP Workbench: Try the Demo Server');
		await bench.row('demoRunning').waitFor();
		await bench.row('Roll Dice').waitFor();
		await takePictures(bench);
	} catch (error) {
		await bench.takePicture('pictures-failed');
		throw error;
	} finally {
		await bench.dispose();
		await endSharedMachine();
	}
}

async function takeReadmePictures(bench: Workbench): Promise<void> {
	const [servers, history] = [bench.view('Servers'), bench.view('History')];
	await bench.clickAction(bench.row('filesystem'), 'Start Server');
	await bench.row('filesystemRunning').waitFor();
	const run = async (tool: string, result: string, values: Readonly<Record<string, string>>): Promise<void> => {
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.answer(tool);
		await bench.runPage(values);
		await bench.resultFrame().getByText(result).first().waitFor();
	};
	await run('filesystem · list_directory', 'todo.md', { path: 'notes' });
	await run('demo · roll-dice', 'Matches the output schema', {});
	await bench.runCommand('View: Close Other Editors in Group');
	await bench.click(bench.tab('roll-dice'));
	const result = { ...(await box(bench.page.locator('.part.editor'))), height: 326 };
	await picture(bench, 'docs/images/result', 'dark', result);
	// Tall enough for the page from its title to its result.
	await bench.page.setViewportSize({ width: 900, height: 860 });
	await bench.resultFrame().getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
	await picture(bench, 'media/readme/tool', 'dark', await workArea(bench), bench.row('Roll Dice', servers));
	await bench.runCommand('View: Close All Editors');

	// Tall enough for all rows of the list.
	await bench.page.setViewportSize({ width: 900, height: 1100 });
	await bench.runCommand('Fixture: Write a File as a Model');
	await bench.press(await bench.dialog(), 'Yes');
	await bench.press(await bench.notification('A model wants to run'), 'Review');
	await bench.page.getByPlaceholder('Review the call').waitFor();
	await picture(bench, 'media/readme/approval', 'dark', { x: 0, y: 0, width: 900, height: 446 });
	await picture(bench, 'docs/images/approval', 'dark', await box(bench.page.locator('.quick-input-widget')));
	await bench.pick('Deny');
	await bench.page.setViewportSize({ width: 900, height: 560 });

	await run('filesystem · read_text_file', 'ENOENT', { path: 'notes/plan.md' });
	await run('demo · greet', 'Hello, Ada.', { Who: 'Ada' });
	await run('demo · roll-dice', 'Matches the output schema', {});
	await bench.runCommand('View: Close All Editors');
	await bench.click(history.locator('.pane-header'));
	await bench.click(servers.locator('.pane-header'));
	const rows = history.locator('.monaco-list-row', { hasText: 'Roll Dice' });
	await bench.click(rows.nth(0));
	await bench.click(rows.nth(1), { modifiers: ['ControlOrMeta'] });
	await bench.chooseFromMenu(rows.nth(1), 'Use History Entry…');
	await bench.pick('Compare Results…');
	await bench.tab('↔').waitFor();
	await picture(bench, 'media/readme/history', 'dark', await workArea(bench));
}

async function takeWalkthroughPictures(bench: Workbench): Promise<void> {
	await pictures(bench, 'media/walkthrough/start', { x: 0, y: 0, width: 374, height: 280 }, bench.row('Greet'));
	await bench.runTool(bench.row('Greet'));
	await bench.field('Who').fill('Ada');
	const page = { ...(await box(bench.page.locator('.part.editor'))), height: 325 };
	await pictures(bench, 'media/walkthrough/tool', page);
	await bench.runPage();
	await bench.resultFrame().getByText('Hello, Ada.').waitFor();
	await pictures(bench, 'media/walkthrough/result', await box(bench.page.locator('.part.editor')));
}

/** All parts of the window above the status bar. */
async function workArea(bench: Workbench): Promise<Clip> {
	const bar = await box(bench.page.locator('.part.sidebar'));
	return { x: 0, y: 0, width: viewport.width, height: bar.y + bar.height + 4 };
}

async function box(element: Locator): Promise<Clip> {
	const found = await element.boundingBox();
	assert.ok(found);
	return found;
}

/** A picture in each theme, for pages of the editor that show the one that suits. */
async function pictures(bench: Workbench, name: string, clip: Clip, hovered?: Locator): Promise<void> {
	for (const theme of ['dark', 'light'] as const) {
		await picture(bench, `${name}-${theme}`, theme, clip, hovered);
	}
}

/**
 * @param name of the file, without extension
 * @param hovered what the pointer is over
 */
async function picture(
	bench: Workbench,
	name: string,
	theme: Theme,
	clip: Clip,
	hovered: Locator = bench.page.locator('.activitybar'),
): Promise<void> {
	await bench.setTheme(theme);
	await hovered.hover({ force: true });
	await bench.page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
	const png = await bench.page.screenshot({ animations: 'disabled', caret: 'hide', clip });
	const file = path.join(projectRoot, `${name}.png`);
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, palettePng(png, colors));
}

/** Makes the side bar wide enough for its longest row. */
async function widenSideBar({ page }: Workbench, width: number): Promise<void> {
	const bar = await page.locator('.part.sidebar').boundingBox();
	if (bar) {
		await page.mouse.move(bar.x + bar.width, 400);
		await page.mouse.down();
		await page.mouse.move(bar.x + width, 400, { steps: 5 });
		await page.mouse.up();
	}
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
