// Covers M9: language-model tools reach the servers, and every call is decided as any other.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { eventually, workspaceFolder } from '../../integration/support.js';
import { removePolicy, run, writePolicy } from '../support.js';

describe('language-model tools', () => {
	const asking = new AskingServers('garden', 'recorder');
	beforeEach(() => {
		asking.press = 'Review';
	});
	afterEach(removePolicy);

	const invoke = async (name: string, input: object): Promise<string> =>
		vscode.commands.executeCommand<string>('fixture.invokeTool', `mcpWorkbench_${name}`, input);
	const call = (tool: string, args: object): Promise<string> =>
		invoke('call_tool', { server: 'garden', tool, arguments: args });

	it('find the tools of a server', async () => {
		const found = await invoke('find_tools', { server: 'garden', query: 'watering a bed', limit: 1 });
		assert.match(found, /^MCP tools found: 1; /);
		assert.match(found, /"name":"water","description":"Waters the garden\."/);
	});

	it('call a tool that the person allows, and none that they deny', async () => {
		const denied = call('water', { bed: 'roses' });
		const { lines } = await asking.inputs.pick(labelled('Deny'));
		assert.ok(lines.includes('Caller | Model'), lines.join('\n'));
		assert.match(await denied, /The person did not allow this call\./);
		const allowed = call('water', { bed: 'roses' });
		await asking.inputs.pick(labelled('Allow Once'));
		assert.match(await allowed, /\n\["water",\{"bed":"roses"\}\]\n----- end /);
	});

	it('call no tool that the policy denies', async () => {
		writePolicy({ decision: 'deny', tool: 'water' });
		assert.match(await call('water', { bed: 'roses' }), /A rule that the person has set denies this call\./);
		assert.deepEqual(asking.messages, []);
	});

	it('do not get the tools that the person turns off for this workspace, until Undo', async () => {
		const file = path.join(workspaceFolder(), '.vscode', 'settings.json');
		const names = async (): Promise<string[]> =>
			Array.from((await invoke('find_tools', { server: 'garden' })).matchAll(/"name":"(\w+)"/g), it => it[1] ?? '');
		const all = await names();
		const choosing = run('tools.choose');
		const { lines, proposed, placeholder } = await asking.inputs.pick(it => it.label !== 'weed');
		await choosing;
		assert.ok(
			lines.some(it => /^weed \| garden · (?:≈ )?\d+ tokens/.test(it)),
			lines.join('\n'),
		);
		assert.equal(placeholder, 'Select tools for this workspace (.vscode/settings.json)');
		assert.ok(proposed.includes('weed'));
		const isHidden = (): boolean =>
			/"garden": \{\s+"hiddenFromModels": \[\s+"weed"/.test(fs.readFileSync(file, 'utf8'));
		assert.ok(isHidden());
		assert.deepEqual(
			await names(),
			all.filter(it => it !== 'weed'),
		);
		asking.press = 'Undo';
		const again = run('tools.choose');
		await asking.inputs.pick(it => it.label !== 'water');
		await again;
		const [message = ''] = asking.messages;
		assert.match(
			message,
			/^Models now get \d+ of \d+ tools \((?:≈ )?[\d,]+ tokens\)\. Written to \.vscode\/settings\.json\.$/,
		);
		await eventually('what was before the second choice', async () =>
			(await names()).join() === all.filter(it => it !== 'weed').join() ? true : undefined,
		);
		await vscode.workspace.getConfiguration('mcpWorkbench').update('tools', undefined);
	});
});
