// Covers M8: each server has a log channel with its lifecycle, its stderr and its messages.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, callTool, eventually, inState, shownLog } from '../../integration/support.js';
import { removePolicy, run, start, writePolicy } from '../support.js';

describe('the log of a server', () => {
	before(() => writePolicy({ decision: 'allow' }));
	after(removePolicy);

	it('has the lifecycle and the protocol', async () => {
		await start('recorder');
		await run('server.stop', { server: 'recorder' });
		await run('server.showLog', { server: 'recorder' });
		const text = await shownLog('Stopped');
		for (const part of ['Starting', 'Running', '"method":"initialize"', 'Stopped']) {
			assert.ok(text.includes(part), `${part} in:\n${text}`);
		}
	});

	it('has what the server writes to stderr', async () => {
		const api = await activate();
		await run('server.start', { server: 'dies' });
		await inState(api, 'dies', 'failed');
		await run('server.showLog', { server: 'dies' });
		assert.match(await shownLog('Failed:'), /\[stderr\] cannot find my key/);
	});

	it('has the messages of the server', async () => {
		const api = await start('busy');
		await callTool(api, 'busy', 'chatter', { count: 2 });
		await run('server.showLog', { server: 'busy' });
		assert.match(await shownLog('1 more'), /2 more/);
	});

	it('has a page with the messages beside it', async () => {
		await start('recorder');
		await run('messages.show', { server: 'recorder' });
		await eventually('the page', () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === 'Messages · recorder' && it.input instanceof vscode.TabInputWebview),
		);
	});
});
