import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate } from './support.js';

/** The question itself is in the end-to-end tests: here nobody could answer it. */
describe('running a tool from another extension', () => {
	before(() => activate());

	it('refuses what it cannot understand, before it asks anyone', async () => {
		for (const request of ['echo', {}, { server: 'recorder', tool: 'say', arguments: [] }]) {
			await assert.rejects(
				async () => run(request),
				/Expected \{ server: string, tool: string, arguments\?: object \}\./,
			);
		}
	});

	it('refuses a server that is not there', async () => {
		await assert.rejects(async () => run({ server: 'nobody', tool: 'say' }), /Server "nobody" not found\./);
	});
});

async function run(request: unknown): Promise<unknown> {
	return vscode.commands.executeCommand('mcpWorkbench.tool.run', request);
}
