/** The pages of prompts. Their form has a field for each argument, which the server completes. */
import * as vscode from 'vscode';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { promptViewType } from '../../editor/contributions.js';
import { toTexts } from '../../editor/forms/suggestedStep.js';
import type { PageRun, RunPageDeps } from '../../editor/pages/runPage.js';
import { RunPages } from '../../editor/pages/runPages.js';
import { webviewText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import type { JsonObject, Prompt } from '../../mcp/index.js';

const { t } = vscode.l10n;

/** @param run runs a prompt from its page */
export function createPromptPages(
	deps: RunPageDeps,
	run: (server: Server, prompt: Prompt, values: Readonly<Record<string, string>>, pageRun: PageRun) => Promise<void>,
): RunPages<Prompt> {
	return new RunPages(deps, {
		viewType: promptViewType,
		list: 'prompts',
		find: ({ catalog }, name) => itemsOf(catalog?.prompts).find(it => it.name === name),
		createUnlisted: name => ({ name }),
		getName: prompt => prompt.name,
		getTabName: prompt => `/${prompt.name}`,
		getSchema,
		describeHead: (server, prompt) => {
			const [name, label] = [toolName(`/${prompt.name}`), deps.registry.label(server)];
			return prompt.title
				? { title: webviewText(prompt.title, 200), facts: [name, label] }
				: { title: name, facts: [label] };
		},
		goneText: t('The server no longer offers this prompt.'),
		strings: { noResult: t('Run the prompt to see its result here.') },
		getCompletionRef: ({ name }) => ({ type: 'ref/prompt', name }),
		createRequest: ({ name }, args) => ({ method: 'prompts/get', params: { name, arguments: toTexts(args) } }),
		run: (server, prompt, args, pageRun) => run(server, prompt, toTexts(args), pageRun),
	});
}

/** The arguments of a prompt as a schema. All of them are texts. */
function getSchema({ arguments: all = [] }: Prompt): JsonObject {
	const properties = all.map(({ name, title, description, required }) => [
		name,
		{ type: 'string', title, description, ...(required === true ? { minLength: 1 } : {}) },
	]);
	return {
		type: 'object',
		properties: Object.fromEntries(properties) as JsonObject,
		required: all.filter(it => it.required === true).map(it => it.name),
		additionalProperties: false,
	};
}
