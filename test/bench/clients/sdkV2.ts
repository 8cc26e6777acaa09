/** The official SDK, version 2: `@modelcontextprotocol/client`. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Address, type BenchClient, maxMessageBytes } from './client.js';

export async function openSdkV2(address: Address): Promise<BenchClient> {
	const transport =
		address.over === 'http'
			? new StreamableHTTPClientTransport(new URL(address.url))
			: new StdioClientTransport({
					command: process.execPath,
					args: [...address.args],
					stderr: 'pipe',
					maxBufferSize: maxMessageBytes,
				});
	// It follows the cursors itself, 64 pages unless told.
	const client = new Client({ name: 'bench', version: '1.0.0' }, { listMaxPages: 0 });
	await client.connect(transport);
	return {
		callTool: (name, args) => client.callTool({ name, arguments: { ...args } }),
		listTools: async () => (await client.listTools()).tools.length,
		listResources: async () => (await client.listResources()).resources.length,
		onLog: listener => client.setNotificationHandler('notifications/message', () => listener()),
		close: () => client.close(),
	};
}
