/** The pages of prompts: their form is made of the prompt's arguments, which the server completes. */
import * as vscode from 'vscode';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import { promptViewType } from '../../editor/contributions.js';
import { textsOf } from '../../editor/forms/suggestedStep.js';
import type { PageRun, RunPageDeps } from '../../editor/pages/runPage.js';
import { RunPages } from '../../editor/pages/runPages.js';
import { toolTitle } from '../../editor/ui/shownNames.js';
import type { JsonObject, Prompt } from '../../mcp/index.js';

const { t } = vscode.l10n;

/** @param run runs a prompt from its page */
export function promptPages(
	deps: RunPageDeps,
	run: (server: Server, prompt: Prompt, values: Readonly<Record<string, string>>, place: PageRun) => Promise<void>,
): RunPages<Prompt> {
	return new RunPages(deps, {
		viewType: promptViewType,
		list: 'prompts',
		find: ({ catalog }, name) => itemsOf(catalog?.prompts).find(it => it.name === name),
		unlisted: name => ({ name }),
		nameOf: it => it.name,
		tabNameOf: it => `/${it.name}`,
		schemaOf,
		headOf: (server, prompt) => {
			const [title, ...names] = toolTitle({ ...prompt, name: `/${prompt.name}` });
			return { title, facts: [...names, deps.registry.label(server)] };
		},
		goneText: t('The server no longer offers this prompt.'),
		strings: { noResult: t('Run the prompt to see its result here.') },
		completionOf: ({ name }) => ({ type: 'ref/prompt', name }),
		requestOf: ({ name }, args) => ({ method: 'prompts/get', params: { name, arguments: textsOf(args) } }),
		run: (server, prompt, args, place) => run(server, prompt, textsOf(args), place),
	});
}

/** All arguments of prompts are texts. */
function schemaOf({ arguments: all = [] }: Prompt): JsonObject {
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
