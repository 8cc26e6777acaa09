/** The view without servers, with failed servers, and in Restricted Mode. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverLog, serverProcesses } from './support.js';

const bothThemes = ['light', 'dark'] as const;
const workspaces = path.join(projectRoot, 'test', 'fixtures', 'workspaces');

describe('what a person sees', function () {
	this.timeout(180_000);
	let workbench: Workbench | undefined;

	const open = async (options: WorkbenchOptions): Promise<Workbench> => {
		workbench = await openWorkbench(options);
		await workbench.openView('MCP Workbench');
		return workbench;
	};
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	it('where nothing is configured: what to do next', async () => {
		const it = await open({ workspace: path.join(workspaces, 'unconfigured'), theme: 'light' });
		const welcome = it.view('Servers').locator('.welcome-view-content');
		await welcome.getByText('Add Server…').waitFor();
		assert.deepEqual(await welcome.locator('.monaco-button').allTextContents(), ['Try the Demo Server']);
		await it.screenshot('states-1-welcome');
		await it.runCommand('MCP Workbench: Edit Configuration');
		await it.pick('.mcp.json');
		await it.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
		await eventually('something to begin with', async () => {
			assert.match(await it.page.locator('.view-lines').first().innerText(), /my-server/);
		});
		await it.screenshot('states-2-new-configuration');
	});

	it('where a server is added from what a README says, and another from another client', async () => {
		const it = await open({ workspace: path.join(workspaces, 'unconfigured'), theme: 'light' });
		const { home } = it.machine;
		fs.mkdirSync(path.join(home, '.cursor'));
		const servers = {
			tracker: { url: 'https://mcp.tracker.example/mcp' },
			notes: { command: 'uvx', args: ['notes-mcp'] },
		};
		fs.writeFileSync(path.join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers }));
		fs.writeFileSync(path.join(home, '.claude.json'), '{ "mcpServers": ');
		const add = it.view().locator('a', { hasText: 'Add Server…' });
		await it.click(add.or(it.view().locator('.monaco-button', { hasText: 'Add Server…' })));
		await it.quickInput().fill('npm install garden');
		await it.screenshot('states-6-add-problem');
		await it
			.quickInput()
			.fill(`GARDEN_TOKEN=<YOUR_TOKEN> node ${path.join(projectRoot, 'demo', 'servers', 'garden.mjs')}`);
		await it.screenshot('states-7-add-understood');
		await it.accept();
		await eventually('the name', async () => {
			assert.match(
				(await it.readQuickInput()).message,
				/^Enter a name for the server \(stdio: node .*garden\.mjs · Environment: GARDEN_TOKEN\)/,
			);
		});
		await it.screenshot('states-8-add-name');
		await it.accept();
		await eventually('the places', async () =>
			assert.match((await it.readQuickInput()).items[0] ?? '', /^\.mcp\.json, .*Other agents read it, too/),
		);
		await it.screenshot('states-8-add-place');
		await acceptPlace(it);
		await eventually('the placeholder', async () => {
			assert.deepEqual((await it.readQuickInput()).items, ['GARDEN_TOKEN, Placeholder: <YOUR_TOKEN>']);
		});
		await it.screenshot('states-9-add-secrets');
		await it.dismiss();
		await it.ask('MCP Workbench: Add Server…');
		await eventually('what was pasted', async () => assert.match(await it.quickInput().inputValue(), /^GARDEN_TOKEN=/));
		await it.answer(`node ${path.join(projectRoot, 'demo', 'servers', 'garden.mjs')}`);
		await eventually('the name', async () =>
			assert.match((await it.readQuickInput()).message, /^Enter a name for the server/),
		);
		await it.accept();
		await acceptPlace(it);
		await it.row('gardenRunning · 2026-07-28 · stdio').waitFor();
		await it.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
		await it.screenshot('states-10-added');

		await it.ask('MCP Workbench: Import Servers…');
		await eventually('the offers', async () => {
			assert.deepEqual((await it.readQuickInput()).items, [
				"warning  ~/.claude.json, Can't be read: Not valid JSON, Select to open the file, Claude Code",
				'tracker, https://mcp.tracker.example/mcp, ~/.cursor/mcp.json, Cursor',
				'notes, uvx notes-mcp, ~/.cursor/mcp.json',
			]);
		});
		await it.screenshot('states-11-import');
		await it.accept();
		await acceptPlace(it);
		await it.notification('Added to .mcp.json: tracker, notes.');
		await it.row('notes').waitFor();
		await it.screenshot('states-12-imported');
	});

	it('where a server is added from its server.json, and others from six clients', async () => {
		const it = await open({ workspace: path.join(workspaces, 'unconfigured'), theme: 'light' });
		const write = (text: string, ...place: string[]): void => {
			const file = path.join(it.machine.home, ...place);
			fs.mkdirSync(path.dirname(file), { recursive: true });
			fs.writeFileSync(file, text);
		};
		const key = { name: 'KEY', description: 'Key of the site', isRequired: true, isSecret: true };
		const proxy = { name: 'X-Proxy', description: 'Name of the proxy' };
		const npm = { registryType: 'npm', identifier: '@me/weather', version: '1.0.0', environmentVariables: [key] };
		const remote = {
			type: 'streamable-http',
			url: 'http://127.0.0.1:9/mcp',
			headers: [{ ...key, name: 'X-Key' }, proxy],
		};
		const serverJson = { name: 'io.github.me/weather', packages: [npm], remotes: [remote] };
		await it.ask('MCP Workbench: Add Server…');
		await it.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		const yaml = 'mcpServers:\\n  - name: ctx\\n    command: ctx-mcp\\n';
		await it.page.evaluate(`navigator.clipboard.writeText('${yaml}')`);
		await it.quickInput().press('ControlOrMeta+V');
		await it.page.locator('.quick-input-message', { hasText: 'stdio: ctx-mcp' }).waitFor();
		await it.screenshot('states-13-add-yaml');
		await it.quickInput().fill('https://a.example/releases/x.mcpb');
		await it.screenshot('states-14-add-bundle');
		await it.quickInput().fill(JSON.stringify(serverJson));
		await it.screenshot('states-15-add-server-json');
		await it.accept();
		await eventually('the ways to run it', async () => {
			assert.deepEqual((await it.readQuickInput()).items, [
				'stdio: npx -y @me/weather@1.0.0 · Environment: KEY',
				'http: http://127.0.0.1:9/mcp · Headers: X-Key',
			]);
		});
		await it.screenshot('states-16-add-ways');
		await it.pick('http: http://127.0.0.1:9/mcp');
		await eventually('the optional values', async () =>
			assert.deepEqual((await it.readQuickInput()).items, ['X-Proxy, Name of the proxy']),
		);
		await it.screenshot('states-17-add-optional');
		await it.accept();
		await eventually('the name', async () => assert.equal(await it.quickInput().inputValue(), 'weather'));
		await it.accept();
		await acceptPlace(it);
		await eventually('the question for the key', async () =>
			assert.match((await it.readQuickInput()).message, /Key of the site/),
		);
		await it.screenshot('states-18-add-key');
		await it.dismiss();

		write('[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs-mcp"]\n', '.codex', 'config.toml');
		write('{"mcpServers":{"search":{"httpUrl":"https://search.example/mcp"}}}', '.gemini', 'settings.json');
		write('{ // Zed\n"context_servers": { "files": { "command": "files-mcp" } } }', '.config', 'zed', 'settings.json');
		write('{"mcp":{"db":{"type":"local","command":["uvx","db-mcp"]}}}', '.config', 'opencode', 'opencode.json');
		write('extensions:\n  mail:\n    type: stdio\n    cmd: mail-mcp\n', '.config', 'goose', 'config.yaml');
		write('mcpServers:\n  - name: notes\n    command: notes-mcp\n', '.continue', 'config.yaml');
		await it.ask('MCP Workbench: Import Servers…');
		await eventually('the offers', async () => {
			assert.deepEqual((await it.readQuickInput()).items, [
				'docs, npx -y docs-mcp, ~/.codex/config.toml, Codex',
				'search, https://search.example/mcp, ~/.gemini/settings.json, Gemini CLI',
				'files, files-mcp, ~/.config/zed/settings.json, Zed',
				'db, uvx db-mcp, ~/.config/opencode/opencode.json, opencode',
				'mail, mail-mcp, ~/.config/goose/config.yaml, Goose',
				'notes, notes-mcp, ~/.continue/config.yaml, Continue',
			]);
		});
		await it.screenshot('states-19-import-clients');
		await it.dismiss();
	});

	it('where servers are moved to the file of all agents', async () => {
		const it = await open({ workspace: path.join(workspaces, 'inputs'), theme: 'light' });
		const configuration = path.join(it.workspace, '.vscode', 'mcp.json');
		const before = fs.readFileSync(configuration, 'utf8');
		await it.runCommand('MCP Workbench: Edit Configuration');
		await it.click(it.page.locator('.codelens-decoration a', { hasText: 'Move to .mcp.json…' }));
		await eventually('the servers', async () => assert.ok((await it.readQuickInput()).items.length > 1));
		await it.screenshot('states-20-move');
		await it.accept();
		await it.tab('.mcp.json').waitFor();
		await it.screenshot('states-21-moved');
		assert.notEqual(fs.readFileSync(configuration, 'utf8'), before);
	});

	it('where servers fail: what happened, and what can be done', async () => {
		const it = await open({ workspace: path.join(workspaces, 'single'), theme: 'light' });
		await it.row('missing').waitFor();
		await it.clickAction(it.row('missing'), 'Start Server');
		const toast = await it.notification('missing failed. Command not found: no-such-command-anywhere.');
		assert.deepEqual(await toast.locator('.monaco-button').allTextContents(), [
			'Edit Configuration',
			'Try Again',
			'Show Log',
			'Details',
		]);
		await it.clickAction(it.row('dies'), 'Start Server');
		await it.notification('dies failed. Exit code 3. Server output: "cannot find my key"');
		await it.clickAction(it.row('recorder'), 'Start Server');
		await eventually('the lines', async () => {
			assert.deepEqual(
				(await it.rows()).map(row => row.text),
				[
					'recorder Running · 2025-11-25 · stdio',
					'Tools 1 · ≈ 13 tokens',
					'Resources 1',
					'Templates 0',
					'Exposed Folders 1 of 1',
					'missing Failed: Command not found: no-such-command-anywhere',
					'dies Failed: Exit code 3',
					'lost Stopped',
					'unknown Stopped',
					'silent Stopped',
					'remote Stopped',
				],
			);
		});
		await it.screenshot('states-3-failures');

		await it.press(toast, 'Details');
		await it.page.locator('.tab', { hasText: 'Diagnosis of missing' }).waitFor();
		await it.resultFrame().getByRole('heading', { name: 'Search locations for no-such-command-anywhere' }).waitFor();
		await it.screenshot('states-4-details');
		await it.clickAction(it.row('missing'), 'Diagnose Server');
		const again = await it.notification('missing failed. Command not found: no-such-command-anywhere.');
		await it.press(again, 'Edit Configuration');
		await it.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
		await eventually('the place', async () => {
			assert.match((await it.page.locator('.statusbar-item', { hasText: 'Ln ' }).textContent()) ?? '', /^Ln 9,/);
		});
		await it.runCommand('Problems: Focus on Problems View');
		await it.page.locator('.markers-panel .monaco-list-row', { hasText: 'must be an array of strings' }).waitFor();
		await it.screenshot('states-5-problems');
	});

	it('where the workspace is not trusted: why nothing starts, and it comes to life with trust', async () => {
		// A person sets what starts with the workspace.
		const settings = { 'mcpWorkbench.serverOptions': { eager: { start: 'atActivation' } } };
		const it = await open({ workspace: path.join(workspaces, 'restricted'), workspaceTrust: true, settings });
		await it.row('recorder').waitFor();
		assert.deepEqual(
			(await it.rows()).map(row => row.text),
			['recorder Needs trust', 'eager Needs trust'],
		);
		assert.deepEqual(serverProcesses(it), []);
		await it.click(it.row('recorder'));
		await it.screenshots(bothThemes, theme => `states-5-untrusted-${theme}`);
		await it.press(it.page.locator('.workspace-trust-editor'), /^Trust$/);
		await eventually('a server that can be started, and one that starts by itself', async () => {
			const [first, second] = await it.rows();
			assert.equal(first?.text, 'recorder Stopped');
			assert.match(second?.text ?? '', /^eager Running/);
		});
		assert.equal(serverProcesses(it).length, 1);
		// Taken back: the editor loads its window anew.
		const trusted = it.page.locator('.workspace-trust-editor .monaco-list-row', { hasText: 'restricted' }).first();
		await it.click(trusted.locator('.action-label[aria-label^="Delete"]'), {}, trusted);
		await eventually('no trust', async () => {
			assert.deepEqual(
				(await it.rows()).map(row => row.text),
				['recorder Needs trust', 'eager Needs trust'],
			);
			assert.deepEqual(serverProcesses(it), []);
		});
		await it.page.reload();
		await it.whenReady();
		await it.row('recorderNeeds trust').waitFor();
		await it.row('eagerNeeds trust').waitFor();
		assert.deepEqual(serverProcesses(it), []);
	});

	it('where servers are in every state at once', async () => {
		const it = await open({ workspace: path.join(workspaces, 'everyState') });
		await it.row('fails').waitFor();
		const start = (name: string): Promise<void> => it.clickAction(it.row(name), 'Start Server');
		await start('asks');
		await it.quickInput().waitFor();
		await it.dismiss();
		await it.row('asksNeeds input').waitFor();
		await start('fails');
		await it.notification('fails failed');
		await it.runCommand('Notifications: Clear All Notifications');
		for (const name of ['runs', 'starts', 'comes-back']) {
			await start(name);
		}
		await eventually('every state', async () => {
			const texts = (await it.rows()).filter(row => row.level === 1).map(row => row.text.replace(/ · .*/, ''));
			assert.deepEqual(texts, [
				'runs Running',
				'starts Starting',
				'asks Needs input',
				'fails Failed: Command not found: no-such-command-anywhere',
				'comes-back Exit code 6, reconnecting',
				'rests Stopped',
				'a-server-whose-name-is-far-longer-than-… Stopped',
			]);
		});
		await it.screenshots([...bothThemes, 'contrast', 'contrastLight'], theme => `states-14-every-state-${theme}`);
		// Of high contrast, where the editor's own colours of lists are none.
		for (const name of ['runs', 'asks', 'fails']) {
			const colours = `[...document.querySelectorAll('.part.sidebar .monaco-list-row')]
				.filter(it => it.querySelector('.label-name')?.textContent === '${name}')
				.flatMap(it => ['.custom-view-tree-node-item-icon', '.label-name'].map(part => getComputedStyle(it.querySelector(part)).color))`;
			const [icon, text] = await it.page.evaluate<string[]>(colours);
			assert.notEqual(icon, text, `the colour of ${name}`);
		}
		await it.setTheme('dark');
		await it.ask('MCP Workbench: Filter Servers…');
		await it.answer('nothing is called so');
		await it.view().locator('.monaco-button', { hasText: 'Clear Filter' }).waitFor();
		await it.screenshots(bothThemes, theme => `states-15-no-hits-${theme}`);
	});

	// covers: icons
	it('where a server has a picture of itself: while it runs', async () => {
		const it = await open({ workspace: path.join(workspaces, 'pictured') });
		await it.row('pictured').waitFor();
		const icon = it.row('pictured').locator('.custom-view-tree-node-item-icon');
		assert.match((await icon.getAttribute('class')) ?? '', /codicon-circle-outline/);
		await it.clickAction(it.row('pictured'), 'Start Server');
		await it.row('picturedRunning').waitFor();
		await it.clickAction(it.row('disguised'), 'Start Server');
		await it.row('disguisedRunning').waitFor();
		await eventually('a picture that the window can load', async () => {
			const url = /url\("(.*)"\)/.exec((await icon.getAttribute('style')) ?? '')?.[1] ?? '';
			assert.match(url, /^data:image\/png;base64,/);
			const width = `{ const it = new Image(); it.src = ${JSON.stringify(url)}; it.decode().then(() => it.naturalWidth); }`;
			assert.equal(await it.page.evaluate(width), 32);
		});
		assert.match(
			(await it.row('disguised').locator('.custom-view-tree-node-item-icon').getAttribute('class')) ?? '',
			/codicon-circle-filled/,
		);
		await eventually('why the other is not shown', () =>
			assert.match(
				serverLog(it, 'disguised'),
				/Its icon is not shown: it is no data: URL of a PNG, JPEG or WebP image/,
			),
		);
		await it.screenshots(bothThemes, theme => `states-13-icons-${theme}`);
		await it.clickAction(it.row('pictured'), 'Stop Server');
		await it.row('picturedStopped').waitFor();
		assert.match((await icon.getAttribute('class')) ?? '', /codicon-circle-outline/);
	});
});

/** The first place is the folder's; the other one is asked for in the tests of the editor. */
async function acceptPlace(it: Workbench): Promise<void> {
	await eventually('the places', async () => {
		const { items } = await it.readQuickInput();
		assert.deepEqual(items.at(-1), 'User Settings, For all workspaces');
	});
	await it.accept();
}
