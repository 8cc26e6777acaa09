import * as assert from 'node:assert/strict';
import { editToolLists, placeFor, serverOptions, writeOption } from '../../../../src/editor/workspace/serverOptions.js';
import { settings } from '../../../support/vscodeDouble.js';

describe('options in the settings', () => {
	afterEach(() => settings.clear());

	const source = { kind: 'vscodeFolder', uri: '', folderUri: 'file:///first', folderName: 'first' } as const;
	const definition = { name: 'garden', source } as unknown as Parameters<typeof editToolLists>[0];
	const mine = {
		...definition,
		source: { ...source, kind: 'userSettings', folderUri: undefined, folderName: undefined },
	};

	it('are listed in one of the given places, taken off all of them, and restored', async () => {
		const edit = (...[places, change]: [Parameters<typeof editToolLists>[2], object]) =>
			editToolLists(definition, 'disabled', places, change);
		const [first] = await edit(['workspace', 'folder'], { add: ['weed'] });
		assert.deepEqual(settings.get('mcpWorkbench.tools'), { workspaceValue: { garden: { disabled: ['weed'] } } });
		assert.deepEqual(await edit(['workspace', 'folder'], { add: ['weed'], remove: ['mow'] }), [], 'nothing to change');
		const both = {
			globalValue: { garden: { disabled: ['weed', 'water'] } },
			workspaceValue: { garden: { disabled: ['weed'] }, other: { disabled: ['weed'] } },
		};
		settings.set('mcpWorkbench.tools', both);
		assert.deepEqual(serverOptions(definition).disabledTools, ['weed', 'water']);
		const written = await edit(['workspace', 'user'], { remove: ['weed'] });
		assert.deepEqual(settings.get('mcpWorkbench.tools'), {
			globalValue: { garden: { disabled: ['water'] } },
			workspaceValue: { other: { disabled: ['weed'] } },
		});
		for (const it of written) {
			await it.undo();
		}
		assert.deepEqual(serverOptions(definition).disabledTools, ['weed', 'water']);
		assert.deepEqual(
			[first, ...written].map(it => it?.file),
			['.vscode/settings.json', '.vscode/settings.json', 'User Settings'],
		);
	});

	it('are disabled where the server is configured', () => {
		assert.equal(placeFor(definition, 'disabled'), 'workspace');
		assert.equal(placeFor(mine as typeof definition, 'disabled'), 'user');
	});

	it('other than tools and folders are always in the settings of the person', async () => {
		await writeOption('garden', 'era', 'legacy');
		assert.deepEqual(settings.get('mcpWorkbench.serverOptions'), { globalValue: { garden: { era: 'legacy' } } });
		settings.set('mcpWorkbench.serverOptions', { workspaceValue: { garden: { era: 'modern' } } });
		assert.equal(serverOptions(definition).era, 'auto');
	});
});
