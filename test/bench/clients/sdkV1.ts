/** The official SDK, version 1: `@modelcontextprotocol/sdk`. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Address, type BenchClient, countPages, maxMessageBytes } from './client.js';

export async function openSdkV1(address: Address): Promise<BenchClient> {
	const transport =
		address.over === 'http'
			? new StreamableHTTPClientTransport(new URL(address.url))
			: new StdioClientTransport({
					command: process.execPath,
					args: [...address.args],
					stderr: 'pipe',
					maxBufferSize: maxMessageBytes,
				});
	const client = new Client({ name: 'bench', version: '1.0.0' });
	await client.connect(transport);
	return {
		callTool: (name, args) => client.callTool({ name, arguments: { ...args } }),
		listTools: () =>
			countPages(
				params => client.listTools(params),
				page => page.tools,
			),
		listResources: () =>
			countPages(
				params => client.listResources(params),
				page => page.resources,
			),
		onLog: listener => client.setNotificationHandler(LoggingMessageNotificationSchema, () => listener()),
		close: () => client.close(),
	};
}
