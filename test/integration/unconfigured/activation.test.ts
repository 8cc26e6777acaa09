import * as assert from 'node:assert/strict';
import Module from 'node:module';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../support.js';

/** The bundles that the extension loads while something is done: until it is active, and from then on. */
async function loadsDuring(
	extension: vscode.Extension<unknown>,
	action: () => Promise<void>,
): Promise<Record<'activating' | 'active', string[]>> {
	const loads: Record<'activating' | 'active', string[]> = { activating: [], active: [] };
	const dist = path.join(extension.extensionPath, 'dist');
	const { _extensions: extensions } = Module as unknown as {
		_extensions: Record<'.js', (module: NodeModule, file: string) => void>;
	};
	const load = extensions['.js'];
	extensions['.js'] = (module, file) => {
		if (file.startsWith(dist)) {
			loads[extension.isActive ? 'active' : 'activating'].push(path.relative(dist, file).replaceAll('\\', '/'));
		}
		load(module, file);
	};
	try {
		await action();
	} finally {
		extensions['.js'] = load;
	}
	return loads;
}

describe('a workspace without servers', () => {
	it('does not wake the extension until its command is used', async () => {
		const extension = vscode.extensions.getExtension(extensionId);
		assert.ok(extension);
		assert.equal(extension.isActive, false);

		// Servers of the person's own are no reason to start in every window.
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const { Global } = vscode.ConfigurationTarget;
		await settings.update('servers', { mine: { url: 'http://127.0.0.1:9' } }, Global);
		assert.equal(extension.isActive, false);
		await settings.update('servers', undefined, Global);

		const loads = await loadsDuring(extension, async () => {
			await vscode.commands.executeCommand('mcpWorkbench.configuration.open');
		});
		assert.equal(extension.isActive, true);
		assert.deepEqual(loads.activating, ['extension.js']);
		assert.ok(loads.active.includes('features/servers.js'), loads.active.join());
		assert.ok(!loads.active.includes('features/sampling.js'), loads.active.join());
		const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
		assert.match(document.uri.path, /\/\.vscode\/mcp\.json$/);
		assert.equal(document.isUntitled, true, 'nothing is written before the person saves');
		const text = document.getText();
		assert.match(text, /"servers"/);

		await vscode.commands.executeCommand('mcpWorkbench.configuration.open');
		assert.equal(vscode.window.activeTextEditor?.document.getText(), text, 'asking again adds nothing');
	});
});
