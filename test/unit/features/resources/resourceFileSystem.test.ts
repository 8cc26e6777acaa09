import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ResourceContents } from '../../../../src/mcp/index.js';
import { LiveResources } from '../../../../src/core/resources/liveResources.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { resourceUri } from '../../../../src/editor/documents/resourceUri.js';
import { ResourceFileSystem } from '../../../../src/features/resources/resourceFileSystem.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { personReads } from '../../../support/personReads.js';

const key = { serverId: 's', uri: 'x:1' };

describe('the previous version of a resource', () => {
	const { own } = leakCheck();

	it('is there until the next change, up to 20 MB', async () => {
		const nothing = { dispose() {} };
		let text = '';
		const client = {
			forgetResource: () => undefined,
			isSubscribed: () => false,
			readResource: async (): Promise<ResourceContents[]> => [{ uri: key.uri, text }],
		};
		const options = { messageBytes: 1e9 };
		const server = { name: 'lib', client, options, state: { kind: 'running' } } as unknown as Server;
		const configured = Promise.resolve();
		const registry = {
			servers: [server],
			labelOf: () => 'lib',
			serverOf: () => server,
			onDidChange: () => nothing,
			configured,
		};
		const live = own(
			new LiveResources({
				...personReads,
				registry,
				onDidChangeIdentity: () => nothing,
				isSeen: () => true,
			}),
		);
		const files = own(new ResourceFileSystem(registry as unknown as ServerRegistry, live));
		/** The URI of the previous version. */
		const read = async (it: string): Promise<vscode.Uri> => {
			text = it;
			const { previous } = await live.read(key);
			return resourceUri({ ...key, version: previous?.at ?? 0 }, 'lib');
		};
		const textAt = async (uri: vscode.Uri): Promise<string> =>
			files.readFile(uri).then(
				it => `${it[0]}`,
				(error: unknown) => (error as Error).message,
			);
		await read('1');
		const first = await read('2');
		assert.equal(await textAt(first), '49');
		const second = await read('3'.repeat(25e6));
		const gone = 'lib: This earlier version of "1" is no longer available.';
		assert.deepEqual([await textAt(first), await textAt(second)], [gone, '50']);
		assert.equal(files.contentOf(first), undefined);
		assert.equal(await textAt(await read('4')), gone);
	});
});
