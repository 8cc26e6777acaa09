// Covers M9: language-model tools reach the servers, and every call is decided as any other.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { removePolicy, writePolicy } from '../support.js';

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
});
