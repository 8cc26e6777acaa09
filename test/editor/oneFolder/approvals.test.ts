// Covers M9: calls are decided by the person and the policy, and a changed tool needs approval again.
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { eventually, workspaceFolder } from '../../integration/support.js';
import { removePolicy, revokeApprovals, writePolicy } from '../support.js';

describe('approvals', () => {
	const asking = new AskingServers('garden');
	beforeEach(() => {
		asking.press = 'Review';
	});
	afterEach(removePolicy);

	const call = (tool: string, args = {}): Promise<string> => asking.call(tool, args, 'garden');
	const answer = async (label: string): Promise<string[]> => (await asking.inputs.pick(labelled(label))).lines;
	const denied = 'denied: The call to weed was denied.';

	it('shows the call and makes it when it is allowed once', async () => {
		for (let time = 0; time < 2; time++) {
			const outcome = call('water', { bed: 'roses', litres: 3 });
			const lines = await answer('Allow Once');
			assert.deepEqual(lines.slice(0, 7), [
				'Arguments',
				'"bed" | "roses"',
				'"litres" | 3',
				'About this call',
				'Caller | Extension "somebody.else" (unverified)',
				'Paths | None found in the arguments',
				'Server claims | No hints about what the tool does',
			]);
			assert.equal(await outcome, '["water",{"bed":"roses","litres":3}]');
		}
		assert.equal(
			asking.messages[0],
			'An extension that calls itself "somebody.else" wants to run water on garden (bed: roses, litres: 3).',
		);
	});

	it('makes no call that is denied', async () => {
		const outcome = call('weed');
		await answer('Deny');
		assert.equal(await outcome, denied);
		asking.press = 'Deny';
		assert.equal(await call('weed'), denied, 'denied in the notification');
	});

	it('sends the arguments that the person has edited', async () => {
		const outcome = call('water', { bed: 'roses', litres: 3, extra: true });
		await answer('Edit Arguments…');
		await answer('litres');
		await asking.inputs.type('5');
		await answer('Use These Arguments');
		await answer('Allow Once');
		assert.equal(await outcome, '["water",{"bed":"roses","litres":5,"extra":true}]');
	});

	it('asks no more in this session, until that is revoked', async () => {
		const first = call('weed');
		await answer('Allow for This Session');
		await first;
		assert.equal(await call('weed', { any: 1 }), '["weed",{"any":1}]');
		const [line] = await revokeApprovals(asking.inputs);
		assert.match(line ?? '', /^Allowed: "weed" with any arguments \| garden · Since .*, for this session$/);
		const again = call('weed');
		await answer('Deny');
		assert.equal(await again, denied);
	});

	it('remembers a tool that is always allowed, with these arguments', async () => {
		const first = call('weed', { a: 1, b: 2 });
		await answer('Always Allow…');
		await answer('These arguments');
		await first;
		assert.equal(await call('weed', { b: 2, a: 1 }), '["weed",{"b":2,"a":1}]');
		const other = call('weed', { a: 2 });
		await answer('Deny');
		assert.equal(await other, denied);
		await revokeApprovals(asking.inputs);
	});

	it('follows the policy at the moment of the call', async () => {
		writePolicy({ decision: 'allow', tool: 'weed' });
		assert.equal(await call('weed'), '["weed",{}]');
		writePolicy({ decision: 'allow' }, { decision: 'deny', tool: 'we*' });
		assert.equal(await call('weed'), 'denied: The call to weed was denied: Rule 2 of mcp-policy.json.');
		writePolicy({ decision: 'ask', outsideRoots: true, paths: 'path' }, { decision: 'allow' });
		const inside = path.join(workspaceFolder(), 'beds');
		assert.equal(await call('weed', { path: inside }), JSON.stringify(['weed', { path: inside }]));
		const asked = call('weed', { path: '/etc' });
		const lines = await answer('Deny');
		assert.ok(lines.includes('Reason | Rule 1 of mcp-policy.json'), lines.join('\n'));
		assert.equal(await asked, denied);
	});

	it('asks again for a tool whose definition has changed', async () => {
		const first = call('water', { bed: 'a' });
		await answer('Allow for This Session');
		await first;
		const changing = call('change');
		await answer('Allow Once');
		await changing;
		const outcome = call('water', { bed: 'a' });
		const lines = await answer('Allow Once');
		assert.ok(lines.includes("Reason | The tool's definition has changed"), lines.join('\n'));
		assert.ok(lines.includes('Allow Once | Opens the change first'), lines.join('\n'));
		await eventually('the change', () => {
			const { activeTab } = vscode.window.tabGroups.activeTabGroup;
			return activeTab?.input instanceof vscode.TabInputTextDiff || undefined;
		});
		await answer('Deny');
		assert.equal(await outcome, 'denied: The call to water was denied.');
		await revokeApprovals(asking.inputs);
	});
});
