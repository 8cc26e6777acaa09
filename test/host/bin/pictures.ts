// `npm run pictures`: makes the pictures of README anew, from the packaged extension in a real editor with the demo.
// `npm run pictures -- all` runs the end-to-end tests instead, with pictures of every screen in all themes.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { endSharedMachine } from '../machine.js';
import { programPath, projectRoot } from '../paths.js';
import { openWorkbench, picturesVariable, type Workbench } from '../workbench.js';
import { type Frame, movingPicture } from '../../pictures/movingPicture.js';

const folder = path.join(projectRoot, 'media', 'readme');
const lock = path.join(projectRoot, 'demo', '.vscode', 'mcp-lock.json');
/** Names the theme while pictures are taken. The demo has none of its own. */
const settings = path.join(projectRoot, 'demo', '.vscode', 'settings.json');

async function main(): Promise<void> {
	if (process.argv.includes('all')) {
		const env = { ...process.env, [picturesVariable]: '1' };
		const { status } = spawnSync(process.execPath, [programPath('test'), 'e2e'], { env, stdio: 'inherit' });
		process.exit(status ?? 1);
	}
	// What was approved on another day would change what is seen.
	fs.rmSync(lock, { force: true });
	const bench = await openWorkbench({
		workspace: path.join(projectRoot, 'demo'),
		inPlace: true,
		machine: { builtIns: 'all' },
		confirmServers: 'newOrChanged',
		theme: 'light',
		viewport: { width: 1120, height: 680 },
		settings: { 'window.commandCenter': false, 'workbench.layoutControl.enabled': false },
	});
	try {
		await widenSideBar(bench);
		await tour(bench);
		await stills(bench);
	} finally {
		await bench.dispose();
		await endSharedMachine();
		fs.rmSync(lock, { force: true });
		fs.rmSync(settings, { force: true });
	}
}

/** The first minutes, as README tells them. */
async function tour(bench: Workbench): Promise<void> {
	const frames: Frame[] = [];
	const see = async (ms: number): Promise<void> => {
		await bench.page.mouse.move(700, 600);
		frames.push({ png: fs.readFileSync(await bench.takePicture(`tour-${frames.length}`)), ms });
	};
	await bench.openView('MCP Workbench');
	await bench.row('everything').waitFor();
	await see(1500);
	await bench.clickAction(bench.row('everything'), 'Start Server');
	await bench.page.getByText('Allow "everything" to start?').waitFor();
	await see(3000);
	await bench.pick('Start');
	await bench.row('Tools19').waitFor();
	await bench.toggle(bench.row('Tools'));
	await bench.row('Get Sum').waitFor();
	await see(2500);
	await bench.runTool(bench.row('Get Sum'));
	await bench.quickInput().fill('12x');
	await bench.page.getByText('"12x" isn\'t a number').waitFor();
	await see(2000);
	await bench.answer('12');
	await bench.page.getByText('(2/2)').waitFor();
	await bench.answer('30');
	await bench.page.locator('.quick-input-list').getByText('Edit as JSON…').waitFor();
	await see(2500);
	await bench.pick('Run');
	await bench.resultFrame().getByText('The sum of 12 and 30 is 42.').waitFor();
	await see(2500);
	await bench.toggle(bench.row('Tools'));
	await bench.toggle(bench.row('Resources'));
	await bench.click(bench.row('architecture.md'));
	await bench.tab('architecture.md').waitFor();
	await bench.page.locator('.statusbar-item', { hasText: 'Markdown' }).waitFor();
	await see(2500);
	await bench.toggle(bench.row('Resources'));
	await bench.clickAction(bench.row('garden'), 'Start Server');
	await bench.pick('Start');
	await bench.row('gardenRunning').waitFor();
	await bench.ask('MCP Workbench: Run Tool…');
	await bench.answer('Choose Plants');
	await bench.pick('Run');
	const question = await bench.notification(/garden/);
	await see(2000);
	await bench.press(question, 'Answer');
	await bench.page.locator('.quick-input-list').getByText('Herbs').waitFor();
	await see(2500);
	await bench.dismiss();
	await bench.runCommand('MCP Workbench: Cancel Call');
	await bench.pick('Choose Plants');
	fs.writeFileSync(path.join(folder, 'tour.gif'), movingPicture(frames));
}

async function stills(bench: Workbench): Promise<void> {
	await bench.runCommand('View: Close All Editors');
	await bench.ask('MCP Workbench: Run Tool…');
	await bench.answer('garden · plant');
	await bench.page.getByText('plant · garden (1/2)').waitFor();
	await bench.pick('south');
	await bench.page.getByText('plant · garden (2/2)').waitFor();
	await bench.answer('kale');
	await bench.pick('Run');
	await bench.resultFrame().getByText('Matches the output schema').waitFor();
	await still(bench, 'result');
	await bench.runCommand('View: Close All Editors');
	await bench.runCommand('Fixture: Plant as a Model');
	await bench.press(await bench.dialog(), 'Yes');
	await bench.press(await bench.notification('A model wants to run plant on garden'), 'Review');
	await bench.page.getByText('Allow "plant" on "garden"?').waitFor();
	await still(bench, 'approval');
	await bench.dismiss();
}

/** A picture in dark and one in light colors. The moving picture is in light colors only, to keep the package small. */
async function still(bench: Workbench, name: string): Promise<void> {
	for (const theme of ['dark', 'light'] as const) {
		await bench.setTheme(theme);
		await bench.page.mouse.move(700, 660);
		const file = path.join(folder, `${name}-${theme}.png`);
		await bench.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
	}
}

/** So that every line can be read. */
async function widenSideBar({ page }: Workbench): Promise<void> {
	const bar = await page.locator('.part.sidebar').boundingBox();
	if (bar) {
		const edge = bar.x + bar.width;
		await page.mouse.move(edge, 400);
		await page.mouse.down();
		await page.mouse.move(edge + 90, 400, { steps: 5 });
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
