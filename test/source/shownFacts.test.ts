import * as assert from 'node:assert/strict';
import { otherwiseShown } from '../support/shownFacts.js';
import { readSources } from '../support/sourceTrees.js';

const exceptions = new Set([
	// The full view of a definition shows the server's name as JSON.
	'features/consent/parts.ts: definition.name (use registry.label or registry.labelOf)',
	// Keys of settings, policies and files.
	'editor/workspace/serverOptions.ts: definition.name (use registry.label or registry.labelOf)',
	'features/approvals/approvedTools.ts: definition.name (use registry.label or registry.labelOf)',
	'features/roots/chooseFolders.ts: definition.name (use registry.label or registry.labelOf)',
	'features/servers/doctor.ts: definition.name (use registry.label or registry.labelOf)',
	'features/servers/doctor.ts: server.name (use registry.label or registry.labelOf)',
	'features/servers/addSteps.ts: server.name (use registry.label or registry.labelOf)',
	'features/tools/lastArguments.ts: tool.name (use toolName)',
	// Searched, besides the label.
	'features/history/historyView.ts: definition.name (use registry.label or registry.labelOf)',
	// Names of files, which have rules of their own.
	'editor/pages/resultHost.ts: tool.name (use toolName)',
]);

describe('names and addresses', () => {
	it('are shown by one function each', () => {
		assert.deepEqual(
			otherwiseShown(readSources()).filter(it => !exceptions.has(it)),
			[],
		);
	});

	it('are reported where another function shows them', () => {
		const views = {
			'features/a.ts': 'pick.title = t(\'Sign in to "{0}"?\', quickInputText(definition.name, 60));',
			'features/b.ts': "const item = { label: t('Start {0}', quickPickText(registry.label(server))) };",
			'features/c.ts':
				'const items = [{ label: tool.name }, { label: quickPickText(tool, 60) }, { label: `Run ${tool.name}` }];',
			'features/d.ts': 'const where = quickInputText(need.issuer, 100);',
			'features/e.ts':
				"const name = fullName(server.name), title = t('{0}', toolName(tool.name)), url = shownAddress(issuer);",
			'core/f.ts': 'const key = `${definition.name}`;',
		};
		assert.deepEqual(otherwiseShown(views), [
			'features/a.ts: definition.name (use registry.label or registry.labelOf)',
			'features/b.ts: registry.label(server) (is fit for every view as it is)',
			'features/c.ts: tool.name (use toolName)',
			'features/c.ts: tool (use toolName)',
			'features/d.ts: need.issuer (use shownAddress or shownHost)',
		]);
	});
});
