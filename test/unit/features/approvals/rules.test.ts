/** The policy that the Command Palette opens, and the rules that *Add Rule…* offers. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addRule, choosePolicy } from '../../../../src/features/approvals/rules.js';
import { Policies } from '../../../../src/features/approvals/policies.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { screen } from '../../../support/quickPickDouble.js';
import { workspace } from '../../../support/vscodeDouble.js';

const folder = { uri: vscode.Uri.file('/work/garden'), name: 'garden', index: 0 };
const ofFolder = {
	definition: {
		name: 'mine',
		source: { kind: 'vscodeFolder', uri: 'file:///work/garden/.vscode/mcp.json', folderUri: 'file:///work/garden' },
	},
};
const ofSettings = { definition: { name: 'demo', source: { kind: 'userSettings' } } };

describe('the policy to open', () => {
	const { onShow } = screen;
	const { asRelativePath, getWorkspaceFolder } = vscode.workspace;
	afterEach(() => {
		screen.onShow = onShow;
		workspace.workspaceFolders = undefined;
		Object.assign(workspace, { asRelativePath, getWorkspaceFolder });
	});

	/** @returns the files that were offered, or the one that was opened without a question */
	async function open(...servers: readonly object[]): Promise<readonly string[]> {
		workspace.workspaceFolders = [folder];
		Object.assign(workspace, {
			getWorkspaceFolder: ({ path }: vscode.Uri) => (path.startsWith(folder.uri.path) ? folder : undefined),
			asRelativePath: ({ path }: vscode.Uri) => path,
		});
		let offered: readonly string[] | undefined;
		screen.onShow = pick => {
			offered = pick.lines;
			pick.hide();
		};
		const policies = new Policies({ storageUri: undefined, globalStorageUri: vscode.Uri.file('/storage') });
		const label = ({ definition }: { definition: { name: string } }): string => definition.name;
		const registry: { servers: readonly object[]; label: unknown; configured?: Promise<void> } = { servers: [], label };
		// The configured servers become known a moment later.
		registry.configured = new Promise(resolve => {
			setImmediate(() => {
				registry.servers = servers;
				resolve();
			});
		});
		const uri = await choosePolicy(registry as unknown as ServerRegistry, policies, undefined);
		return offered ?? [uri?.path ?? ''];
	}

	it('is that of the only folder, if all servers are of it', async () => {
		assert.deepEqual(await open(), ['/work/garden/.vscode/mcp-policy.json']);
		assert.deepEqual(await open(ofFolder), ['/work/garden/.vscode/mcp-policy.json']);
	});

	it('is chosen where a server of the settings has another one', async () => {
		// Policies without servers come last.
		assert.deepEqual(await open(ofSettings), [
			'Servers in User Settings | demo',
			'Servers in folder garden | No servers yet',
		]);
		assert.deepEqual(await open(ofFolder, ofSettings), [
			'Servers in folder garden | mine',
			'Servers in User Settings | demo',
		]);
	});
});

describe('the rules that are offered', () => {
	const { onShow } = screen;
	afterEach(() => void (screen.onShow = onShow));

	async function offered(tool: string): Promise<readonly string[]> {
		let lines: readonly string[] = [];
		screen.onShow = pick => {
			lines = [pick.title ?? '', ...pick.lines];
			pick.hide();
		};
		const definition = { name: 'docs', source: {} } as ServerDefinition;
		await addRule({} as Policies, { definition, tool }, 'docs', {});
		return lines;
	}

	it('quote the name of the tool, which cannot end the quotation', async () => {
		for (const [tool, shown] of [
			['read_file', 'read_file'],
			['read_file with these arguments', 'read_file with these arguments'],
			['every tool of docs', 'every tool of docs'],
			['a" or every tool of "docs', 'a\\u{0022} or every tool of \\u{0022}docs'],
		] as const) {
			assert.deepEqual(await offered(tool), [
				`Rule for "${shown}" on "docs"`,
				`Ask about "${shown}"`,
				'Ask about every tool of "docs"',
				`Deny "${shown}"`,
				'Deny every tool of "docs"',
				`Allow "${shown}"`,
				'Allow every tool of "docs"',
			]);
		}
	});
});
