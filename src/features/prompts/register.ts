/** Prompts: their group in the tree, and running them, from a list that reads like slash commands or in an editor. */
import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { isObject, type Prompt } from '../../mcp/index.js';
import type { ShowOutcome } from '../../core/calls/callOutcome.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { plainObject } from '../../core/text/plainData.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs } from '../../editor/forms/argumentInputs.js';
import { CallerError, registerCommand } from '../../editor/commands.js';
import { Commands, TreeContexts } from '../../editor/contributions.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import { PromptOutcomes } from './promptOutcome.js';
import { PromptRunner } from './runPrompt.js';
import { AcceptedPrompt, SlashCompletion } from './slashCompletion.js';
import { pickPrompt } from './slashPick.js';

export interface PromptsDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly inputs: ArgumentInputs;
	readonly showOutcome: ShowOutcome;
}

export function registerPrompts({ registry, tree, pending, inputs, showOutcome }: PromptsDeps): Disposable {
	const owned = new DisposableStore();
	const prompts = lazy(() => {
		const outcomes = new PromptOutcomes({ registry, showOutcome });
		return new PromptRunner({ registry, pending, inputs, outcomes, pick: typed => pickPrompt(registry, typed) });
	});
	owned.add(registry.withServers(() => registerPromptsGroup(tree)));
	owned.add(registry.withServers(() => new SlashCompletion(registry)));
	owned.add(
		registerCommand(Commands.runPrompt, async argument => {
			const runner = prompts();
			if (argument instanceof AcceptedPrompt) {
				await runner.runInEditor(argument);
			} else if (argument instanceof LeafNode) {
				// Lines of our group hold what our group's list holds.
				await runner.askAndRun(argument.server, argument.entry as Prompt);
			} else if (argument === undefined) {
				await runner.choose();
			} else {
				await runGiven(registry, runner, argument);
			}
		}),
	);
	return owned;
}

function registerPromptsGroup(tree: ServersTree): Disposable {
	return tree.registerGroup<Prompt>({
		id: 'prompts',
		order: 40,
		label: vscode.l10n.t('Prompts'),
		icon: 'comment-discussion',
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

/** From a keybinding or another extension: `{ server, name, arguments? }`. What is missing is asked. */
async function runGiven(registry: ServerRegistry, runner: PromptRunner, argument: unknown): Promise<void> {
	const { server: whose, name, arguments: args = {} } = isObject(argument) ? argument : {};
	const given = textsIn(args);
	if (typeof whose !== 'string' || typeof name !== 'string' || !given) {
		throw new CallerError('Expected { server: string, name: string, arguments?: { [name: string]: string } }.');
	}
	await registry.configured;
	const server = registry.find(whose);
	if (!server) {
		throw new CallerError(vscode.l10n.t('There is no server "{0}".', whose));
	}
	const prompt = await runner.find(server, name);
	if (prompt) {
		await runner.askAndRun(server, prompt, given);
	}
}

/** As they are now: the caller may change its own object. */
function textsIn(args: unknown): Record<string, string> | undefined {
	try {
		const copy = plainObject(args);
		return Object.values(copy).every(it => typeof it === 'string') ? (copy as Record<string, string>) : undefined;
	} catch {
		return undefined;
	}
}
