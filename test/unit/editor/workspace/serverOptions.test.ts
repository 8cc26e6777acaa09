import * as assert from 'node:assert/strict';
import { chooseTools, serverOptions, writeOption } from '../../../../src/editor/workspace/serverOptions.js';
import { settings } from '../../../support/vscodeDouble.js';

describe('options in the settings', () => {
	afterEach(() => settings.clear());

	const source = { kind: 'vscodeFolder', uri: '', folderUri: 'file:///first', folderName: 'first' } as const;
	const definition = { name: 'garden', source } as unknown as Parameters<typeof chooseTools>[0]['definition'];
	const mine = {
		...definition,
		source: { ...source, kind: 'userSettings', folderUri: undefined, folderName: undefined },
	};

	it('are disabled where the server is configured, and enabled in every place', async () => {
		await chooseTools({ definition }, 'disabled', ['weed']);
		assert.deepEqual(settings.get('mcpWorkbench.tools'), { workspaceValue: { garden: { disabled: ['weed'] } } });
		settings.set('mcpWorkbench.tools', {
			globalValue: { garden: { disabled: ['weed', 'water'] } },
			workspaceValue: { garden: { disabled: ['weed'] }, other: { disabled: ['weed'] } },
		});
		assert.deepEqual(serverOptions(definition).disabledTools, ['weed', 'water']);
		await chooseTools({ definition }, 'disabled', ['water']);
		assert.deepEqual(settings.get('mcpWorkbench.tools'), {
			globalValue: { garden: { disabled: ['water'] } },
			workspaceValue: { other: { disabled: ['weed'] } },
		});
	});

	it("of the person's own server are in their settings", async () => {
		await chooseTools({ definition: mine as typeof definition }, 'hiddenFromModels', ['weed']);
		assert.deepEqual(settings.get('mcpWorkbench.tools'), { globalValue: { garden: { hiddenFromModels: ['weed'] } } });
	});

	it('other than tools and folders are always in the settings of the person', async () => {
		await writeOption('garden', 'era', 'legacy');
		assert.deepEqual(settings.get('mcpWorkbench.serverOptions'), { globalValue: { garden: { era: 'legacy' } } });
		settings.set('mcpWorkbench.serverOptions', { workspaceValue: { garden: { era: 'modern' } } });
		assert.equal(serverOptions(definition).era, 'auto');
	});
});
