/** The servers that the tests of the chat talk about: made once, for all of them. */
import * as path from 'node:path';
import type { ExtensionApi } from '../../../src/api.js';
import { activateWithChat } from './conversation.js';

let begun: Promise<ExtensionApi> | undefined;

export async function begin(): Promise<void> {
	await api();
}

export function api(): Promise<ExtensionApi> {
	const program = path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures', 'servers', 'chatty.mjs');
	const server = { command: 'node', args: [program] };
	// The second would like its tools to have the names of ours.
	begun ??= activateWithChat({ chatty: server, mcpWorkbench: server });
	return begun;
}
