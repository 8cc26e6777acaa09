import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { type Asked, json, resultOf, ScriptedServer, sse } from '../support/httpServer.js';
import { type Everything, startEverything } from './everything.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from './support.js';

/** Writes a text in small chunks, which cut characters and line ends. */
async function writeSlowly(response: ServerResponse, text: string): Promise<void> {
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += 3) {
		await new Promise(resolve => {
			response.write(bytes.subarray(start, start + 3), resolve);
		});
	}
	response.end();
}

/**
 * Answers a list of tools with an event stream that breaks after an event with an id and without data, and goes on where it
 * is resumed: `eventsource-parser` says that it needs a newer Node than the oldest editor has.
 */
class Breaking {
	private listId: unknown;

	readonly answer = async (asked: Asked, response: ServerResponse): Promise<void> => {
		const { headers, message, method } = asked;
		if (method === 'GET' && headers['last-event-id'] === 'nothing yet') {
			sse(response);
			const tools = [{ name: 'ä漢😀', inputSchema: { type: 'object' } }];
			const result = JSON.stringify({ tools });
			await writeSlowly(
				response,
				`: here\r\rid: 2\rdata: {"jsonrpc":"2.0","id":${String(this.listId)},"result":${result}}\r\r`,
			);
		} else if (method !== 'POST') {
			response.writeHead(405).end();
		} else if (message.method === 'tools/list') {
			this.listId = message.id;
			sse(response);
			await writeSlowly(response, '\uFEFFid: nothing yet\r\nretry: 5\r\nunknown: x\r\n\r\nid: lost');
		} else if (message.method === 'initialize') {
			const serverInfo = { name: 'breaking', version: '1' };
			json(response, resultOf(asked, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }));
		} else if (message.id === undefined) {
			response.writeHead(202).end();
		} else {
			json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } });
		}
	};
}

/** A real server over both of its HTTP transports; the fallback from the newer to the older finds itself. */
describe('servers at URLs', function () {
	const started: Everything[] = [];
	let breaking: ScriptedServer;
	let api: ExtensionApi;
	let configuration: string;
	let original: string;

	before(async () => {
		api = await activate();
		configuration = path.join(workspaceFolder(), '.vscode', 'mcp.json');
		original = fs.readFileSync(configuration, 'utf8');
		const [http, overSse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
		started.push(http, overSse);
		breaking = await ScriptedServer.start(new Breaking().answer);
		const servers = {
			'over-http': { type: 'http', url: `http://127.0.0.1:${http.port}/mcp` },
			'over-sse': { type: 'sse', url: `http://127.0.0.1:${overSse.port}/sse` },
			'in-pieces': { type: 'http', url: breaking.url },
			// Says nothing of SSE: the POST is refused, and the older transport is tried.
			fallback: { url: `http://127.0.0.1:${overSse.port}/sse` },
		};
		writeWhole(configuration, JSON.stringify({ servers }));
		await eventually('the servers', () => (api.servers().length === 4 ? true : undefined));
	});

	after(async () => {
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		writeWhole(configuration, original);
		await eventually('the old servers', () => (api.servers().length > 4 ? true : undefined));
		for (const { child } of started) {
			child.kill('SIGKILL');
		}
		await breaking.close();
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

	it('an event stream that comes in pieces and breaks is read, and resumed', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'in-pieces' });
		await inState(api, 'in-pieces', 'running');
		assert.equal(
			await eventually('its tools', () => api.servers().find(it => it.name === 'in-pieces')?.counts.tools),
			1,
		);
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'in-pieces' });
	});
});
