// Rows of prompts and templates: a click opens their page, and the hover of a prompt lists its arguments.
import * as assert from 'node:assert/strict';
import { registerPromptsGroup } from '../../../src/features/prompts/register.js';
import { registerTemplateGroup } from '../../../src/features/resources/templates.js';
import type { ServersTree } from '../../../src/editor/tree/tree.js';
import type { TreeGroup } from '../../../src/editor/tree/treeNodes.js';
import type { Prompt } from '../../../src/mcp/index.js';
import type { Server } from '../../../src/core/servers/server.js';

function groupOf<T>(register: (tree: ServersTree) => unknown): TreeGroup<T> {
	let group: TreeGroup<T> | undefined;
	register({ registerGroup: (it: TreeGroup<T>) => (group = it) } as unknown as ServersTree);
	assert.ok(group);
	return group;
}

describe('rows of the tree', () => {
	it('a click on a prompt or on a template shows its page', () => {
		assert.equal(groupOf(registerPromptsGroup).open, 'mcpWorkbench.prompt.show');
		assert.equal(groupOf(registerTemplateGroup).open, 'mcpWorkbench.resourceTemplate.open');
	});

	it('the hover of a prompt names its arguments', () => {
		const { describe: look } = groupOf<Prompt>(registerPromptsGroup);
		const tooltip = (prompt: Prompt): string | undefined => look(prompt, {} as Server).tooltip;
		assert.equal(
			tooltip({
				name: 'plan',
				description: 'Plans.',
				arguments: [{ name: 'bed', required: true }, { name: 'year\n' }],
			}),
			'Plans.\n\nArguments:\n    bed (required)\n    year',
		);
		assert.equal(tooltip({ name: 'bad' }), 'bad\n\nNo arguments');
	});

	it('the hover of a prompt counts the arguments that it has no room for', () => {
		const { describe: look } = groupOf<Prompt>(registerPromptsGroup);
		const list = Array.from({ length: 15 }, (_, at) => ({ name: `a${at}` }));
		const lines = look({ name: 'plan', arguments: list }, {} as Server).tooltip?.split('\n') ?? [];
		assert.deepEqual(lines.slice(-2), ['    a11', '    3 more']);
	});
});
