/** No mouse at all: every feature by keys alone, what has the focus after each, and what a screen reader is told. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Hands } from './hands.js';
import { eventually, pictureOnFailure, unnamed } from './support.js';

const everything = path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('keys alone', function () {
	this.timeout(120_000);
	// Each goes on where the one before it has ended.
	this.bail(true);
	const workspace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-keys-')), 'keys');
	let bench: Workbench;
	let hands: Hands;
	pictureOnFailure(() => bench);

	const write = (file: string, value: object): void =>
		fs.writeFileSync(path.join(workspace, '.vscode', file), JSON.stringify(value));
	const configured = { everything: { command: 'node', args: [everything] } };

	before(async () => {
		fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
		write('mcp.json', { servers: configured });
		write('mcp-policy.json', { rules: [{ decision: 'ask', tool: 'get-sum' }] });
		bench = await openWorkbench({ workspace, inPlace: true, confirmServers: 'newOrChanged' });
		// As README has them.
		const uri = 'demo://resource/static/document/features.md';
		const keys = [
			{ key: 'ctrl+alt+1', command: 'mcpWorkbench.resource.open', args: { server: 'everything', uri } },
			{ key: 'ctrl+alt+2', command: 'mcpWorkbench.server.stop', args: { server: 'everything' } },
			{ key: 'ctrl+alt+3', command: 'mcpWorkbench.server.start', args: { server: 'everything' } },
		];
		fs.writeFileSync(path.join(bench.machine.userFolder, 'keybindings.json'), JSON.stringify(keys));
		await bench.open();
		hands = new Hands(bench.page);
		await hands.watchPointer();
	});
	after(async () => {
		fs.rmSync(path.join(bench.machine.userFolder, 'keybindings.json'));
		await bench.dispose();
		fs.rmSync(path.dirname(workspace), { recursive: true });
	});
	afterEach(async () => assert.equal(await hands.wasTouched(), false, 'a pointer was used'));

	/** Presses each key and waits until that has the focus. */
	async function walk(...steps: readonly (readonly [key: string, focus: RegExp | string])[]): Promise<void> {
		for (const [key, focus] of steps) {
			await hands.go(key, focus);
		}
	}

	async function chooseTool(tool: string, next: RegExp): Promise<void> {
		await hands.ask('MCP Workbench: Run Tool…', /^ask: : .*, everything · /);
		await hands.type(tool);
		await hands.expectFocus(new RegExp(`· ${tool}`));
		await walk(['Enter', next]);
	}

	const servers = 'Servers: everything, Running, 2025-11-25, stdio';

	it('starts a server from the menu of its line; Escape goes back there', async () => {
		await hands.command('MCP Workbench: Focus on Servers View');
		await eventually('the line', async () => assert.equal((await bench.rows()).length, 1));
		// The editor gives the focus to an empty view, and to nothing when its first line comes.
		await hands.focusView('Servers');
		await walk(
			['ArrowDown', 'Servers: everything, Stopped'],
			['Shift+F10', 'menu: no line'],
			['ArrowDown', 'menu: Start Server'],
			['Escape', 'Servers: everything, Stopped'],
			['Shift+F10', 'menu: no line'],
			['ArrowDown', 'menu: Start Server'],
			['Enter', 'ask: Allow "everything" to start?: Reason, New server, About this server'],
			['Escape', 'Servers: everything, Needs consent'],
			['Shift+F10', 'menu: no line'],
			['ArrowDown', 'menu: Start Server'],
			['Enter', 'ask: Allow "everything" to start?: Reason, New server, About this server'],
			['ArrowUp', `ask: Allow "everything" to start?: Show in Full`],
			['ArrowUp', `ask: Allow "everything" to start?: Deny`],
			['ArrowUp', 'ask: Allow "everything" to start?: Start, Decision'],
			['Enter', servers],
		);
		await bench.row('Tools19').waitFor();
	});

	it('opens a resource from the tree; the way back leads to its line', async () => {
		await hands.pressUntil('ArrowDown', /^Servers: Resources, 7$/);
		await hands.press('ArrowRight');
		await bench.row('demo://').waitFor();
		await hands.press('ArrowDown');
		await hands.expectFocus(/^Servers: demo:/);
		await bench.row('architecture.md').waitFor();
		await hands.press('ArrowRight');
		const line = await hands.expectFocus(/^Servers: architecture.md/);
		await hands.press('Enter');
		await hands.expectFocus(/^editor: architecture.md/);
		await hands.command('MCP Workbench: Focus on Servers View');
		await hands.expectFocus(line);
	});

	it('fills in a form and reaches every part of the result', async () => {
		const line = await hands.focus();
		await chooseTool('get-structured-content', /^ask: get-structured-content · everything: New York/);
		await walk(['Enter', 'ask: get-structured-content · everything: Run'], ['Enter', line]);
		const announced = bench.resultFrame().getByRole('status');
		await eventually('what a screen reader says', async () =>
			assert.match((await announced.textContent()) ?? '', /^Done · .* · get-structured-content · everything$/),
		);
		await hands.press('Control+2');
		await hands.expectFocus(/^result: /);
		await hands.press('Tab');
		await walk(
			['Tab', 'result: treeitem {3} level=1 expanded=true'],
			['ArrowDown', 'result: treeitem temperature: 33 level=2'],
			['ArrowLeft', 'result: treeitem {3} level=1 expanded=true'],
			['ArrowLeft', 'result: treeitem {3} level=1 expanded=false'],
			['ArrowRight', 'result: treeitem {3} level=1 expanded=true'],
			['Tab', 'result: button Open in Editor'],
			['Tab', 'result: group Result'],
			['Tab', 'result: button Copy'],
			['Enter', 'result: button Copy'],
			['Tab', 'result: treeitem {1} level=1 expanded=true'],
		);
		await eventually('that it was copied', async () => assert.equal(await announced.textContent(), 'Copied'));
		// The palette gives the focus back to the very line.
		await walk(['F1', /^ask: /], ['Escape', 'result: treeitem {1} level=1 expanded=true']);
		await hands.pressUntil('Shift+Tab', /^result: button Run Again/);
		await walk(
			['ArrowRight', 'result: button Edit and Run…'],
			['Enter', 'ask: get-structured-content · everything: Run'],
			['Escape', 'result: button Edit and Run…'],
			['Home', 'result: button Run Again'],
			['Enter', 'result: button Run Again'],
		);
		await eventually('another result', async () => assert.match((await announced.textContent()) ?? '', /^Done/));
		await hands.expectFocus('result: button Run Again');
	});

	it('tells screen readers the parts of the result', async () => {
		assert.deepEqual(await unnamed(bench), []);
		const tree = await bench.resultFrame().locator('body').ariaSnapshot();
		for (const part of [
			'banner',
			'heading "get-structured-content · everything" [level=1]',
			'toolbar "Actions"',
			'main',
			'region "Structured result"',
			'tree "Structured result"',
			'article "Result"',
			'region "Arguments"',
			'status',
		]) {
			assert.ok(tree.includes(`- ${part}`), `${part} in\n${tree}`);
		}
	});

	it('repeats no call by a key that was meant for another place', async () => {
		const frame = bench.resultFrame().locator('body');
		await frame.evaluate(`document.querySelector('h1').dataset.seen = ''`);
		await walk(['F1', /^ask: /], ['Escape', 'result: button Run Again']);
		await hands.press('Enter', 'Space', 'Enter');
		await walk(['ArrowRight', 'result: button Edit and Run…'], ['Home', 'result: button Run Again']);
		await bench.resultFrame().locator('h1[data-seen]').waitFor();
		await hands.press('Enter');
		await bench.resultFrame().locator('h1[data-seen]').waitFor({ state: 'detached' });
		await hands.focusView('History');
		// The first one, and two that were meant.
		await eventually('the calls', async () => assert.equal((await bench.rows(bench.view('History'))).length, 3));
	});

	it('opens what is in the history, which keeps the focus, and runs it again', async () => {
		await hands.focusView('History');
		await bench.row('Get Structured Content Tool', bench.view('History')).waitFor();
		await hands.press('Home');
		const line = await hands.expectFocus(/^History: Get Structured Content Tool, everything, [\d.]+ m?s, location: /);
		await hands.press('Enter');
		await eventually('the call', async () =>
			assert.ok((await bench.page.locator('.tab').allTextContents()).some(it => /^Get Structured.* [AP]M/.test(it))),
		);
		await hands.expectFocus(line);
		const before = (await bench.rows(bench.view('History'))).length;
		await walk(['Shift+F10', 'menu: no line'], ['ArrowDown', 'menu: Run Again'], ['Enter', line]);
		await eventually('another call', async () =>
			assert.equal((await bench.rows(bench.view('History'))).length, before + 1),
		);
		await hands.expectFocus(line);
	});

	it('reviews a call that a rule asks about', async () => {
		const line = await hands.focus();
		await chooseTool('get-sum', /^ask: get-sum · everything \(1\/2\)/);
		await hands.type('1');
		await walk(['Enter', /^ask: get-sum · everything \(2\/2\)/]);
		await hands.type('2');
		await walk(
			['Enter', 'ask: get-sum · everything: Run'],
			['Enter', 'ask: Allow "get-sum" on "everything"?: "a", 1, Arguments'],
			['Enter', 'ask: Allow "get-sum" on "everything"?: "a", 1, Arguments'],
		);
		assert.deepEqual(await unnamed(bench), []);
		await hands.pressUntil('ArrowDown', /: Allow Once/);
		await walk(['Enter', line]);
		await bench.resultFrame().locator('h1', { hasText: 'get-sum' }).waitFor();
		await hands.expectFocus(line);
	});

	it('answers a question of a server, which keeps what was typed', async () => {
		const line = await hands.focus();
		await chooseTool('trigger-elicitation-request', /: Run$/);
		await walk(['Enter', line]);
		await bench.notification('everything asks you:');
		await bench.row('Pending Requests').waitFor();
		const status = bench.page.locator('.statusbar-item[id$=".servers"]');
		assert.equal(
			await status.locator('a').first().getAttribute('aria-label'),
			'1 MCP server is running, 1 request is waiting for you',
		);
		await hands.expectFocus(line);
		await hands.ask('MCP Workbench: Answer Pending Requests…', /^ask: Answer · everything/);
		await hands.type('Ada');
		await walk(['Escape', line]);
		await hands.ask('MCP Workbench: Answer Pending Requests…', /^ask: Answer · everything/);
		assert.equal(await bench.quickInput().inputValue(), 'Ada');
		await walk(
			['Enter', /: everything asks: /],
			['ArrowDown', /: Submit, Sends the values below, including \d defaults from the server$/],
			['Enter', line],
		);
		await bench.row('Pending Requests').waitFor({ state: 'detached' });
	});

	it('runs a prompt, and uses its result', async () => {
		const line = await hands.focus();
		await hands.ask('MCP Workbench: Run Prompt…', /^ask: /);
		await hands.type('/everything.simple');
		await hands.expectFocus(/simple-prompt/);
		await hands.press('Enter');
		await hands.expectFocus(/^ask: \/simple-prompt · everything: Open as Document/);
		await walk(['Escape', line]);
		const announced = bench.resultFrame().getByRole('status');
		await eventually('what a screen reader says', async () =>
			assert.match((await announced.textContent()) ?? '', /^Done · .* · \/simple-prompt · everything$/),
		);
		assert.deepEqual(await unnamed(bench), []);
		await hands.press('Control+2');
		await hands.expectFocus(/^result: /);
		await hands.pressUntil('Tab', /^result: group User/);
		await hands.pressUntil('Shift+Tab', /^result: button Run Again/);
		await hands.go('Shift+Tab', /^result: button /);
		await hands.pressUntil('ArrowRight', /^result: button Open as Document/);
		await walk(['Enter', /^editor: /]);
		await eventually('the text', async () => assert.match(await activeText(), /^This is a simple prompt/));
		await hands.command('View: Revert and Close Editor');
		await hands.expectFocus(/^(?!editor: Untitled)/);
		await hands.focusView('Servers');
	});

	async function activeText(): Promise<string> {
		const lines = await bench.page.locator('.editor-group-container.active .view-line').allTextContents();
		return lines.join('\n').replaceAll('\u00A0', ' ');
	}

	it('filters the tree', async () => {
		const line = await hands.focusView('Servers');
		await hands.ask('MCP Workbench: Filter Servers…', /^ask: Filter Servers/);
		await hands.type('sum');
		await bench.row('Tools1 of 19').waitFor();
		await hands.press('Enter');
		await hands.expectFocus(/^Servers: /);
		await hands.command('MCP Workbench: Clear Filter');
		await bench.row('Tools19').waitFor();
		await hands.expectFocus(/^Servers: /);
		assert.match(line, /^Servers: /);
	});

	it('does what keys of one’s own are bound to', async () => {
		await hands.press('Control+Alt+1');
		await bench.tab('features.md').waitFor();
		await hands.press('Control+Alt+2');
		await bench.row('everythingStopped').waitFor();
		await hands.press('Control+Alt+3');
		await bench.row('everythingRunning').waitFor();
	});

	it('removes a server from the menu of its line; the next line has the focus', async () => {
		write('mcp.json', { servers: { ...configured, spare: { command: 'node' } } });
		await bench.row('spareStopped').waitFor();
		await hands.focusView('Servers');
		await hands.pressUntil('ArrowDown', /^Servers: spare, Stopped/);
		await walk(['Shift+F10', 'menu: no line']);
		await hands.pressUntil('ArrowDown', /^menu: Remove Server/);
		await hands.press('Enter');
		await bench.page.locator('.monaco-dialog-box', { hasText: 'Remove "spare" from ' }).waitFor();
		await hands.press('Enter');
		await bench.row('spareStopped').waitFor({ state: 'detached' });
		await hands.expectFocus(servers);
	});

	it('tells screen readers what each line is', async () => {
		assert.deepEqual(await unnamed(bench), []);
		for (const { text, label } of await bench.rows()) {
			assert.ok(label.length >= text.trim().length / 2 && label !== '', `${text}: ${label}`);
		}
	});
});
