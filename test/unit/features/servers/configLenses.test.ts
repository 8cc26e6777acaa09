/** The code lens above a server in a configuration file, for each state. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerConfigLenses } from '../../../../src/features/servers/configLenses.js';
import type { WorkspaceConfig } from '../../../../src/features/servers/workspaceConfig.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';

describe('the lens above a server', () => {
	const { registerCodeLensProvider } = vscode.languages;
	let provider: vscode.CodeLensProvider;

	beforeEach(() => {
		Object.assign(vscode.languages, {
			registerCodeLensProvider: (_: unknown, registered: vscode.CodeLensProvider) => {
				provider = registered;
				return { dispose: () => undefined };
			},
		});
	});
	afterEach(() => Object.assign(vscode.languages, { registerCodeLensProvider }));

	it('offers what comes next: to start it, to diagnose it, or to run a tool', async () => {
		const states = ['stopped', 'waiting', 'starting', 'running', 'failed', 'untrusted'];
		const source: ConfigSource = { kind: 'userSettings', uri: 'x:settings' } as unknown as ConfigSource;
		const text = JSON.stringify({ servers: Object.fromEntries(states.map(it => [it, { command: 'x' }])) });
		const servers = parseServerConfig(text, source).servers.map(definition => ({
			definition,
			state: { kind: definition.name },
		}));
		const of = (index: number): object => ({ server: servers[index]?.definition.id });
		const registry = {
			servers,
			serverOf: ({ id }: { readonly id: string }) => servers.find(it => it.definition.id === id),
			onDidChange: () => ({ dispose: () => undefined }),
		} as unknown as ServerRegistry;
		const owned = registerConfigLenses(registry, { sourceOf: () => source } as unknown as WorkspaceConfig);
		const document = { uri: {}, getText: () => text, positionAt: (it: number) => it } as unknown as vscode.TextDocument;
		const lenses = (await provider.provideCodeLenses(document, {} as vscode.CancellationToken)) ?? [];
		assert.deepEqual(
			lenses.map(({ command }) => [...(command?.arguments ?? []), command?.title]),
			[
				[of(0), '$(debug-start) Start in Workbench'],
				[of(1), '$(debug-start) Start in Workbench'],
				[of(3), '$(play) Run Tool in Workbench…'],
				[of(4), '$(question) Diagnose in Workbench'],
			],
		);
		assert.equal(lenses[0]?.command?.command, 'mcpWorkbench.server.start');
		owned.dispose();
	});

	it('offers above .vscode/mcp.json to move its servers', async () => {
		const uri = 'file:///w/.vscode/mcp.json';
		const first = async (kind: ConfigSource['kind'], text: string): Promise<unknown> => {
			const source = { kind, uri } as ConfigSource;
			const registry = { servers: [], serverOf: () => undefined, onDidChange: () => ({ dispose: () => undefined }) };
			const owned = registerConfigLenses(
				registry as unknown as ServerRegistry,
				{ sourceOf: () => source } as unknown as WorkspaceConfig,
			);
			const document = { uri: { toString: () => uri }, getText: () => text, positionAt: (it: number) => it };
			const lenses = await provider.provideCodeLenses(
				document as unknown as vscode.TextDocument,
				{} as vscode.CancellationToken,
			);
			owned.dispose();
			return lenses?.map(({ command }) => [command?.title, command?.command, command?.arguments]);
		};
		const text = '{ "servers": { "a": { "command": "x" } } }';
		assert.deepEqual(await first('vscodeFolder', text), [
			['$(move) Move to .mcp.json…', 'mcpWorkbench.configuration.move', [{ uri }]],
		]);
		assert.deepEqual(await first('projectRoot', text), []);
		assert.deepEqual(await first('vscodeFolder', '{}'), []);
	});
});
