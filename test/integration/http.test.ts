import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { type Everything, startEverything } from './everything.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from './support.js';

/** A real server over both of its HTTP transports; the fallback from the newer to the older finds itself. */
describe('servers at URLs', function () {
	const started: Everything[] = [];
	let api: ExtensionApi;
	let configuration: string;
	let original: string;

	before(async () => {
		api = await activate();
		configuration = path.join(workspaceFolder(), '.vscode', 'mcp.json');
		original = fs.readFileSync(configuration, 'utf8');
		const [http, sse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
		started.push(http, sse);
		const servers = {
			'over-http': { type: 'http', url: `http://127.0.0.1:${http.port}/mcp` },
			'over-sse': { type: 'sse', url: `http://127.0.0.1:${sse.port}/sse` },
			// Says nothing of SSE: the POST is refused, and the older transport is tried.
			fallback: { url: `http://127.0.0.1:${sse.port}/sse` },
		};
		writeWhole(configuration, JSON.stringify({ servers }));
		await eventually('the servers', () => (api.servers().length === 3 ? true : undefined));
	});

	after(async () => {
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		writeWhole(configuration, original);
		await eventually('the old servers', () => (api.servers().length > 3 ? true : undefined));
		for (const { child } of started) {
			child.kill('SIGKILL');
		}
	});

	for (const name of ['over-http', 'over-sse', 'fallback']) {
		it(`${name}: connects, lists, opens a resource, and can be left`, async () => {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
			const { protocolVersion } = await inState(api, name, 'running');
			assert.equal(protocolVersion, '2025-11-25');
			await eventually('its tools', () => api.servers().find(it => it.name === name)?.counts.tools);
			const uri = 'demo://resource/static/document/architecture.md';
			await vscode.commands.executeCommand('mcpWorkbench.resource.open', { server: name, uri });
			assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^# Everything Server/);
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
			assert.equal(api.servers().find(it => it.name === name)?.state, 'stopped');
		});
	}
});
