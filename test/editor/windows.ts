// The editor windows of the tests that every change must pass. They open one after the other, each fresh, and run their
// test files in order in one workspace. A file that fails ends its window.
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import type { WindowOptions } from '../host/suites.js';

export interface EditorWindow extends WindowOptions {
	/** Test files below `test/editor`, without `.test.ts`, in order. */
	readonly files: readonly string[];
}

const fixtures = path.join(projectRoot, 'test', 'fixtures');
const workspace = (name: string): string => path.join(fixtures, 'workspaces', name);
/** The tests of consent ask for it themselves. */
const settings = { 'mcpWorkbench.confirmServers': 'never' };

export const editorWindows: readonly EditorWindow[] = [
	{
		name: 'one folder',
		workspace: workspace('gate'),
		extensions: [path.join(fixtures, 'model'), path.join(fixtures, 'caller')],
		settings,
		files: [
			'activation',
			'servers',
			'configuration',
			'inputs',
			'consent',
			'settings',
			'resources',
			'reads',
			'prompts',
			'completion',
			'elicitation',
			'logs',
			'approvals',
			'tools',
			'models',
			'sampling',
			'signIn',
		].map(it => `oneFolder/${it}`),
	},
	{
		name: 'several folders',
		workspace: workspace('gateFolders'),
		settings,
		files: ['severalFolders/roots'],
	},
	{
		name: 'nothing configured',
		workspace: workspace('unconfigured'),
		settings,
		files: ['nothingConfigured/activation'],
	},
	{
		name: 'restricted',
		workspace: workspace('restricted'),
		restricted: true,
		// A server that the person wants to run as soon as the workspace opens.
		settings: { ...settings, 'mcpWorkbench.serverOptions': { eager: { start: 'atActivation' } } },
		files: ['restricted/trust'],
	},
];
