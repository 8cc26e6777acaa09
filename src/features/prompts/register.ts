/** Prompts: their group in the tree. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { Prompt } from '../../mcp/index.js';
import { TreeContexts } from '../../host/contributions.js';
import type { ServersTree } from '../../host/tree.js';

export function registerPrompts({ tree }: { readonly tree: ServersTree }): Disposable {
	return tree.registerGroup<Prompt>({
		id: 'prompts',
		order: 40,
		label: vscode.l10n.t('Prompts'),
		list: catalog => catalog.prompts,
		search: ({ name, title, description }) => ({ names: [title, name], description }),
		describe: prompt => ({
			key: prompt.name,
			label: `/${prompt.name}`,
			description: prompt.title,
			tooltip: prompt.description,
			icon: new vscode.ThemeIcon('comment'),
			context: TreeContexts.prompt,
		}),
	});
}
